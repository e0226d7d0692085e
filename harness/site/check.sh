#!/usr/bin/env bash
# The site as browsers and readers of screens meet it:
#
#     harness/site/check.sh OUT
#
# OUT is what ./build.sh makes; run it from the repository root. Builds the site, and has axe-core look at every page in
# headless Chromium, light on a desk and dark on a phone. Compares the search that the site brings along with its
# package. The packages of npm are installed in OUT/site-tools in the versions of npm/package-lock.json, Debian packages
# with apt-get.
set -euo pipefail
here=harness/site
[ -f "$here/check.sh" ] || { echo "check.sh: run it from the repository root" >&2; exit 2; }
mkdir -p "${1:?the folder of the build}/site-tools"
tools=$(realpath "$1")/site-tools
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

wait=(-o DPkg::Lock::Timeout=300) # another stage may be installing, too
# need COMMAND PACKAGE...: packages that bring a command, installed if it is missing.
need() {
    local command=$1
    shift
    command -v "$command" >/dev/null && return
    echo "installing $*" >&2
    {
        apt-get "${wait[@]}" install -y --no-install-recommends "$@" ||
            { apt-get "${wait[@]}" update && apt-get "${wait[@]}" install -y --no-install-recommends "$@"; }
    } >"$scratch/apt" 2>&1 ||
        { tail -n 5 "$scratch/apt" >&2; echo "check.sh: $command is missing, and $* cannot be installed" >&2; exit 1; }
}
need npm npm
command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
    need chromium chromium fonts-dejavu-core
compgen -G '/usr/lib/*/libtbb.so.12*' >/dev/null || need "libtbb of the master ecos" libtbb12 # of two pages with code

if ! cmp -s $here/npm/package-lock.json "$tools/package-lock.json" || [ ! -d "$tools/node_modules" ]; then
    cp $here/npm/package.json $here/npm/package-lock.json "$tools/"
    npm --prefix "$tools" ci --ignore-scripts --no-audit --no-fund --loglevel error
fi
cmp $here/minisearch/minisearch.js "$tools/node_modules/minisearch/dist/umd/index.js"
cmp $here/minisearch/LICENSE.txt "$tools/node_modules/minisearch/LICENSE.txt"
echo "passed  the search of the site is that of the package minisearch"
CGO_ENABLED=0 go run ./$here build "$scratch"
CGO_ENABLED=0 go run ./$here/check "$scratch/site" "$tools/node_modules/axe-core/axe.min.js"
