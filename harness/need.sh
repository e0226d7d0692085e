# Shared functions of the scripts that use third-party tools. These scripts run from the root of the repository and
# begin with:
#
#     source harness/need.sh
#
# It makes the folder $scratch, and removes it at the end of the script. A script can define a function `clean` for
# further work at its end. A check calls passed or failed; `ended NAME` ends the script, with status 1 if a check has
# failed. A script that a failing command ends (set -e) reports this command.
# shellcheck shell=bash

scratch=$(mktemp -d)
failures=0
where=
clean() { :; }
leave() {
    local status=$?
    [ $status = 0 ] || [ "$failures" -gt 0 ] || failed "$(basename "$0") ended with status $status$where"
    clean
    rm -rf "$scratch"
}
trap leave EXIT
set -o errtrace
trap 'where=", $(basename "${BASH_SOURCE[0]}") line $LINENO: $BASH_COMMAND"' ERR

passed() { echo "passed  $*"; }
failed() { echo "FAILED  $*"; failures=$((failures + 1)); }

# told TEXT: a check that has failed, after what its program wrote to $scratch/stderr.
told() {
    tail -n 60 "$scratch/stderr" >&2
    failed "$@"
}

ended() {
    echo "$1: $failures failed"
    exit $((failures > 0))
}

# found LOOK: reports whether one of the commands or libraries of a list is here, as in "chromium|google-chrome" or
# "libtbb.so.12". ldconfig is not in the PATH of every user.
found() {
    local name
    for name in ${1//|/ }; do
        case $name in
        *.so*) PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -F "$name" >/dev/null && return ;;
        *) command -v "$name" >/dev/null && return ;;
        esac
    done
    return 1
}

# need LOOK PACKAGE...: installs Debian packages if what they bring is not found. What is missing then is a failed
# check, and the script ends. `need_python` needs Python 3.11 with venv, `lacking PACKAGE...` installs in any case.
need() { found "$1" || lacking "$@"; }
need_python() {
    python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        lacking "Python 3.11 with venv" python3 python3-venv
}

lacking() {
    local name=$1 status=0
    shift
    echo "installing $*" >&2
    debian "$@" >"$scratch/apt" 2>&1 || status=$?
    [ $status != 0 ] || return 0
    tail -n 5 "$scratch/apt" >&2
    failed "$name is missing, and apt-get cannot install $*: install what brings $name by other means, then run" \
        "$(basename "$0") again; on Debian, as root: apt-get install $*"
    exit 1
}

# debian PACKAGE...: one script at a time, since apt-get waits for the packages of another one but not for its lists.
debian() {
    local apt=(apt-get -o DPkg::Lock::Timeout=300)
    [ "$(id -u)" = 0 ] || apt=(sudo -n "${apt[@]}")
    [ -z "${APT_LOCK:-}" ] || : >>"$APT_LOCK"
    (
        flock 9
        { # a service that a package starts must not keep the lock
            "${apt[@]}" install -y --no-install-recommends "$@" ||
                { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; }
        } 9<&-
    ) 9<"${APT_LOCK:-${BASH_SOURCE[0]}}"
}

# venv FOLDER REQUIREMENTS...: FOLDER/venv with the packages of these files, in pinned versions and without their
# dependencies. It is made again if one of the files or Python has changed; packages of a further file are added.
# Downloads of pip stay in FOLDER/pip.
venv() {
    local folder=$1 file missing=()
    shift
    mkdir -p "$folder"
    exec 8>>"$folder/lock" # two stages can share a folder
    flock 8
    for file in "$@"; do
        [ ! -e "$folder/made/$(basename "$file")" ] || cmp -s "$file" "$folder/made/$(basename "$file")" ||
            rm -rf "$folder/made"
    done
    python3 -VV | cmp -s - "$folder/made/python" && "$folder/venv/bin/python" -c '' 2>/dev/null ||
        rm -rf "$folder/made"
    if [ ! -d "$folder/made" ]; then
        rm -rf "$folder/venv"
        python3 -m venv "$folder/venv"
        mkdir "$folder/made"
        python3 -VV >"$folder/made/python"
    fi
    for file in "$@"; do
        cmp -s "$file" "$folder/made/$(basename "$file")" || missing+=("$file")
    done
    for file in "${missing[@]}"; do
        if ! "$folder/venv/bin/pip" --quiet --disable-pip-version-check --cache-dir "$folder/pip" install --no-compile \
            --no-deps --only-binary :all: -r "$file" >"$scratch/stderr" 2>&1; then
            told "pip cannot install the packages of $file"
            exit 1
        fi
        cp "$file" "$folder/made/"
    done
    exec 8>&-
}
