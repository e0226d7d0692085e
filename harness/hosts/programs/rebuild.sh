#!/usr/bin/env bash
# Group 9: the sources, built again in a folder elsewhere, give the same bytes as in OUT.
#
#     rebuild.sh OUT SCRATCH
#
# Run from the repository root. OUT has to be built of the sources as they are now; what else
# has been written there is left out.
set -euo pipefail
out=$(realpath "$1")
folder=$2/with/a/longer/name
# A clone, since FMUs bear the date of the last commit and the command its name. Its files are the working tree's.
git clone -q --no-checkout --shared . "$folder"
git ls-files -z --cached --others --exclude-standard | tar --null --create --files-from - | tar -x -C "$folder"
git -C "$folder" reset -q
(cd "$folder" && ./build.sh build) >"$2/build.log" 2>&1 || { tail -n 20 "$2/build.log"; exit 1; }
(cd "$folder/out" && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum) >"$2/sums"
files=$(wc -l <"$2/sums")
for kind in '/libskidpad\.' '/skidpad-core-' '/skidpad_fmi[23]\.' '\.fmu$'; do
    grep -q "$kind" "$2/sums" || { echo "  the build made no file like $kind"; exit 1; }
done
if ! (cd "$out" && sha256sum --check --quiet "$2/sums") >"$2/differences" 2>&1; then
    echo "  these files differ; if $1 is older than the sources, run ./build.sh first:"
    sed -n 's/: FAILED.*//p' "$2/differences" | sed 's/^/    /'
    exit 1
fi
rm -r "$folder"
echo "  $files files, built in two folders, have equal SHA-256"
