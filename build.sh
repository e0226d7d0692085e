#!/usr/bin/env bash
# ./build.sh            builds everything into out/ and runs the main job
# ./build.sh test       lint, generated files, race run, fuzzing, all tests
# ./build.sh library F  builds only the shared library, as file F
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

# library FILE: the shared library for GOOS and GOARCH, compiled with CC.
library() {
    local link=
    if [ "$(go env GOOS)" = linux ]; then
        link="-Wl,--version-script=$PWD/capi/skidpad.map -Wl,-z,relro,-z,now -Wl,--build-id=none"
    fi
    CGO_ENABLED=1 go build -trimpath -buildvcs=false -buildmode=c-shared \
        -ldflags "-s -w -buildid= -extldflags '$link'" -o "$1" ./capi
    rm -f "${1%.*}.h" # the compiler's own header; capi/skidpad.h is the one to use
}

# cross GOOS GOARCH CC FILE: the library for another system, if CC is here.
cross() {
    if command -v "$3" >/dev/null; then
        GOOS=$1 GOARCH=$2 CC=$3 library "$4"
        echo "built $4" >&2
    else
        echo "not built: $4, because there is no $3 here" >&2
    fi
}

build() {
    local host=libskidpad.so
    case "$(go env GOOS)" in
    darwin) host=libskidpad.dylib ;;
    windows) host=libskidpad.dll ;;
    esac
    mkdir -p out
    say "library out/$host and header out/skidpad.h"
    library "out/$host"
    cp capi/skidpad.h out/skidpad.h
    say "command out/skidpad"
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -o out/ ./harness/cmd/skidpad
    say "libraries for other systems"
    cross windows amd64 x86_64-w64-mingw32-gcc out/windows-amd64/libskidpad.dll
    cross linux arm64 aarch64-linux-gnu-gcc out/linux-arm64/libskidpad.so
}

# generated lists the checksums of all generated files.
generated() {
    grep -rlE --include='*.go' --include='*.c' '^(//|/\*) Code generated .* DO NOT EDIT' . | sort | xargs -r sha256sum
}

check() {
    say "gofmt"
    local unformatted
    unformatted=$(gofmt -l capi cosim fmu harness model tire)
    if [ -n "$unformatted" ]; then
        echo "not formatted: $unformatted" >&2
        exit 1
    fi
    say "go vet"
    go vet ./...
    say "staticcheck"
    go tool staticcheck ./...
    say "generated files"
    local before
    before=$(generated)
    go generate ./...
    if [ "$before" != "$(generated)" ]; then
        echo "go generate changes files; commit what it makes" >&2
        exit 1
    fi
    say "race run"
    go test -race -short ./capi ./cosim ./harness
    say "fuzzing, 5 s each"
    local file package target
    grep -rl --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do
        package=$(dirname "$file")
        grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | while read -r _ target; do
            go test -run '^$' -fuzz "^$target\$" -fuzztime 5s "$package" </dev/null
        done
    done
    say "tests"
    go test -count=1 ./... # the cache does not see the library that the harness builds and loads
}

case "${1:-}" in
"")
    build
    say "main job: both vehicles, both manoeuvres, through the library"
    out/skidpad run --resources resources --out out/runs
    ;;
test) check ;;
library) library "${2:?the file to build}" ;;
*)
    sed -n '2,4s/^# //p' build.sh >&2
    exit 2
    ;;
esac
