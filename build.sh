#!/usr/bin/env bash
# ./build.sh            builds everything into out/, runs the main job, verifies
# ./build.sh test       runs the tests that must hold before a change lands; see ./build.sh test --help
# ./build.sh bench      measures the speed and compares it with the stored baseline
# ./build.sh build      builds everything into out/ and runs nothing
# ./build.sh release [F] makes archives, Python packages and their checksums in folder F, by default out/release
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
. capi/libraries.sh

# version: of the product.
version() { sed -n 's/.*skidpad_version(void) { return "\(.*\)".*/\1/p' capi/skidpad.c; }

# command_line FOLDER: the command for GOOS and GOARCH.
command_line() {
    local package small=()
    # not inlined: the command, most of the Python package, is 2 MB smaller; the library computes the runs
    for package in codeberg.org git.sr.ht github.com golang.org google.golang.org gonum.org/v1 skidpad \
        archive bufio bytes cmp compress container context crypto encoding errors fmt go hash html image internal io \
        iter log maps math/big math/rand mime net os path reflect regexp runtime/debug slices sort strconv strings \
        sync text time unicode vendor; do
        small+=("-gcflags=$package/...=-l")
    done
    small_modules
    CGO_ENABLED=0 go build -modfile out/plotting/command.mod "${small[@]}" \
        -ldflags "-s -w -buildid= -X skidpad/harness.Commit=$(commit)" -o "$1/" ./harness/cmd/skidpad
}

# small_modules: a go.mod in out/plotting with one font in place of sixteen, and without Protocol Buffers. Plots need
# Liberation Sans only; the package of formulas, which plots do not use, gets it, too. The command is 6 MB smaller.
small_modules() {
    local made=out/plotting fonts=codeberg.org/go-fonts/liberation images=golang.org/x/image name
    rm -rf $made/liberation $made/image
    mkdir -p $made
    go mod download $fonts $images
    cp -r "$(go list -m -f '{{.Dir}}' $fonts)" $made/liberation
    cp -r "$(go list -m -f '{{.Dir}}' $images)" $made/image
    chmod -R u+w $made/liberation $made/image
    for name in $made/liberation/liberation*/; do
        name=$(basename "$name")
        [ "$name" != liberationsansregular ] || continue
        rm $made/liberation/"$name"/*.ttf
        printf 'package %s\n\nimport sans "%s/liberationsansregular"\n\nvar TTF = sans.TTF\n' "$name" $fonts \
            >$made/liberation/"$name"/data.go
    done
    for name in gobold gobolditalic goitalic goregular; do
        printf 'package %s\n\nimport sans "%s/liberationsansregular"\n\nvar TTF = sans.TTF\n' "$name" $fonts \
            >$made/image/font/gofont/"$name"/data.go
    done
    cp go.mod $made/command.mod
    cp go.sum $made/command.sum
    go mod edit -replace $fonts=./$made/liberation -replace $images=./$made/image \
        -replace google.golang.org/protobuf=./harness/cmd/protobuf $made/command.mod
}

# commit: of the sources, where that is known.
commit() {
    local name
    name=$(git rev-parse --short=12 HEAD 2>/dev/null) || return 0
    [ -z "$(git status --porcelain 2>/dev/null)" ] || name=$name-changed
    echo "$name"
}

# date_of_sources: in seconds, so that equal sources give equal FMUs and archives.
date_of_sources() { echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}"; }

# wheel LIBRARY [LICENCES]: the Python package around a library of Linux or Windows and the command beside it, in their
# folder.
wheel() {
    local folder command
    folder=$(dirname "$1")
    command=$folder/skidpad
    [ "${1##*.}" != dll ] || command=$command.exe
    rm -f "$folder"/skidpad-*.whl
    CGO_ENABLED=0 go run ./capi/python/wheel skidpad "$(version)" "$folder" "${2:-}" "$1" "$command" >&2
}

# fmi_wheel OUT [LICENCES]: the Python package with the libraries of FMUs in OUT/fmi.
fmi_wheel() {
    rm -f "$1"/skidpad_fmi-*.whl
    CGO_ENABLED=0 go run ./capi/python/wheel fmi "$(version)" "$1" "${2:-}" "$1/fmi" >&2
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
pack() {
    local version
    say "FMUs $1/fmi2 and $1/fmi3"
    for version in 2 3; do
        SOURCE_DATE_EPOCH=$(date_of_sources) \
            "$1/skidpad" pack resources/models/{generic4w,skidder,point_pendulum}.toml \
            resources/models/{partial_vehicle2d,partial_vehicle3d}.toml \
            resources/models/{motorcycle2d_vertical,motorcycle2d,motorcycle3d,fourwheel_pointmass}.toml \
            resources/models/{wheel,disc,tricycle,tilting_three_wheeler}.toml \
            resources/models/{bicycle,bicycle_rolling,bicycle_controlled,bluebike,redbike,redbike_gyroscope}.toml \
            resources/models/{redbike_gyroscope_controlled,halfcar,halfcar_printed}.toml \
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
            fmi "out/fmi/$(tuple)"
            echo "built for $1 $2" >&2
        )
    else
        (
            export GOOS=$1 GOARCH=$2
            rm -rf "out/$1-$2" "out/fmi/$(tuple)" # of older sources, which would go into FMUs and packages
        )
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
    cp capi/skidpad.h capi/skidpad_controller.h capi/skidpad_law.h capi/skidpad_tire.h out/
    say "command out/skidpad"
    command_line out
    if [ "$(go env GOOS)" = linux ]; then
        say "packages for CMake and pkg-config in out/cmake and out/pkgconfig"
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
    say "Python packages"
    local file
    for file in out/libskidpad.so out/linux-arm64/libskidpad.so out/windows-amd64/libskidpad.dll; do
        [ ! -e "$file" ] || wheel "$file"
    done
    fmi_wheel out
    pack out
    site
}

# zig FOLDER: the pinned compiler of released libraries for Linux, in FOLDER, with the programs zig-x86_64-cc and
# zig-aarch64-cc, which take symbols from the oldest supported glibc.
zig() {
    local folder=$1 processor
    ! cmp -s capi/zig.txt "$folder/made" || return 0
    need python3 "install Python 3 with venv, for example: apt-get install python3-venv"
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" --quiet --disable-pip-version-check install --no-compile --no-deps --only-binary :all: \
        --require-hashes -r capi/zig.txt
    ln -s "$(echo "$folder"/lib/python*/site-packages/ziglang)" "$folder/zig"
    for processor in x86_64 aarch64; do
        cat >"$folder/zig-$processor-cc" <<END
#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR='$folder/cache' ZIG_LOCAL_CACHE_DIR='$folder/cache'
[ "\$1" != --version ] || exec '$folder/zig/zig' cc --version
exec '$folder/zig/zig' cc -target $processor-linux-gnu.2.28 -fno-sanitize=undefined "\$@"
END
        chmod +x "$folder/zig-$processor-cc"
    done
    cp capi/zig.txt "$folder/made"
}

# licences_of_compilers FOLDER ZIG CC: the licences of code that compilers add to libraries. Zig adds parts of itself
# and of glibc, CC for Windows adds its runtime, a Debian package.
licences_of_compilers() {
    local file package
    mkdir -p "$1/zig" "$1/glibc"
    cp "$2/zig/LICENSE" "$1/zig/"
    cp "$2/zig/lib/libc/glibc/LICENSES" "$1/glibc/"
    for file in dllcrt2.o libgcc.a; do
        package=$(dpkg -S "$(realpath "$("$3" -print-file-name=$file)")" | cut -d : -f 1)
        mkdir -p "$1/$package"
        cp "/usr/share/doc/$package/copyright" "$1/$package/"
    done
}

# release FOLDER: archives, Python packages and checksums.
release() {
    local tools=$PWD/out/zig target system compiler
    need x86_64-w64-mingw32-gcc "install it, for example: apt-get install gcc-mingw-w64-x86-64"
    work=$(mktemp -d) # not local: it is removed after this function
    trap 'rm -rf "$work"' EXIT
    say "compiler $(sed -n 's/ .*//; /==/p' capi/zig.txt)"
    zig "$tools"
    PATH=$tools:$PATH # the name of a compiler must not depend on the folder, nor have spaces
    for target in linux-amd64:zig-x86_64-cc linux-arm64:zig-aarch64-cc windows-amd64:x86_64-w64-mingw32-gcc; do
        system=${target%%:*} compiler=${target#*:}
        say "libraries and command for $system"
        (
            export GOOS=${system%-*} GOARCH=${system#*-} CC=$compiler
            mkdir -p "$work/$system"
            library "$work/$system/libskidpad.$(suffix)"
            command_line "$work/$system"
            fmi "$work/fmi/$(tuple)"
            [ "$GOOS" != linux ] || packages "$work/$system"
        )
    done
    say "licences"
    licences_of_compilers "$work/licences" "$tools" x86_64-w64-mingw32-gcc
    CGO_ENABLED=0 go run ./harness/release licences "$work/licences" "$work"/*-*/{skidpad,libskidpad}*
    say "Python packages"
    for system in linux-amd64 linux-arm64 windows-amd64; do
        wheel "$(ls "$work/$system"/libskidpad.{so,dll} 2>/dev/null)" "$work/licences"
    done
    fmi_wheel "$work" "$work/licences"
    say "archives in $1"
    SOURCE_DATE_EPOCH=$(date_of_sources) CGO_ENABLED=0 go run ./harness/release archives "$(version)" "$work" "$1" >&2
}

# site [REPORT]: the documentation, with the verification report if one is named.
site() {
    say "documentation out/site/index.html"
    CGO_ENABLED=0 go run ./harness/site build out "$@" >&2
}

case "${1:-}" in
build) build ;;
release) release "${2:-out/release}" ;;
"")
    build
    say "main job: all vehicles, all manoeuvres of the sources, through the FMUs"
    out/skidpad run --resources resources --out out/runs
    say "verification: the library against references and the source"
    out/skidpad verify --resources resources --html out/verification.html
    site out/verification.html
    ;;
test)
    mkdir -p out
    CGO_ENABLED=0 go build -o out/stages ./harness/tests/stages
    exec out/stages "${@:2}"
    ;;
pictures)
    scratch=$(mktemp -d)
    trap 'rm -r "$scratch"' EXIT
    ./build.sh library "$scratch/libskidpad.$(suffix)"
    CGO_ENABLED=0 go run ./harness/site/pictures "$scratch/libskidpad.$(suffix)" "${@:2}"
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
