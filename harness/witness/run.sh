#!/usr/bin/env bash
# The third-party witness (witness.py):
#
#     harness/witness/run.sh OUT            recomputes the results and compares them with
#                                           those in resources/references/witness
#     harness/witness/run.sh OUT --write    puts them there
#
# Run it from the repository root. Python packages are installed in OUT/witness in pinned
# versions.
set -euo pipefail
here=harness/witness
kept=resources/references/witness
[ -f "$here/run.sh" ] || { echo "run.sh: run it from the repository root" >&2; exit 2; }
mkdir -p "${1:?the folder of the build}/witness"
tools=$(realpath "$1")/witness
fresh=$tools/fresh
[ "${2:-}" != --write ] || fresh=$kept
python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    apt-get install -y --no-install-recommends python3 python3-venv >/dev/null 2>&1 ||
    { apt-get update && apt-get install -y --no-install-recommends python3 python3-venv; } >/dev/null 2>&1 ||
    {
        echo "run.sh: Python 3.11 with venv is missing and cannot be installed:" \
            "apt-get install python3 python3-venv" >&2
        exit 1
    }
if ! cmp -s $here/requirements.txt "$tools/requirements.txt"; then
    rm -rf "$tools/venv"
    python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        -r $here/requirements.txt
    cp $here/requirements.txt "$tools/requirements.txt"
fi
for what in accelerations trajectories; do
    "$tools/venv/bin/python" -B $here/witness.py $what resources "$fresh"
done
[ "$fresh" = $kept ] || "$tools/venv/bin/python" -B $here/witness.py compare "$fresh" $kept
