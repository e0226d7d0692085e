#!/usr/bin/env bash
# A long run of all host activities at once, on builds of the FMUs that detect different faults.
#
#     harness/hosts/programs/soak.sh OUT [SECONDS] [BUILD...]
#
# OUT is the output of ./build.sh; run the script from the repository root. SECONDS is the duration of all builds
# together, 3600 by default. BUILDs: plain (as delivered), address and thread (all of the shim under AddressSanitizer
# and ThreadSanitizer), cgocheck (the core checks every pointer at the Go/C boundary), asan (shim, core and its C under
# AddressSanitizer). Without BUILD, all of them. (The race detector of Go cannot be loaded with a library: the tests of
# the core run under it.) Exits with 0 only without findings.
set -euo pipefail
here=harness/hosts/programs
[ -f "$here/soak.sh" ] || { echo "soak.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
seconds=${2:-3600}
shift $(($# < 2 ? $# : 2))
builds=("$@")
[ ${#builds[@]} -gt 0 ] || builds=(plain address thread cgocheck asan)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
models=(GenericVehicle ForestrySkidder)

# packed BUILD: FMUs of both versions with the libraries of $scratch/BUILD/libraries, extracted.
packed() {
    local version model folder platform library
    for version in 2 3; do
        platform=$(uname -m)-linux
        [ "$version $platform" != "2 x86_64-linux" ] || platform=linux64
        for model in "${models[@]}"; do
            folder=$scratch/$1/$model$version
            python3 -m zipfile -e "$out/fmi$version/$model.fmu" "$folder"
            library=$folder/binaries/$platform
            if [ -d "$scratch/$1/libraries" ]; then
                rm "$library"/*
                cp "$scratch/$1/libraries"/skidpad-core-* "$library/"
                cp "$scratch/$1/libraries/skidpad_fmi$version.so" "$library/$model.so"
            fi
        done
    done
}

made() {
    local core sanitizer="-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all"
    mkdir -p "$scratch/$1"
    case $1 in
    plain) ;;
    address | thread)
        core=("$out/fmi/$(uname -m)-linux"/skidpad-core-*)
        mkdir "$scratch/$1/libraries"
        cp "${core[0]}" "$scratch/$1/libraries/"
        ./build.sh shims "$scratch/$1/libraries" "${core[0]}" "$sanitizer -fsanitize=$1"
        ;;
    cgocheck) GOEXPERIMENT=cgocheck2 ./build.sh fmi "$scratch/$1/libraries" ;;
    asan)
        GOFLAGS=-asan ./build.sh fmi "$scratch/$1/libraries"
        core=("$scratch/$1/libraries"/skidpad-core-*)
        ./build.sh shims "$scratch/$1/libraries" "${core[0]}" "$sanitizer -fsanitize=address"
        ;;
    *)
        echo "soak.sh: there is no build $1; there are: plain address thread cgocheck asan" >&2
        exit 2
        ;;
    esac
    packed "$1"
}

for build in "${builds[@]}"; do
    made "$build" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    flags=(-std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I"$here")
    case $build in
    address | asan) flags+=(-fsanitize=address) ;;
    thread) flags+=(-fsanitize=thread) ;;
    esac
    gcc "${flags[@]}" -o "$scratch/$build/soak" $here/soak.c $here/calls.c $here/host.c -pthread -ldl
    echo "$build:"
    # What AddressSanitizer keeps back would look like a leak.
    thread="halt_on_error=1 print_suppressions=0 suppressions=$here/tsan.supp"
    ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8 TSAN_OPTIONS=$thread \
        "$scratch/$build/soak" $((seconds / ${#builds[@]})) 8 "$seconds" "$scratch/$build"/*[23] 3>&1
    rm -r "${scratch:?}/$build"
done
