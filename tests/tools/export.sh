#!/usr/bin/env bash
# The command `marrow export` as it is called: export.sh MARROW ASSETS
marrow=$1 assets=$2
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$tests/support/shell.sh"
run=("$marrow" export)
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
makes a.rs 'pub static STATIC_2_KEYFRAMES: ' animation "$tests/export/hostile.gltf"
makes a.rs 'VERTEX_FORMAT: u32 = ' mesh "$assets/sword.glb"

[ "$("$marrow" export mesh "$assets/sword.glb" | head -c 7)" = '// Made' ] || fail "nothing on standard output"
[ "$("$marrow" export mesh "$assets/sword.glb" -o - | head -c 7)" = '// Made' ] || fail "nothing on standard output by -"

out=$folder/out
echo "was there before" >"$out"
refuses 1 'there is no clip "fly"; the file has 0 "idle"' animation "$character" --clip fly -o "$out"
refuses 1 'the file has no clips' animation "$assets/sword.glb" -o "$out"
refuses 1 'the rest pose is no clip' animation "$character" --clip none -o "$out"
refuses 1 'there is no skin 7; the model has 1' mesh "$character" --skin 7 -o "$out"
refuses 1 'there is no mesh "wing"; the file has "' mesh "$character" --mesh wing -o "$out"
refuses 1 'does not exist' mesh "$folder/none.glb" -o "$out"
refuses 2 '--fps' animation "$character" --fps 0 -o "$out"
refuses 2 '--format' mesh "$character" --format cobol -o "$out"

refuses 1 'cannot be written' mesh "$character" -o "$folder/no/such/a.rs"
finish
