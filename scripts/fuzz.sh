#!/usr/bin/env bash
# Feeds the readers with broken files, and the C ABI and the guests' host with calls: scripts/fuzz.sh [SECONDS
# [TARGET...]], 20 seconds of each of json, glb, gltf, mrw, ffi and guest.
# Starts from seeds and from what earlier runs found worth keeping (build/fuzz/corpus); what breaks a target is in
# build/fuzz/findings. FUZZ_SEED chooses what is tried; 0 is something else each time.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
seconds=${1:-20}
[ $# -eq 0 ] || shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(json glb gltf mrw ffi guest)
cmake --preset fuzz -DMARROW_WERROR=ON >/dev/null && cmake --build --preset fuzz || exit 1

here=build/fuzz
passed=0
failed=0
rm -rf "$here/seeds"
if "$here/fuzz/marrow_make_seeds" "$here/seeds"; then passed=1; else failed=1; fi

for target in "${targets[@]}"; do
  corpus=$here/corpus/$target findings=$here/findings/$target log=$here/$target.log
  mkdir -p "$corpus" "$findings"
  # The reader may spend 2 MiB here; one allocation of many times that is a finding. The timeout is in real time and ends
  # a hang alone: the line of the target names the time of its slowest input.
  if "$here/fuzz/marrow_${target}_fuzzer" -max_total_time="$seconds" -seed="${FUZZ_SEED:-1}" -max_len=8192 -timeout=600 \
    -rss_limit_mb=2048 -malloc_limit_mb=64 -dict=fuzz/gltf.dict -print_final_stats=1 \
    -artifact_prefix="$findings/" "$corpus" "$here/seeds/$target" >"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    grep -aE -A 25 'ERROR|runtime error|not as it should be|^marrow:' "$log" | head -n 40
  fi
  reached=$(grep -aoE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1)
  runs=$(sed -nE 's/^stat::number_of_executed_units: *([0-9]+).*/\1/p' "$log")
  slowest=$(sed -nE 's/^stat::slowest_unit_time_sec: *([0-9]+).*/\1/p' "$log")
  echo "$target: ${runs:-no} executions in $seconds s, ${reached:-no coverage}, slowest ${slowest:-unknown} s (log in $log)"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
