#!/usr/bin/env bash
# The console as it is called: program.sh CONSOLE WAT2WASM [pictures]
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"
console=$1 wat2wasm=$2 pictures=${3:-}

# guest NAME BODY-OF-UPDATE: makes a module.
guest() {
  echo "(module (import \"env\" \"draw_mesh\" (func \$draw (param i32))) (memory (export \"memory\") 1)
          (func (export \"update\") $2))" >"$folder/$1.wat"
  "$wat2wasm" "$folder/$1.wat" -o "$folder/$1.wasm" || fail "$1 does not compile"
}
guest calm ''
guest wrong '(call $draw (i32.const 7))'
guest trap '(unreachable)'
guest endless '(loop (br 0))'
echo hello >"$folder/text.wasm"

# says STATUS WORDS ARGUMENT...: all that is said, with that status. On a busy machine a call may take long.
says() {
  local status=$1 words=$2 said got
  shift 2
  said=$("$console" --patience 600 "$@" 2>&1)
  got=$?
  [ $got -eq "$status" ] || fail "$*: exit status $got, not $status"
  [ "$said" = "$words" ] || fail "$*: said $said"
}

# hangs ARGUMENT...: the console ends a guest whose update does not return, and names the call. Patience is in real
# time: on a busy machine even the load may exceed a second. Then the console gets more.
hangs() {
  local patience said got
  for patience in 1 5 25 125 625; do
    said=$("$console" endless.wasm --patience $patience "$@" 2>&1)
    got=$?
    [[ $said == *': load: it did not return within '* ]] || break
  done
  [ $got -eq 1 ] || fail "endless.wasm $*: exit status $got, not 1"
  [ "${said%s}" = "console: endless.wasm: update: it did not return within $patience second" ] ||
    fail "endless.wasm $*: said $said"
}

cd "$folder" || exit 1
nothing=$("$console" calm.wasm --frames 1 --hash --patience 600 | cut -d' ' -f3)
says 0 '5 frames, 0 draws' calm.wasm --frames 5
says 0 "frame 0 $nothing
frame 1 $nothing" calm.wasm --frames 2 --hash
says 0 'warning: draw_mesh: there is no mesh 7
3 frames, 0 draws
3 times: warning: draw_mesh: there is no mesh 7' wrong.wasm --frames 3
says 1 'console: none.wasm: the file cannot be read' none.wasm
says 1 'console: text.wasm: this is not a WASM file' text.wasm
says 1 'console: trap.wasm: frame 0: update: unreachable executed' trap.wasm
says 1 'console: trap.wasm: frame 0: update: unreachable executed' trap.wasm --match
says 1 'console: .: the file cannot be read' .
hangs
[ "$("$console" --help | head -1)" = 'usage: console GUEST.wasm [option]...' ] || fail '--help'
[ "$("$console" calm.wasm --jump 2>&1 | head -2)" = 'console: there is no option "--jump"
usage: console GUEST.wasm [option]...' ] || fail 'usage'
"$console" 2>/dev/null
[ $? -eq 2 ] || fail 'exit status of a usage error'

# draws NAME BEGINNING: writes the file, whose first bytes are these, and nothing beside it.
draws() {
  mkdir out
  says 0 '7 frames, 0 draws' calm.wasm --frames 7 --size 64x48 -o "out/$1"
  [ "$(head -c 12 "out/$1" | tr -cd '[:print:]')" = "$2" ] || fail "$1 begins with $(head -c 12 "out/$1")"
  [ "$(ls -A out)" = "$1" ] || fail "$1: left behind $(ls -A out)"
  rm -rf out
}
if [ -n "$pictures" ]; then
  draws picture.png PNG
  if command -v ffmpeg >/dev/null; then
    draws film.gif 'GIF89a@0'
    draws film.mp4 ' ftypisom'
  fi
  says 1 'console: calm.wasm: none/picture.png: the file cannot be written: No such file or directory' calm.wasm -o none/picture.png
  mkdir out
  says 1 'console: trap.wasm: frame 0: update: unreachable executed' trap.wasm -o out/film.mp4
  [ -z "$(ls -A out)" ] || fail "a film of a trap is left: $(ls -A out)"
  hangs -o out/film.mp4
  [ -z "$(ls -A out)" ] || fail "a film of a guest that hangs is left: $(ls -A out)"
fi

finish
