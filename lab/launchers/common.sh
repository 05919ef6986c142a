# What the scripts beside this one share; bash.

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

usage() {
  echo "usage: $0 $*" >&2
  exit 2
}

install_packages() {
  local package missing=()
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  [[ $(id -u) -eq 0 ]] && command -v apt-get >/dev/null || fail "these packages are missing: ${missing[*]}"
  { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends "${missing[@]}"; } >&2 ||
    fail "cannot install ${missing[*]}"
}
