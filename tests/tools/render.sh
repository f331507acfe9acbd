#!/usr/bin/env bash
# The command `marrow render` as it is called: render.sh MARROW ASSETS
set -uo pipefail
marrow=$1 assets=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0
fail() {
  echo "FAILED: $*"
  bad=$((bad + 1))
}

# makes NAME BEGINNING ARGUMENT...: writes the file, whose first bytes are these, and says nothing.
makes() {
  local name=$1 beginning=$2
  shift 2
  "$marrow" render "$@" -o "$folder/$name" >"$folder/said" 2>&1 || fail "$name: exit status $?"
  [ -s "$folder/said" ] && fail "$name: said $(cat "$folder/said")"
  rm -f "$folder/said"
  [ "$(head -c 12 "$folder/$name" | tr -cd '[:print:]')" = "$beginning" ] ||
    fail "$name begins with $(head -c 12 "$folder/$name" | tr -cd '[:print:]')"
  [ "$(ls -A "$folder")" = "$name" ] || fail "$name: left behind $(ls -A "$folder")"
  rm -f "${folder:?}/$name"
}

# refuses STATUS MESSAGE ARGUMENT...: says so in one line, with that status, and leaves no file.
refuses() {
  local status=$1 message=$2 said got
  shift 2
  said=$(PATH=${tool_path:-$PATH} "$marrow" render "$@" 2>&1)
  got=$?
  [ $got -eq "$status" ] || fail "$*: exit status $got, not $status"
  [[ $said == "marrow: "*"$message"* ]] || fail "$*: said $said"
  [ -z "$(ls -A "$folder")" ] || fail "$*: left behind $(ls -A "$folder")"
}

png='PNG'
makes rest.png "$png" "$assets/character.glb" --size 64x48
makes sword.png "$png" "$assets/sword.glb" --size 64
makes walk.png "$png" "$assets/character.glb" --clip walk --time 0.4 --skeleton --names --trail hand_R --size 64
makes fade.png "$png" "$assets/character.glb" --fade walk:run:0.4 --time 0.2 --transparent --size 64
makes sheet.png "$png" "$assets/character.glb" --sheet 3 --size 40
makes turn.png "$png" "$assets/character.glb" --clip idle --sheet 4 --turn 360 --follow --size 40
if command -v ffmpeg >/dev/null; then
  makes walk.gif 'GIF89a@@' "$assets/character.glb" --clip walk --fps 10 --size 64
  makes walk.mp4 ' ftypisom' "$assets/character.glb" --fade walk:run:0.2 --seconds 0.5 --follow --size 64
fi

here=$folder/out
refuses 1 'does not exist' "$folder/none.glb" -o "$here.png"
refuses 1 'there is no clip "fly"' "$assets/character.glb" --clip fly -o "$here.png"
refuses 1 'there is no joint "wing"' "$assets/character.glb" --trail wing -o "$here.png"
refuses 1 'a fade is from one clip to another' "$assets/character.glb" --fade walk:none:1 -o "$here.png"
refuses 1 'cannot be written' "$assets/character.glb" --size 8 -o "$folder/no/such/folder.png"
refuses 2 'an .mp4 file cannot be transparent' "$assets/character.glb" --transparent -o "$here.mp4"
refuses 2 'the sheet would have' "$assets/character.glb" --sheet 400 --size 1000 -o "$here.png"
tool_path=/nowhere refuses 1 'the package ffmpeg' "$assets/character.glb" --size 8 -o "$here.gif"

[ $bad -eq 0 ] && echo "all as it should be"
[ $bad -eq 0 ]
