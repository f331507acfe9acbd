#!/usr/bin/env bash
# Runs the tests that use threads under ThreadSanitizer.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/common.sh
configure tsan -DMARROW_WERROR=ON && build tsan marrow_scene_test marrow_ffi_test || exit 1
passed=0
failed=0
start=$SECONDS

run() { # PROGRAM ARGUMENT...
  local out status=0 good bad
  out=$("build/tsan/tests/$1" --no-colors "${@:2}" 2>&1) || status=$?
  echo "$out" | tail -n 40
  read -r good bad < <(sed -nE 's/.*test cases: *[0-9]+ *\| *([0-9]+) passed *\| *([0-9]+) failed.*/\1 \2/p' <<<"$out")
  if [ "$status" -ne 0 ] && [ "${bad:-0}" -eq 0 ]; then bad=$((${bad:-0} + 1)); fi
  passed=$((passed + ${good:-0}))
  failed=$((failed + ${bad:-1}))
}
run marrow_scene_test
run marrow_ffi_test --test-case='*thread*,*executor*'
echo "time: tests $((SECONDS - start)) s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
