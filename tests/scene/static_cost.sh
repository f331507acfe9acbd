#!/usr/bin/env bash
# static_cost.sh PROGRAM: fails unless an update among 100,000 nodes that stand still takes as many instructions as
# without them, to 5 %.
set -euo pipefail
count() {
  local log
  log=$(mktemp)
  valgrind --tool=callgrind --toggle-collect=measured --callgrind-out-file=/dev/null "$1" "$2" >/dev/null 2>"$log"
  sed -nE 's/.*Collected : ([0-9]+).*/\1/p' "$log"
  rm -f "$log"
}
without=$(count "$1" 0)
with=$(count "$1" 100000)
echo "instructions of 100 updates: $without without static nodes, $with with 100,000"
[ "$without" -gt 100000 ] && [ $((with * 100)) -le $((without * 105)) ]
