#!/usr/bin/env bash
# A release as a user gets it:
#
#     harness/release/run.sh OUT
#
# Makes two releases in different folders: the bytes must be equal. Reads the symbol versions of all binaries by
# readelf, and runs the archive without Go and compilers. Takes the first steps of a newcomer with the Python package
# alone, in a new environment and an empty folder. OUT is the output of ./build.sh; run the script from the repository
# root.
#
# FMPy is installed in OUT/conformance, the compiler of releases in OUT/zig, Debian packages with apt-get.
set -euo pipefail
[ -f harness/release/run.sh ] || { echo "run.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
source harness/need.sh
need readelf binutils
need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
need git git
need_python

# The same sources in another folder, whose name has a space. The compiler is not fetched again.
other="$scratch/another folder"
git clone -q --no-checkout . "$other"
mkdir -p "$other/out" out/zig
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file" # one that is deleted, and not yet committed
done | tar -cf - --null -T - | tar -xf - -C "$other"
ln -s "$PWD/out/zig" "$other/out/zig"
git -C "$other" reset -q # its files have the changes that they have here
released() {
    (cd "$1" && ./build.sh release "$2") >"$scratch/stderr" 2>&1 ||
        { told "release in $1"; exit 1; }
}
released . "$scratch/one"
released "$other" "$scratch/two"
rm -rf "$other"
if diff -r "$scratch/one" "$scratch/two" >"$scratch/stderr"; then
    passed "releases in two folders: $(find "$scratch/one" -type f | wc -l) files with equal bytes"
else
    told "releases in two folders differ"
fi
(cd "$scratch/one" && sha256sum --quiet --check SHA256SUMS) >"$scratch/stderr" 2>&1 &&
    passed "SHA256SUMS of $(wc -l <"$scratch/one/SHA256SUMS") files" || told "SHA256SUMS"

# Symbol versions of every binary of Linux.
binaries=0
for file in "$scratch"/one/skidpad[-_]*; do
    inside=$scratch/inside/$(basename "$file")
    mkdir -p "$inside"
    case $file in
    *.tar.gz) tar -xzf "$file" -C "$inside" ;;
    *) python3 -m zipfile -e "$file" "$inside" ;;
    esac
    while IFS= read -r -d '' binary; do
        head -c 4 "$binary" | cmp -s - <(printf '\177ELF') || continue
        binaries=$((binaries + 1))
        newest=$({ readelf -W --dyn-syms --version-info "$binary" | grep -oE 'GLIBC_[0-9.]+' || true; } | sort -Vu |
            tail -n 1)
        [ "$(printf '%s\n' "$newest" GLIBC_2.28 | sort -V | tail -n 1)" = GLIBC_2.28 ] ||
            failed "${binary#"$scratch/inside/"} needs $newest"
    done < <(find "$inside" -type f -print0)
    found=$(find "$inside" -ipath '*licen[cs]es/*' -type f | wc -l)
    [ "$found" -ge 20 ] || failed "$(basename "$file") has $found licences"
done
[ $binaries -ge 30 ] && passed "$binaries binaries of Linux run from glibc 2.28 on" ||
    failed "the release has only $binaries binaries of Linux"

# step SECONDS TEXT COMMAND...: a step of a user. SECONDS ends one that hangs; how long it took is printed.
step() {
    local limit=$1 text=$2 start=${EPOCHREALTIME/./} status=0
    shift 2
    timeout "$limit" "$@" >"$scratch/said" 2>"$scratch/stderr" || status=$?
    if [ $status = 0 ]; then
        passed "$text: $(((${EPOCHREALTIME/./} - start) / 1000)) ms"
    else
        cat "$scratch/said" >>"$scratch/stderr"
        told "$text: status $status"
    fi
}

# The archive, where PATH has nothing and HOME is empty.
archive=$(echo "$scratch"/inside/skidpad-*-linux-x86_64.tar.gz/skidpad-*)
mkdir "$scratch/home" "$scratch/work"
bare() {
    step 60 "archive: $*" env -i -C "$scratch/work" PATH=/nowhere HOME="$scratch/home" "$archive/skidpad" "$@"
}
bare --version --verbose
bare list models
bare new car --from passenger
bare simulate car/vehicle.toml --manoeuvre car/first_run.toml --out run.csv
bare manoeuvre passenger_car --manoeuvre step_steer
bare pack car/vehicle.toml -o car.fmu --fmi 3
bare check car.fmu

# A run is bit-identical to that of the library that gcc has compiled.
for library in "$archive/libskidpad.so" "$out/libskidpad.so"; do
    "$archive/skidpad" simulate passenger_car --manoeuvre passenger_car_sine --library "$library" \
        --out "$scratch/$(basename "$(dirname "$library")").csv" 2>"$scratch/stderr" || told "simulate with $library"
done
cmp "$scratch/$(basename "$archive").csv" "$scratch/$(basename "$out").csv" >"$scratch/stderr" 2>&1 &&
    passed "passenger_car in a sine steer: the bits of the library that gcc has compiled" ||
    told "passenger_car in a sine steer: not the bits of the library that gcc has compiled"

# The Python package alone.
venv "$out/conformance" harness/hosts/conformance/fmpy.txt
python3 -m venv --without-pip "$scratch/venv"
"$out/conformance/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
    >"$("$scratch/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kept.pth"
mkdir "$scratch/newcomer"
cd "$scratch/newcomer"
export PATH="$scratch/venv/bin:/usr/bin:/bin" HOME=$scratch/home
step 300 "pip install the package" "$out/conformance/venv/bin/pip" --quiet --disable-pip-version-check --python \
    "$scratch/venv/bin/python" install --no-index "$scratch"/one/skidpad-*-manylinux_2_28_x86_64.whl \
    "$scratch"/one/skidpad_fmi-*.whl
step 60 "package: the self-test" skidpad --version --verbose
step 60 "package: new" skidpad new car --from passenger
step 60 "package: run" skidpad simulate car/vehicle.toml --manoeuvre car/first_run.toml --out first.csv --plot first.png
step 60 "package: change" skidpad simulate car/vehicle.toml --manoeuvre car/first_run.toml --set sprung=1400 \
    --out second.csv
! cmp -s first.csv second.csv && passed "package: the change changes the run" ||
    failed "package: the change has no effect"
step 60 "package: a test" skidpad manoeuvre car/vehicle.toml --manoeuvre step_steer --out light
step 60 "package: the test after a change" skidpad manoeuvre car/vehicle.toml --manoeuvre step_steer --set sprung=1400 \
    --out heavy
step 60 "package: report" skidpad report light heavy -o report.html
step 60 "package: pack" skidpad pack car/vehicle.toml -o car.fmu --fmi 3
step 60 "package: the FMU in FMPy" python -c 'import fmpy
print(fmpy.simulate_fmu("car.fmu", stop_time=1.0)[-1])'
step 60 "package: the run in Python" python -c 'import skidpad
with skidpad.Vehicle("passenger_car") as car:
    car.initialise()
    car.step(0.01)'
ended "release"
