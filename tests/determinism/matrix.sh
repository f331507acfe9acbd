#!/usr/bin/env bash
# The determinism matrix: builds the golden program for each compiler, optimisation level and target, runs it on each
# lane count that the target has, and compares the hash of each part with the expected one.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/common.sh
passed=0
failed=0

# row NAME COMMAND...: one row of the matrix; golden prints one line, or one line per part that differs.
row() {
  local name=$1 out status=0
  shift
  out=$("$@" 2>&1) || status=$?
  if [ $status -eq 0 ]; then
    passed=$((passed + 1))
    printf 'ok    %-44s %s\n' "$name" "$out"
  else
    failed=$((failed + 1))
    printf 'FAIL  %-44s %s\n' "$name" "${out//$'\n'/$'\n      '}"
  fi
}

# build_golden NAME CMAKE-ARGS...: configures and builds golden in build/golden/NAME; a failure is a failed row.
build_golden() {
  local dir=build/golden/$1 log=build/golden/$1.log
  shift
  if ! { cmake -S . -B "$dir" -G Ninja -DMARROW_FAST_BUILD=ON -DMARROW_GOLDEN_ONLY=ON -DMARROW_GLTF=OFF "$@" && cmake --build "$dir" --target golden; } \
    >"$log" 2>&1; then
    tail -n 20 "$log"
    row "$dir builds" false
    return 1
  fi
}

lane_counts="1 4"
if grep -qw avx2 /proc/cpuinfo; then lane_counts="1 4 8"; else echo "8 lanes are left out: this processor has no AVX2"; fi

mkdir -p build/golden
for compiler in g++ clang++; do
  for level in O0 O3; do
    name=$compiler-$level tree=build/golden/$name
    if [ $name = g++-O3 ]; then
      tree=build/release
      release_tree golden >build/golden/release.log 2>&1 || { tail -n 20 build/golden/release.log; row "$name builds" false; continue; }
    else
      build_golden "$name" -DCMAKE_CXX_COMPILER=$compiler -DCMAKE_CXX_FLAGS=-$level || continue
    fi
    golden=$tree/tests/determinism/golden
    for lanes in $lane_counts; do
      row "$name, $lanes lanes" "$golden" --lanes $lanes
      [ $level = O0 ] || row "$name, $lanes lanes, flushing host" "$golden" --lanes $lanes --flush
    done
  done
done

build_golden scalar -DCMAKE_CXX_FLAGS=-O1 -DMARROW_SIMD=scalar &&
  row "scalar build, g++-O1" build/golden/scalar/tests/determinism/golden

# Everything, the library too, in a project that asks for relaxed arithmetic and this processor's instructions.
build_golden fast -DCMAKE_CXX_COMPILER=g++ "-DCMAKE_CXX_FLAGS=-O2 -march=native -ffast-math" &&
  row "g++ -O2 -march=native -ffast-math, all" build/golden/fast/tests/determinism/golden
build_golden fast-clang -DCMAKE_CXX_COMPILER=clang++ "-DCMAKE_CXX_FLAGS=-O2 -march=native -ffast-math" &&
  row "clang++ -O2 -march=native -ffast-math, all" build/golden/fast-clang/tests/determinism/golden

# A program of such flags that uses marrow's headers itself and links the ordinary library.
for compiler in g++ clang++; do
  lib=build/golden/$compiler-O3
  [ $compiler = clang++ ] || lib=build/release
  row "$compiler consumer builds" "$compiler" -std=c++20 -O3 -march=native -ffast-math -Iinclude "-I$lib/shared" tests/determinism/main.cpp \
    tests/determinism/frames.cpp tests/determinism/play_frames.cpp tests/determinism/scene_frames.cpp "$lib/tests/determinism/libmarrow_golden.a" "$lib/fixtures/libmarrow_fixtures.a" \
    "$lib/libmarrow.a" -o "build/golden/consumer-$compiler"
  row "$compiler -march=native -ffast-math consumer" "build/golden/consumer-$compiler"
done

build_golden aarch64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_FLAGS=-O1 \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ && for lanes in 1 4; do
  qemu=(qemu-aarch64 -L /usr/aarch64-linux-gnu build/golden/aarch64/tests/determinism/golden)
  row "aarch64, $lanes lanes" "${qemu[@]}" --lanes $lanes
  row "aarch64, $lanes lanes, flushing host" "${qemu[@]}" --lanes $lanes --flush
done

if wasm_tree golden >build/golden/wasm.log 2>&1; then
  for lanes in 1 4; do
    row "wasm in node, $lanes lanes" node build/wasm/tests/determinism/golden.js --lanes $lanes
  done
else
  tail -n 20 build/golden/wasm.log
  row "wasm builds" false
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
