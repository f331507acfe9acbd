#!/usr/bin/env bash
# Measures which lines of the library the tests run. The table of files is left in build/coverage/lines.txt.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/common.sh
mkdir -p build
scripts/suite.sh coverage 2>&1 | tee build/coverage.log
read -r passed failed < <(count_of build/coverage.log)
if gcovr --root . --filter src/ --filter include/ build/coverage -j "$(nproc)" >build/coverage/lines.txt 2>build/coverage/gcovr.log; then
  passed=$((${passed:-0} + 1))
  tail -n 4 build/coverage/lines.txt
else
  failed=$((${failed:-1} + 1))
  tail -n 20 build/coverage/gcovr.log
fi
echo "${passed:-0} passed, ${failed:-1} failed"
[ "${failed:-1}" -eq 0 ]
