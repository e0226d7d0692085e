#!/usr/bin/env bash
# Makes the vendored scripts of pages from npm packages, in the versions of npm/package-lock.json:
#
#     harness/workbench/results/web/vendor.sh [FOLDER]
#
# FOLDER is harness/workbench/results/web/vendored by default; run the script from the repository root.
set -euo pipefail
here=harness/workbench/results/web
[ -f "$here/vendor.sh" ] || { echo "vendor.sh: run it from the repository root" >&2; exit 2; }
folder=${1:-$here/vendored}
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp $here/npm/* "$work/"
npm --prefix "$work" ci --ignore-scripts --no-audit --no-fund --loglevel error >/dev/null
(cd "$work" && node_modules/@esbuild/*/bin/esbuild three.js --bundle --minify --format=iife --global-name=THREE \
    --target=es2022 --legal-comments=none --outfile=three.min.js --log-level=warning)
cp "$work/three.min.js" "$folder/"
cp "$work/node_modules/three/LICENSE" "$folder/three.LICENSE"
cp "$work/node_modules/uplot/dist/uPlot.iife.min.js" "$folder/uplot.min.js"
cp "$work/node_modules/uplot/dist/uPlot.min.css" "$folder/uplot.min.css"
cp "$work/node_modules/uplot/LICENSE" "$folder/uplot.LICENSE"
