#!/usr/bin/env bash
# Builds a preset with warnings as errors and runs its tests: scripts/suite.sh PRESET [-D...] [+D...] [CTEST-OPTION...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh
preset=$1
shift
options=() tests=()
for word in "$@"; do
  case $word in
    -D* | +D*) options+=("$word") ;;
    *) tests+=("$word") ;;
  esac
done
configure "$preset" -DMARROW_WERROR=ON -DMARROW_BUILD_TESTS=ON "${options[@]}"
build "$preset"
log=build/$preset/ctest.log
status=0 start=$SECONDS
ctest --preset "$preset" -j "$(nproc)" --no-tests=error "${tests[@]}" >"$log" || status=$?
grep -vE '^ *[0-9]+/[0-9]+ Test.*Passed|^ *Start ' "$log" || true
echo "time: tests $((SECONDS - start)) s"
# "97% tests passed, 2 tests failed out of 70"
read -r bad total < <(sed -nE 's/.*tests passed, ([0-9]+) tests failed out of ([0-9]+)/\1 \2/p' "$log")
echo "$((total - bad)) passed, $bad failed"
exit "$status"
