#!/usr/bin/env bash
# Measures steps of the generic vehicle with and without Go, side by side, through its FMU (FMI 3.0) and through the C
# library: nanoseconds, ratios and system calls. strace lists the system calls of all threads between marks around the
# steps.
#
#     harness/evidence/bench/without_go.sh OUT [STEPS]
#
# OUT is the output of ./build.sh; run the script from the repository root. STEPS is the number of steps for the longest
# step and for system calls, default 1000000. With a time limit the core makes every step, which costs two readings of
# the clock. In the library, inputs are set before each step, and three outputs are read after it.
set -euo pipefail
here=harness/evidence/bench
[ -f "$here/without_go.sh" ] || { echo "without_go.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
package=$out/fmi3/GenericVehicle.fmu
steps=${2:-1000000}
command -v strace >/dev/null || apt-get install -y --no-install-recommends strace >&2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m zipfile -e "$package" "$scratch/package"
for program in fmu library without_go; do
    gcc -std=gnu11 -O2 -I"$out" -o "$scratch/$program" "$here/c/$program.c" -ldl -lm
done
description=$scratch/package/modelDescription.xml
reference() { sed -n "s/.*name=\"$1\" valueReference=\"\([0-9]*\)\".*/\1/p" "$description"; }
library=("$scratch/library" "$out/libskidpad.so" resources/models/generic4w.toml)
token=$(sed -n 's/.*instantiationToken="\([^"]*\)".*/\1/p' "$description")
fmu=("$scratch/package/binaries/x86_64-linux/GenericVehicle.so" "$scratch/package/resources/" "$token")
steering=()
for wheel in steer_FL steer_FR; do
    for quantity in angle rate acceleration; do
        steering+=("$(reference "$wheel.$quantity")")
    done
done

# median: of five lines.
median() { sort -g | sed -n 3p; }
sine() { "$scratch/fmu" "${fmu[@]}" 10000 "$(reference solver.method)" "$1" "${steering[@]}" | median; }
# calls DRIVE...: system calls between the marks around the steps of five drives, by the stepping thread and others.
calls() {
    strace -f -qq -e signal=none -o "$scratch/calls" "$@" >/dev/null
    awk 'NR == 1 { own = $1 }
        /"steps begin"/ { inside = 1; next }
        /"steps end"/ { inside = 0; next }
        !inside || $2 == "<..." || $2 == "+++" { next }
        $1 == own { steps++; next }
        { sub(/\(.*/, "", $2); others++; names[$2]++ }
        END {
            printf "%d by the thread that steps, %d by others", steps, others
            for (name in names) printf " (%s %d)", name, names[name]
            print ""
        }' "$scratch/calls"
}

printf '%-18s %10s %10s %7s %9s %9s %10s %10s %10s\n' method "sine [ns]" "by Go" ratio "x real" "crossing" "by Go" \
    "longest" "C loop"
for method in euler heun rk4 linearly-implicit; do
    fast=$(sine $method)
    slow=$(SKIDPAD_TIME_LIMIT=1000 sine $method)
    # the longest piece of the loop in C is printed next to the longest step
    read -r single among longest plain < <("$scratch/without_go" "${fmu[@]}" "$(reference solver.method)" $method \
        "$steps")
    read -r single_go among_go _ < <(SKIDPAD_TIME_LIMIT=1000 "$scratch/without_go" "${fmu[@]}" \
        "$(reference solver.method)" $method 1000)
    awk -v m=$method -v f="$fast" -v s="$slow" -v a="$single" -v b="$among" -v c="$single_go" -v d="$among_go" \
        -v l="$longest" -v p="$plain" 'BEGIN { printf "%-18s %10.0f %10.0f %7.2f %9.0f %9.0f %10.0f %10.0f %10.0f\n",
        m, f, s, s / f, 1e6 / f, a - b, c - d, l, p }'
done
printf '\n%-18s %10s %10s %7s\n' "C library" "sine [ns]" "by Go" ratio
for method in euler heun rk4 linearly-implicit; do
    fast=$("${library[@]}" $method 10000 | median)
    slow=$("${library[@]}" $method 10000 1000 | median)
    awk -v m=$method -v f="$fast" -v s="$slow" 'BEGIN { printf "%-18s %10.0f %10.0f %7.2f\n", m, f, s, s / f }'
done
each=$((steps / 5))
echo
echo "system calls in $((each * 5)) steps of the FMU: $(calls "$scratch/fmu" "${fmu[@]}" $each \
    "$(reference solver.method)" rk4 "${steering[@]}")"
echo "system calls in $((each * 5)) steps of the library: $(calls "${library[@]}" rk4 $each)"
