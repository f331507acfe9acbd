#!/usr/bin/env bash
# The command `marrow render` as it is called: render.sh MARROW ASSETS
marrow=$1 assets=$2
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"
run=("$marrow" render)
makes rest.png '^PNGIHDR' "$assets/character.glb" --size 64x48
makes sword.png '^PNGIHDR' "$assets/sword.glb" --size 64
makes walk.png '^PNGIHDR' "$assets/character.glb" --clip walk --time 0.4 --skeleton --names --trail hand_R --size 64
makes fade.png '^PNGIHDR' "$assets/character.glb" --fade walk:run:0.4 --time 0.2 --transparent --size 64
makes sheet.png '^PNGIHDR' "$assets/character.glb" --sheet 3 --size 40
makes turn.png '^PNGIHDR' "$assets/character.glb" --clip idle --sheet 4 --turn 360 --follow --size 40
if command -v ffmpeg >/dev/null; then
  makes walk.gif '^GIF89a@@' "$assets/character.glb" --clip walk --fps 10 --size 64
  makes walk.mp4 '^ ftypisom' "$assets/character.glb" --fade walk:run:0.2 --seconds 0.5 --follow --size 64
fi

out=$folder/out
refuses 1 'does not exist' "$folder/none.glb" -o "$out.png"
refuses 1 'there is no clip "fly"' "$assets/character.glb" --clip fly -o "$out.png"
refuses 1 'there is no joint "wing"' "$assets/character.glb" --trail wing -o "$out.png"
refuses 1 'a fade is from one clip to another' "$assets/character.glb" --fade walk:none:1 -o "$out.png"
refuses 1 'cannot be written' "$assets/character.glb" --size 8 -o "$folder/no/such/folder.png"
refuses 2 'an .mp4 file cannot be transparent' "$assets/character.glb" --transparent -o "$out.mp4"
refuses 2 'the sheet would have' "$assets/character.glb" --sheet 400 --size 1000 -o "$out.png"
run=(env PATH=/nowhere "$marrow" render)
refuses 1 'the package ffmpeg' "$assets/character.glb" --size 8 -o "$out.gif"

finish
