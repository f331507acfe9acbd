#!/usr/bin/env bash
# Every GLSL shader is accepted by the reference compiler: validate_glsl.sh WRITER VALIDATOR
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
files=("$folder"/*.vert "$folder"/*.frag)
[ ${#files[@]} -ge 90 ] || { echo "only ${#files[@]} shaders were written"; exit 1; }
# Options for one file each: the validator links what it is given together.
for file in "${files[@]}"; do
  "$2" "$file" >"$folder/log" || { cat "$folder/log"; exit 1; }
done
echo "${#files[@]} accepted"
