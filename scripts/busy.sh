#!/usr/bin/env bash
# Shows that no test depends on the speed of the machine: builds once, then runs the test programs and browser stages of
# release, asan and tsan five times beside eight busy processes: scripts/busy.sh [ROUNDS [PROCESSES]]
# The stages of a round run at the same time. Every round must pass, with the same counts.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
rounds=${1:-5} processes=${2:-8}
. scripts/common.sh
configure release -DMARROW_WERROR=ON -DMARROW_BUILD_TESTS=ON -DMARROW_BUILD_GUESTS=ON && build release &&
  configure asan -DMARROW_WERROR=ON -DMARROW_BUILD_TESTS=ON && build asan || exit 1
scripts/tsan.sh >build/busy-tsan.log && scripts/webgl.sh >build/busy-webgl.log && scripts/webgpu.sh >build/busy-webgpu.log || exit 1

busy=()
stop() { [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null; }
trap stop EXIT
for ((i = 0; i < processes; ++i)); do
  sh -c 'while :; do :; done' &
  busy+=($!)
done

# counts LOG COMMAND...: prints "PASSED FAILED".
counts() {
  local log=$1 status=0 good bad
  shift
  "$@" >"$log" 2>&1 || status=$?
  read -r good bad < <(sed -nE 's/.*tests passed, ([0-9]+) tests failed out of ([0-9]+)/\2 \1/p; s/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log" | tail -n 1)
  if [ "$status" -ne 0 ] && [ "${bad:-0}" -eq 0 ]; then bad=1; fi
  echo "${good:-0} ${bad:-1}"
}

passed=0 failed=0 first=''
parts=(release asan tsan webgl webgpu)
for ((round = 1; round <= rounds; ++round)); do
  start=$SECONDS wrong=0 line='' running=()
  for part in "${parts[@]}"; do
    log=build/busy-$part-$round.log
    case $part in
      release | asan) command=(ctest --preset "$part" -j 8 -LE soak) ;;
      *) command=("scripts/$part.sh") ;;
    esac
    counts "$log" "${command[@]}" >"build/busy-$part.count" &
    running+=($!)
  done
  wait "${running[@]}"
  for part in "${parts[@]}"; do
    read -r good bad <"build/busy-$part.count"
    line+="$part $good/$bad "
    wrong=$((wrong + bad))
  done
  echo "round $round: ${line}in $((SECONDS - start)) s"
  first=${first:-$line}
  if [ "$wrong" -eq 0 ] && [ "$line" = "$first" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
