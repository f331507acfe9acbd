#!/usr/bin/env bash
# Checks every source file with clang-format, and the private headers that modules use of each other. --fix formats the
# files in place.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.cpp' '*.inl')
if [ "${1:-}" = --fix ]; then
  clang-format -i "${files[@]}"
  exit
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# One process checks many files: most of the time of a small one is the start of the program.
printf '%s\0' "${files[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format --dry-run -Werror 2>"$log"
status=$?
cat "$log"
bad=$(sed -nE 's/^([^ :]+):[0-9]+:[0-9]+: error: .*/\1/p' "$log" | sort -u | wc -l)
if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
scripts/imports.py || bad=$((bad + 1))
echo "$((${#files[@]} + 1 - bad)) passed, $bad failed"
[ "$bad" -eq 0 ] && [ ${#files[@]} -gt 0 ]
