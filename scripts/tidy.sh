#!/usr/bin/env bash
# Parses each file of the library by itself, then runs clang-tidy with the project's configuration over all code but the
# tests; see tidy.py. build/tidy-cache holds the results of earlier runs: scripts/tidy.sh [--deep]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/common.sh
configure tidy || exit 1
start=$SECONDS
cmake --build build/tidy --target marrow_alone -- -k 0 >build/tidy-alone.log 2>&1
mapfile -t failed < <(sed -nE 's/^FAILED: (\S+)\.ok.*/\1/p' build/tidy-alone.log)
files=$(find build/tidy/alone -name '*.ok' | wc -l)
if [ ${#failed[@]} -gt 0 ] || [ "$files" -eq 0 ]; then cat build/tidy-alone.log; fi
echo "time: parsing $((SECONDS - start)) s"
start=$SECONDS
python3 scripts/tidy.py "$@" build/tidy build/tidy-cache | tee build/tidy.log
read -r good bad < <(count_of build/tidy.log)
echo "time: clang-tidy $((SECONDS - start)) s"
echo "$((files + ${good:-0})) passed, $((${#failed[@]} + ${bad:-1})) failed"
[ ${#failed[@]} -eq 0 ] && [ "$files" -gt 0 ] && [ "${bad:-1}" -eq 0 ]
