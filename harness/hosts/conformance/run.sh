#!/usr/bin/env bash
# Conformance of the shipped FMUs, checked with third-party tools:
#
#     harness/hosts/conformance/run.sh OUT
#     harness/hosts/conformance/run.sh OUT --fmpy   runs all FMUs in FMPy, a minute
#
# OUT is the output of ./build.sh; run the script from the repository root. Tools:
#
#     FMPy                     validity, schemas of the standard, co-simulation, model exchange, sources by CMake
#     libcosim, Ecos           co-simulation masters, also of systems (SSP)
#     SciPy                    MAT-files and linear systems
#     pandas, PyArrow, asammdf recordings
#     Reference FMUs           run by Skidpad: co-simulation and model exchange of FMI 2.0 and 3.0
#     VDMCheck                 the formal model of FMI 2.0
#     Maestro                  a co-simulation master in Java, FMI 2.0
#     fmi-rs                   an importer in Rust: validity, co-simulation, saved states, model exchange
#     Wine, QEMU, musl         the libraries of the other platforms, and a C library that
#                              cannot load them
#
# Tools are installed in OUT/conformance in pinned versions, Debian packages with apt-get.
set -euo pipefail
here=harness/hosts/conformance
[ -f "$here/run.sh" ] || { echo "run.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
source harness/need.sh
tools=$out/conformance
python=$tools/venv/bin/python

# checks COMMAND...: a program that prints checks.
checks() {
    local status=0 bad
    "$@" >"$scratch/said" 2>"$scratch/stderr" || status=$?
    cat "$scratch/said" >>"$scratch/all"
    grep -E '^(passed|FAILED)  ' "$scratch/said" || status="$status and no check"
    bad=$(grep -c '^FAILED  ' "$scratch/said" || true)
    failures=$((failures + bad))
    [ "$status" = $((bad > 0)) ] || told "$(basename "$2") ended with status $status"
}

case "${2:-}" in
"") ;;
--fmpy)
    need_python
    venv "$tools" $here/fmpy.txt
    checks "$python" $here/importer.py "$out" short
    ended "FMPy"
    ;;
*) echo "run.sh: $2 is not an option; there is --fmpy" >&2; exit 2 ;;
esac

need gcc gcc libc6-dev
need unzip unzip
need cmake cmake
need_python
need java openjdk-17-jre-headless
need mvn maven
need libtbb.so.12 libtbb12
need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
need "qemu-aarch64-static|qemu-aarch64" qemu-user-static
need wine wine wine64
need wineserver wine wine64
need musl-gcc musl-tools
venv "$tools" $here/fmpy.txt $here/requirements.txt $here/sdist.txt

# fetched_vdmcheck, fetched_maestro, fetched_reference_fmus, built_importer: bring tools that are not there in the
# version that is wanted.
fetched_vdmcheck() {
    ! cmp -s $here/vdmcheck.xml "$tools/vdmcheck.xml" || return 0
    rm -rf "$tools/vdmcheck"
    mvn -q -B -f $here/vdmcheck.xml org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
        -DoutputDirectory="$tools/vdmcheck" -Dmdep.stripVersion=true >"$scratch/stderr" 2>&1 || return 1
    # the tool looks for its parts as files beside it
    (cd "$tools/vdmcheck" && for jar in static-model rule-model vdmcheck2; do unzip -qo $jar.jar -x 'META-INF/*'; done)
    cp $here/vdmcheck.xml "$tools/vdmcheck.xml"
}
fetched_maestro() {
    ! cmp -s $here/maestro.txt "$tools/maestro.txt" || return 0
    local artifact
    rm -rf "$tools/maestro"
    while read -r artifact; do
        mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact="$artifact" \
            -DoutputDirectory="$tools/maestro" >"$scratch/stderr" 2>&1 </dev/null || return 1
    done <$here/maestro.txt
    cp $here/maestro.txt "$tools/maestro.txt"
}
fetched_reference_fmus() {
    ! cmp -s $here/reference_fmus.txt "$tools/reference_fmus.txt" || return 0
    rm -rf "$tools/reference_fmus"
    "$python" -m pip --quiet --disable-pip-version-check --cache-dir "$tools/pip" download --no-deps \
        --no-binary :all: --no-build-isolation -d "$scratch/sources" -r $here/reference_fmus.txt \
        >"$scratch/stderr" 2>&1 || return 1
    mkdir "$tools/reference_fmus"
    tar -xzf "$scratch"/sources/*.tar.gz -C "$tools/reference_fmus" --strip-components=3 --wildcards \
        '*/tests/data/*.fmu'
    cp $here/reference_fmus.txt "$tools/reference_fmus.txt"
}
built_importer() {
    local sources=("$here"/rust/Cargo.toml "$here"/rust/Cargo.lock "$here"/rust/src/main.rs)
    ! cat "${sources[@]}" | cmp -s - "$tools/importer.sources" || return 0
    # Debian's package cargo is older; what it has for web browsers is not.
    new_cargo() {
        cargo --version 2>/dev/null | awk '{ split($2, v, "."); new = v[1] > 1 || v[2] >= 88 } END { exit !new }'
    }
    new_cargo || lacking "Cargo 1.88 or newer" cargo-web rustc-web
    new_cargo || {
        echo "$(command -v cargo) is older than 1.88: remove it from PATH, or install Rust 1.88 or newer" \
            >"$scratch/stderr"
        return 1
    }
    CARGO_TARGET_DIR=$scratch/rust cargo build --quiet --locked --manifest-path $here/rust/Cargo.toml \
        >"$scratch/stderr" 2>&1 || return 1
    cp "$scratch/rust/debug/importer" "$tools/importer"
    cat "${sources[@]}" >"$tools/importer.sources"
    rm -r "$scratch/rust"
}
vdmcheck=true importer=true maestro=maestro references=true
fetched_reference_fmus || { references=false && told "the Reference FMUs cannot be fetched by pip"; }
fetched_vdmcheck || { vdmcheck=false && told "VDMCheck cannot be fetched by Maven"; }
fetched_maestro || { maestro='' && told "Maestro cannot be fetched by Maven"; }
built_importer || { importer=false && told "the importer in Rust cannot be built"; }

for check in importer control_alone figures masters $maestro point_masses half_car linear recordings systems \
    closed_loop; do
    checks "$python" $here/$check.py "$out"
done
checks "$python" $here/sources.py "$out" "$scratch/with_sources"
! $references || checks "$python" $here/reference_fmus.py "$out" "$tools/reference_fmus"
grep -q '^passed  Ecos closes the loop of the bicycle 3.0' "$scratch/all" ||
    failed "the checks in Python did not finish"

# In a run of seconds better compiling and collecting by threads do not pay.
for check in VDMCheck:{GenericVehicle,ForestrySkidder,MotorcycleModel2,PartialVehicles,with_sources} \
    VDMCheckPlus:GenericVehicle; do
    $vdmcheck || break
    main=${check%:*} model=${check#*:} fmu=$out/fmi2/${check#*:}.fmu
    [ $model != with_sources ] || fmu=$scratch/with_sources/generic4w_2.fmu
    if said=$(cd "$tools/vdmcheck" && java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp vdmcheck2.jar $main \
        "$fmu" 2>&1) &&
        ! grep -v -e 'No errors found' -e '^Checking ' -e '^FMU has no ' <<<"$said"; then
        passed "$main: no errors in $model 2.0"
    else
        failed "$main: $model 2.0: $said"
    fi
done

# The example of a tire function in Python: a vehicle that rolls freely stays at 20 m/s.
if said=$("$python" capi/examples/tire.py "$out/libskidpad.so" resources/models/generic4w.toml 2>&1) &&
    grep -q '^1.0 s  \(19.99\|20.00\)[0-9]* m/s$' <<<"$said"; then
    passed "a tire function in Python: $(tail -n 1 <<<"$said")"
else
    failed "a tire function in Python: $said"
fi

# Many vehicles in one process, and an FMU on a cluster of two processes: the same positions.
together=$("$python" capi/examples/sweep.py "$out/libskidpad.so" resources/models/generic4w.toml 7 2>&1) || true
spread=$("$python" capi/examples/distributed_sweep.py "$out/fmi3/GenericVehicle.fmu" 2>&1) || true
if [ "$(grep -c ' kg: y = ' <<<"$spread")" = 7 ] && grep -qx '7 runs in 2 processes' <<<"$spread" &&
    [ "$(grep -e '^1800 kg' -e '^2400 kg' <<<"$spread")" = "$together" ]; then
    passed "a parameter study in one process and on a cluster: $(tr '\n' ' ' <<<"$together")"
else
    failed "a parameter study: in one process $together; on a cluster $spread"
fi

# The libraries of other platforms, with the same small program.
x86_64-w64-mingw32-gcc -O1 -Wall -Wextra -Werror -shared -o "$scratch/bcryptprimitives.dll" $here/prng.c -ladvapi32
x86_64-w64-mingw32-gcc -O1 -Wall -Wextra -Werror -o "$scratch/smoke.exe" $here/smoke.c
x86_64-w64-mingw32-gcc -O1 -Wall -Wextra -Werror -o "$scratch/together.exe" $here/together.c
aarch64-linux-gnu-gcc -O1 -Wall -Wextra -Werror -o "$scratch/smoke-arm" $here/smoke.c -ldl
gcc -O1 -Wall -Wextra -Werror -o "$scratch/smoke" $here/smoke.c -ldl
musl-gcc -O1 -Wall -Wextra -Werror -o "$scratch/smoke-musl" $here/smoke.c
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
library=$(realpath "$(aarch64-linux-gnu-gcc -print-file-name=libc.so.6)")
export QEMU_LD_PREFIX=${library%/lib*/*} # the folder with lib/ld-linux-aarch64.so.1

# A service of Wine can crash while it makes its folder. What counts is whether the folder is there, for 64 bits.
export WINEPREFIX=$scratch/wine WINEDEBUG=-all
clean() { wineserver -k || true; } # it has left the group of this script
wineboot -i >"$scratch/stderr" 2>&1 || true
wineserver -w
cp "$scratch/bcryptprimitives.dll" "$WINEPREFIX/drive_c/windows/system32/" &&
    grep -q '^#arch=win64' "$WINEPREFIX/system.reg" ||
    told "Wine has made no folder for programs of 64 bits; $(wine --version) needs the package wine64"

# under_wine PROGRAM ARGUMENTS: prints the output of a Windows program, and its error output if its exit status is an
# error. Wine's own services write into the standard error of the program that starts them, and a service can crash
# alone.
under_wine() {
    local status=0
    timeout --foreground 120 wine "$@" 2>"$scratch/wine.errors" | tr -d '\r' || status=$?
    [ $status = 0 ] || { echo "exit status $status:" && cat "$scratch/wine.errors"; }
}

for vehicle in GenericVehicle:body.vx ForestrySkidder:front.vx; do
    model=${vehicle%:*} folder=$scratch/$model
    unzip -q "$out/fmi2/$model.fmu" -d "$folder"
    guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' "$folder/modelDescription.xml")
    reference=$(sed -n "s/.*name=\"${vehicle#*:}\" valueReference=\"\([0-9]*\)\".*/\1/p" "$folder/modelDescription.xml")
    arguments=("$guid" "file://$folder/resources" "$reference")
    native=$("$scratch/smoke" "$folder/binaries/linux64/$model.so" "${arguments[@]}" 2>&1) && [ -n "$native" ] || {
        failed "$model, linux x86-64: ${native:-no value}"
        continue
    }
    if $importer; then
        "$tools/importer" "${vehicle#*:}" "$native" "$out/fmi2/$model.fmu" "$out/fmi3/$model.fmu" \
            >"$scratch/importer" 2>&1 || true
        grep -E '^(passed|FAILED)  ' "$scratch/importer" || true
        failures=$((failures + $(grep -c '^FAILED' "$scratch/importer" || true)))
        [ "$(grep -c ': no message is logged' "$scratch/importer")" = 2 ] ||
            failed "the importer in Rust did not reach its end: $(tail -n 5 "$scratch/importer")"
    fi
    arm=$(timeout --foreground 120 "$qemu" "$scratch/smoke-arm" \
        "$folder/binaries/aarch64-linux/$model.so" "${arguments[@]}" 2>&1) || true
    windows=$(under_wine "$scratch/smoke.exe" "Z:$folder/binaries/win64/$model.dll" \
        "$guid" "file:///Z:$folder/resources" "$reference")
    for run in "linux arm64 under QEMU:$arm" "Windows x86-64 under Wine:$windows"; do
        if [ "${run#*:}" = "$native" ]; then
            passed "$model, ${run%%:*}: ${vehicle#*:} = $native m/s after 100 steps, as on linux x86-64"
        else
            failed "$model, ${run%%:*}: ${run#*:}; on linux x86-64 $native"
        fi
    done
    status=0
    musl=$("$scratch/smoke-musl" "$folder/binaries/linux64/$model.so" "${arguments[@]}" 2>&1) || status=$?
    if [ $status = 3 ] && grep -q 'status 3: .*GNU C library' <<<"$musl"; then
        passed "$model, musl: no instance, and the message names the C library"
    else
        failed "$model, musl: status $status: $musl"
    fi
done

# The command for Windows runs FMUs as the command here does. On Windows all arguments of the variadic logger of FMI 2.0
# come on the stack.
unzip -qj "$out"/windows-amd64/skidpad-*.whl skidpad/skidpad.exe -d "$scratch"
for version in 2 3; do
    fmu=$out/fmi$version/HalfCar.fmu
    "$out/skidpad" simulate "$fmu" --manoeuvre halfcar_550 --out "$scratch/here.csv" 2>"$scratch/stderr"
    windows=$(under_wine "$scratch/skidpad.exe" simulate "Z:$fmu" --manoeuvre halfcar_550 --out "Z:$scratch/there.csv")
    if cmp "$scratch/here.csv" "$scratch/there.csv"; then
        passed "the command for Windows under Wine runs an FMU of FMI $version.0: the recording has the same bytes"
    else
        failed "the command for Windows under Wine, FMI $version.0: $windows"
    fi
done

# A controller in a library for Windows gives the bits of the same controller here.
unzip -qj "$out"/windows-amd64/skidpad-*.whl skidpad/libskidpad.dll -d "$scratch"
x86_64-w64-mingw32-gcc -std=c11 -O2 -Wall -Wextra -Werror -ffp-contract=off -fvisibility=hidden -shared -Icapi \
    -o "$scratch/cruise.dll" capi/examples/cruise/cruise.c
cat >"$scratch/controlled.toml" <<'END'
base = "passenger_car"
name = "Controlled"
title = "Passenger car with a cruise control in a library"
[component.cruise]
type = "controller"
sample = "20 ms"
inputs = [
  { name = "speed", unit = "m/s", from = "@chassis.vx" },
  { name = "wish", unit = "m/s", value = 22 },
  { name = "brake", unit = "1" },
]
states = [{ name = "off", unit = "1" }, { name = "z", unit = "m", value = 13.31 }]
outputs = [{ name = "throttle", unit = "1", start = 0.2662, to = ["@throttle"] }]
END
printf '%s\n' 'name = "second"' 'title = "A second"' 'models = ["Controlled"]' 'duration = 1.0' 'step = 0.005' \
    >"$scratch/second.toml"
simulate=(simulate controlled.toml --manoeuvre second.toml --set)
(
    cd "$scratch"
    "$out/skidpad" "${simulate[@]}" "cruise.function=plugin:$out/tires/cruise.so#skidpad_cruise" --out here.csv 2>stderr
    under_wine skidpad.exe "${simulate[@]}" 'cruise.function=plugin:./cruise.dll#skidpad_cruise' --out there.csv \
        >windows
)
if cmp "$scratch/here.csv" "$scratch/there.csv"; then
    passed "a controller in a library, Windows x86-64 under Wine: the recording has the same bytes"
else
    failed "a controller in a library, Windows x86-64 under Wine: $(cat "$scratch/windows")"
fi

# FMUs that come at the same moment have one core together on Windows, too (Linux: harness/hosts/programs/cores.c).
arguments=()
for copy in GenericVehicle ForestrySkidder GenericVehicle-2 ForestrySkidder-2; do
    model=${copy%-2} folder=$scratch/$copy
    [ -d "$folder" ] || unzip -q "$out/fmi2/$model.fmu" -d "$folder"
    guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' "$folder/modelDescription.xml")
    arguments+=("$guid" "Z:$folder/binaries/win64/$model.dll" "file:///Z:$folder/resources")
done
together=$(for _ in {1..15}; do under_wine "$scratch/together.exe" "${arguments[@]}"; done | sort | uniq -c)
if [ "$(xargs <<<"$together")" = "15 0 instances failed, 1 cores" ]; then
    passed "four FMUs at the same moment, Windows x86-64 under Wine: one core in each of 15 processes"
else
    failed "four FMUs at the same moment, Windows x86-64 under Wine: $together"
fi

ended "conformance"
