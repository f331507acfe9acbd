#!/usr/bin/env bash
# Runs clang-tidy with the project's configuration over everything that is compiled.
set -uo pipefail
cmake --preset clang >/dev/null || exit 1
mapfile -t files < <(grep -oP '"file": "\K[^"]+' build/clang/compile_commands.json | sort -u)
bad=0
check_one() {
  clang-tidy --quiet -p build/clang --warnings-as-errors='*' "$1" 2>/dev/null
}
export -f check_one
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -I{} bash -c 'out=$(check_one "{}") || { echo "{}"; echo "$out"; exit 1; }' ||
  bad=1
echo "$((${#files[@]} - bad)) passed, $bad failed"
[ "$bad" -eq 0 ]
