#!/usr/bin/env bash
# Runs marrow on files that are not part of the project: MARROW_SHARED, or the folder shared/ beside the project.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
MARROW_SHARED=$(readlink -f "${MARROW_SHARED:-../shared}")
export MARROW_SHARED
cmake --preset release && cmake --build --preset release --target marrow_conformance || exit 1
out=$(build/release/tests/marrow_conformance 2>&1)
status=$?
echo "$out"
counts=$(sed -n 's/.*test cases: *[0-9]* *| *\([0-9]*\) passed *| *\([0-9]*\) failed.*/\1 passed, \2 failed/p' <<<"$out")
echo "${counts:-0 passed, 1 failed}"
exit $status
