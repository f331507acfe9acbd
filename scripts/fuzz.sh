#!/usr/bin/env bash
# Fuzzes the readers, the C ABI and the guest host: scripts/fuzz.sh [SECONDS [TARGET...]]
# The default is 20 seconds of each of json, glb, gltf, mrw, ffi and guest. One target runs per processor.
# A run starts from seeds and from the corpus of earlier runs (build/fuzz/corpus). Inputs that break a target are left in
# build/fuzz/findings. FUZZ_SEED selects the random sequence; 0 selects another one each time.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/common.sh
seconds=${1:-20}
[ $# -eq 0 ] || shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(json glb gltf mrw ffi guest)
if [ ! -f build/asan/tests/CTestTestfile.cmake ]; then configure asan -DMARROW_WERROR=ON -DMARROW_BUILD_TESTS=ON || exit 1; fi
build asan marrow_fuzzers || exit 1

here=build/fuzz programs=build/asan/fuzz
passed=0
failed=0
rm -rf "$here/seeds"
mkdir -p "$here"
if "$programs/marrow_make_seeds" "$here/seeds"; then passed=1; else failed=1; fi

fuzz() { # TARGET: its status is in $here/TARGET.status
  local target=$1 corpus=$here/corpus/$1 findings=$here/findings/$1 log=$here/$1.log
  mkdir -p "$corpus" "$findings"
  # The reader may use 2 MiB here; one allocation of many times that is a finding. The timeout ends a hang: it is real
  # time, and a busy machine can make a short input take many seconds.
  "$programs/marrow_${target}_fuzzer" -max_total_time="$seconds" -seed="${FUZZ_SEED:-1}" -max_len=8192 -timeout=600 \
    -rss_limit_mb=2048 -malloc_limit_mb=64 -dict=fuzz/gltf.dict -print_final_stats=1 \
    -artifact_prefix="$findings/" "$corpus" "$here/seeds/$target" >"$log" 2>&1
  echo $? >"$here/$target.status"
}
start=$SECONDS
for target in "${targets[@]}"; do
  rm -f "$here/$target.status"
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  fuzz "$target" &
done
wait
for target in "${targets[@]}"; do
  log=$here/$target.log
  if [ "$(cat "$here/$target.status")" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    grep -aE -A 25 'ERROR|runtime error|not as it should be|^marrow:' "$log" | head -n 40
  fi
  reached=$(grep -aoE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1)
  runs=$(sed -nE 's/^stat::number_of_executed_units: *([0-9]+).*/\1/p' "$log")
  slowest=$(sed -nE 's/^stat::slowest_unit_time_sec: *([0-9]+).*/\1/p' "$log")
  echo "$target: ${runs:-no} executions in $seconds s, ${reached:-no coverage}, slowest input ${slowest:-?} s (log in $log)"
done
echo "time: fuzzing $((SECONDS - start)) s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
