package equations

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/formulate"
)

// exported is a file of equations, with what it has to return at some states.
type exported struct {
	File   string // of Python or m-code, without its ending
	Calls  []calledCase
	States []stateCase
}

type calledCase struct {
	Name    string
	Results int // that the function returns
}

type stateCase struct {
	X     []float64
	U     map[string]float64
	Parts map[string][][]float64
	Rates []float64
}

// cases exports models in a language, and finds what the tape has at random states.
func cases(t *testing.T, folder, language string, names []string, states int) []exported {
	t.Helper()
	var list []exported
	for _, name := range names {
		m := model(t, name)
		for k, tree := range formulate.TreeNames(m) {
			if k > 0 && !testrun.All() {
				break
			}
			file := "of_" + name
			if k > 0 {
				file += "_" + tree
			}
			write(t, folder, file+Ending(language), m, tree, language)
			list = append(list, caseOf(file, newTape(t, m, tree, formulate.Options{Mass: true}),
				newTape(t, m, tree, formulate.Options{}), states))
		}
	}
	return list
}

// caseOf takes the parts from one tape, and the rates from that of the formulation that would run.
func caseOf(file string, parts, running *onTape, states int) exported {
	c := exported{File: file, Calls: []calledCase{}}
	for i := range parts.p.Calls {
		c.Calls = append(c.Calls, calledCase{parts.p.Calls[i].Name, len(parts.p.Calls[i].Outputs)})
	}
	random := rand.New(rand.NewPCG(24, uint64(len(file))))
	for range states {
		at := parts.random(random)
		s := stateCase{X: at.x, U: map[string]float64{}}
		for i, in := range parts.inputs {
			if isSetBySolver(in.Name) { // exported equations have the defaults
				at.u[i] = in.Start
			}
			s.U[in.Name] = at.u[i]
		}
		s.evaluate(parts, running)
		c.States = append(c.States, s)
	}
	return c
}

// evaluate takes the parts from one tape, and the rates from another.
func (s *stateCase) evaluate(parts, running *onTape) {
	at := point{x: s.X}
	for _, in := range parts.inputs {
		at.u = append(at.u, s.U[in.Name])
	}
	for _, p := range parts.f.Parameters {
		at.p = append(at.p, p.Value)
	}
	values, _ := parts.evaluate(at)
	s.Parts = map[string][][]float64{}
	for name, list := range values {
		rows, columns := [][]float64{}, parts.shape[name][1]
		for i := range parts.shape[name][0] {
			rows = append(rows, list[i*columns:(i+1)*columns])
		}
		s.Parts[name] = rows
	}
	_, s.Rates = running.evaluate(at)
}

func save(t *testing.T, folder string, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "cases.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Exported files for Python return the entries of the tape. Their rates are the rates of the running formulation, also
// where a recursion does without M.
func TestPythonReturnsTheTapeValues(t *testing.T) {
	testrun.Slow(t)
	testrun.Requires(t, "python3")
	folder := t.TempDir()
	names := shipped(t)
	if !testrun.All() {
		names = []string{"pendulum", "point_pendulum", "bicycle", "halfcar", "passenger_car", "wheel_rolling",
			"motorcycle2d", "bicycle_trailer", "fourwheel_pointmass", "bicycle_controlled", "driver_lane_change"}
	}
	list := cases(t, folder, "sympy", names, testrun.Either(2, 20))
	said(t, "python3", "testdata/compare.py", folder, save(t, folder, list))
}

// The same holds for CasADi, with expressions in place of numbers.
func TestCasadiReturnsTheTapeValues(t *testing.T) {
	testrun.Slow(t)
	testrun.InStage(t, "bindings")
	requiresModule(t, "casadi")
	folder := t.TempDir()
	list := cases(t, folder, "casadi", shipped(t), testrun.Either(2, 20))
	said(t, "python3", "testdata/compare.py", folder, save(t, folder, list))
}

// The same holds for m-code.
func TestOctaveReturnsTheTapeValues(t *testing.T) {
	testrun.Slow(t)
	testrun.InStage(t, "bindings")
	testrun.Requires(t, "octave-cli")
	folder := t.TempDir()
	names := shipped(t)
	if !testrun.All() {
		names = []string{"pendulum", "point_pendulum", "bicycle", "halfcar", "passenger_car", "wheel_rolling"}
	}
	list := cases(t, folder, "matlab", names, testrun.Either(2, 20))
	said(t, "octave-cli", "--no-init-file", "--quiet", "testdata/compare.m", folder, save(t, folder, list))
}

// Matrices of symbols have the values of matrices of numbers, and the pendulum has its closed form.
func TestSymbols(t *testing.T) {
	testrun.Slow(t)
	testrun.InStage(t, "bindings")
	requiresModule(t, "sympy")
	folder := t.TempDir()
	arguments := []string{"testdata/symbols.py", folder}
	for _, name := range []string{"pendulum", "double_pendulum", "point_pendulum", "partial_vehicle2d", "truck_trailer"} {
		write(t, folder, "of_"+name+".py", model(t, name), "", "sympy")
		arguments = append(arguments, "of_"+name)
	}
	said(t, "python3", arguments...)
}

// Names of a model that mean something else in Python or m-code, or in an exported file, are told apart.
func TestReservedNames(t *testing.T) {
	testrun.Requires(t, "python3")
	folder := t.TempDir()
	const text = `name = "Words"
[parameters]
lambda = { value = 2, unit = "kg" }
end = { value = 0.5, unit = "1" }
e = { value = 0.25, unit = "kg.m2" }
x = { value = 3, unit = "1" }
M = { value = 0.7, unit = "kg.m2" }
[component.rod]
type = "rigid-body"
mass = "lambda*x"
inertia = { axial = "e*end", transverse = "M", axis = "z" }
[component.joint]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
`
	m := parse(t, text)
	write(t, folder, "of_words.py", m, "", "sympy")
	tape := newTape(t, m, "", formulate.Options{Mass: true})
	said(t, "python3", "testdata/compare.py", folder, save(t, folder, []exported{caseOf("of_words", tape, tape, 2)}))
}

// requiresModule is testrun.Requires for a module of Python.
func requiresModule(t *testing.T, module string) {
	t.Helper()
	testrun.Requires(t, "python3")
	if exec.Command("python3", "-c", "import "+module).Run() != nil {
		testrun.Missing(t, module+" for python3")
	}
}

// said runs a program, which must succeed, and returns its output.
func said(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	var stderr strings.Builder // Octave can write there as it exits
	c := exec.Command(program, arguments...)
	c.Stderr = &stderr
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, text, &stderr)
	}
	t.Logf("%s%s", text, &stderr)
	return string(text)
}
