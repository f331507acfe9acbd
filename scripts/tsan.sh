#!/usr/bin/env bash
# Runs the tests that have threads in them under ThreadSanitizer, which finds what two of them do to the same memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake --preset tsan -DMARROW_WERROR=ON >/dev/null
cmake --build --preset tsan --target marrow_scene_test
out=$(build/tsan/tests/marrow_scene_test --no-colors 2>&1) || status=$?
echo "$out" | tail -n 40
read -r good bad < <(sed -nE 's/.*test cases: *[0-9]+ *\| *([0-9]+) passed *\| *([0-9]+) failed.*/\1 \2/p' <<<"$out")
if [ "${status:-0}" -ne 0 ] && [ "${bad:-0}" -eq 0 ]; then bad=$((${bad:-0} + 1)); fi
echo "${good:-0} passed, ${bad:-1} failed"
exit "${status:-0}"
