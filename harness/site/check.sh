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
source harness/need.sh
need npm npm
need "chromium|chromium-browser|google-chrome" chromium fonts-dejavu-core
need libtbb.so.12 libtbb12 # of the co-simulation master Ecos, in two pages with code

if ! cmp -s $here/npm/package-lock.json "$tools/package-lock.json" || [ ! -d "$tools/node_modules" ]; then
    cp $here/npm/package.json $here/npm/package-lock.json "$tools/"
    npm --prefix "$tools" ci --ignore-scripts --no-audit --no-fund --loglevel error
fi
if cmp $here/minisearch/minisearch.js "$tools/node_modules/minisearch/dist/umd/index.js" &&
    cmp $here/minisearch/LICENSE.txt "$tools/node_modules/minisearch/LICENSE.txt"; then
    passed "the search of the site is that of the package minisearch"
else
    failed "the search of the site, harness/site/minisearch, is not that of the package minisearch"
fi
CGO_ENABLED=0 go run ./$here build "$scratch"
CGO_ENABLED=0 go run ./$here/check "$scratch/site" "$tools/node_modules/axe-core/axe.min.js" 2>"$scratch/stderr" ||
    told "axe-core in the pages of the site"
ended "site"
