#!/usr/bin/env bash
# The bindings as a user meets them:
#
#     harness/bindings/run.sh OUT
#     harness/bindings/run.sh OUT --write   runs the notebooks alone, and keeps what they print and draw in
#                                           docs/notebooks, which the documentation site shows
#     harness/bindings/run.sh OUT --long    runs what takes long alone: the package on Python without a global lock;
#                                           studies of 64 chunks with Dask and Ray, whose workers are killed; studies
#                                           in object stores; pyright; examples and notebooks that learn
#
# OUT is what ./build.sh makes; run it from the repository root. Installs the wheel in a clean
# environment, and runs there the first Python example of docs/bindings.md and the tests of the package
# (*_test.py); mypy checks its types. Then it moves library,
# headers and packages elsewhere, and builds a C and a C++ program with CMake and with
# pkg-config: all must be bit-identical to Python. Meanwhile the notebooks of capi/python/notebooks run in a clean
# separate environment, and capi/matlab in Octave.
#
# Python packages are installed in OUT/bindings in pinned versions, Debian packages with apt-get.
set -euo pipefail
here=harness/bindings
[ -f "$here/run.sh" ] || { echo "run.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT
model=resources/models/generic4w.toml

# need COMMAND PACKAGE...: packages that bring a command, installed if it is missing.
need() {
    local command=$1
    shift
    command -v "$command" >/dev/null && return
    echo "installing $*" >&2
    {
        apt-get install -y --no-install-recommends "$@" ||
            { apt-get update && apt-get install -y --no-install-recommends "$@"; }
    } >"$scratch/apt" 2>&1 ||
        { tail -n 5 "$scratch/apt" >&2; echo "run.sh: $command is missing, and $* cannot be installed" >&2; exit 1; }
}
need gcc gcc libc6-dev
need g++ g++
need make make
need cmake cmake
need pkg-config pkg-config
need mkoctfile octave-dev
python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    need "(a Python 3.11 with ensurepip)" python3 python3-venv

passed() { echo "passed  $*"; }
failed() { echo "FAILED  $*"; exit 1; }

wheels=("$out"/skidpad-*.whl)

# environment NAME REQUIREMENTS [OPTIONS]: a clean one with the package; OPTIONS are pip's.
environment() {
    local pip=("$scratch/$1/bin/pip" --quiet --disable-pip-version-check --cache-dir "$out/bindings/pip")
    python3 -m venv "$scratch/$1"
    "${pip[@]}" install "${@:3}" --no-deps --only-binary :all: -r "$2"
    "${pip[@]}" install --no-index "${wheels[0]}[pandas]" "$out"/skidpad_fmi-*.whl
    "${pip[@]}" check
}

# The notebooks: kept clean and formatted, and what they assert holds.
notebooks() {
    environment notebooks $here/notebooks.txt --no-compile # most of it is never imported
    "$scratch/notebooks/bin/ruff" format --isolated --line-length 200 --check capi/python/notebooks
    "$scratch/notebooks/bin/python" -I -B $here/notebooks.py "$@"
}
if [ "${2:-}" = --write ]; then
    notebooks --write
    exit
fi

# The package on Python without a global interpreter lock. Of what its tests can use, numpy has a wheel for it in the
# version that was tried; pandas, pyarrow and matplotlib have none.
free_threaded() {
    local python=$out/bindings/python3.13t status=0
    $here/free_threaded.sh "$python" || status=$?
    case $status in
    0) ;;
    3) echo "skipped the package on Python without a global lock"; return ;;
    *) failed "Python without a global lock cannot be built" ;;
    esac
    "$python/bin/python3.13t" -m venv "$scratch/free"
    local pip=("$scratch/free/bin/pip" --quiet --disable-pip-version-check --cache-dir "$out/bindings/pip")
    "${pip[@]}" install --no-deps --only-binary :all: "$(grep '^numpy==' $here/requirements.txt)"
    "${pip[@]}" install --no-index --no-deps "${wheels[0]}"
    "$scratch/free/bin/python" -I -B -W error $here/package_test.py "$out" 2>"$scratch/stderr" ||
        { cat "$scratch/stderr" >&2; failed "the package on Python without a global lock"; }
    passed "the package on $("$scratch/free/bin/python" -VV): $(grep '^Ran' "$scratch/stderr")"
}

# What takes long. Ray, PyTorch and Stable-Baselines3 bring what they need in versions of their own choice.
long() {
    environment long $here/requirements.txt
    "$scratch/long/bin/pip" --quiet --disable-pip-version-check --cache-dir "$out/bindings/pip" install \
        --only-binary :all: -r $here/long.txt
    "$scratch/long/bin/pyright" --pythonpath "$scratch/long/bin/python" "$PWD/capi/python/skidpad"
    passed "pyright"
    free_threaded
    "$scratch/long/bin/python" -I -B $here/study_test.py --all
    passed "studies of 64 chunks, on processes, Dask and Ray"
    local server=$out/bindings/fake-gcs-server
    [ -x "$server" ] || GOBIN=$out/bindings CGO_ENABLED=0 go install github.com/fsouza/fake-gcs-server@v1.56.1
    SKIDPAD_GCS_SERVER=$server "$scratch/long/bin/python" -I -B $here/store_test.py 2>"$scratch/stderr" ||
        { cat "$scratch/stderr" >&2; failed "studies in object stores"; }
    passed "studies in object stores: $(grep '^Ran' "$scratch/stderr")"
    local example
    for example in capi/python/examples/*.py; do
        "$scratch/long/bin/python" -I -B "$example" 6
        passed "$example"
    done
    SKIDPAD_LEARNING_STEPS=60000 "$scratch/long/bin/python" -I -B $here/notebooks.py --long
}
if [ "${2:-}" = --long ]; then
    long
    exit
fi

# Octave: the example has the bits of Python, and MAT-files are read.
octave() {
    local said
    mkdir "$scratch/mex"
    "$out/skidpad" linearize resources/models/bicycle_rolling.toml --at speed=3:7:0.5 --out "$scratch/linear"
    local ending
    for ending in mat csv; do
        "$out/skidpad" simulate resources/models/generic4w.toml --manoeuvre resources/manoeuvres/generic4w_sine.toml \
            --duration 0.1 --record 'body.v?,tire_*.Fz' --out "$scratch/linear/run.$ending"
    done
    said=$(octave-cli --no-init-file --quiet $here/octave.m "$out" "$scratch/mex" "$scratch/linear")
    tail -n 1 <<<"$said" >"$scratch/octave.said"
    head -n 1 <<<"$said" >"$scratch/octave.bits"
}

notebooks >"$scratch/notebooks.log" 2>&1 &
notebooks=$!
octave >"$scratch/octave.log" 2>&1 &
octave=$!

environment venv $here/requirements.txt
python=("$scratch/venv/bin/python" -I -B -W error)
passed "pip install $(basename "${wheels[0]}") in a clean environment"

# The first example in Python is the manoeuvre generic4w_sine: both end at the same place. What
# the pages of the documentation tell besides is run by harness/site.
sed -n '/^```python$/,/^```$/{/^```$/q;/^```/!p}' docs/bindings.md >"$scratch/example.py"
[ -s "$scratch/example.py" ] || failed "docs/bindings.md has no example in Python"
"$out/skidpad" simulate $model --manoeuvre resources/manoeuvres/generic4w_sine.toml --out "$scratch/sine.csv" \
    2>"$scratch/stderr"
place=$("${python[@]}" -c 'import pandas, sys; print("%.3f m" % pandas.read_csv(sys.argv[1])["body.y"].iloc[-1])' \
    "$scratch/sine.csv")
grep -qF "$place" <<<"$("${python[@]}" "$scratch/example.py")" ||
    failed "the first example of docs/bindings.md does not end at $place, as the manoeuvre does"
passed "the first example of docs/bindings.md ends at $place, as the manoeuvre does"

"$scratch/venv/bin/mypy" --strict --ignore-missing-imports --no-error-summary \
    --cache-dir "$out/bindings/mypy" capi/python/skidpad ||
    failed "mypy --strict"
passed "mypy --strict"
"${python[@]}" $here/package_test.py "$out" 2>"$scratch/stderr" ||
    { cat "$scratch/stderr" >&2; failed "tests of the package"; }
passed "tests of the package: $(grep '^Ran' "$scratch/stderr")"
for tested in command envs study; do # third-party libraries may warn
    MPLBACKEND=Agg "$scratch/venv/bin/python" -I -B $here/${tested}_test.py 2>"$scratch/stderr" ||
        { cat "$scratch/stderr" >&2; failed "${tested}_test.py"; }
    passed "${tested}_test.py: $(grep '^Ran' "$scratch/stderr")"
done

# Elsewhere, with nothing but what a user of the library takes along.
moved=$scratch/moved
mkdir "$moved"
cp -P "$out"/libskidpad.so* "$out"/skidpad*.h "$moved/"
cp -r "$out/cmake" "$out/pkgconfig" "$moved/"
cmake -S $here -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$moved" >"$scratch/stderr" 2>&1 &&
    cmake --build "$scratch/cmake" >>"$scratch/stderr" 2>&1 ||
    { cat "$scratch/stderr" >&2; failed "find_package(skidpad)"; }
for wanted in 0.2 1.0 0.1.99; do
    sed "s/skidpad 0.1 CONFIG/skidpad $wanted CONFIG/" $here/CMakeLists.txt >"$scratch/CMakeLists.txt"
    ! cmake -S "$scratch" -B "$scratch/refused" -DCMAKE_PREFIX_PATH="$moved" >"$scratch/stderr" 2>&1 ||
        failed "find_package(skidpad $wanted) is served"
    grep -q 'compatible with requested version' "$scratch/stderr" ||
        { cat "$scratch/stderr" >&2; failed "find_package(skidpad $wanted) ended otherwise"; }
done
passed "find_package(skidpad) serves its version and refuses others"
export PKG_CONFIG_PATH=$moved/pkgconfig
[ "$(pkg-config --modversion skidpad)" = "$("${python[@]}" -c 'import skidpad; print(skidpad.__version__)')" ] ||
    failed "pkg-config --modversion skidpad"
# shellcheck disable=SC2046 # the flags are several words
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror $here/program.c -o "$scratch/program_c" \
    $(pkg-config --cflags --libs skidpad) -Wl,-rpath,"$moved"
# shellcheck disable=SC2046
g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $here/program.cpp -o "$scratch/program_cpp" \
    $(pkg-config --cflags --libs skidpad) -Wl,-rpath,"$moved"

rate=$("${python[@]}" $here/program.py $model)
for program in cmake/program_c cmake/program_cpp program_c program_cpp; do
    said=$("$scratch/$program" $model) || failed "$program"
    [ "$said" = "$rate" ] || failed "$program: yaw rate $said rad/s; in Python $rate"
done
passed "C and C++, by CMake and pkg-config: yaw rate $rate rad/s, as in Python"

wait $octave || { cat "$scratch/octave.log" >&2; failed "capi/matlab in Octave"; }
bits=$("${python[@]}" $here/step_steer.py $model)
[ "$bits" = "$(cat "$scratch/octave.bits")" ] || failed "step_steer.m: $(cat "$scratch/octave.bits"); in Python $bits"
passed "$(octave-cli --version | head -n 1): capi/matlab gives the bits of Python; $(cat "$scratch/octave.said")"
wait $notebooks || { cat "$scratch/notebooks.log" >&2; failed "the notebooks"; }
grep '^passed' "$scratch/notebooks.log"
