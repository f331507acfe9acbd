#!/usr/bin/env bash
# Checks every source file with clang-format. --fix formats them in place.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.cpp' '*.inl')
if [ "${1:-}" = --fix ]; then
  clang-format -i "${files[@]}"
  exit
fi
bad=0
for file in "${files[@]}"; do
  clang-format --dry-run -Werror "$file" || bad=$((bad + 1))
done
echo "$((${#files[@]} - bad)) passed, $bad failed"
[ "$bad" -eq 0 ] && [ ${#files[@]} -gt 0 ]
