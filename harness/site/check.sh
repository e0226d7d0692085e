#!/usr/bin/env bash
# Checks the site for browsers and screen readers:
#
#     harness/site/check.sh OUT
#
# OUT is the output of ./build.sh; run the script from the repository root. It builds the site, and runs axe-core on
# every page in headless Chromium, light on a desk and dark on a phone. It compares the site's copy of the search, and
# the scripts of pages, with their packages. npm packages are installed in OUT/site-tools in the versions of
# npm/package-lock.json, Debian packages with apt-get.
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
    passed "harness/site/minisearch equals the npm package minisearch"
else
    failed "harness/site/minisearch differs from the npm package minisearch"
fi
web=harness/workbench/results/web
if $web/vendor.sh "$scratch/vendored" && diff -r $web/vendored "$scratch/vendored"; then
    passed "$web/vendored equals what vendor.sh makes of the npm packages"
else
    failed "$web/vendored differs from what vendor.sh makes of the npm packages"
fi
CGO_ENABLED=0 go run ./$here build "$scratch"
CGO_ENABLED=0 go run ./$here/check "$scratch/site" "$tools/node_modules/axe-core/axe.min.js" 2>"$scratch/stderr" ||
    told "axe-core in the pages of the site"
ended "site"
