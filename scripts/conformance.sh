#!/usr/bin/env bash
# Runs marrow on models that are not part of the project and compares it with other implementations:
#   scripts/conformance.sh [FOLDER]
# MARROW_SHARED, or the folder shared/ beside the project, holds the judges in oracle/ and, unless told otherwise, the
# models in assets/gltf. The tables are left in build/conformance/table.tsv and, of what
# `marrow export` writes, export.tsv.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
MARROW_SHARED=$(readlink -f "${MARROW_SHARED:-../shared}")
export MARROW_SHARED
models=$(readlink -f "${1:-$MARROW_SHARED/assets/gltf}")
. scripts/packages.sh
. scripts/common.sh
install_packages conformance || exit 1
command -v npm >/dev/null || install_packages npm || exit 1
release_tree marrow_conformance marrow_tool || exit 1

judges=build/conformance/oracle
mkdir -p "$judges"
cp "$MARROW_SHARED"/oracle/* "$judges/" || exit 1
[ -d "$judges/node_modules/three" ] || (cd "$judges" && npm install --silent --no-audit --no-fund three@0.187.0) || exit 1

export MARROW_MODELS=$models
out=$(build/release/tests/marrow_conformance 2>&1)
echo "$out"
read -r passed failed < <(sed -n 's/.*test cases: *[0-9]* *| *\([0-9]*\) passed *| *\([0-9]*\) failed.*/\1 \2/p' <<<"$out")
python3 tests/conformance/compare.py "$models" "$judges" build/release/tools/marrow build/conformance/table.tsv |
  tee build/conformance/log
read -r good bad < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' build/conformance/log)
passed=$((${passed:-0} + ${good:-0})) failed=$((${failed:-1} + ${bad:-1}))
python3 tests/conformance/export.py "$models" build/release/tools/marrow build/conformance/export.tsv |
  tee build/conformance/export.log
read -r good bad < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' build/conformance/export.log)
passed=$((passed + ${good:-0})) failed=$((failed + ${bad:-1}))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
