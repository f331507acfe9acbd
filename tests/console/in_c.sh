#!/usr/bin/env bash
# A game in the console in C, made C by wasm2c, draws what it does compiled for this machine, and the same after
# rollbacks: in_c.sh CONSOLE NATIVE
set -uo pipefail
console=$1 native=$2
frames=240
expected=$("$native" $frames 30:none,30:right,30:right+a,30:left+up,30:b,30:down) || exit 1
got=$("$console" $frames 0 2 18 5 32 8) || { echo "FAILED: $console ended with status $?"; exit 1; }
difference=$(diff <(echo "$expected") <(echo "$got")) && [ "$(echo "$got" | wc -l)" -eq $frames ] || {
  echo "FAILED: $console differs from $native:"
  echo "$difference" | head -4
  exit 1
}
echo "$frames frames, the last $(echo "$got" | tail -1 | cut -d' ' -f3)"
