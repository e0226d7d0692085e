#!/usr/bin/env bash
# Conformance of the shipped FMUs in tools that no package registry has, each named by the path where it lies:
#
#     harness/hosts/conformance/tools.sh OUT TOOL=PATH...
#
# OUT is the output of ./build.sh; run the script from the repository root. The tools:
#
#     fmucheck=fmuCheck.linux64    FMI Compliance Checker: FMI 2.0, co-simulation and model exchange
#     fmusim=fmusim                fmusim in C (Reference FMUs): both versions, co-simulation and model exchange with
#                                  CVODE
#     omsimulator=OMSimulator      OMSimulator: FMI 2.0, co-simulation
#     vdmcheck3=VDMCheck3.sh       VDMCheck 3: the formal model of FMI 3.0; needs Java
#
# docs/importers.md says which versions were run, and with what result.
set -euo pipefail
[ -f harness/hosts/conformance/tools.sh ] || { echo "tools.sh: run it from the repository root" >&2; exit 2; }
[ $# -ge 2 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2; }
out=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# tried TEXT COMMAND...: a check that a command succeeds and prints no error.
tried() {
    local text=$1
    shift
    if (cd "$scratch" && timeout --foreground 300 "$@" >"$scratch/said" 2>&1) &&
        ! grep -qiE '\[(FATAL|ERROR|WARNING)\]|(^|[^0])[1-9][0-9]* (fatal error|error|warning)|^errors found' \
            "$scratch/said"; then
        echo "passed  $text"
    else
        echo "FAILED  $text: $(tail -n 5 "$scratch/said")"
        failures=$((failures + 1))
    fi
}

# end FILE TEXT: a check that the CSV file of a run reaches 0.1 s.
end() {
    if [ -s "$1" ] && tail -n 1 "$1" | grep -q '^0\.1[0,]'; then
        echo "passed  $2 reaches 0.1 s: $(tail -n 1 "$1" | cut -d, -f 2)"
    else
        echo "FAILED  $2 does not reach 0.1 s"
        failures=$((failures + 1))
    fi
}

for argument in "$@"; do
    tool=${argument%%=*}
    case $tool in fmucheck | fmusim | omsimulator | vdmcheck3) ;; *)
        echo "tools.sh: there is no tool $tool; there are fmucheck, fmusim, omsimulator, vdmcheck3" >&2
        exit 2
        ;;
    esac
    path=$(realpath -e "${argument#*=}") ||
        { echo "tools.sh: $tool: give its path, as in $tool=/opt/$tool" >&2; exit 2; }
    for model in GenericVehicle ForestrySkidder PassengerCar MotorcycleModel2; do
        two=$out/fmi2/$model.fmu three=$out/fmi3/$model.fmu
        case $tool in
        fmucheck) tried "fmuCheck: $model 2.0" "$path" -h 0.001 -s 0.1 -o "$scratch/$model.csv" "$two" ;;
        omsimulator) tried "OMSimulator: $model 2.0" "$path" --mode=cs --stopTime=0.1 --stepSize=0.001 \
            --tempDir="$scratch" --resultFile="$scratch/$model.csv" "$two" ;;
        vdmcheck3) tried "VDMCheck 3: $model 3.0" "$path" "$three" ;;
        fmusim)
            for fmu in "$two" "$three"; do
                for kind in cs me; do
                    # models with wheel contacts are for co-simulation only
                    [ $kind = cs ] || unzip -p "$fmu" modelDescription.xml | grep '<ModelExchange' >/dev/null ||
                        continue
                    name="fmusim: $model $(basename "$(dirname "$fmu")") $kind"
                    tried "$name" "$path" --interface-type $kind --solver cvode --stop-time 0.1 \
                        --output-interval 0.001 --output-file "$scratch/$model.csv" "$fmu"
                    end "$scratch/$model.csv" "$name"
                    rm -f "$scratch/$model.csv"
                done
            done
            ;;
        esac
    done
done

echo "tools: $failures failed"
[ "$failures" = 0 ]
