#!/usr/bin/env bash
# Runs clang-tidy with the project's configuration over all code but the tests; see tidy.py. build/tidy-cache holds the
# results of earlier runs: scripts/tidy.sh [--deep]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/common.sh
configure tidy || exit 1
exec python3 scripts/tidy.py "$@" build/tidy build/tidy-cache
