package standalone

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/tire/machinecode"
)

// moduleOf writes the files of a WebAssembly module into a folder.
func moduleOf(t *testing.T, model string, texts ...string) (folder string, files map[string]string) {
	t.Helper()
	folder, files = t.TempDir(), map[string]string{}
	list, err := Files([]*cosim.Instance{initialised(t, model, texts...)}, Options{Name: "vehicle", Module: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		path := filepath.Join(folder, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		files[f.Name] = f.Text
	}
	return folder, files
}

// The JavaScript module has the tables of the C file.
func TestModulesNameTheirVariables(t *testing.T) {
	_, files := moduleOf(t, "generic4w")
	_, tables, _ := strings.Cut(files["vehicle.mjs"], "ends } = ")
	tables, _, _ = strings.Cut(tables, "\n\n")
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(tables), &got); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ javaScript, c string }{
		{"states", "state"}, {"inputs", "input"}, {"parameters", "parameter"}, {"outputs", "output"},
	} {
		var list []struct {
			Name, Unit string
			Start      float64
		}
		if err := json.Unmarshal(got[c.javaScript], &list); err != nil {
			t.Fatal(err)
		}
		_, table, found := strings.Cut(files["vehicle.c"], fmt.Sprintf("vehicle_%s_table[%d] = {\n", c.c, len(list)))
		if !found {
			t.Fatalf("%d %s: the C file has another number", len(list), c.javaScript)
		}
		for i, v := range list {
			line, rest, _ := strings.Cut(table, "\n")
			table = rest
			if !strings.HasPrefix(line, fmt.Sprintf("    {%s, %s,", quoted(v.Name), quoted(v.Unit))) ||
				!strings.Contains(line, ", "+machinecode.Number(v.Start)+", ") {
				t.Fatalf("%s %d is %+v; in C: %s", c.javaScript, i, v, line)
			}
		}
	}
}

// A module that clang has compiled runs for five seconds with the bits of the library, also from a saved state.
func TestModulesHaveTheBitsOfTheLibrary(t *testing.T) {
	testrun.InStage(t, "compilers")
	testrun.Requires(t, "clang", "wasm-ld", "node")
	for _, model := range []string{"generic4w", "passenger_car"} {
		folder, _ := moduleOf(t, model, "solver.method", "euler")
		c := exec.Command("clang", ModuleCommand("vehicle")...)
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("clang: %v\n%s", err, out)
		}
		if err := os.WriteFile(filepath.Join(folder, "run.mjs"), []byte(runOfAModule), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("node", filepath.Join(folder, "run.mjs")).CombinedOutput()
		if err != nil {
			t.Fatalf("node: %v\n%s", err, out)
		}
		in := initialised(t, model, "solver.method", "euler")
		for range 5000 {
			if err := in.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		plan, why := in.Plan()
		if plan == nil {
			t.Fatal(why)
		}
		states := plan.X
		got := strings.Fields(string(out))
		if len(got) != len(states) {
			t.Fatalf("%s: %d states, not %d: %s", model, len(got), len(states), out)
		}
		for i, x := range states {
			if bits, err := strconv.ParseUint(got[i], 16, 64); err != nil || bits != math.Float64bits(x) {
				t.Fatalf("%s: state %d is %s, in the library %x (%g)", model, i, got[i], math.Float64bits(x), x)
			}
		}
	}
}

// runOfAModule prints the bits of the states after five seconds, the second half from a saved state.
const runOfAModule = `
import { load, OK, ERROR } from './vehicle.mjs'
let car = await load()
car.reset()
if (car.initialise() !== OK) throw new Error('no start')
const half = car => {
  for (let k = 0; k < 2500; k++) if (car.step(0.001) === ERROR) throw new Error('step ' + k)
}
half(car)
const saved = car.save(), x = car.state.slice(), dx = car.rates(x, car.input)
if (dx === null || dx.some(Number.isNaN) || car.output() === null) throw new Error('no rates or outputs')
if (car.step(-1) !== ERROR || car.restore(saved.slice(1)) !== ERROR) throw new Error('an error passes')
car = await load()
if (car.restore(saved) !== OK || !x.every((v, i) => v === car.state[i])) throw new Error('another state')
half(car)
if (Math.abs(car.time() - 5) > 1e-9 || car.ended() !== null) throw new Error('at ' + car.time())
const bits = new BigUint64Array(car.state.buffer, car.state.byteOffset, car.state.length)
console.log([...bits].map(b => b.toString(16)).join(' '))
`
