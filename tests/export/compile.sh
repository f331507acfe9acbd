#!/usr/bin/env bash
# Generated code compiles without a warning, holds the numbers of the export to the bit, and is sampled by what
# docs/export.md has to what the program says: compile.sh MARROW DUMP ASSETS DOCS COMPILER...
# The compilers are any of gcc, clang, g++, clang++ and rustc.
marrow=$1 dump=$2 assets=$3 docs=$4
shift 4
compilers=" $* "
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../support/shell.sh"
compared=0
strict=(-Wall -Wextra -pedantic -Werror)

# same NAME COMMAND...: compiles a program with the command and compares what it writes with the dump.
same() {
  local name=$1
  shift
  "$@" >"$folder/log" 2>&1 || { fail "$name does not compile: $(head -5 "$folder/log")"; return; }
  "$folder/program" >"$folder/read" || fail "$name does not run"
  cmp "$folder/read" "$folder/expected" || fail "$name holds other numbers"
  compared=$((compared + 1))
}

# read_back FILE CLIP: the mesh and a clip of a file in every language.
read_back() {
  "$dump" "$1" "$2" >"$folder/expected" || fail "no dump of $1"
  for pair in rust:rs c:h cpp:hpp; do
    "$marrow" export mesh "$1" --format "${pair%:*}" -o "$folder/mesh.${pair#*:}" 2>"$folder/log" || fail "$(cat "$folder/log")"
    "$marrow" export animation "$1" --clip "$2" --format "${pair%:*}" -o "$folder/animation.${pair#*:}" 2>"$folder/log" ||
      fail "$(cat "$folder/log")"
  done
  for compiler in gcc clang; do
    [[ $compilers == *" $compiler "* ]] || continue
    same "$compiler, $1" $compiler -std=c99 "${strict[@]}" -I "$folder" "$here/read_back.c" -o "$folder/program"
  done
  for compiler in g++ clang++; do
    [[ $compilers == *" $compiler "* ]] || continue
    same "$compiler, $1" $compiler -std=c++20 "${strict[@]}" -I "$folder" "$here/read_back.cpp" -o "$folder/program"
  done
  [[ $compilers == *" rustc "* ]] || return
  cp "$here/read_back.rs" "$folder/main.rs"
  same "rustc, $1" rustc --edition 2021 -D warnings "$folder/main.rs" -o "$folder/program"
}

# unused FILE: a mesh and all clips at once, included and hardly used, warn of nothing.
unused() {
  for pair in rust:rs c:h cpp:hpp; do
    "$marrow" export animation "$1" --trs --format "${pair%:*}" -o "$folder/all.${pair#*:}" 2>/dev/null || fail "all of $1"
    "$marrow" export mesh "$1" --format "${pair%:*}" -o "$folder/mesh.${pair#*:}" 2>/dev/null || fail "the mesh of $1"
  done
  printf '#include "all.h"\n#include "mesh.h"\nint main(void) { return 0; }\n' >"$folder/unused.c"
  printf '#include "all.hpp"\n#include "mesh.hpp"\nint main() {}\n' >"$folder/unused.cpp"
  printf 'mod all;\nmod mesh;\nfn main() {}\n' >"$folder/unused.rs"
  local compiler
  for compiler in gcc clang; do
    [[ $compilers == *" $compiler "* ]] || continue
    $compiler -std=c99 "${strict[@]}" -c "$folder/unused.c" -o "$folder/o" || fail "$compiler warns of what is not used"
  done
  for compiler in g++ clang++; do
    [[ $compilers == *" $compiler "* ]] || continue
    $compiler -std=c++20 "${strict[@]}" -c "$folder/unused.cpp" -o "$folder/o" || fail "$compiler warns of what is not used"
  done
  [[ $compilers == *" rustc "* ]] || return
  rustc --edition 2021 -D warnings "$folder/unused.rs" -o "$folder/o" || fail "rustc warns of what is not used"
}

# named NAME...: what is called so compiles, in C and C++ after headers that have names of their own, all in one program.
named() {
  local name language ending kind number=0 compiler
  printf '#include <%s.h>\n' errno math signal stdio stdlib string time unistd >"$folder/named.c"
  printf '#include <%s>\n' cerrno cmath csignal cstdio ctime mutex string unistd.h >"$folder/named.cpp"
  : >"$folder/named.rs"
  for name in "$@"; do
    number=$((number + 1))
    for kind in mesh animation; do
      for language in rust:rs c:c cpp:cpp; do
        ending=${language#*:}
        "$marrow" export $kind "$here/hostile.gltf" --name "$name" --format "${language%:*}" -o "$folder/$kind$number.$ending" \
          2>/dev/null || fail "--name $name: exit status $?"
        [ $ending = rs ] || echo "#include \"$kind$number.$ending\"" >>"$folder/named.$ending"
      done
      echo "mod $kind$number;" >>"$folder/named.rs"
    done
  done
  echo 'int main(void) { return 0; }' | tee -a "$folder/named.c" >>"$folder/named.cpp"
  echo 'fn main() {}' >>"$folder/named.rs"
  for compiler in gcc clang; do
    [[ $compilers == *" $compiler "* ]] || continue
    $compiler -std=c99 "${strict[@]}" -c "$folder/named.c" -o "$folder/o" || fail "$compiler stumbles over names"
  done
  for compiler in g++ clang++; do
    [[ $compilers == *" $compiler "* ]] || continue
    $compiler -std=c++20 "${strict[@]}" -c "$folder/named.cpp" -o "$folder/o" || fail "$compiler stumbles over names"
  done
  [[ $compilers == *" rustc "* ]] || return
  rustc --edition 2021 -D warnings "$folder/named.rs" -o "$folder/o" || fail "rustc stumbles over names"
}

# documented FILE CLIP TIME: the sampler of the documentation puts every bone where `marrow sample` does.
documented() {
  "$marrow" export mesh "$1" --format c -o "$folder/mesh.h" 2>/dev/null
  "$marrow" export animation "$1" --clip "$2" --trs --format c -o "$folder/animation.h" 2>/dev/null
  sed -n '/^```c$/,/^```$/p' "$docs/export.md" | grep -v '^```' >"$folder/sampler.h"
  gcc -std=c99 "${strict[@]}" -I "$folder" "$here/docs_sampler.c" -lm -o "$folder/program" || fail "the sampler does not compile"
  "$folder/program" "$3" >"$folder/seen"
  "$marrow" sample "$1" --clip "$2" --times "$3" >"$folder/meant"
  awk 'NR == FNR { x[$2] = $3; y[$2] = $4; z[$2] = $5; next }
       { d = ($2 - x[$1]) ^ 2 + ($3 - y[$1]) ^ 2 + ($4 - z[$1]) ^ 2; if (!($1 in x) || d > 2e-9) print "off:", $0; else n += 1 }
       END { print n " bones agree" }' "$folder/meant" "$folder/seen" >"$folder/log"
  [ "$(cat "$folder/log")" = "65 bones agree" ] || fail "sampled at $3: $(head -3 "$folder/log")"
}

read_back "$here/hostile.gltf" 0
read_back "$here/hostile.gltf" 2
read_back "$here/hostile.gltf" 3
read_back "$assets/character.glb" 1
unused "$here/hostile.gltf"
named main errno class fn self 3d a_b 'quote " and back \' $'line\nbreak' '??/' 'a */' '/* b' '#define' '%s' 'c 骨' $'d \xff\xfe' \
  $'f \xe2\x80\xae' std link time y0 stdin uint8_t linux union crate bool VERTICES E "$(printf 'long%.0s' {1..2000})"
# C need not have strings of more than 4,095 characters.
sed "s/\"class\"/\"$(printf 'long%.0s' {1..2000})\"/; s/\"走る\"/\"$(printf '走る%.0s' {1..1000})\"/" "$here/hostile.gltf" >"$folder/long.gltf"
unused "$folder/long.gltf"
for time in 0 0.21 0.5178 1.0333333; do documented "$assets/character.glb" walk $time; done
echo "$compared programs hold the numbers of the export"
[ $compared -gt 0 ] && [ $bad -eq 0 ]
