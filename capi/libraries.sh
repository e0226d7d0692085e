# Functions of build.sh that compile the library, core and shims of FMUs, and example tires for GOOS and GOARCH with CC.
# build.sh sources this file in the root of the repository.

# All builds use the same flags, so that libraries, tests and linters share the build cache.
GOFLAGS=$(go env GOFLAGS)
[[ " $GOFLAGS " = *" -trimpath "* ]] || GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath -buildvcs=false"
export GOFLAGS CGO_CFLAGS="-O2 -g0 -ffp-contract=off"

# not inlined: packages that read and write, which no step calls; the library is 3 % smaller
small=()
for package in archive bufio compress container crypto encoding errors fmt github.com go hash html io iter log mime \
    net os path reflect regexp sort strings text unicode; do
    small+=("-gcflags=$package/...=-l")
done

# go_library FILE SCRIPT [FLAGS]: the Go library for GOOS and GOARCH, compiled with CC.
go_library() {
    if [ "$(go env GOOS)" = windows ]; then
        windows_library "$1" "$2"
        return
    fi
    local link= work
    work=$(mktemp -d) # a path without spaces, also if the sources have one
    cp "$2" "$work/script.map"
    if [ "$(go env GOOS)" = linux ]; then
        link="-Wl,--version-script=$work/script.map -Wl,-z,relro,-z,now -Wl,--build-id=none"
    fi
    CGO_ENABLED=1 go build -buildmode=c-shared "${small[@]}" \
        -ldflags "-s -w -buildid= -extldflags '$link ${3:-}'" -o "$1" ./capi
    rm -r "$work"
    rm -f "${1%.*}.h" # the compiler's own header; capi/skidpad.h is the one to use
}

# windows_library FILE SCRIPT: on Windows, the compiler exports every Go function that C calls. The function removes
# these marks; a module definition lists the exports.
windows_library() {
    local work cc
    work=$(mktemp -d)
    cc=$(go env CC)
    CGO_ENABLED=1 go build -buildmode=c-archive "${small[@]}" -ldflags "-s -w -buildid=" -o "$work/go.a" ./capi
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

# soname: the name of the single-file library for programs on Linux.
soname() { echo "libskidpad.so.$(sed -n 's/^#define SKIDPAD_ABI_VERSION //p' capi/skidpad.h)"; }

# library FILE: the single-file library with the native C API. On Linux, programs find the library by its soname, a link
# beside the library.
library() {
    if [ "$(go env GOOS)" = linux ]; then
        go_library "$1" capi/skidpad.map "-Wl,-soname,$(soname)"
    else
        go_library "$1" capi/skidpad.map
    fi
    link "$1"
}
link() { [ "$(go env GOOS)" != linux ] || ln -sf "$(basename "$1")" "$(dirname "$1")/$(soname)"; }

# tuple, suffix: the name of GOOS and GOARCH in FMI 3.0, and the suffix of libraries.
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

# identity SALT: a hash of all inputs that determine the behaviour of the core. The hash is part of the core's name:
# equal builds share a core in a process, different builds do not.
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
    local example
    for example in fiala relaxation pi cruise; do
        "$(go env CC)" -std=c11 -O2 -g0 -Wall -Wextra -Werror -ffp-contract=off -fPIC -fvisibility=hidden -shared \
            -Icapi -o "$1/$example.$(suffix)" capi/examples/$example/$example.c -lm
    done
    "$(go env CC)" -std=c11 -O2 -g0 -Wall -Wextra -Werror -ffp-contract=off -fPIC -fvisibility=hidden -shared \
        -o "$1/fiala_sti.$(suffix)" capi/examples/sti/fiala.c -lm
    cp capi/examples/sti/fiala.txt "$1/"
    # the compiler's cache sees a change of flags, but not of a header in another folder
    local header
    header=$(cksum <capi/skidpad_tire.h)
    CGO_ENABLED=1 CGO_CFLAGS="$CGO_CFLAGS -fvisibility=hidden -DHEADER=${header%% *}" go build -buildmode=c-shared \
        -ldflags "-s -w -buildid=" -o "$1/linear.$(suffix)" ./capi/examples/linear
    rm -f "$1/linear.h"
}
