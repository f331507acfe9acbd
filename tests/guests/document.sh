#!/usr/bin/env bash
# What docs/guests.md says works, in an empty folder: document.sh MARROW CONSOLE GUEST DOCUMENT
# MARROW and CONSOLE are the programs, and GUEST the folder of marrow_guest.h.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A clone in which everything is built: the commands that would build find nothing to do.
MARROW=$folder/clone
export MARROW
mkdir -p "$MARROW/build/release/console" "$folder/bin" "$folder/game"
ln -s "$1" "$MARROW/run"
# The console, with so much patience that no busy machine uses it up.
printf '#!/bin/sh\nexec "%s" "$@" --patience 600\n' "$(readlink -f "$2")" >"$MARROW/build/release/console/console"
chmod +x "$MARROW/build/release/console/console"
ln -s "$3" "$MARROW/guest"
ln -s /bin/true "$folder/bin/cmake"
PATH=$folder/bin:$PATH

# block LANGUAGE NUMBER: a block of code of the section that begins with an empty folder.
block() {
  awk -v start="\`\`\`$1" -v number="$2" '
    /^## / { inside = /empty folder/ }
    !inside { next }
    $0 == "```" { if (printing) exit; next }
    printing { print }
    $0 == start && ++seen == number { printing = 1 }' "$document"
}
document=$(readlink -f "$4")
cd "$folder/game"
block sh 1 >export.sh
block c 1 >game.c
block sh 2 >play.sh
bash -euo pipefail export.sh
bash -euo pipefail play.sh | tee log

[ -s game.wasm ] || { echo "there is no game.wasm"; exit 1; }
[ "$(head -c 4 game.png | tail -c 3)" = PNG ] && [ "$(stat -c %s game.png)" -gt 5000 ] || { echo "there is no picture"; exit 1; }
grep -q "^the same as without" log || { echo "it is not the same after rollbacks"; exit 1; }
