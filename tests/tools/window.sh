#!/usr/bin/env bash
# Opens the demo's window on a screen that nobody sees, presses keys, takes pictures by key, and closes it:
#   window.sh MARROW [FOLDER]     pictures of the screen are left in the folder
set -uo pipefail
if [ -z "${MARROW_IN_XVFB:-}" ]; then
  # A server that starts anew whenever its last client leaves refuses who comes at that moment.
  MARROW_IN_XVFB=1 exec xvfb-run -a -s "-screen 0 1024x768x24 -noreset" "$0" "$@"
fi
marrow=$1 looks=${2:-}
here=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$here"' EXIT
fail() {
  echo "FAILED: $1"
  cat "$here/log"
  exit 1
}
# until SECONDS COMMAND...: waits for it to succeed.
until_it() {
  local end=$((SECONDS + $1))
  shift
  until "$@" 2>/dev/null; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

# open: starts the program, and finds its window.
open() {
  SDL_VIDEODRIVER=x11 "$marrow" demo --window -o "$here" >>"$here/log" 2>&1 &
  pid=$!
  is_open() { window=$(xdotool search --onlyvisible --name '^marrow: ' | head -n 1) && [ -n "$window" ]; }
  is_open_or_gone() { is_open || ! kill -0 $pid; }
  until_it 60 is_open_or_gone
  is_open || fail "no window was opened"
}
key() { xdotool key --window "$window" "$1"; }
# expect KEY TITLE: what the window is called after a key.
expect() {
  key "$1"
  is_called() { [ "$(xdotool getwindowname "$window")" = "$2" ]; }
  until_it 20 is_called "" "$2" || fail "after $1 the window is called $(xdotool getwindowname "$window"), not $2"
  [ -z "$looks" ] || { sleep 1.5; ffmpeg -v error -y -f x11grab -video_size 1024x768 -i "$DISPLAY" -frames:v 1 "$looks/key-$1.png"; }
}
pictures=0
picture() {
  key p
  pictures=$((pictures + 1))
  until_it 20 test -s "$here/window-$pictures.png" || fail "no picture $pictures came"
}
same() { cmp -s "$here/window-$1.png" "$here/window-$2.png"; }
# closed: the program has ended well.
closed() {
  is_gone() { ! kill -0 $pid; }
  until_it 20 is_gone || fail "the window is closed, but the program goes on"
  wait $pid || fail "the program ended with status $?"
  pid=
}

open
expect 1 "marrow: idle"
expect 2 "marrow: walk"
expect 3 "marrow: run"
expect 5 "marrow: run and wave"
expect 6 "marrow: turn and wave"
until_it 20 is_called "" "marrow: idle and wave" || fail "a turn does not end in idle"
expect 4 "marrow: jump and wave"
expect space "marrow: jump and wave, paused"
picture
picture
same 1 2 || fail "a hero that is paused moves"
key b
picture
same 2 3 && fail "there are no bones to be seen"
key b
key h
picture
same 2 4 && fail "there is nothing else in its hand"
xdotool key --window "$window" --delay 20 1 2 3 1 2 3 5 5 h h h b b space space space
expect 2 "marrow: walk and wave"
kill -TERM $pid  # SDL makes of it what the button of a window does
closed
open
key Escape
closed
echo "keys crossfade, pictures come, the window closes"
