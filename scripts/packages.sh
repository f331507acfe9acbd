# Installs packages that are missing. Source this file in the project's folder.

# missing_packages SECTION...: prints the packages of these sections of packages.txt that are not installed.
missing_packages() {
  local section='' name
  while read -r name; do
    case "$name" in
      '' | '#'*) ;;
      '['*']') section=${name:1:-1} ;;
      *)
        if [[ " $* " == *" $section "* ]] && ! dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed'; then
          echo "$name"
        fi
        ;;
    esac
  done <packages.txt | sort -u
}

# install_packages SECTION...: installs what is missing of these sections. On a terminal it asks first; a no is status 2.
# On failure it prints what the installer said; status 1.
install_packages() {
  local missing apt=(apt-get) log answer
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ -t 0 ] && [ -t 2 ] && [ -z "${CI:-}" ]; then
    read -r -p "Install these packages: ${missing[*]}? [Y/n] " answer
    case "$answer" in [nN]*) return 2 ;; esac
  fi
  echo "Installing: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || apt=(sudo apt-get)
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  if ! "${apt[@]}" update -qq </dev/null >"$log" 2>&1 ||
    ! "${apt[@]}" install -y -qq --no-install-recommends "${missing[@]}" </dev/null >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    echo "Cannot install: ${missing[*]}" >&2
    return 1
  fi
  rm -f "$log"
}
