# The test scripts source this first. It makes an empty folder, $folder, which is removed at the end.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# fail WORD...: reports a failure. The script goes on.
fail() {
  echo "FAILED: $*"
  bad=$((bad + 1))
}

# finish: the last command of a script. Its status is that of the test.
finish() {
  [ $bad -eq 0 ] && echo "passed"
}

# makes NAME PATTERN ARGUMENT...: the command "${run[@]}" writes $folder/NAME and leaves no other file. It prints at most
# notes. The printable bytes of the file match the pattern of grep, and do not contain the folder's path.
makes() {
  local name=$1 pattern=$2 said
  shift 2
  said=$("${run[@]}" "$@" -o "$folder/$name" 2>&1) || fail "$*: exit status $?"
  [[ -z $said || $said == *": note: "* ]] || fail "$*: printed $said"
  tr -cd '[:print:]' <"$folder/$name" | grep -e "$pattern" >/dev/null || fail "$*: $name has no $pattern"
  grep -aqF -- "$folder" "$folder/$name" && fail "$*: $name contains its folder"
  [ "$(ls -A "$folder")" = "$name" ] || fail "$*: left behind $(ls -A "$folder")"
  rm -f "${folder:?}/$name"
}

# refuses STATUS MESSAGE ARGUMENT...: the command "${run[@]}" ends with the status and an error that contains the message.
# It leaves all files as they were.
refuses() {
  local status=$1 message=$2 said got before
  shift 2
  before=$(checksums)
  said=$("${run[@]}" "$@" 2>&1)
  got=$?
  [ $got -eq "$status" ] || fail "$*: exit status $got, not $status"
  [[ $said == "marrow: "*"$message"* ]] || fail "$*: printed $said"
  [ "$(checksums)" = "$before" ] || fail "$*: changed files: $(ls -A "$folder")"
}
checksums() { find "$folder" -print -type f -exec cksum {} \;; }
