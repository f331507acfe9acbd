#!/usr/bin/env bash
# The command `marrow export` as it is called: export.sh MARROW ASSETS
set -uo pipefail
marrow=$1 assets=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hostile=$here/../export/hostile.gltf
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0
fail() {
  echo "FAILED: $*"
  bad=$((bad + 1))
}

# makes NAME TEXT ARGUMENT...: writes a file that has the text in it, and nothing else.
makes() {
  local name=$1 text=$2
  shift 2
  "$marrow" export "$@" -o "$folder/$name" 2>/dev/null || fail "$*: exit status $?"
  grep -aqF -- "$text" "$folder/$name" || fail "$*: there is no $text"
  grep -aqF -- "$folder" "$folder/$name" && fail "$*: tells where it is"
  [ "$(ls -A "$folder")" = "$name" ] || fail "$*: left behind $(ls -A "$folder")"
  rm -f "${folder:?}/$name"
}

# refuses STATUS MESSAGE ARGUMENT...: says so, with that status, and leaves what is there as it was.
refuses() {
  local status=$1 message=$2 said got
  shift 2
  echo "was there before" >"$folder/out"
  said=$("$marrow" export "$@" -o "$folder/out" 2>&1)
  got=$?
  [ $got -eq "$status" ] || fail "$*: exit status $got, not $status"
  [[ $said == "marrow: "*"$message"* ]] || fail "$*: said $said"
  [ "$(cat "$folder/out")" = "was there before" ] || fail "$*: changed the file"
  [ "$(ls -A "$folder")" = out ] || fail "$*: left behind $(ls -A "$folder")"
  rm -f "$folder/out"
}

character=$assets/character.glb
makes a.rs 'from character.glb: marrow export mesh --format rust' mesh "$character"
makes a.rs 'pub const VERTEX_FORMAT: u32 = 14;' mesh "$character" --format rust
makes a.rs 'pub const VERTEX_FORMAT: u32 = 8;' mesh "$character" --format rust --no-normal --no-color
makes a.h '#define BONE_COUNT 65u' mesh "$character" --format c
makes a.h '; y is up.' mesh "$character" --format c --up y
makes a.hpp 'namespace hero {' mesh "$character" --format cpp --name Hero
makes a.json '"vertex_stride":48' mesh "$character" --format json --float
makes a.rs 'pub static KEYFRAMES: ' animation "$character" --clip walk
makes a.rs 'pub static RUN_KEYFRAMES: ' animation "$character" --clip walk --clip 2
makes a.rs 'pub static KEYFRAMES: ' animation --clip walk "$character"
makes a.rs 'pub static KEYFRAMES: ' animation --clip walk --clip walk "$character"
makes a.rs 'pub const VERTEX_COUNT: ' mesh --mesh 0 "$character"
makes a.rs 'pub const ANIMATION_FPS: f32 = 30.0;' animation "$character" --clip walk --fps 30
makes a.rs 'pub static TURN_KEYFRAMES: ' animation "$character" --clip all
makes a.rs 'export animation --format rust --clip walk --fps 30 --trs' animation "$character" --clip walk --fps 30 --trs
makes a.rs 'pub const ANIMATION_FRAME_COUNT: u32 = 12;' animation "$character" --clip walk --fps 10
makes a.rs 'pub const KEYFRAME_SIZE: u32 = 10;' animation "$character" --clip walk --trs
makes a.rs 'pub static STATIC_2_KEYFRAMES: ' animation "$hostile"
makes a.rs 'VERTEX_FORMAT: u32 = ' mesh "$assets/sword.glb"

[ "$("$marrow" export mesh "$assets/sword.glb" | head -c 7)" = '// Made' ] || fail "nothing on standard output"
[ "$("$marrow" export mesh "$assets/sword.glb" -o - | head -c 7)" = '// Made' ] || fail "nothing on standard output by -"

refuses 1 'there is no clip "fly"; the file has 0 "idle"' animation "$character" --clip fly
refuses 1 'the file has no clips' animation "$assets/sword.glb"
refuses 1 'the rest pose is no clip' animation "$character" --clip none
refuses 1 'there is no skin 7; the model has 1' mesh "$character" --skin 7
refuses 1 'there is no mesh "wing"; the file has "' mesh "$character" --mesh wing
refuses 1 'does not exist' mesh "$folder/none.glb"
refuses 2 '--fps' animation "$character" --fps 0
refuses 2 '--format' mesh "$character" --format cobol

said=$("$marrow" export mesh "$character" -o "$folder/no/such/a.rs" 2>&1) && fail "wrote into no folder"
[[ $said == *"cannot be written"* ]] || fail "of no folder said $said"

[ $bad -eq 0 ] && echo "all as it should be"
[ $bad -eq 0 ]
