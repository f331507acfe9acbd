#!/usr/bin/env bash
# Opens the demo's window on a screen that nobody sees, presses keys, takes pictures by key, and closes it:
#   window.sh MARROW [FOLDER]     pictures of the screen are left in the folder
set -uo pipefail
marrow=$1 looks=${2:-}
here=$(mktemp -d)
pid='' server=''
trap '[ -z "$pid" ] || kill -KILL $pid; [ -z "$server" ] || kill $server; wait; rm -rf "$here"' EXIT
fail() {
  echo "FAILED: $1"
  cat "$here/log"
  exit 1
}
# until_it COMMAND...: waits for it to succeed. The limit ends a hang alone: no machine is so busy.
until_it() {
  local end=$((SECONDS + 600))
  until "$@" 2>/dev/null; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

# The server chooses a display that is free, and writes its number when it accepts clients. (xvfb-run waits for a signal
# that may come before it waits.) With -noreset it does not restart, and reject clients, when its last client leaves.
Xvfb -displayfd 1 -screen 0 1024x768x24 -noreset -nolisten tcp >"$here/display" 2>>"$here/log" &
server=$!
has_display() { [ -n "$(cat "$here/display")" ]; }
has_display_or_gone() { has_display || ! kill -0 $server; }
until_it has_display_or_gone
has_display || fail "Xvfb does not start"
DISPLAY=:$(cat "$here/display")
export DISPLAY

# open: starts the program, and finds its window.
open() {
  SDL_VIDEODRIVER=x11 "$marrow" demo --window -o "$here" >>"$here/log" 2>&1 &
  pid=$!
  is_open() { window=$(xdotool search --onlyvisible --name '^marrow: ' | head -n 1) && [ -n "$window" ]; }
  is_open_or_gone() { is_open || ! kill -0 $pid; }
  until_it is_open_or_gone
  is_open || fail "no window was opened"
}
key() { xdotool key --window "$window" --delay 20 "$@"; }
is_called() { [ "$(xdotool getwindowname "$window")" = "$1" ]; }
# expect KEY TITLE: what the window is called after a key.
expect() {
  key "$1"
  until_it is_called "$2" || fail "after $1 the window is called $(xdotool getwindowname "$window"), not $2"
  [ -z "$looks" ] || { sleep 1.5; ffmpeg -v error -y -f x11grab -video_size 1024x768 -i "$DISPLAY" -frames:v 1 "$looks/key-$1.png"; }
}
pictures=0
picture() {
  key p
  pictures=$((pictures + 1))
  until_it grep -q "window-$pictures.png" "$here/log" || fail "no picture $pictures came"
}
same() { cmp -s "$here/window-$1.png" "$here/window-$2.png"; }
# closed: the program has ended well.
closed() {
  is_gone() { ! kill -0 $pid; }
  until_it is_gone || fail "the window is closed, but the program goes on"
  wait $pid || fail "the program ended with status $?"
  pid=
}

open
expect 1 "marrow: idle"
expect 2 "marrow: walk"
expect 3 "marrow: run"
expect 5 "marrow: run and wave"
# A turn and a jump end by themselves. Paused, they last until the test has seen them.
expect space "marrow: run and wave, paused"
expect 6 "marrow: turn and wave, paused"
key space
until_it is_called "marrow: idle and wave" || fail "a turn does not end in idle"
expect space "marrow: idle and wave, paused"
expect 4 "marrow: jump and wave, paused"
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
key 1 2 3 1 2 3 5 5 h h h b b space space space
expect 2 "marrow: walk and wave"
kill -TERM $pid  # SDL makes of it what the button of a window does
closed
open
key Escape
closed
echo "keys crossfade, pictures come, the window closes"
