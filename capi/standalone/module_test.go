package standalone

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"skidpad/cosim"
	"skidpad/harness/site/browser"
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

// A module compiled by clang runs for five seconds, bit-identical to the library, also from a saved state: in Node.js,
// and in a page in Chromium.
func TestModulesAreBitIdenticalToLibrary(t *testing.T) {
	testrun.InStage(t, "compilers")
	testrun.Requires(t, "clang", "wasm-ld", "node")
	testrun.RequiresOne(t, browser.Names...)
	for _, model := range []string{"generic4w", "passenger_car", "motorcycle2d"} {
		folder, _ := moduleOf(t, model, "solver.method", "euler")
		c := exec.Command("clang", ModuleCommand("vehicle")...)
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("clang: %v\n%s", err, out)
		}
		results := map[string]string{"node": runInNode(t, folder), "a browser": runInAPage(t, folder)}
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
		for program, result := range results {
			got := strings.Fields(result)
			if len(got) != len(states) {
				t.Fatalf("%s in %s: %d states, not %d: %s", model, program, len(got), len(states), result)
			}
			for i, x := range states {
				if bits, err := strconv.ParseUint(got[i], 16, 64); err != nil || bits != math.Float64bits(x) {
					t.Fatalf("%s in %s: state %d is %s, in the library %x (%g)", model, program, i, got[i],
						math.Float64bits(x), x)
				}
			}
		}
	}
}

// runInNode runs the module of a folder in Node.js, which loads vehicle.wasm from the file beside the module.
func runInNode(t *testing.T, folder string) string {
	t.Helper()
	script := runOfAModule + "\nimport * as vehicle from './vehicle.mjs'\nconsole.log(await run(vehicle))\n"
	path := filepath.Join(folder, "run.mjs")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", path).CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	return string(out)
}

// runInAPage runs the module of a folder in a page. A page from the disk may not load other files, so the page contains
// both files as text.
func runInAPage(t *testing.T, folder string) (result string) {
	t.Helper()
	path := filepath.Join(folder, "page.html")
	if err := os.WriteFile(path, []byte("<!doctype html><title>A vehicle</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	var inBase64 [2]string
	for i, name := range []string{"vehicle.mjs", "vehicle.wasm"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		inBase64[i] = base64.StdEncoding.EncodeToString(data)
	}
	script := fmt.Sprintf("(async () => {\n%s\nconst vehicle = await import('data:text/javascript;base64,%s')\n"+
		"return run(vehicle, Uint8Array.from(atob('%s'), c => c.charCodeAt(0)))\n})()",
		runOfAModule, inBase64[0], inBase64[1])
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	if err := browser.Visit(path, 800, chromedp.Evaluate(script, &result, await)); err != nil {
		t.Fatal(err)
	}
	return result
}

// runOfAModule is a function that returns the bits of the states after five seconds, the second half from a saved
// state.
const runOfAModule = `
async function run({ load, OK, ERROR }, source) {
let car = await load(source)
car.reset()
if (car.initialise() !== OK) throw new Error('no start')
const half = car => {
  for (let k = 0; k < 2500; k++) if (car.step(0.001) === ERROR) throw new Error('step ' + k)
}
half(car)
const saved = car.save(), x = car.state.slice(), dx = car.rates(x, car.input)
if (dx === null || dx.some(Number.isNaN) || car.output() === null) throw new Error('no rates or outputs')
if (car.step(-1) !== ERROR || car.restore(saved.slice(1)) !== ERROR) throw new Error('an error passes')
car = await load(source)
if (car.restore(saved) !== OK || !x.every((v, i) => v === car.state[i])) throw new Error('another state')
half(car)
if (Math.abs(car.time() - 5) > 1e-9 || car.ended() !== null) throw new Error('at ' + car.time())
const bits = new BigUint64Array(car.state.buffer, car.state.byteOffset, car.state.length)
return [...bits].map(b => b.toString(16)).join(' ')
}
`
