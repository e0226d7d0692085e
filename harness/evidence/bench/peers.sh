#!/usr/bin/env bash
# Accelerations of two vehicles in Skidpad, MuJoCo and Pinocchio, on one core in one run:
#
#     harness/evidence/bench/peers.sh OUT [ROUNDS [LFDM]]
#
# With LFDM, the folder of a checkout of uwsbel/low-fidelity-dynamic-models, it also measures steps of its sedan in LFDM
# and in Skidpad. OUT is the output of ./build.sh; run the script from the repository root. Python packages are
# installed in OUT/peers in pinned versions, 280 MB; g++ takes a minute for Pinocchio's templates.
set -euo pipefail
here=harness/evidence/bench
[ -f "$here/peers.sh" ] || { echo "peers.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
packages=$out/peers/packages

source harness/need.sh
need_python
need g++ g++
need taskset util-linux

if ! cmp -s $here/requirements.txt "$out/peers/requirements.txt"; then
    rm -rf "$out/peers"
    python3 -m venv "$out/peers/venv"
    "$out/peers/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: --no-deps \
        --target "$packages" -r $here/requirements.txt
    rm -r "$out/peers/venv"
    cp $here/requirements.txt "$out/peers/requirements.txt"
fi
core=$(taskset -pc $$ | sed 's/.*[^0-9]//') # the last allowed core
taskset -c "$core" "$out/skidpad" bench --peers "$packages" --rounds "${2:-11}" --out "$out/peers/bench"
[ -z "${3:-}" ] || taskset -c "$core" "$out/skidpad" bench --lfdm "$3" --rounds "$2" --out "$out/peers/lfdm"
