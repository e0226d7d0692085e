#!/usr/bin/env bash
# ./build.sh            builds everything into out/, runs the main job, verifies
# ./build.sh test [S..] lint, generated files, race run, fuzzing, all tests, witness, conformance;
#                       or only the stages S
# ./build.sh bench      measures the speed and compares it with the stored baseline
# ./build.sh build      builds everything into out/ and runs nothing
# ./build.sh pictures [NAME..] makes the pictures of the documentation, docs/pictures, or some of them
# ./build.sh library F  builds only the single-file library, as file F
# ./build.sh tires D    builds only the example tire functions, in folder D
# ./build.sh fmi D [S]  builds only the FMI libraries, in folder D; S makes another build
# ./build.sh shims D C F  builds only the shims of the core C, in folder D, with the compiler's flags F
#
# Needs Go (the version of go.mod) and a C compiler. Everything else is fetched
# by Go in the versions that go.mod and go.sum pin.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$*" >&2; }

need() {
    command -v "$1" >/dev/null || { echo "build.sh: $1 is missing: $2" >&2; exit 1; }
}
need go "install Go $(sed -n 's/^go //p' go.mod) or newer from https://go.dev/dl"
need "$(go env CC)" "install a C compiler, for example: apt-get install gcc libc6-dev"

# The same flags for all that is compiled, so that libraries, tests and linters share what the
# compiler keeps.
GOFLAGS=$(go env GOFLAGS)
[[ " $GOFLAGS " = *" -trimpath "* ]] || GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath -buildvcs=false"
export GOFLAGS CGO_CFLAGS="-O2 -g0"

# go_library FILE SCRIPT [FLAGS]: the Go library for GOOS and GOARCH, compiled with CC.
go_library() {
    if [ "$(go env GOOS)" = windows ]; then
        windows_library "$1" "$2"
        return
    fi
    local link= work
    work=$(mktemp -d) # a path without spaces, wherever the sources are
    cp "$2" "$work/script.map"
    if [ "$(go env GOOS)" = linux ]; then
        link="-Wl,--version-script=$work/script.map -Wl,-z,relro,-z,now -Wl,--build-id=none"
    fi
    CGO_ENABLED=1 go build -buildmode=c-shared \
        -ldflags "-s -w -buildid= -extldflags '$link ${3:-}'" -o "$1" ./capi
    rm -r "$work"
    rm -f "${1%.*}.h" # the compiler's own header; capi/skidpad.h is the one to use
}

# windows_library FILE SCRIPT: there the compiler marks every Go function that C calls for
# export. The marks are taken out, and a module definition names what is exported.
windows_library() {
    local work cc
    work=$(mktemp -d)
    cc=$(go env CC)
    CGO_ENABLED=1 go build -buildmode=c-archive -ldflags "-s -w -buildid=" -o "$work/go.a" ./capi
    "${cc%gcc}objcopy" --remove-section .drectve "$work/go.a"
    {
        echo EXPORTS
        if [ "$2" = capi/core.map ]; then
            echo skidpad_core_table
        else
            sed -n 's/^SKIDPAD_API .*\b\(skidpad_[a-z_]*\|SKIDPAD_DTYRE\)(.*/\1/p' capi/skidpad.h
        fi
    } >"$work/go.def"
    "$cc" -shared -s -Wl,--no-insert-timestamp,--disable-auto-image-base -o "$1" -Wl,--whole-archive "$work/go.a" \
        -Wl,--no-whole-archive "$work/go.def" -lwinmm -lntdll -lws2_32
    rm -r "$work"
}

# soname: the name by which programs on Linux find the single-file library.
soname() { echo "libskidpad.so.$(sed -n 's/^#define SKIDPAD_ABI_VERSION //p' capi/skidpad.h)"; }

# library FILE: the single-file library with the native C API. On Linux programs find it by
# a name with the version of the interface, which is a link beside it.
library() {
    if [ "$(go env GOOS)" = linux ]; then
        go_library "$1" capi/skidpad.map "-Wl,-soname,$(soname)"
    else
        go_library "$1" capi/skidpad.map
    fi
    link "$1"
}
link() { [ "$(go env GOOS)" != linux ] || ln -sf "$(basename "$1")" "$(dirname "$1")/$(soname)"; }

# tuple, suffix: how FMI 3.0 calls GOOS and GOARCH, and what libraries end in.
tuple() {
    local arch=x86_64
    [ "$(go env GOARCH)" != arm64 ] || arch=aarch64
    echo "$arch-$(go env GOOS)"
}
suffix() {
    case "$(go env GOOS)" in
    windows) echo dll ;;
    darwin) echo dylib ;;
    *) echo so ;;
    esac
}

# identity SALT: a hash of everything that decides about the core's behaviour. It is
# part of the core's name, so that equal builds share one core in a process and
# different ones do not meet.
identity() {
    {
        printf '%s\n' "$1" "$(go version)" "$(go env GOOS GOARCH)" "$("$(go env CC)" --version | head -n 1)"
        find capi cosim fmu model tire go.mod go.sum -type f \
            \( -name '*.go' -o -name '*.s' -o -name '*.c' -o -name '*.h' -o -name '*.map' -o -name '*.html' \
            -o -name 'go.*' \) \
            ! -name '*_test.go' ! -path '*/testdata/*' ! -path 'capi/python/*' ! -path 'capi/matlab/*' |
            LC_ALL=C sort | xargs sha256sum
    } | sha256sum | cut -c 1-16
}

# fmi DIR [SALT]: core and shims for GOOS and GOARCH, compiled with CC.
fmi() {
    local dir=$1 name export=
    name=skidpad-core-$(identity "${2:-}").$(suffix)
    mkdir -p "$dir"
    rm -f "$dir"/skidpad-core-* "$dir"/skidpad_fmi?.*
    case "$(go env GOOS)" in
    linux) export=-Wl,-soname,$name ;;
    darwin) export=-Wl,-install_name,@rpath/$name ;;
    esac
    go_library "$dir/$name" capi/core.map "$export"
    shims "$dir" "$dir/$name" "-O3 -g0 -s"
}

# shims DIR CORE FLAGS: the shims of both versions that load CORE from their folder.
shims() {
    local version name shim link=
    name=$(basename "$2")
    shim=skidpad-shim-${name#skidpad-core-}
    shim=${shim%.*}
    case "$(go env GOOS)" in
    linux) link="-Wl,-soname,$shim -Wl,-Bsymbolic,-z,relro,-z,now,-z,noexecstack -Wl,--build-id=none -lpthread -ldl" ;;
    windows) link=-Wl,--no-insert-timestamp,--disable-auto-image-base ;;
    esac
    for version in 2 3; do
        # shellcheck disable=SC2086 # the flags are several words
        "$(go env CC)" -std=gnu11 $3 -Wall -Wextra -Werror -ffp-contract=off -fPIC -fvisibility=hidden -shared \
            -DSKIDPAD_CORE_NAME="\"$name\"" -DSKIDPAD_CORE_SIZE="$(wc -c <"$2")LL" -DSKIDPAD_SHIM_NAME="\"$shim\"" \
            -o "$1/skidpad_fmi$version.$(suffix)" capi/shim/fmi$version.c capi/shim/{shim,handles,load,uri}.c \
            capi/{window,step}.c $link
    done
}

# tires DIR: the example tire functions for GOOS and GOARCH.
tires() {
    mkdir -p "$1"
    "$(go env CC)" -std=c11 -O2 -g0 -Wall -Wextra -Werror -ffp-contract=off -fPIC -fvisibility=hidden -shared -Icapi \
        -o "$1/fiala.$(suffix)" capi/examples/fiala/fiala.c -lm
    "$(go env CC)" -std=c11 -O2 -g0 -Wall -Wextra -Werror -ffp-contract=off -fPIC -fvisibility=hidden -shared \
        -o "$1/fiala_sti.$(suffix)" capi/examples/sti/fiala.c -lm
    cp capi/examples/sti/fiala.txt "$1/"
    CGO_ENABLED=1 CGO_CFLAGS="$CGO_CFLAGS -fvisibility=hidden" go build -buildmode=c-shared -ldflags "-s -w -buildid=" \
        -o "$1/linear.$(suffix)" ./capi/examples/linear
    rm -f "$1/linear.h"
}

# version: of the product.
version() { sed -n 's/.*skidpad_version(void) { return "\(.*\)".*/\1/p' capi/skidpad.c; }

# command_line FOLDER: the command for GOOS and GOARCH.
command_line() { CGO_ENABLED=0 go build -ldflags "-s -w" -o "$1/" ./harness/cmd/skidpad; }

# wheel LIBRARY: the Python package around a library of Linux or Windows and the command beside it, in their folder.
wheel() {
    local folder command
    folder=$(dirname "$1")
    command=$folder/skidpad
    [ "$(go env GOOS)" != windows ] || command=$command.exe
    rm -f "$folder"/skidpad-*.whl
    GOOS='' GOARCH='' CGO_ENABLED=0 go run ./capi/python/wheel "$(version)" "$1" "$command" "$folder" >&2
}

# fmi_wheel OUT: the Python package with the libraries of FMUs in OUT/fmi.
fmi_wheel() {
    rm -f "$1"/skidpad_fmi-*.whl
    GOOS='' GOARCH='' CGO_ENABLED=0 go run ./capi/python/wheel "$(version)" "$1/fmi" "$1" >&2
}

# packages OUT: what CMake and pkg-config have to know of the library of Linux in OUT.
packages() {
    local file
    for file in cmake/skidpadConfig.cmake cmake/skidpadConfigVersion.cmake pkgconfig/skidpad.pc; do
        mkdir -p "$1/$(dirname "$file")"
        sed "s/@VERSION@/$(version)/; s/@SONAME@/$(soname)/" "capi/$file" >"$1/$file"
    done
}

# pack OUT: the FMUs of all vehicles in both versions, with the libraries in OUT/fmi.
# Their date is that of the sources, so that equal sources give equal FMUs.
pack() {
    local version
    say "FMUs $1/fmi2 and $1/fmi3"
    for version in 2 3; do
        SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} \
            "$1/skidpad" pack resources/models/{generic4w,skidder,point_pendulum}.toml \
            resources/models/{partial_vehicle2d,partial_vehicle3d}.toml \
            resources/models/{motorcycle2d_vertical,motorcycle2d,motorcycle3d,fourwheel_pointmass}.toml \
            resources/models/{wheel,disc,tricycle,tilting_three_wheeler}.toml \
            resources/models/{bicycle,bicycle_rolling,bluebike,redbike,redbike_gyroscope,halfcar,halfcar_printed}.toml \
            resources/models/{wheel_rolling,truck_trailer,bicycle_trailer,tractor_semitrailer,passenger_car}.toml \
            -o "$1/fmi$version" --fmi $version --binaries "$1/fmi"
    done
}

# cross GOOS GOARCH CC: the libraries for another system, if CC is here.
cross() {
    if command -v "$3" >/dev/null; then
        (
            export GOOS=$1 GOARCH=$2 CC=$3
            mkdir -p "out/$1-$2"
            library "out/$1-$2/libskidpad.$(suffix)"
            command_line "out/$1-$2"
            wheel "out/$1-$2/libskidpad.$(suffix)"
            fmi "out/fmi/$(tuple)"
            echo "built for $1 $2" >&2
        )
    else
        echo "not built for $1 $2, because there is no $3 here" >&2
    fi
}

# made: what the libraries of this system in out/ were made of, and what they are.
made() {
    go version
    go env GOFLAGS GOOS GOARCH GOAMD64 GOARM64 GOEXPERIMENT CC CGO_CFLAGS CGO_LDFLAGS
    "$(go env CC)" --version
    find build.sh capi cosim fmu model tire go.mod go.sum -type f ! -name '*_test.go' ! -path '*/testdata/*' \
        ! -path 'capi/python/*' | LC_ALL=C sort | xargs sha256sum
    find out/libskidpad."$(suffix)" out/fmi/"$(tuple)" out/tires -type f | LC_ALL=C sort | xargs sha256sum
}

# kept FROM TO: copies a file or the files of a folder in out/, if they are what these sources
# give. Tests that ask for a library then need not wait for a compiler.
kept() {
    [ -e out/made ] && made 2>/dev/null | cmp -s - out/made && ! [ "$1" -ef "$2" ] || return 1
    if [ -d "$1" ]; then
        mkdir -p "$2"
        rm -f "$2"/skidpad-core-*
        cp "$1"/* "$2"/
    else
        cp "$1" "$2"
    fi
}

build() {
    mkdir -p out
    rm -f out/made # until all of it is rebuilt
    say "library out/libskidpad.$(suffix) and header out/skidpad.h"
    library "out/libskidpad.$(suffix)"
    cp capi/skidpad.h capi/skidpad_tire.h out/
    say "command out/skidpad"
    command_line out
    if [ "$(go env GOOS)" = linux ]; then
        say "Python package, and packages for CMake and pkg-config in out/cmake and out/pkgconfig"
        wheel out/libskidpad.so
        packages out
    fi
    say "FMI libraries out/fmi/$(tuple)"
    fmi "out/fmi/$(tuple)"
    say "example tires out/tires"
    tires out/tires
    made >out/made
    say "libraries and commands for other systems"
    cross windows amd64 x86_64-w64-mingw32-gcc
    cross linux arm64 aarch64-linux-gnu-gcc
    say "Python package with the FMI libraries of all systems"
    fmi_wheel out
    pack out
    site
}

# site [REPORT]: the documentation, with the verification report if one is named.
site() {
    say "documentation out/site/index.html"
    CGO_ENABLED=0 go run ./harness/site build out "$@" >&2
}

# generated lists the checksums of all generated files.
generated() {
    grep -rlE --include='*.go' --include='*.c' '^(//|/\*) Code generated .* DO NOT EDIT' . | sort | xargs -r sha256sum
}

# tools: what tests need besides Go and a C compiler that is not fetched where it is used.
tools() {
    local missing=
    command -v x86_64-w64-mingw32-gcc >/dev/null || missing="gcc-mingw-w64-x86-64"
    command -v aarch64-linux-gnu-gcc >/dev/null || missing="$missing gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    command -v gfortran >/dev/null || missing="$missing gfortran"
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
        missing="$missing chromium fonts-dejavu-core"
    [ -n "$missing" ] || return 0
    echo "installing $missing" >&2
    # shellcheck disable=SC2086 # the packages are several words
    apt-get install -y --no-install-recommends $missing >/dev/null 2>&1 ||
        { apt-get update && apt-get install -y --no-install-recommends $missing; } >/dev/null 2>&1 ||
        {
            echo "build.sh: cross compilers, a Fortran compiler or a browser are missing and cannot be installed:" \
                "apt-get install $missing" >&2
            exit 1
        }
}

# stage NAME: one stage of the tests.
stage() {
    case $1 in
    gofmt)
        local unformatted
        unformatted=$(gofmt -l capi cosim fmu harness model tire)
        if [ -n "$unformatted" ]; then
            echo "not formatted: $unformatted" >&2
            exit 1
        fi
        ;;
    generated)
        local before
        before=$(generated)
        go generate ./...
        if [ "$before" != "$(generated)" ]; then
            echo "go generate changes files; commit what it makes" >&2
            exit 1
        fi
        ;;
    build) build ;;
    vet) go vet ./... ;; # all of it, so that the tests need not repeat some of it
    staticcheck) go tool staticcheck ./... ;;
    tests) go test -count=1 -vet=off -timeout 30m ./... ;; # the cache does not see the library that the harness loads
    race)
        go test -race -short -vet=off -timeout 30m ./capi ./cosim ./fmu/... \
            ./harness/{drive,evaluate,library,optimise,output,sweep,verify}
        ;;
    fuzz) fuzz ;;
    witness | conformance | bindings | hosts) "harness/$1/run.sh" out ;;
    site)
        harness/site/check.sh out
        go run ./harness/site run out
        ;;
    soak) harness/hosts/soak.sh out ;;
    standing)
        SKIDPAD_HELD=60 go test -count=1 -vet=off -timeout 60m -v \
            -run '^(TestVehiclesThatDriftAreThoseThatAreNoted|TestRandomStops|TestLockedVehicleStands)$' \
            ./cosim -standing
        ;;
    python) harness/bindings/run.sh out --long ;;
    faulty-files)
        SKIDPAD_FAULTY_FILES=${SKIDPAD_FAULTY_FILES:-10000000} go test -count=1 -vet=off -timeout 24h -v \
            -run TestFaultyFiles ./harness/manoeuvre
        ;;
    cars) SKIDPAD_ALL_MANOEUVRES=1 go test -count=1 -vet=off -timeout 60m -v -run Renamed ./harness/identify ;;
    editors)
        npm install --silent --prefix "$TMPDIR/taplo" @taplo/lsp@0.8.0
        SKIDPAD_TAPLO=$TMPDIR/taplo go test -count=1 -vet=off -v -run Taplo ./harness/schema
        ;;
    calls) harness/hosts/fuzz.sh out 100000 ;;
    peers)
        command_line out
        harness/bench/peers.sh out
        ;;
    energy) go test -count=1 -vet=off -timeout 30m -v -run 'EnergyWith|Shipped' ./cosim -tumbling 10 ;;
    *)
        echo "build.sh: there is no stage $1; there are: $stages" >&2
        exit 2
        ;;
    esac
}

# fuzz: every fuzz target with its seeds and 20000 more inputs. The targets of a package share
# one program; inputs that the fuzzer finds worth keeping go with it, except for those that fail.
# Counted, as go test -fuzz does for all packages, is what runs in those that take inputs apart: after each
# input the fuzzer looks through all counters, and most of them would be those of plots and runtime.
fuzz() {
    local package target work counted=()
    for package in skidpad/... github.com/BurntSushi/toml/... encoding/xml archive/zip; do
        counted+=(-gcflags "$package=-d=libfuzzer")
    done
    work=$(mktemp -d)
    for package in $(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do
        go test -c -vet=off "${counted[@]}" -ldflags '-s -w' -o "$work/program" "$package"
        for target in $(grep -ohE '^func Fuzz[A-Za-z0-9_]+' "$package"/*_test.go | sed 's/func //'); do
            echo "$package $target"
            (cd "$package" && "$work/program" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime 20000x \
                -test.fuzzminimizetime 100x -test.fuzzcachedir "$work/inputs") </dev/null
        done
        rm -r "$work"/*
    done
}

# timed STAGE: runs it, and shows its output in one piece when it has ended.
timed() {
    local log=$scratch/$1.log status=0 TIMEFORMAT='%0R s, CPU time %0U s + %0S s'
    say "$1 begins"
    mkdir "$scratch/$1"
    (export TMPDIR=$scratch/$1; time stage "$1") >"$log" 2>&1 &
    wait $! || status=$?
    rm -rf "${scratch:?}/$1" # also what a tool has left behind
    {
        flock 9 # one at a time
        say "$1: $([ $status = 0 ] && echo passed || echo "FAILED with status $status")"
        cat "$log" >&2
    } 9>"$scratch/lock"
    rm "$log"
    return $status
}

# crew WORKERS LISTS...: lists of stages, the first ones first, each taken by the worker that is free. The first
# stage that fails ends all.
crew() {
    local worker workers=$1
    printf '%s\n' "${@:2}" >"$scratch/lists"
    set -m # a worker is a group of processes, which ends with all that it has started
    for ((worker = 0; worker < workers; worker++)); do
        work </dev/null &
        running+=($!)
    done
    set +m
    for ((worker = 0; worker < workers; worker++)); do
        wait -n
    done
    running=()
}

work() {
    local list name
    while list=$(take) && [ -n "$list" ]; do
        for name in $list; do
            timed "$name"
        done
    done
}

# take prints the next list, and takes it off.
take() {
    flock 9
    head -n 1 "$scratch/lists"
    sed -i 1d "$scratch/lists"
} 9>"$scratch/lists.lock"

finish() {
    local pid
    trap - EXIT
    for pid in "${running[@]}"; do
        kill -- "-$pid" 2>/dev/null || true
    done
    wait
    rm -rf "$scratch"
}

# room: ends the run where a folder has less room than it will need.
room() {
    local cache folder other there need free
    cache=$(go env GOCACHE)
    mkdir -p out "$cache"
    # In MB, with what is there already.
    local -A needs=(["$scratch"]=2500 ["$cache"]=2500 [out]=1500)
    for folder in "${!needs[@]}"; do
        free=$(df -Pm "$folder" | awk 'NR == 2 { print $4 }')
        need=0
        for other in "${!needs[@]}"; do # on the same disk
            if [ "$(stat -c %d "$other")" = "$(stat -c %d "$folder")" ]; then
                there=$(du -sm "$other" | cut -f 1)
                need=$((need + (there < needs[$other] ? needs[$other] - there : 0)))
            fi
        done
        if [ "$free" -lt "$need" ]; then
            echo "build.sh: the disk of $folder has $free MB free, and the tests need $need MB there: make room," \
                "or set TMPDIR (temporary files, now ${TMPDIR:-/tmp}) or GOCACHE (what Go has compiled, now $cache)" \
                "to a folder on a larger disk" >&2
            exit 1
        fi
    done
}

stages="gofmt generated build vet staticcheck tests race fuzz witness conformance bindings site hosts"
stages+=" soak calls energy standing peers cars editors python faulty-files"

# check [STAGE...]: all stages but soak, calls, energy, standing, peers, cars, editors, python and faulty-files, which
# take long or need the network, or some of them in this order.
check() {
    running=()
    scratch=$(mktemp -d)
    trap finish EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    # One package of Debian at a time, and packages of Python without compiling what is never imported.
    export APT_LOCK=$scratch/apt.lock PIP_NO_COMPILE=1
    apt-get() { flock "$APT_LOCK" apt-get "$@"; }
    export -f apt-get
    if [ $# -gt 0 ]; then
        crew 1 "$*"
        return
    fi
    room
    tools
    crew 1 "gofmt generated build" # what the others read
    # Faults of the text first, then the longest first, so that both workers end at about the same time. Bindings and
    # site share an environment of Python.
    crew 2 vet staticcheck tests conformance "bindings site" race hosts fuzz witness
}

case "${1:-}" in
build) build ;;
"")
    build
    say "main job: all vehicles, all manoeuvres of the sources, through the FMUs"
    out/skidpad run --resources resources --out out/runs
    say "verification: the library against references and the source"
    out/skidpad verify --resources resources --html out/verification.html
    site out/verification.html
    ;;
test)
    shift
    check "$@"
    ;;
pictures)
    scratch=$(mktemp -d)
    trap 'rm -r "$scratch"' EXIT
    ./build.sh library "$scratch/libskidpad.$(suffix)"
    CGO_ENABLED=0 go run ./harness/pictures "$scratch/libskidpad.$(suffix)" "${@:2}"
    ;;
bench)
    build
    say "measuring, next to plain C; results in out/bench"
    out/skidpad bench --resources resources --binaries out --out out/bench
    say "next to the baseline: old is resources/benchmarks/baseline.txt"
    go tool benchstat resources/benchmarks/baseline.txt out/bench/bench.txt
    ;;
library) if kept "out/libskidpad.$(suffix)" "${2:?the file to build}"; then link "$2"; else library "$2"; fi ;;
fmi) { [ -z "${3:-}" ] && kept "out/fmi/$(tuple)" "${2:?the folder to build in}"; } ||
    fmi "${2:?the folder to build in}" "${3:-}" ;;
shims) shims "${2:?the folder to build in}" "${3:?the core}" "${4:?the flags of the compiler}" ;;
tires) kept out/tires "${2:?the folder to build in}" || tires "$2" ;;
*)
    sed -n '2,11s/^# //p' build.sh >&2
    exit 2
    ;;
esac
