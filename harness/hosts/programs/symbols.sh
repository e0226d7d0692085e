#!/usr/bin/env bash
# Group 8: what the libraries export, need and contain.
#
#     symbols.sh OUT
#
# Writes figures to standard output, and what is wrong; exits with 1 if anything is.
set -euo pipefail
out=$1
here=$(dirname "$0")
floor=2.34
wrong=0

complain() {
    echo "  $*"
    wrong=1
}

# listed VERSION: the names of the version's functions, from fmi.h.
listed() {
    sed -nE "/define FMI$1_FUNCTIONS/,/^\$/ s/^ +[SO]\(([A-Za-z0-9]+),.*/fmi$1\1/p" "$here/fmi.h" | LC_ALL=C sort
}

# declared HEADER: the functions of a header of ours.
declared() {
    sed -nE 's/^SKIDPAD_API .*[ *](skidpad_[a-z0-9_]+|SKIDPAD_DTYRE)\(.*/\1/p' "$1" | LC_ALL=C sort
}

# exported FILE: defined dynamic symbols; the node of a version script is none.
exported() {
    case $1 in
    *.dll)
        objdump -p "$1" |
            sed -nE '/^\[Ordinal\/Name Pointer\] Table/,/^$/ s/^\s*\[ *[0-9]+\].* ([A-Za-z_][A-Za-z0-9_]*)$/\1/p' ;;
    *)
        readelf -W --dyn-syms "$1" |
            awk '$4 != "SECTION" && $7 != "UND" && $7 != "ABS" && $8 != "" && $1 ~ /^[0-9]+:$/ {
                sub(/@.*/, "", $8); print $8
            }' ;;
    esac | LC_ALL=C sort
}

# same FILE EXPECTED: the file exports exactly the names in EXPECTED.
same() {
    local difference
    if ! difference=$(diff <(exported "$1") <(printf '%s\n' "$2")); then
        complain "$1 exports other symbols than it should (< surplus, > missing):"
        grep '^[<>]' <<<"$difference" | head -n 20
    fi
}

highest=0
elf() {
    local file=$1 dynamic needed versions version
    dynamic=$(readelf -W -d "$file")
    needed=$(sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' <<<"$dynamic")
    if grep -vxE 'lib(c|pthread|dl)\.so\.[0-9]+|ld-linux-[a-z0-9_-]+\.so\.[0-9]+' <<<"$needed" | grep -q .; then
        complain "$file needs more than libc:" "$needed"
    fi
    ! grep -q TEXTREL <<<"$dynamic" || complain "$file has text relocations"
    grep -qE 'BIND_NOW|FLAGS.*NOW' <<<"$dynamic" || complain "$file is not bound at load time (-z now)"
    ! grep -qE 'R(UN)?PATH' <<<"$dynamic" || grep -qE '\[.ORIGIN\]' <<<"$dynamic" ||
        complain "$file has a search path other than its own folder"
    readelf -W -l "$file" | grep -q GNU_RELRO || complain "$file has no read-only relocations (-z relro)"
    readelf -W -l "$file" | awk '/GNU_STACK/ { found = 1; if ($7 ~ /E/) bad = 1 } END { exit bad || !found }' ||
        complain "$file asks for an executable stack"
    versions=$(readelf -W --dyn-syms "$file" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -Vu)
    version=$(tail -n 1 <<<"$versions")
    if [ "$(printf '%s\n' "$version" "$floor" | sort -V | tail -n 1)" != "$floor" ]; then
        complain "$file needs GLIBC_$version, later than $floor"
    fi
    highest=$(printf '%s\n' "$highest" "$version" | sort -V | tail -n 1)
}

# traces FILE: no folder of the machine that built it.
traces() {
    local folder
    for folder in "$PWD" "$(go env GOROOT)" "$(go env GOMODCACHE)" "$(go env GOCACHE)" "$HOME/" /tmp/ /home/; do
        if strings -a "$1" | grep -qF -- "$folder"; then
            found=$(strings -a "$1" | grep -F -m 1 -- "$folder" | cut -c 1-120)
            complain "$1 contains a path of the building machine: $found"
        fi
    done
}

if ! compgen -G "$out/fmi/*/*" >/dev/null; then
    echo "  there are no libraries in $out/fmi"
    exit 1
fi
libraries=0
for folder in "$out"/fmi/*/; do
    for version in 2 3; do
        for file in "${folder}skidpad_fmi$version".*; do
            [ -e "$file" ] || { complain "$folder has no skidpad_fmi$version"; continue; }
            case $file in
            *.dll) same "$file" "$(listed $version)" ;;
            *) same "$file" "$({ listed $version; echo skidpad_core_lock; } | LC_ALL=C sort)" ;; # load.c tells what for
            esac
        done
    done
    cores=("$folder"skidpad-core-*)
    if [ ${#cores[@]} != 1 ] || [ ! -e "${cores[0]}" ]; then
        complain "$folder should hold one core, not: ${cores[*]}"
    fi
    core=${cores[0]}
    surplus=$(exported "$core" | grep -v '^skidpad_core_' || true)
    if [[ $core = *.dll ]]; then # there the compiler exports every function that C calls in Go
        surplus=$(grep -vxE 'skidpad_[a-z_]+|SKIDPAD_DTYRE' <<<"$surplus" |
            grep -vxFf <(sed -n 's|^//export ||p' capi/*.go) || true)
    fi
    [ -z "$surplus" ] || complain "$core exports names without skidpad_core_: ${surplus//$'\n'/ }"
    for file in "$folder"*; do
        libraries=$((libraries + 1))
        traces "$file"
        case $file in
        *.so) elf "$file" ;;
        *.dll)
            foreign=$(objdump -p "$file" | sed -nE 's/.*DLL Name: //p' | grep -viE '^(kernel32|ntdll|msvcrt)\.dll$' ||
                true)
            [ -z "$foreign" ] || complain "$file needs more than the system and msvcrt: ${foreign//$'\n'/ }"
            ;;
        *) complain "$file should not be there" ;;
        esac
    done
    if [[ $core = *.so ]] && ! readelf -W -d "$core" | grep 'SONAME' | grep -qF "[$(basename "$core")]"; then
        complain "$core is not called so in its SONAME"
    fi
    two=$(exported "$folder"skidpad_fmi2.* | wc -l) three=$(exported "$folder"skidpad_fmi3.* | wc -l)
    echo "  $(basename "$folder"): FMI 2.0 $two, FMI 3.0 $three, core $(exported "$core" | wc -l) symbols"
done
mapfile -t single < <(find "$out" -maxdepth 2 -name libskidpad.so | LC_ALL=C sort)
[ ${#single[@]} -gt 0 ] || complain "there is no libskidpad.so in $out"
for file in "${single[@]}"; do
    libraries=$((libraries + 1))
    same "$file" "$(declared "$out/skidpad.h")"
    elf "$file"
    traces "$file"
done
echo "  libskidpad.so: $(exported "$out/libskidpad.so" | wc -l) symbols, as declared;" \
    "highest version needed in $libraries libraries: GLIBC_$highest"
exit $wrong
