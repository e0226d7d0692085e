#!/usr/bin/env bash
# Counts the instructions of fmi3DoStep with callgrind: communication steps of 1 ms of the packed generic vehicle (FMI
# 3.0) in a sine steer. Prints the least and the largest number.
#
#     harness/evidence/bench/instructions.sh OUT [STEPS]
#
# OUT is the output of ./build.sh; run the script from the repository root. Each of five drives makes STEPS steps,
# default 100. The libraries are built again, with the marks for callgrind in Go's runtime.
set -euo pipefail
here=harness/evidence/bench
[ -f "$here/instructions.sh" ] || { echo "instructions.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
steps=${2:-100}
command -v valgrind >/dev/null || apt-get install -y --no-install-recommends valgrind >&2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
GOFLAGS="-tags=valgrind" ./build.sh fmi "$scratch/fmi/x86_64-linux"
"$out/skidpad" pack resources/models/generic4w.toml --binaries "$scratch/fmi" -o "$scratch/packed.fmu" >&2
python3 -m zipfile -e "$scratch/packed.fmu" "$scratch/package"
gcc -std=gnu11 -O2 -o "$scratch/fmu" "$here/c/fmu.c" -ldl -lm
description=$scratch/package/modelDescription.xml
reference() { sed -n "s/.*name=\"$1\" valueReference=\"\([0-9]*\)\".*/\1/p" "$description"; }
token=$(sed -n 's/.*instantiationToken="\([^"]*\)".*/\1/p' "$description")
steering=()
for wheel in steer_FL steer_FR; do
    for quantity in angle rate acceleration; do
        steering+=("$(reference "$wheel.$quantity")")
    done
done
printf '%-18s %12s %12s\n' method least largest
for method in euler heun rk4 linearly-implicit; do
    # signals that interrupt Go would end callgrind
    GODEBUG=asyncpreemptoff=1 valgrind --tool=callgrind --collect-atstart=no --toggle-collect=fmi3DoStep \
        --dump-after=fmi3DoStep --callgrind-out-file="$scratch/counts.$method" "$scratch/fmu" \
        "$scratch/package/binaries/x86_64-linux/GenericVehicle.so" "$scratch/package/resources/" "$token" "$steps" \
        "$(reference solver.method)" "$method" "${steering[@]}" >/dev/null 2>"$scratch/log" ||
        { cat "$scratch/log" >&2; exit 1; }
    sed -s -n 's/^summary: //p' "$scratch/counts.$method".* | sort -n |
        awk -v m=$method '$1 > 0 { if (!n++) least = $1; most = $1 }
            END { printf "%-18s %12d %12d\n", m, least, most }'
done
