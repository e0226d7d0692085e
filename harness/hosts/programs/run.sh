#!/usr/bin/env bash
# Third-party hosts that use the FMUs and libraries correctly and incorrectly: the acceptance groups for a Go library in
# third-party processes.
#
#     harness/hosts/programs/run.sh OUT [SECONDS] [GROUP...]
#     harness/hosts/programs/run.sh OUT --short    runs in half a minute the groups that take seconds, and group 16, a C
#                                                  importer over all FMUs, with a tenth of the calls; it needs gcc,
#                                                  readelf and Python
#
# OUT is the output of ./build.sh; run the script from the repository root. SECONDS is the duration of the stress test
# of two different builds in one process, 8 by default; the whole script takes 15 times as long. GROUPs are numbers;
# without any, all groups run. Prints the figures of every group; exits with 0 only if all groups passed.
set -euo pipefail
here=harness/hosts/programs
[ -f "$here/run.sh" ] || { echo "run.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
stress=${2:-8}
shift $(($# < 2 ? $# : 2))
groups=("$@")
tenths=10 # of the calls of groups 11 and 16
if [ "$stress" = --short ]; then
    tenths=1 stress=8
    groups=(4 8 10 11 16)
fi
source harness/need.sh
figures=$scratch/figures

# asked GROUP...: reports whether one of these groups is to run.
asked() {
    local group
    [ ${#groups[@]} -gt 0 ] || return 0
    for group in "$@"; do
        [[ " ${groups[*]} " != *" $group "* ]] || return 0
    done
    return 1
}

need gcc gcc libc6-dev
need readelf binutils
need python3 python3
! asked 3 || need javac openjdk-17-jdk-headless
! asked 9 || need git git
! asked 9 || need unzip unzip
python=$out/hosts/venv/bin/python
if asked 1; then
    need_python
    venv "$out/hosts" $here/requirements.txt
fi

# hosts NAME...: programs and libraries in $bin, recompiled where they are not there.
flags=(-std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I"$here")
bin=$scratch/bin
mkdir "$bin"
hosts() {
    local name sources options
    for name in "$@"; do
        [ ! -e "$bin/$name" ] || continue
        sources=("$here/$name.c" $here/host.c) options=(-pthread -ldl)
        case $name in
        forks | strangers | callbacks) sources+=($here/calls.c) ;;
        handles) sources=($here/handles.c capi/shim/handles.c) ;;
        # paths stands before a function of the C library for the libraries that it loads, too
        paths) options+=(-lm -rdynamic) ;;
        vehicles) options+=(-lm -Icapi) ;;
        moody.so) sources=($here/moody.c) options=(-lm -Icapi -fPIC -shared) ;;
        nothing?.so) sources=($here/reference.c) options=(-fPIC -shared -DFMI="${name//[^23]/}") ;;
        glue.so)
            javac -Werror -Xlint:all -h "$bin" -d "$bin" $here/Handlers.java || return 1
            sources=($here/glue.c $here/host.c)
            options=(-fPIC -shared -I"$java/include" -I"$java/include/linux" -I"$bin" -ldl)
            ;;
        esac
        gcc "${flags[@]}" -o "$bin/$name" "${sources[@]}" "${options[@]}" || return 1
    done
}
! asked 3 || java=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.home = //p')

# native VERSION: the folder of this platform in an FMU.
native() {
    local platform
    platform=$(uname -m)-linux
    [ "$1 $platform" != "2 x86_64-linux" ] || platform=linux64
    echo "$platform"
}

# extract PACKAGE FOLDER VERSION: an FMU without the libraries of other platforms, which would only be copied.
extract() {
    [ -f "$1" ] || { failed "$1 is missing: run ./build.sh build first"; exit 1; }
    python3 -c '
import sys, zipfile
package, folder, native = sys.argv[1:]
with zipfile.ZipFile(package) as archive:
    archive.extractall(folder, [
        name for name in archive.namelist() if not name.startswith("binaries/") or name.split("/")[1] == native
    ])' "$1" "$2" "$(native "$3")"
}
for version in 2 3; do
    for model in GenericVehicle ForestrySkidder RollingWheel; do
        extract "$out/fmi$version/$model.fmu" "$scratch/$model$version" $version
    done
done
generic=("$scratch/GenericVehicle2" "$scratch/GenericVehicle3")
all=("${generic[@]}" "$scratch/ForestrySkidder2" "$scratch/ForestrySkidder3")

# silent COMMAND...: a host whose stdout and stderr have to stay empty.
silent() {
    local code=0
    "$@" 3>>"$figures" >"$scratch/stdout" 2>"$scratch/stderr" || code=$?
    if [ "$code" != 0 ]; then
        echo "  $(basename "$1") ends with $code" >>"$figures"
    fi
    if [ -s "$scratch/stdout" ] || [ -s "$scratch/stderr" ]; then
        {
            echo "  stdout and stderr of $(basename "$1") are not empty:"
            head -n 20 "$scratch/stdout" "$scratch/stderr"
        } >>"$figures"
        return 1
    fi
    return $code
}

cycles() {
    hosts cycles || return 1
    local version
    mkdir "$scratch/cycles"
    for version in 2 3; do # archives with what is needed here
        (cd "$scratch/GenericVehicle$version" && python3 -m zipfile -c "$scratch/GenericVehicle$version.fmu" ./*)
    done
    silent "$bin/cycles" 2000 "$scratch/cycles" "${generic[@]}" &&
        silent "$python" $here/cycles.py 100 "$scratch/cycles" "${generic[@]}" -- "$scratch/GenericVehicle2.fmu" \
            "$scratch/GenericVehicle3.fmu"
}

# another VERSION: an FMU like ours, from another build.
another() {
    local folder=$scratch/another$1 platform
    platform=$(native "$1")
    cp -r "$scratch/GenericVehicle$1" "$folder"
    rm "$folder/binaries/$platform"/*
    cp "$scratch/build"/skidpad-core-* "$folder/binaries/$platform"
    cp "$scratch/build/skidpad_fmi$1.so" "$folder/binaries/$platform/GenericVehicle.so"
}
twobuilds() {
    hosts twobuilds || return 1
    ./build.sh fmi "$scratch/build" "another build" >>"$figures" 2>&1 || return 1
    another 2 && another 3 &&
        silent "$bin/twobuilds" "$stress" "${generic[0]}" "$scratch/another2" &&
        silent "$bin/twobuilds" 2 "$scratch/another3" "${generic[1]}"
}

handlers() {
    hosts handlers signals glue.so || return 1
    local order folder
    silent "$bin/handlers" "${generic[@]}" && silent "$bin/signals" "$scratch"/ForestrySkidder{2,3} || return 1
    for order in before after; do
        for folder in "${generic[@]}"; do
            silent python3 $here/handlers.py $order "$folder" || return 1
        done
    done
    for folder in "${generic[@]}"; do
        silent java -cp "$bin" -Xint Handlers "$bin/glue.so" "$folder" "-Xint" &&
            silent java -cp "$bin" Handlers "$bin/glue.so" "$folder" "compiling" &&
            silent env LD_PRELOAD="$java/lib/libjsig.so" java -cp "$bin" Handlers \
                "$bin/glue.so" "$folder" "libjsig preloaded" || return 1
    done
}

forks() {
    hosts forks forked || return 1
    silent "$bin/forks" "${generic[@]}" &&
        silent python3 $here/forks.py "${generic[0]}" &&
        silent python3 $here/forks.py "${generic[1]}" &&
        silent "$bin/forked" "$out/libskidpad.so" "$out/skidpad.h" resources/models/wheel.toml
}

threads() { hosts threads && silent "$bin/threads" 10000 "${all[@]}"; }

# The second version uses the skidder, which is faster: the versions differ in their shim and its share of the core.
collections() {
    hosts collections || return 1
    local folder
    for folder in "$scratch/GenericVehicle2" "$scratch/ForestrySkidder3"; do
        # shellcheck disable=SC2094 # the host reads there what the library's runtime writes
        GODEBUG=gctrace=1 GOGC=1 GOMAXPROCS=1 GOMEMLIMIT=1MiB \
            "$bin/collections" 1000000 "$scratch/trace" "$folder" 3>>"$figures" >"$scratch/stdout" \
                2>"$scratch/trace" || return 1
        if [ -s "$scratch/stdout" ] || grep -qv '^gc ' "$scratch/trace"; then
            {
                echo "  more than the traces of collections was written:"
                grep -v '^gc ' "$scratch/trace"
                cat "$scratch/stdout"
            } >>"$figures"
            return 1
        fi
    done
}

crossing() {
    hosts crossing tables nothing2.so nothing3.so || return 1
    silent "$bin/crossing" "${generic[0]}" "$bin/nothing2.so" &&
        silent "$bin/crossing" "${generic[1]}" "$bin/nothing3.so" &&
        silent "$bin/tables" 10000 "$out/libskidpad.so" resources/models/wheel.toml "$scratch"/RollingWheel{2,3}
}

symbols() { $here/symbols.sh "$out" >>"$figures" 2>&1; }

rebuild() { $here/rebuild.sh "$out" "$scratch/rebuild" >>"$figures" 2>&1; }

refusals() {
    hosts refusals strangers formats || return 1
    local folder code=0
    for folder in "${generic[@]}"; do
        mkdir "$scratch/damaged$(basename "$folder")"
        silent "$bin/refusals" "$scratch/damaged$(basename "$folder")" "$folder" || code=1
    done
    silent "$bin/strangers" 20000 3 "${all[@]}" || code=1
    for folder in "${generic[@]}"; do
        mkdir "$scratch/texts$(basename "$folder")"
        silent "$bin/formats" "$scratch/texts$(basename "$folder")" "$folder" || code=1
    done
    return $code
}

cores() {
    hosts cores || return 1
    local version folder
    for version in 2 3; do
        cp -r "$scratch/RollingWheel$version" "$scratch/again$version"
    done
    silent "$bin/cores" $((20 * tenths)) "$scratch"/{RollingWheel,again}{2,3}
}

callbacks() {
    hosts callbacks handles && silent "$bin/callbacks" 3 "$scratch"/ForestrySkidder{2,3} &&
        silent "$bin/handles" 2000000
}

# sanitized KIND HOST ARGUMENTS...: a host and the shims of the skidder built with a sanitizer, which ends the host with
# a report at the first finding. Each version has a process of its own. The thread sanitizer cannot find source lines of
# a library that is loaded after its first report, and suppressions by source file would not match.
sanitized() {
    local kind=$1 host=$2 folder=$scratch/sanitized-$1 version core
    shift 2
    if [ ! -d "$folder" ]; then
        mkdir "$folder"
        for version in 2 3; do
            cp -r "$scratch/ForestrySkidder$version" "$folder/"
            core=("$folder/ForestrySkidder$version/binaries/$(native $version)"/skidpad-core-*)
            ./build.sh shims "$folder" "${core[0]}" \
                "-O1 -g -fno-omit-frame-pointer -fsanitize=$kind -fno-sanitize-recover=all"
            cp "$folder/skidpad_fmi$version.so" "$(dirname "${core[0]}")/ForestrySkidder.so"
        done
    fi
    gcc "${flags[@]}" -O1 -Wno-clobbered -fsanitize="$kind" -fno-sanitize-recover=all \
        -o "$folder/$host" $here/$host.c $here/calls.c $here/host.c -pthread -ldl
    local thread="halt_on_error=1 print_suppressions=0 suppressions=$here/tsan.supp"
    for version in 2 3; do
        silent env ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS="$thread" "$folder/$host" "$@" \
            "$folder/ForestrySkidder$version" || return 1
    done
}

# The calls that fuzz.sh has found worth keeping, and 100000 by chance, then all that frees and races.
sanitizers() {
    local kind
    for kind in address undefined thread; do
        echo "  -fsanitize=$kind:" >>"$figures"
        if [ $kind = address ]; then
            sanitized $kind fuzz 50000 1 $here/corpus || return 1
        fi
        sanitized $kind callbacks 1 && sanitized $kind strangers 20000 7 && sanitized $kind threads 1000 || return 1
    done
}

soak() { $here/soak.sh "$out" $((15 * stress)) plain address thread >>"$figures" 2>&1; }

faults() {
    hosts starved faults || return 1
    local version
    for version in 2 3; do
        silent "$bin/starved" "$out/tires" "$out/libskidpad.so" resources/models/generic4w.toml \
            "$PWD/resources/tires/fiala_generic4w.toml" "$scratch"/RollingWheel{2,3} \
                "$scratch/GenericVehicle$version" || return 1
        rm -rf "$scratch/other$version"
        cp -r "$scratch/RollingWheel$version" "$scratch/other$version"
        mkdir "$scratch/faults$version" "$scratch/temporary$version"
        silent env TMPDIR="$scratch/temporary$version" "$bin/faults" "$scratch/faults$version" \
            "$scratch/RollingWheel$version" "$scratch/other$version" \
            "$scratch/GenericVehicle$version" "$out/tires" || return 1
    done
}

# All FMUs that are built, with calls by chance, tires in C, and springs with limits.
paths() {
    hosts paths moody.so || return 1
    local version package folder code=0
    for version in 2 3; do
        for package in "$out/fmi$version"/*.fmu; do
            folder=$scratch/paths/$(basename "$package" .fmu)$version
            extract "$package" "$folder" $version
            silent "$bin/paths" $version $((500 * tenths)) "$folder" || code=1
            rm -r "$folder"
        done
        silent "$bin/paths" $version $((4000 * tenths)) "$scratch/GenericVehicle$version" "$bin/moody.so" || code=1
        "$out/skidpad" pack $here/limits.toml --fmi $version -o "$scratch/limits.fmu" 2>&1 | sed "s/^/  /" >>"$figures"
        extract "$scratch/limits.fmu" "$scratch/limits$version" $version
        silent "$bin/paths" $version $((1000 * tenths)) "$scratch/limits$version" || code=1
    done
    return $code
}

# All models, the same in the C library.
vehicles() {
    hosts vehicles moody.so || return 1
    local model code=0
    for model in resources/models/*.toml $here/limits.toml; do
        silent "$bin/vehicles" "$out/libskidpad.so" 1 2000 "$model" || code=1
    done
    silent "$bin/vehicles" "$out/libskidpad.so" 2 20000 resources/models/generic4w.toml "$bin/moody.so" || code=1
    return $code
}

group() {
    local start=$SECONDS result=passed
    asked "$1" || return 0
    : >"$figures"
    "$3" || result=FAILED
    echo "group $1, $2: $result in $((SECONDS - start)) s"
    cat "$figures"
    [ $result = passed ] || failed "group $1, $2"
}
group 1 "load, run and unload from fresh folders" cycles
group 2 "two different builds in one process" twobuilds
group 3 "the host's signal handlers" handlers
group 4 "fork" forks
group 5 "foreign threads, stacks and callbacks" threads
group 6 "a million steps without a collection" collections
group 7 "cost of crossing" crossing
group 8 "symbols, dependencies, hardening" symbols
group 9 "bit-identical rebuild" rebuild
group 10 "clean errors" refusals
group 11 "one core in a process" cores
group 12 "callbacks that call back" callbacks
group 13 "sanitizers" sanitizers
group 14 "all of it at once" soak
group 15 "faults below" faults
group 16 "steps without Go beside those of the core" paths
group 17 "the same in the C library" vehicles
ended "hostile hosts, $SECONDS s"
