# What .ci/run and .ci/nightly share: source it. A step is a name and a command; the arguments of the script select steps by name.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
exec </dev/null
export CI=true CONTAINERS=required npm_config_update_notifier=false
mkdir -p reports/ci && rm -f reports/ci/*
wanted=" $* "
failures=0

# step NAME COMMAND…: runs it and prints its seconds. A failure is counted, and the next step still runs.
step() {
  local name=$1 begin=$SECONDS code=0
  shift
  [[ $wanted == '  ' || $wanted == *" $name "* || $name == prepare* ]] || return 0
  printf '\n=== %s\n' "$name"
  TEST_REPORT=reports/ci/tests-$name.json "$@" || code=$?
  printf -- '--- %s: %d s%s\n' "$name" $((SECONDS - begin)) "$([ $code = 0 ] || echo ", FAILED ($code)")"
  [ $code = 0 ] || failures=$((failures + 1))
  return $code
}

# the programs that tests call: root installs them, as in a container of one's own; a person's machine stays as it is
programs() {
  local missing=() pair
  for pair in chromium python3 strace curl gcc openssl go:golang-go nginx promtool:prometheus pg_ctlcluster:postgresql; do
    command -v "${pair%:*}" >/dev/null || { [ "$pair" = chromium ] && command -v google-chrome >/dev/null; } || missing+=("${pair#*:}")
  done
  [ ${#missing[@]} = 0 ] && return
  [ "$(id -u)" = 0 ] || { echo "missing: ${missing[*]}"; return 1; }
  apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libc6-dev "${missing[@]}" >reports/ci/apt.log
}

# the machine's own engine and images where it brings them, else whatever engine there is and the public images
engine() {
  local exports hook=${CONTAINER_ENGINE_HOOK-../shared/bin/containers}
  if [ -x "$hook" ]; then
    exports=$("$hook") || return
    eval "$exports"
  fi
  docker version --format 'engine {{.Server.Version}}' && docker compose version
}

# the tests of full disks mount small ones, which needs root, if only that of a namespace of one's own
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else unshare --map-root-user --mount "$@"; fi; }

# finish: each failed test and each failed step counts as a failure; the names come last, because of a long log only the end is kept
finish() {
  node .ci/count-tests.js $failures reports/ci/tests-*.json
  # without its operand, the status would be that of before the trap
  exit $?
}
