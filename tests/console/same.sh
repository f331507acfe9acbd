#!/usr/bin/env bash
# What a guest draws is the same to the bit, whatever it was written in and compiled to:
# same.sh CONSOLE NATIVE GUEST.wasm...
set -uo pipefail
console=$1 native=$2
shift 2
frames=240
patience=600  # seconds for a call; no machine is so busy
buttons=20:none,60:right,15:right+a,40:left+up,30:b,20:down/50:left,30:a,60:right+b,40:up
expected=$("$native" $frames "$buttons") || exit 1
[ "$(echo "$expected" | wc -l)" -eq $frames ] || { echo "FAILED: $native printed $expected"; exit 1; }
[ "$(echo "$expected" | cut -d' ' -f3 | sort -u | wc -l)" -gt 60 ] || { echo "FAILED: $native stands still"; exit 1; }
for guest; do
  difference=$(diff <(echo "$expected") \
    <("$console" "$guest" --frames $frames --buttons "$buttons" --hash --patience $patience 2>&1)) && continue
  echo "FAILED: $guest differs from $native:"
  echo "$difference" | head -4
  exit 1
done
echo "$# guests and the native program: $frames frames, the last $(echo "$expected" | tail -1 | cut -d' ' -f3)"
