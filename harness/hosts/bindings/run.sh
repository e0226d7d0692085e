#!/usr/bin/env bash
# Tests of the bindings in the steps of a user:
#
#     harness/hosts/bindings/run.sh OUT
#     harness/hosts/bindings/run.sh OUT --package   runs only the tests of the package itself, a minute:
#                                                   package_test.py, command_test.py and mypy
#     harness/hosts/bindings/run.sh OUT --write     runs only the notebooks, and stores their output and figures in
#                                                   docs/notebooks, which the documentation site shows
#     harness/hosts/bindings/run.sh OUT --long      runs only the long tests: the package on Python without a global
#                                                   lock; studies of 64 chunks with Dask and Ray whose workers are
#                                                   killed; studies in object stores; pyright; examples and notebooks
#                                                   that learn
#
# OUT is the output of ./build.sh; run the script from the repository root. It installs the wheel in a clean
# environment, and runs there the first Python example of docs/bindings.md and the tests of the package (*_test.py);
# mypy checks its types. Then it moves library, headers and packages elsewhere, and builds a C and a C++ program with
# CMake and with pkg-config: all must be bit-identical to Python. Meanwhile the notebooks of capi/python/notebooks run
# in a clean separate environment, and capi/matlab in Octave.
#
# Python packages are installed in OUT/bindings in pinned versions, Debian packages with apt-get. The tests run in a new
# environment with the wheel; it also finds the packages in OUT/bindings, which are kept for the next run.
set -euo pipefail
here=harness/hosts/bindings
[ -f "$here/run.sh" ] || { echo "run.sh: run it from the repository root" >&2; exit 2; }
out=$(realpath "${1:?the folder of the build}")
source harness/need.sh
model=resources/models/generic4w.toml
packages=$out/bindings
need gcc gcc libc6-dev
need_python
clean() { kill $(jobs -p) 2>/dev/null || true; }

wheels=("$out"/skidpad-*.whl)
[ -e "${wheels[0]}" ] || { failed "there is no wheel in $out: run ./build.sh build first"; exit 1; }

# package REQUIREMENTS...: a new environment, $scratch/venv, with the wheel. It finds the packages of the requirements
# files in their kept folder. python is its Python.
package() {
    venv "$packages" "$@"
    python3 -m venv --without-pip "$scratch/venv"
    "$packages/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
        >"$("$scratch/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kept.pth"
    local pip=("$packages/venv/bin/pip" --quiet --disable-pip-version-check --python "$scratch/venv/bin/python")
    if "${pip[@]}" install --no-index "${wheels[0]}[pandas]" "$out"/skidpad_fmi-*.whl 2>"$scratch/stderr" &&
        "${pip[@]}" check >>"$scratch/stderr"; then
        passed "pip install $(basename "${wheels[0]}") in a clean environment"
    else
        told "pip install $(basename "${wheels[0]}") in a clean environment"
        exit 1
    fi
    python=("$scratch/venv/bin/python" -I -W error)
}

# tests of the package itself; third-party libraries may warn
own_tests() {
    if "${python[@]}" $here/package_test.py "$out" 2>"$scratch/stderr"; then
        passed "tests of the package: $(grep '^Ran' "$scratch/stderr")"
    else
        told "tests of the package"
    fi
    tests command
    "$packages/venv/bin/mypy" --strict --ignore-missing-imports --no-error-summary \
        --python-executable "$scratch/venv/bin/python" --cache-dir "$packages/mypy" capi/python/skidpad \
        >"$scratch/stderr" 2>&1 && passed "mypy --strict" || told "mypy --strict"
}
tests() {
    if MPLBACKEND=Agg "$scratch/venv/bin/python" -I $here/"$1"_test.py 2>"$scratch/stderr"; then
        passed "$1_test.py: $(grep '^Ran' "$scratch/stderr")"
    else
        told "$1_test.py"
    fi
}
if [ "${2:-}" = --package ]; then
    package $here/package.txt
    own_tests
    ended "package"
fi

need g++ g++
need make make
need cmake cmake
need pkg-config pkg-config
need mkoctfile octave-dev

# environment NAME REQUIREMENTS...: one that brings its own packages.
environment() {
    local name=$1 file pip=("$scratch/$1/bin/pip" --quiet --disable-pip-version-check --cache-dir "$packages/pip")
    shift
    python3 -m venv "$scratch/$name"
    for file in "$@"; do
        "${pip[@]}" install --no-compile --no-deps --only-binary :all: -r "$file"
    done
    "${pip[@]}" install --no-index "${wheels[0]}[pandas]" "$out"/skidpad_fmi-*.whl
    "${pip[@]}" check
}

# The notebooks: kept clean and formatted, and what they assert holds.
notebooks() {
    environment notebooks $here/notebooks.txt
    "$scratch/notebooks/bin/ruff" format --isolated --line-length 200 --check capi/python/notebooks
    "$scratch/notebooks/bin/python" -I -B $here/notebooks.py "$@"
}
if [ "${2:-}" = --write ]; then
    notebooks --write
    exit
fi

# The package on Python without a global interpreter lock. Of the optional packages of its tests, numpy has a wheel for
# this Python in the tested version; pandas, pyarrow and matplotlib have none.
free_threaded() {
    local python=$out/bindings/python3.13t status=0
    $here/free_threaded.sh "$python" || status=$?
    case $status in
    0) ;;
    3) echo "skipped the package on Python without a global lock"; return ;;
    *) failed "Python without a global lock cannot be built"; return ;;
    esac
    "$python/bin/python3.13t" -m venv "$scratch/free"
    local pip=("$scratch/free/bin/pip" --quiet --disable-pip-version-check --cache-dir "$out/bindings/pip")
    "${pip[@]}" install --no-deps --only-binary :all: "$(grep '^numpy==' $here/package.txt)"
    "${pip[@]}" install --no-index --no-deps "${wheels[0]}"
    if SKIDPAD_WITHOUT=pandas "$scratch/free/bin/python" -I -B -W error $here/package_test.py "$out" 2>"$scratch/stderr"
    then
        passed "the package on $("$scratch/free/bin/python" -VV): $(grep '^Ran' "$scratch/stderr")"
    else
        told "the package on Python without a global lock"
    fi
}

# What takes long. Ray, PyTorch and Stable-Baselines3 bring what they need in versions of their own choice.
long() {
    environment long $here/package.txt $here/requirements.txt
    "$scratch/long/bin/pip" --quiet --disable-pip-version-check --cache-dir "$out/bindings/pip" install \
        --only-binary :all: -r $here/long.txt
    "$scratch/long/bin/pyright" --pythonpath "$scratch/long/bin/python" "$PWD/capi/python/skidpad" &&
        passed "pyright" || failed "pyright"
    free_threaded
    "$scratch/long/bin/python" -I -B $here/study_test.py --all &&
        passed "studies of 64 chunks, on processes, Dask and Ray" ||
        failed "studies of 64 chunks, on processes, Dask and Ray"
    local server=$out/bindings/fake-gcs-server
    [ -x "$server" ] || GOBIN=$out/bindings CGO_ENABLED=0 go install github.com/fsouza/fake-gcs-server@v1.56.1
    if SKIDPAD_GCS_SERVER=$server "$scratch/long/bin/python" -I -B $here/store_test.py 2>"$scratch/stderr"; then
        passed "studies in object stores: $(grep '^Ran' "$scratch/stderr")"
    else
        told "studies in object stores"
    fi
    if "$scratch/long/bin/python" -I -B $here/measurement_test.py "$out" 2>"$scratch/stderr"; then
        passed "MDF files of other programs: $(grep '^Ran' "$scratch/stderr")"
    else
        told "MDF files of other programs"
    fi
    local example
    for example in capi/python/examples/*.py; do
        "$scratch/long/bin/python" -I -B "$example" 6 && passed "$example" || failed "$example"
    done
    SKIDPAD_LEARNING_STEPS=60000 "$scratch/long/bin/python" -I -B $here/notebooks.py --long ||
        failed "notebooks that learn"
}
if [ "${2:-}" = --long ]; then
    long
    ended "bindings that take long"
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

package $here/package.txt $here/requirements.txt

# The first example in Python is the manoeuvre generic4w_sine: both end at the same place. What
# the pages of the documentation tell besides is run by harness/site.
first_example() {
    local place
    sed -n '/^```python$/,/^```$/{/^```$/q;/^```/!p}' docs/bindings.md >"$scratch/example.py"
    [ -s "$scratch/example.py" ] || { failed "docs/bindings.md has no example in Python"; return; }
    if "$out/skidpad" simulate $model --manoeuvre resources/manoeuvres/generic4w_sine.toml --out "$scratch/sine.csv" \
        2>"$scratch/stderr" &&
        place=$("${python[@]}" -c 'import pandas, sys
print("%.3f m" % pandas.read_csv(sys.argv[1])["body.y"].iloc[-1])' "$scratch/sine.csv" 2>>"$scratch/stderr") &&
        grep -F "$place" <<<"$("${python[@]}" "$scratch/example.py" 2>>"$scratch/stderr")" >/dev/null; then
        passed "the first example of docs/bindings.md ends at $place, as the manoeuvre does"
    else
        told "the first example of docs/bindings.md does not end at ${place:-a place}, as the manoeuvre does"
    fi
}
first_example
own_tests
if PATH="$packages/venv/bin:$PATH" SKIDPAD_STAGE=bindings go test ./harness/workbench/analyses/equations \
    -run 'Returns|Symbols|Page' -v >"$scratch/stderr" 2>&1; then
    passed "exported equations in Octave, CasADi and SymPy: $(grep -c '^--- PASS' "$scratch/stderr") tests"
else
    told "exported equations in Octave, CasADi and SymPy"
fi
if PATH="$packages/venv/bin:$PATH" SKIDPAD_STAGE=bindings go test ./capi/standalone -run 'ForAcados' -v \
    >"$scratch/stderr" 2>&1; then
    passed "functions for acados on matrices of BLASFEO"
else
    told "functions for acados on matrices of BLASFEO"
fi
tests envs
tests view
tests study

# Elsewhere, with nothing but what a user of the library takes along.
moved=$scratch/moved
mkdir "$moved"
cp -P "$out"/libskidpad.so* "$out"/skidpad*.h "$moved/"
cp -r "$out/cmake" "$out/pkgconfig" "$moved/"
cmake -S $here -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$moved" >"$scratch/stderr" 2>&1 &&
    cmake --build "$scratch/cmake" >>"$scratch/stderr" 2>&1 && passed "find_package(skidpad) serves its version" ||
    told "find_package(skidpad)"
for wanted in 0.2 1.0 0.1.99; do
    sed "s/skidpad 0.1 CONFIG/skidpad $wanted CONFIG/" $here/CMakeLists.txt >"$scratch/CMakeLists.txt"
    if cmake -S "$scratch" -B "$scratch/refused" -DCMAKE_PREFIX_PATH="$moved" >"$scratch/stderr" 2>&1; then
        failed "find_package(skidpad $wanted) is served"
    elif grep 'compatible with requested version' "$scratch/stderr" >/dev/null; then
        passed "find_package(skidpad $wanted) is refused"
    else
        told "find_package(skidpad $wanted) ended otherwise"
    fi
done
export PKG_CONFIG_PATH=$moved/pkgconfig
said=$(pkg-config --modversion skidpad 2>&1) || true
[ "$said" = "$("${python[@]}" -c 'import skidpad; print(skidpad.__version__)')" ] &&
    passed "pkg-config --modversion skidpad" || failed "pkg-config --modversion skidpad: $said"

# built COMPILER SOURCE PROGRAM: with the flags that pkg-config tells.
built() {
    local flags
    flags=$(pkg-config --cflags --libs skidpad) || return 1
    # shellcheck disable=SC2086 # the flags are several words
    $1 -Wall -Wextra -Wpedantic -Werror $here/$2 -o "$scratch/$3" $flags -Wl,-rpath,"$moved"
}
built "gcc -std=c11" program.c program_c 2>"$scratch/stderr" || told "program.c by pkg-config"
built "g++ -std=c++17" program.cpp program_cpp 2>"$scratch/stderr" || told "program.cpp by pkg-config"
rate=$("${python[@]}" $here/program.py $model)
for program in cmake/program_c cmake/program_cpp program_c program_cpp; do
    said=$("$scratch/$program" $model 2>&1) || said="$said, exit status $?"
    [ "$said" = "$rate" ] && passed "$program: yaw rate $rate rad/s, as in Python" ||
        failed "$program: yaw rate $said rad/s; in Python $rate"
done

bits=$("${python[@]}" $here/step_steer.py $model)
if wait $octave && [ "$bits" = "$(cat "$scratch/octave.bits")" ]; then
    passed "$(octave-cli --version | head -n 1): capi/matlab gives the bits of Python; $(cat "$scratch/octave.said")"
else
    cat "$scratch/octave.log" >&2
    failed "capi/matlab in Octave: $(cat "$scratch/octave.bits" 2>/dev/null); in Python $bits"
fi
if wait $notebooks; then
    grep '^passed' "$scratch/notebooks.log"
else
    cat "$scratch/notebooks.log" >&2
    failed "the notebooks"
fi
ended "bindings"
