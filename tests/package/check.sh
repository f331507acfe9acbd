#!/usr/bin/env bash
# Checks marrow as a user meets it: installed and found, as a subdirectory, as a shared library, from C, Python and Rust;
# that the modules keep apart; and that the commands of the README work.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/common.sh
root=$PWD
out=$root/build/package
passed=0
failed=0
mkdir -p "$out"

# expect NAME COMMAND...: the command succeeds. expect_failure: it fails with output that has the words given first.
expect() {
  local name=$1
  shift
  if "$@" >"$out/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    tail -n 20 "$out/log"
  fi
}
expect_failure() {
  local name=$1 words=$2
  shift 2
  if ! "$@" >"$out/log" 2>&1 && grep -qF "$words" "$out/log"; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    tail -n 20 "$out/log"
  fi
}
build_in() { # DIR CMAKE-ARGS...
  local dir=$1
  shift
  cmake -G Ninja -B "$dir" -DCMAKE_BUILD_TYPE=Release "$@" && cmake --build "$dir"
}
installed() { # COMMAND...: with what is installed
  PKG_CONFIG_PATH=$out/prefix/lib/pkgconfig LD_LIBRARY_PATH=$out/prefix/lib "$@"
}
prints() { # FILE COMMAND...: what the command prints goes to the file
  local file=$1
  shift
  "$@" >"$file"
}
inside=(-S tests/package/consumer "-DMARROW_SOURCE=$root" -DMARROW_FAST_BUILD=ON -DCMAKE_CXX_FLAGS_RELEASE=-O1)

expect "a program has it as a subdirectory" build_in "$out/inside" --fresh "${inside[@]}"
expect "and runs" "$out/inside/consumer"

# The archive is that of the release build. The shared library is linked from the objects of the subdirectory.
for shared in OFF ON; do
  rm -rf "$out/prefix" "$out/found"
  if [ $shared = OFF ]; then
    expect "the library builds, shared $shared" release_tree
    expect "it installs" cmake --install build/release --prefix "$out/prefix"
  else
    expect "the library builds, shared $shared" build_in "$out/inside" "${inside[@]}" -DBUILD_SHARED_LIBS=ON \
      -DMARROW_INSTALL=ON -DMARROW_MESHOPT=ON -DMARROW_DRACO=ON -DMARROW_OFFSCREEN=ON
    expect "it installs" cmake --install "$out/inside" --prefix "$out/prefix"
  fi
  expect "a program finds it" build_in "$out/found" -S tests/package/consumer "-DCMAKE_PREFIX_PATH=$out/prefix"
  expect "and runs" "$out/found/consumer"
  expect "the shaders are there" grep -q "fn marrow_skin" "$out/prefix/share/marrow/shaders/wgsl/skin_storage.wgsl"

  # The examples in other languages see nothing but what is installed, and print the same.
  rm -f "$out"/character*
  expect "the example in C builds" cc -std=c99 -Wall -Wextra -pedantic -Werror examples/c/character.c \
    $(installed pkg-config --cflags --libs marrow) -o "$out/character_c"
  expect "and runs" prints "$out/character_c.txt" installed "$out/character_c" assets

  # The console in C, as its first lines say.
  game=$out/game
  rm -rf "$game"
  mkdir "$game"
  expect "a game builds" clang --target=wasm32 -O2 -std=c99 -ffreestanding -nostdlib -mbulk-memory -ffp-contract=off \
    -Wl,--no-entry -I "$out/prefix/share/marrow/guest" examples/guests/tail.c -o "$game/tail.wasm"
  expect "and is made C" wasm2c -n guest "$game/tail.wasm" -o "$game/guest.c"
  names=()
  ! grep -q Z_guest "$game/guest.h" || names=(-DWASM2C_Z_NAMES)
  expect "the console in C builds" cc -O2 -ffp-contract=off "${names[@]}" -I "$game" -I /usr/share/wabt/wasm2c \
    examples/c/console.c "$game/guest.c" -lwasm-rt-impl $(installed pkg-config --cflags --libs marrow) -lm -o "$game/tail"
  expect "and plays it" prints "$game/frames" installed "$game/tail" 60 2
  expect "frame by frame" [ "$(sort -u -k 3 "$game/frames" | wc -l)" = 60 ]

  linked=(-l dylib=marrow)
  [ $shared = ON ] || linked=(-l static=marrow -l dylib=stdc++)
  expect "the example in Rust builds" rustc -D warnings examples/rust/character.rs -L "native=$out/prefix/lib" \
    "${linked[@]}" -o "$out/character_rust"
  expect "and runs" prints "$out/character_rust.txt" installed "$out/character_rust" assets
  expect "and prints what that in C does" cmp "$out/character_c.txt" "$out/character_rust.txt"
  expect "which is a line for each second" [ "$(grep -c "s: palette" "$out/character_c.txt")" = 7 ]
  expect "with the same line for the second from the snapshot" \
    [ "$(tail -n 2 "$out/character_c.txt" | sort -u | wc -l)" = 1 ]
  [ $shared = ON ] || continue
  expect "the example in Python runs" prints "$out/character_python.txt" \
    python3 examples/python/character.py "$out/prefix/lib/libmarrow.so" assets
  expect "and prints what that in C does" cmp "$out/character_c.txt" "$out/character_python.txt"
done

# Those for C are C, too.
for header in marrow marrow_host; do
  echo "#include <marrow/$header.h>" >"$out/header.c"
  for compiler in gcc clang; do
    for standard in c99 c11; do
      expect "<marrow/$header.h> is $standard for $compiler" $compiler -std=$standard -fsyntax-only -Wall -Wextra \
        -pedantic -Wstrict-prototypes -Werror -Iinclude "$out/header.c"
    done
  done
done

# An include of a module that is not in USES does not compile, nor does a private header of another module.
modules=$root/build/release/modules
compile() { # INCLUDE MODULE...: compiles a file with that include in it, with the include folders of these modules
  local include=$1 flags=()
  shift
  for module in "$@"; do flags+=("-I$modules/$module"); done
  echo "#include \"$include\"" >"$out/include.cpp"
  g++ -std=c++20 -fsyntax-only "${flags[@]}" "$out/include.cpp"
}
include_path() { # MODULE: the include folders of other modules that CMake gives it, and its own
  grep -P "command.*marrow_$1.dir/Unity" "$root/build/release/compile_commands.json" | head -n 1 | grep -oP "/modules/\K\w+" |
    sort -u | tr '\n' ' '
}
expect "core sees itself alone" [ "$(include_path core)" = "core " ]
expect "math sees core" [ "$(include_path math)" = "core math " ]
expect "anim sees math and core" [ "$(include_path anim)" = "anim core math " ]
expect "play needs no mixer" [ "$(include_path play)" = "anim core math play " ]
expect "mixer does not see the tools for clips" [ "$(include_path mixer)" = "anim core math mixer play " ]
expect "the model does not see its reader" [ "$(include_path model)" = "anim clip core math model skin text " ]
expect "gltf sees what it reads into" [ "$(include_path gltf)" = "anim clip core gltf math model skin text " ]
expect "guest does not see the scene" [ "$(include_path guest)" = "anim core guest math skin " ]
expect "gpu does not see the scene" [ "$(include_path gpu)" = "anim core gpu math skin " ]
expect "ffi sees neither export nor what draws" \
  [ "$(include_path ffi)" = "anim clip core ffi gltf guest math mixer model play scene skin text " ]
expect_failure "math cannot include anim" "marrow/anim/clip.h: No such file" compile marrow/anim/clip.h $(include_path math)
expect_failure "core cannot include math" "marrow/math/quat.h: No such file" compile marrow/math/quat.h $(include_path core)
expect "anim can include math" compile marrow/math/quat.h $(include_path anim)
expect_failure "scene cannot include a private header of mixer" "src/mixer/mixer_impl.h: No such file" \
  compile src/mixer/mixer_impl.h $(include_path scene)
expect "anim can include a header that math opens" compile src/math/arithmetic.h $(include_path anim)

# The commands of the README, from another folder.
printf '{"asset": {"version": "2.0"}, "nodes": [{"name": "box"}]}' >"$out/box.gltf"
cd /
for command in info check sample hash; do
  expect "./run $command tells of a file" "$root/run" $command "$out/box.gltf"
done
expect_failure "what cannot be read is told with its name" "none.gltf\" does not exist" "$root/run" info "$out/none.gltf"
expect "./run measures" "$root/run" bench --seconds 0.02
expect "./run draws a model" "$root/run" render --clip walk --size 64 -o "$out/walk.png"
mkdir -p "$out/demo"
cd "$out/demo"
expect "./run shows the character" env -u DISPLAY -u WAYLAND_DISPLAY "$root/run"
expect "there is a picture, a film and a sheet" \
  [ -s marrow-demo/picture.png -a -s marrow-demo/film.mp4 -a -s marrow-demo/sheet.png ]
cd /
expect "./run passes arguments on" "$root/run" bench --json --seconds 0.02 --only sample
"$root/run" bench --json --seconds 0.02 --only sample >"$out/log.json" 2>/dev/null
expect "its output is JSON with the workload" node -e '
  const out = JSON.parse(require("fs").readFileSync(process.argv[1]));
  if (out.workloads[0].name !== "sample" || !(out.workloads[0].ns_per_character > 0)) process.exit(1)' "$out/log.json"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
