# Installs the packages of sections of packages.txt that are missing. Sourced by ./run and ./test.
#   install_packages build [test]
install_packages() {
  local section name missing=() apt=(apt-get)
  while read -r name; do
    case "$name" in
      '' | '#'*) ;;
      '['*']') section=${name:1:-1} ;;
      *)
        if [[ " $* " == *" $section "* ]] && ! dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed'; then
          missing+=("$name")
        fi
        ;;
    esac
  done <packages.txt
  [ ${#missing[@]} -eq 0 ] && return
  echo "Installing: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then apt=(sudo apt-get); fi
  export DEBIAN_FRONTEND=noninteractive
  "${apt[@]}" update -qq </dev/null
  "${apt[@]}" install -y -qq --no-install-recommends "${missing[@]}" </dev/null >/dev/null
}
