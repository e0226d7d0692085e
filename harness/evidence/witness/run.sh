#!/usr/bin/env bash
# The third-party witness (witness.py):
#
#     harness/evidence/witness/run.sh OUT            recomputes the results and compares them with
#                                           those in resources/references/witness
#     harness/evidence/witness/run.sh OUT --write    puts them there
#
# Run it from the repository root. Python packages are installed in OUT/witness in pinned
# versions.
set -euo pipefail
here=harness/evidence/witness
kept=resources/references/witness
[ -f "$here/run.sh" ] || { echo "run.sh: run it from the repository root" >&2; exit 2; }
mkdir -p "${1:?the folder of the build}/witness"
tools=$(realpath "$1")/witness
fresh=$tools/fresh
[ "${2:-}" != --write ] || fresh=$kept
source harness/need.sh
need_python
venv "$tools" $here/requirements.txt
python=$tools/venv/bin/python
for what in accelerations trajectories; do
    "$python" -B $here/witness.py $what resources "$fresh"
done
[ "$fresh" = $kept ] || "$python" -B $here/witness.py compare "$fresh" $kept || failed "the results differ from $kept"
ended "witness"
