package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// other is a command on a page that a script or a test of the repository runs in place of the page, with the same or
// another length. In a page the command would take too long, or would rebuild the programs that the pages use.
type other struct {
	command string // as the page has it, without a comment
	file    string // of the repository, that does the work
	holds   string // content
}

var elsewhere = []other{
	{"./build.sh", "build.sh", `out/skidpad verify --resources resources --html out/verification.html`},
	{"./build.sh build", "harness/hosts/programs/rebuild.sh", `./build.sh build`},
	{"git clone ADDRESS skidpad", "harness/hosts/programs/rebuild.sh", `git ls-files`},
	{"cd skidpad", "harness/hosts/programs/rebuild.sh", `cd "$folder"`},
	{"sha256sum --check --ignore-missing SHA256SUMS", "harness/release/run.sh", `--check SHA256SUMS`},
	{"tar -xzf skidpad-0.1.0-linux-x86_64.tar.gz", "harness/release/run.sh", `tar -xzf "$file"`},
	{`export PATH="$PWD/skidpad-0.1.0-linux-x86_64:$PATH"`, "harness/release/run.sh", `"$archive/skidpad" "$@"`},
	{"pip install skidpad-0.1.0-py3-none-manylinux_2_28_x86_64.whl skidpad_fmi-0.1.0-py3-none-any.whl",
		"harness/release/run.sh", `/one/skidpad_fmi-*.whl`},
	{"./build.sh test", "harness/tests/stages/table.go", `"./harness/site", "run"`},
	{"skidpad run --resources resources --out out/runs", "build.sh",
		`out/skidpad run --resources resources --out out/runs`},
	{`pip install "$(echo out/skidpad-*.whl)[pandas]" matplotlib jupyterlab`, "harness/hosts/bindings/run.sh",
		`notebooks.txt`},
	{`pip install "$(echo out/skidpad-*.whl)[study]"`, "harness/hosts/bindings/run.sh", `requirements.txt`},
	{`pip install "$(echo out/skidpad-*.whl)[gym]"`, "harness/hosts/bindings/run.sh", `requirements.txt`},
	{`python3 -c 'import skidpad; skidpad.measurement("car.mf4", ["YAW_RATE", "AY"]).write("measured.parquet")'`,
		"harness/hosts/bindings/measurement_test.py", `skidpad.measurement(self.file)`},
	{"jupyter lab capi/python/notebooks", "harness/hosts/bindings/run.sh", `notebooks() {`},
	{"skidpad verify --html report.html", "build.sh",
		`out/skidpad verify --resources resources --html out/verification.html`},
	{"skidpad verify generic4w --manoeuvre generic4w_sine", "harness/evidence/verify/verification_test.go",
		`func TestTheLibraryAgreesWithTheReferences(`},
	{"skidpad verify --convergence", "harness/evidence/verify/convergence_test.go", `func TestSolversHaveTheirOrders(`},
	{"skidpad sweep --study resources/sweeps/comfort_damping.toml", "harness/workbench/runs/sweep/comfort_test.go",
		`func TestComfortOverDamping(`},
	{"skidpad sweep --study resources/sweeps/comfort_wheelbase.toml", "harness/workbench/runs/sweep/comfort_test.go",
		`func TestComfortOverTheWheelbase(`},
	{"go test -run '^$' -fuzz FuzzParseManoeuvre -fuzztime 5m ./harness/workbench/runs/manoeuvre",
		"harness/tests/stages/golang.go", `"-test.fuzztime", fmt.Sprintf(`},
	{"go test -run '^$' -bench . -count 6 ./cosim ./tire ./model/... | tee new.txt", "build.sh",
		`out/skidpad bench --resources resources`},
	{"java -jar maestro.jar import sg1 system.json -output=.", "harness/hosts/conformance/maestro.py",
		`"import sg1 system.json -output=."`},
	{"java -jar maestro.jar interpret spec.mabl -runtime=spec.runtime.json", "harness/hosts/conformance/maestro.py",
		`"interpret spec.mabl -runtime=spec.runtime.json"`},
	{"octave-cli --no-init-file eigenvalues.m", "harness/workbench/analyses/equations/page_test.go",
		`func TestOctaveRunsThePage(`},
	{"skidpad lap passenger_car oval --drive --out lap", "harness/workbench/runs/drivenlap/drive_test.go",
		`func TestTheDrivenLapIsNearTheQuasiSteadyOne(`},
	{"skidpad assess brake_and_stability_control --out control", "harness/workbench/runs/assess/shipped_test.go",
		`func TestPageHasTheTableOfTheShippedAssessment(`},
	{"skidpad assess brake_and_stability_control_robustness --out robustness",
		"harness/workbench/runs/assess/shipped_test.go", `func TestPageHasTheTableOfRobustness(`},
	{"skidpad manoeuvre passenger_car --manoeuvre brake_distance", "harness/workbench/runs/evaluate/evaluate_test.go",
		`{"brake_distance", nil}`},
	{"skidpad manoeuvre passenger_car --manoeuvre brake_distance --set road.friction_left=0.3 " +
		"--set road.friction_right=0.3", "harness/workbench/runs/evaluate/bound_test.go",
		`e.Evaluate(built.Manoeuvre("brake_distance"))`},
	{"go tool benchstat old.txt new.txt", "build.sh", `go tool benchstat resources/benchmarks/baseline.txt`},
}

// elsewhereCommands finds the commands of a block in the table, and that the files named there
// still hold them.
func (b *block) elsewhereCommands(root string) ([]other, error) {
	var list []other
	var faults []error
	for line := range strings.Lines(strings.ReplaceAll(b.code, "\\\n", " ")) {
		command, _, _ := strings.Cut(line, " #")
		command = strings.Join(strings.Fields(command), " ")
		if command == "" {
			continue
		}
		found := false
		for _, o := range elsewhere {
			if o.command != command {
				continue
			}
			found = true
			text, err := os.ReadFile(filepath.Join(root, o.file))
			if err != nil {
				return nil, err
			}
			if !strings.Contains(string(text), o.holds) {
				faults = append(faults,
					fmt.Errorf("%q is said to run in %s by %q, which is not there any more; correct the table in "+
						"harness/site/elsewhere.go", command, o.file, o.holds))
			}
			list = append(list, o)
		}
		if !found {
			faults = append(faults,
				fmt.Errorf("nothing runs %q; run it in the page, or name what runs it in harness/site/elsewhere.go",
					command))
		}
	}
	return list, errors.Join(faults...)
}
