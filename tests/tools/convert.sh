#!/usr/bin/env bash
# What marrow convert writes is the same model for every command: tests/tools/convert.sh MARROW ASSETS
marrow=$1 assets=$2
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"
run=("$marrow")
cd "$folder" || exit 1

check() { # NAME COMMAND...
  local name=$1
  shift
  "$@" || fail "$name"
}
same() { # WORD...: the command prints the same for both files
  cmp <("$marrow" "$1" "$assets/character.glb" "${@:2}") <("$marrow" "$1" character.mrw "${@:2}")
}

check "a file is converted" grep -q "66 joints, 7 clips" <("$marrow" convert "$assets/character.glb" -o character.mrw)
check "its motion is the same" same hash
check "its nodes, palettes and morph weights are the same" same sample --clip walk --times 0,0.3 --vertices 20 --json
"$marrow" convert "$assets/character.glb" --up y -o y.mrw >/dev/null
check "files of other axes are turned" [ "$("$marrow" hash y.mrw)" = "$("$marrow" hash character.mrw)" ]
check "info reads it" grep -q "66 joints" <("$marrow" info character.mrw)
check "check reads it" grep -q "0 errors" <("$marrow" check character.mrw)
cp character.mrw again.mrw
"$marrow" convert again.mrw -o twice.mrw >/dev/null
check "and converted again it is the same file" cmp character.mrw twice.mrw
check "what is built in is converted too" grep -q "z up" <("$marrow" convert -o built_in.mrw)
check "and moves alike" [ "$("$marrow" hash built_in.mrw)" = "$("$marrow" hash)" ]

refuses 1 "would be written over itself" convert again.mrw
refuses 1 "a model file is called .mrw" convert "$assets/character.glb" -o model.glb
head -c 5000 character.mrw >cut.mrw
refuses 1 "cut.mrw: the model file was cut off: there are 5000 of" info cut.mrw
printf '\x07' | dd of=again.mrw bs=1 seek=4000 conv=notrunc 2>/dev/null
refuses 1 "its checksum is not that of its contents" hash again.mrw
refuses 1 "/nowhere/model.mrw" convert "$assets/character.glb" -o /nowhere/model.mrw
check "nothing is left behind" [ "$(ls | tr '\n' ' ')" = "again.mrw built_in.mrw character.mrw cut.mrw twice.mrw y.mrw " ]
finish
