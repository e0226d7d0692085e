#!/usr/bin/env bash
# Coverage-guided fuzzing of all functions of both shims by libFuzzer, under AddressSanitizer.
#
#     harness/hosts/programs/fuzz.sh OUT [RUNS] [keep]
#
# OUT is the output of ./build.sh; run the script from the repository root. RUNS is the number of call sequences for
# each version of FMI, 50000 by default; each sequence has some hundred calls. With keep, sequences that reach code
# outside of the coverage of the corpus (harness/hosts/programs/corpus) are added to the corpus. A failing sequence is
# left in the working folder, as crash-*.
set -euo pipefail
here=harness/hosts/programs
[ -f "$here/fuzz.sh" ] || { echo "fuzz.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
runs=${2:-50000}
source harness/need.sh
need clang-14 clang-14 libclang-rt-14-dev
core=("$out/fmi/$(uname -m)-linux"/skidpad-core-*)
CC=clang-14 ./build.sh shims "$scratch" "${core[0]}" "-O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address"
clang-14 -std=gnu11 -O1 -g -Wall -Wextra -D_GNU_SOURCE -DLIBFUZZER -I$here -fsanitize=fuzzer,address \
    -o "$scratch/fuzz" \
    $here/fuzz.c $here/calls.c $here/host.c -pthread -ldl
for version in 2 3; do
    folder=$scratch/fmu$version
    python3 -m zipfile -e "$out/fmi$version/ForestrySkidder.fmu" "$folder"
    platform=$(uname -m)-linux
    [ "$version $platform" != "2 x86_64-linux" ] || platform=linux64
    cp "$scratch/skidpad_fmi$version.so" "$folder/binaries/$platform/ForestrySkidder.so"
    mkdir "$scratch/found$version"
    echo "FMI $version.0:"
    # Go handles the signals of its own faults; what is left is libFuzzer's.
    export FMU=$folder ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8
    "$scratch/fuzz" -runs="$runs" -max_len=900 -len_control=0 -rss_limit_mb=4096 -timeout=60 -print_final_stats=1 \
        -seed=1 \
        "$scratch/found$version" $here/corpus/fmi$version 3>&1 2>"$scratch/log" ||
        { tail -n 60 "$scratch/log" >&2; exit 1; }
    grep -E '^#[0-9]+.*DONE|stat::(number_of_executed_units|new_units_added|average)' "$scratch/log"
    if [ "${3:-}" = keep ]; then
        "$scratch/fuzz" -merge=1 -max_len=900 $here/corpus/fmi$version "$scratch/found$version" 3>/dev/null \
            2>>"$scratch/log"
    fi
done
