#!/usr/bin/env bash
# Group 9: the committed sources, built in two different folders, give the same bytes.
#
#     rebuild.sh SCRATCH
#
# Run from the repository root. What the main job writes, times among it, is left out.
set -euo pipefail
scratch=$1
folders=("$scratch/first" "$scratch/second/with/a/longer/name")
for n in 0 1; do
    folder=${folders[n]}
    mkdir -p "$folder"
    git archive HEAD | tar -x -C "$folder"
    (cd "$folder" && ./build.sh build) >"$scratch/build.log" 2>&1 || { tail -n 20 "$scratch/build.log"; exit 1; }
    (cd "$folder/out" && find . -type f ! -path './runs/*' | LC_ALL=C sort | xargs -d '\n' sha256sum) >"$scratch/sums.$n"
done
files=$(wc -l <"$scratch/sums.0")
for kind in '/libskidpad\.' '/skidpad-core-' '/skidpad_fmi[23]\.' '\.fmu$'; do
    grep -q "$kind" "$scratch/sums.0" || { echo "  the build made no file like $kind"; exit 1; }
done
if ! diff "$scratch/sums.0" "$scratch/sums.1" >"$scratch/sums.diff"; then
    echo "  these files differ:"
    sed -nE 's/^< [0-9a-f]+ +/    /p' "$scratch/sums.diff"
    exit 1
fi
echo "  $files files, built in two folders, have equal SHA-256"
