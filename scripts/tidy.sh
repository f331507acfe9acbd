#!/usr/bin/env bash
# Runs clang-tidy with the project's configuration over everything that is compiled but the tests, whose test framework
# takes the analyser minutes. What the analyser follows through calls is kept short for the same reason.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
cmake --preset clang -DMARROW_BUILD_TESTS=OFF >/dev/null || exit 1
# Files of bytes and texts that only a build makes are not there, and there is nothing in them to look at; nor can the
# guests be read without theirs, or the console in C without its guest.
mapfile -t files < <(grep -oP '"file": "\K[^"]+' build/clang/compile_commands.json | grep -vE '/examples/(guests/.*|c/console)\.c$' | sort -u |
  while read -r file; do [ ! -f "$file" ] || echo "$file"; done)
export shallow="--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow"
bad=$(printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c '
  found=$(clang-tidy --quiet -p build/clang --warnings-as-errors="*" $shallow "{}" 2>/dev/null) && exit
  printf "%s\n%s\n" "{}" "$found" >&2
  echo bad' | wc -l)
echo "$((${#files[@]} - bad)) passed, $bad failed"
[ "$bad" -eq 0 ]
