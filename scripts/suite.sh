#!/usr/bin/env bash
# Builds a preset with warnings as errors and runs its tests: scripts/suite.sh PRESET
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
cmake --preset "$preset" -DMARROW_WERROR=ON -DMARROW_BUILD_TESTS=ON >/dev/null
cmake --build --preset "$preset"
log=build/$preset/ctest.log
status=0
ctest --preset "$preset" -j "$(nproc)" --no-tests=error >"$log" || status=$?
grep -vE '^ *[0-9]+/[0-9]+ Test.*Passed|^ *Start ' "$log" || true
# "97% tests passed, 2 tests failed out of 70"
read -r bad total < <(sed -nE 's/.*tests passed, ([0-9]+) tests failed out of ([0-9]+)/\1 \2/p' "$log")
echo "$((total - bad)) passed, $bad failed"
exit "$status"
