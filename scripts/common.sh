# What the stages of ./test share. Source this file in the project's folder.

# configure TREE CMAKE-ARGUMENT...: configures build/TREE with the preset of that name. An argument +D... counts in a new
# tree alone.
# build TREE [TARGET...]: builds it. Stages that share a tree and run at once wait for each other here.
configure() (
  tree=$1
  shift
  mkdir -p build
  exec 9>"build/$tree.lock"
  flock 9
  arguments=()
  for argument in "$@"; do
    case $argument in
      +D*) [ -f "build/$tree/CMakeCache.txt" ] || arguments+=("-${argument#+}") ;;
      *) arguments+=("$argument") ;;
    esac
  done
  cmake --preset "$tree" "${arguments[@]}" >"build/$tree-configure.log" 2>&1 || {
    cat "build/$tree-configure.log"
    return 1
  }
)
build() {
  local tree=$1 start=$SECONDS targets=()
  shift
  [ $# -eq 0 ] || targets=(--target "$@")
  flock "build/$tree.lock" cmake --build "build/$tree" "${targets[@]}" || return 1
  echo "time: build $((SECONDS - start)) s"
}

# release_tree TARGET...: builds targets in build/release as it is configured, or with tests if it is not.
release_tree() {
  [ -f build/release/tests/CTestTestfile.cmake ] || configure release -DMARROW_WERROR=ON -DMARROW_BUILD_TESTS=ON || return 1
  build release "$@"
}

# count_of LOG: prints "PASSED FAILED" of the last line "N passed, N failed" in a log.
count_of() { sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$1" | tail -n 1; }

# wasm_tree TARGET...: builds targets with Emscripten in build/wasm.
wasm_tree() {
  export NODE_PATH=/usr/share/nodejs  # where Debian's Emscripten finds its modules
  mkdir -p build
  flock build/wasm.lock emcmake cmake -S . -B build/wasm -G Ninja -DCMAKE_BUILD_TYPE=Release -DMARROW_FAST_BUILD=ON \
    -DMARROW_GLTF=OFF -DMARROW_OFFSCREEN=OFF -DMARROW_BUILD_EXAMPLES=OFF -DMARROW_BUILD_TOOLS=OFF -DMARROW_INSTALL=OFF \
    >build/wasm-configure.log 2>&1 || {
    cat build/wasm-configure.log
    return 1
  }
  build wasm "$@"
}
