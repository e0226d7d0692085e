package cosim_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// counted counts what happens to the functions of a kind.
type counted struct{ opened, calls, closed int }

// sampledLaw is a function for controllers.
type sampledLaw struct {
	*counted
	law func(in, out []float64) error
	err error
}

func (f *sampledLaw) Eval(in, out []float64) {
	f.calls++
	f.err = f.law(in, out)
}

func (f *sampledLaw) Fault() error {
	err := f.err
	f.err = nil
	return err
}

func (f *sampledLaw) Close() { f.closed++ }

// registerController registers a function for controllers.
func registerController(t *testing.T, name, inputs, outputs string, law func(in, out []float64) error) *counted {
	t.Helper()
	c := &counted{}
	err := tire.Register(tire.Kind{Name: name, Sampled: true, Inputs: strings.Fields(inputs),
		Outputs: strings.Fields(outputs),
		Open: func(tire.OpenRequest) (tire.Function, error) {
			c.opened++
			return &sampledLaw{counted: c, law: law}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// modalMass is a mass with a PI controller that gives up where its error is small: in formulas.
const modalMass = `name = "ModalMass"
gravity = [0, 0, 0]
[component]
block = { type = "point-mass", mass = 2, start = { position = [0.3, 0, 0], velocity = [-0.2, 0, 0] } }
push = { type = "force-driver", from = "ground", to = "block", axis = "x" }
[component.hold]
type = "sampled-equations"
sample = 0.1
phase = 0.03
inputs = [{ name = "x", unit = "m", from = "block.x" }, { name = "wish", unit = "m" }]
modes = [
  { mode = "on", condition = "abs(wish - x) < 0.01", next = "off" },
  { mode = "off", condition = "abs(wish - x) > 0.1", next = "on" },
]
states = [{ name = "sum", unit = "m", value = 0.05, next = "sum + sample*lack" }]
outputs = [
  { name = "lack", unit = "m", start = 1, value = "wish - x" },
  { name = "force", unit = "N", start = 0.7, value = "select(mode == on, 8*lack + 3*sum, 0)", to = ["push.force"] },
]
intervenes = "mode == on and lack > 0"
`

// modalController is the same controller by a function; its mode is a state.
func modalController(function string) string {
	text, _, _ := strings.Cut(modalMass, "[component.hold]")
	return text + `[component.hold]
type = "controller"
` + function + `
sample = 0.1
phase = 0.03
inputs = [{ name = "x", unit = "m", from = "block.x" }, { name = "wish", unit = "m" }]
states = [{ name = "mode", unit = "1" }, { name = "sum", unit = "m", value = 0.05 }]
outputs = [{ name = "lack", unit = "m", start = 1 }, { name = "force", unit = "N", start = 0.7, to = ["push.force"] }]
intervenes = "mode == 0 and lack > 0"
`
}

const modalInputs, modalOutputs = "sum mode wish sample x", "lack force mode_next sum_next"

// modalLaw is the law of modalMass.
func modalLaw(in, out []float64) error {
	sum, mode, wish, sample, x := in[0], in[1], in[2], in[3], in[4]
	lack := wish - x
	switch {
	case mode == 0 && math.Abs(lack) < 0.01:
		mode = 1
	case mode == 1 && math.Abs(lack) > 0.1:
		mode = 0
	}
	out[0], out[1], out[2], out[3] = lack, 0, mode, sum+sample*lack
	if mode == 0 {
		out[1] = 8*lack + 3*sum
	}
	return nil
}

// modalDrive makes steps with a wish that changes, and returns the values after each.
func modalDrive(r *run, from, steps int, h float64) (list []float64) {
	for k := range steps {
		r.set("hold.wish", 0.2*math.Floor(float64(from+k)/40))
		r.step(h)
		for _, name := range []string{"block.x", "block.vx", "hold.mode", "hold.sum", "hold.lack", "hold.force",
			"hold.intervening", "hold.interventions"} {
			list = append(list, r.get(name))
		}
	}
	return list
}

// A controller by a function has the bits of the same law in sampled equations, with a mode that changes. The function
// is called once at each sample, whatever the communication steps.
func TestControllersHaveTheBitsOfSampledEquations(t *testing.T) {
	calls := registerController(t, "ModalLaw", modalInputs, modalOutputs, modalLaw)
	for _, h := range []float64{0.02, 0.05, 0.3} {
		calls.calls = 0
		formulas := fromText(t, modalMass, "")
		function := fromText(t, modalController(""), "")
		if err := function.in.SetText("hold.function", "ModalLaw"); err != nil {
			t.Fatal(err)
		}
		for _, r := range []*run{formulas, function} {
			if err := r.in.Initialise(); err != nil {
				t.Fatal(err)
			}
			_ = r.get("hold.force") // reading calls nothing
		}
		steps := int(math.Round(12 / h))
		want, got := modalDrive(formulas, 0, steps, h), modalDrive(function, 0, steps, h)
		modes := map[float64]bool{}
		for i := range want {
			if math.Float64bits(want[i]) != math.Float64bits(got[i]) {
				t.Fatalf("steps of %g s: value %d is %.17g by the function, %.17g by formulas", h, i, got[i], want[i])
			}
			if i%8 == 2 {
				modes[got[i]] = true
			}
		}
		if often := function.get("hold.interventions"); often < 3 {
			t.Errorf("steps of %g s: %g interventions, want some", h, often)
		}
		if calls.calls != 120 || len(modes) != 2 { // at 0.03 s, 0.13 s, ..., 11.93 s
			t.Errorf("steps of %g s: %d calls, want 120; modes %v", h, calls.calls, modes)
		}
	}
}

// A state that is saved between samples goes on in another instance with the same bits, and going back does so, too:
// everything that a controller remembers is a state.
func TestControllersAreSavedBetweenSamples(t *testing.T) {
	registerController(t, "SavedLaw", modalInputs, modalOutputs, modalLaw)
	a, b := fromText(t, modalController(`function = "SavedLaw"`), ""), fromText(t, modalController(""), "")
	if err := a.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	modalDrive(a, 0, 37, 0.05)
	state := make([]byte, a.in.StateSize())
	if err := a.in.Save(state); err != nil {
		t.Fatal(err)
	}
	want := modalDrive(a, 37, 80, 0.05)
	if err := b.in.Restore(state); err != nil { // names the function
		t.Fatal(err)
	}
	if err := a.in.Restore(state); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*run{a, b} {
		for i, x := range modalDrive(r, 37, 80, 0.05) {
			if math.Float64bits(x) != math.Float64bits(want[i]) {
				t.Fatalf("value %d is %.17g, want %.17g", i, x, want[i])
			}
		}
	}
}

// A saved state belongs to the function and the content of its parameter file. Functions are opened again for a new
// start, and closed.
func TestControllersAreOpenedWithTheirFiles(t *testing.T) {
	of := registerController(t, "FiledLaw", modalInputs, modalOutputs, modalLaw)
	registerController(t, "OtherFiledLaw", modalInputs, modalOutputs, modalLaw)
	file := filepath.Join(t.TempDir(), "gains.txt")
	content := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := func(r *run, name string) string {
		t.Helper()
		value, err := r.in.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	content("kp = 1")
	r := fromText(t, modalController(fmt.Sprintf("file = %q", file)), "")
	for range 2 {
		if err := r.in.SetText("hold.function", "FiledLaw"); err != nil {
			t.Fatal(err)
		}
		if text(r, "hold.file") != file { // the file belongs to the function that users name
			t.Errorf("the file is %q", text(r, "hold.file"))
		}
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		r.step(0.1)
		r.in.Reset()
	}
	if of.opened != 2 || of.closed != 2 || of.calls != 2 {
		t.Errorf("opened %d times, closed %d times, called %d times", of.opened, of.closed, of.calls)
	}
	if err := r.in.SetText("hold.function", "FiledLaw"); err != nil {
		t.Fatal(err)
	}
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	state := make([]byte, r.in.StateSize())
	if err := r.in.Save(state); err != nil {
		t.Fatal(err)
	}
	restore := func() error {
		return fromText(t, modalController(fmt.Sprintf("file = %q", file)), "").in.Restore(state)
	}
	if err := restore(); err != nil {
		t.Error(err)
	}
	content("kp = 2")
	if err := restore(); err == nil || !strings.Contains(err.Error(), "was made with other functions") {
		t.Errorf("with another file: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := restore(); err == nil || !strings.Contains(err.Error(), "hold.file: ") {
		t.Errorf("without the file: %v", err)
	}
	named := fromText(t, modalController(fmt.Sprintf("function = \"FiledLaw\"\nfile = %q", file)), "")
	if err := named.in.SetText("hold.function", "OtherFiledLaw"); err != nil || text(named, "hold.file") != "" {
		t.Errorf("another function has the file %q of the first, %v", text(named, "hold.file"), err)
	}
}

// Without a function all values are held, as with active = 0, and nothing is called.
func TestControllersWithoutAFunctionHoldTheirValues(t *testing.T) {
	calls := registerController(t, "SleepingLaw", modalInputs, modalOutputs, modalLaw)
	none, inactive := fromText(t, modalController(""), ""), fromText(t, modalController(`function = "SleepingLaw"`), "")
	inactive.set("hold.active", 0)
	removed := fromText(t, modalController(`function = "SleepingLaw"`), "")
	if err := removed.in.SetText("hold.function", ""); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*run{"none": none, "inactive": inactive, "removed": removed} {
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			r.step(0.1)
		}
		counted := 1.0 // the condition holds from the first sample on
		if name == "inactive" {
			counted = 0
		}
		for variable, want := range map[string]float64{"hold.force": 0.7, "hold.sum": 0.05, "hold.mode": 0, "hold.lack": 1,
			"block.vx": -0.2 + 0.35*1, "hold.interventions": counted, "hold.intervening": counted} {
			if got := r.get(variable); math.Abs(got-want) > 1e-14 {
				t.Errorf("%s: %s is %g, want %g", name, variable, got, want)
			}
		}
	}
	if calls.calls != 0 {
		t.Errorf("%d calls", calls.calls)
	}
}

// chainOfControllers has two controllers that are due at the same times; the second reads the output of the first. The
// third is slower.
const chainOfControllers = `name = "Chain"
[component.first]
type = "controller"
function = "FIRST"
sample = 0.125
states = [{ name = "n", unit = "1", to = ["second.seen"] }]
[component.second]
type = "controller"
function = "SECOND"
sample = 0.125
inputs = [
  { name = "u", unit = "1", from = "first.n" },
  { name = "seen", unit = "1" },
  { name = "limit", unit = "1", value = 99 },
]
outputs = [{ name = "y", unit = "1", start = -1 }, { name = "z", unit = "1", start = -1 }]
[component.third]
type = "controller"
function = "THIRD"
sample = 0.5
phase = 0.25
states = [{ name = "n", unit = "1" }]
`

// All controllers that are due read before one of them writes: a chain costs a sample. A controller that fails ends the
// step with its text, its name and the time, and no value of any controller has changed.
func TestControllersReadBeforeTheyWrite(t *testing.T) {
	one := func(in, out []float64) error {
		out[0] = in[0] + 1
		return nil
	}
	first, third := registerController(t, "Counts", "n", "n_next", one), registerController(t, "Slow", "n", "n_next", one)
	second := registerController(t, "Follows", "seen u limit", "y z", func(in, out []float64) error {
		out[0], out[1] = in[1], in[0]
		if in[0] >= in[2] {
			return errors.New("the limit is reached")
		}
		return nil
	})
	text := strings.NewReplacer("FIRST", "Counts", "SECOND", "Follows", "THIRD", "Slow").Replace(chainOfControllers)
	r, imported := fromText(t, text, ""), fromText(t, text, "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for k := range 20 {
		r.step(0.125)
		r.near("first.n", float64(k+1), 0)
		r.near("second.y", float64(k), 0)
		r.near("second.z", float64(k), 0)
		r.near("third.n", math.Floor(float64(k+2)/4), 0) // at 0.25 s, 0.75 s, ...
	}
	if first.calls != 20 || second.calls != 20 || third.calls != 5 {
		t.Errorf("%d, %d and %d calls, want 20, 20 and 5", first.calls, second.calls, third.calls)
	}
	r.set("second.limit", 21)
	err := r.in.Step(0.5)
	want := "second: the function failed: the limit is reached; in a sample at t = 2.625 s; the state at 2.5 s is kept"
	if err == nil || err.Error() != want || !errors.Is(err, cosim.ErrFunction) {
		t.Errorf("%v, want %s", err, want)
	}
	r.near("first.n", 20, 0)
	r.near("second.y", 19, 0)
	r.set("second.limit", 99)
	r.step(0.125)
	r.near("first.n", 21, 0)

	// a controller that is switched off is not called when another one is
	quiet, before := fromText(t, text, ""), third.calls
	quiet.set("third.active", 0)
	if err := quiet.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	quiet.step(1)
	quiet.near("third.n", 0, 0)
	if third.calls != before {
		t.Errorf("%d calls of a controller that is switched off", third.calls-before)
	}

	imported.set("second.limit", 0)
	imported.in.SetExternalIntegration(true)
	if err := imported.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	if _, err := imported.in.UpdateContacts(); err == nil || !strings.Contains(err.Error(), "the limit is reached") {
		t.Errorf("the event: %v", err)
	}
	imported.near("first.n", 0, 0)
	imported.near("second.y", -1, 0)
	imported.set("second.limit", 99)
	if _, err := imported.in.UpdateContacts(); err != nil { // the sample is taken now
		t.Error(err)
	}
	imported.near("first.n", 1, 0)
	imported.near("second.y", 0, 0)
}

// A result that is not finite ends the step with the name of the value.
func TestResultsOfControllersAreFinite(t *testing.T) {
	for _, c := range []struct {
		name  string
		value float64
	}{{"ReturnsNaN", math.NaN()}, {"ReturnsInf", math.Inf(-1)}} {
		registerController(t, c.name, "x", "lack force mode_next sum_next", func(_, out []float64) error {
			clear(out)
			out[3] = c.value
			return nil
		})
		r := fromText(t, modalController(fmt.Sprintf("function = %q", c.name)), "")
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		err := r.in.Step(0.1)
		if err == nil || !errors.Is(err, cosim.ErrNotFinite) || !strings.Contains(err.Error(), "hold.sum = ") ||
			!strings.Contains(err.Error(), "t = 0.03 s") {
			t.Errorf("%s: %v", c.name, err)
		}
		r.near("hold.sum", 0.05, 0)
	}
}

// Functions that do not fit are refused at the start, with what is allowed.
func TestIncompatibleControllersAreRefused(t *testing.T) {
	law := func([]float64, []float64) error { return nil }
	registerController(t, "FitsModal", "x", modalOutputs, law)
	registerController(t, "OtherOrder", "x", "force lack mode_next sum_next", law)
	registerController(t, "TooFew", "x", "lack force mode_next", law)
	registerController(t, "AsksMore", "x y", modalOutputs, law)
	if err := tire.Register(tire.Kind{Name: "NoSampling", Inputs: []string{"x"}, Outputs: strings.Fields(modalOutputs),
		Open: func(tire.OpenRequest) (tire.Function, error) { return nil, nil }}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"FitsModal":  "",
		"OtherOrder": "hold: function OtherOrder returns force, lack, mode_next, sum_next; here lack, force,",
		"TooFew":     "here lack, force, mode_next, sum_next are needed, in this order",
		"AsksMore":   `hold: function AsksMore asks for "y"; there are x, wish, mode, sum, sample`,
		"NoSampling": "hold: function NoSampling is for tires or for equations; here a controller by",
		"Fiala":      "is for tires or for equations",
		"Nothing":    `hold: there is no controller "Nothing"; register one of that name (skidpad_register_controller, `,
		"plugin:x":   "must be named plugin:LIBRARY#SYMBOL",
	} {
		r := fromText(t, modalController(`function = "FitsModal"`), "")
		if err := r.in.SetText("hold.function", name); err != nil {
			t.Fatal(err)
		}
		err := r.in.Initialise()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	const code = "a model file cannot make code run"
	replaced := func(old, by string) string { return strings.Replace(modalController(""), old, by, 1) }
	for text, want := range map[string]string{
		modalController(`function = "plugin:./abs.so#abs"`): `:8:12: hold.function is "plugin:./abs.so#abs", which names a ` +
			"library, and a model file cannot make code run; leave the key out, and set hold.function to this text",
		modalController(`function = " PLUGIN:abs.so#abs"`): code, modalController(`function = "sti:abs.so#abs"`): code,
		replaced(`"lack", unit = "m"`, `"sum_next", unit = "m"`):         "has the name of the next value of the state sum",
		replaced(`"lack", unit = "m"`, `"sample", unit = "m"`):           "which another variable of the component has",
		replaced(`"mode", unit = "1"`, `"mode", unit = "1", next = "1"`): `next`,
	} {
		_, err := vehicle.Parse([]byte(text), "test.toml", bounded.Kind.Read)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	equations := "name = \"L\"\n[component.hold]\ntype = \"equations\"\nfunction = \"FitsModal\"\n" +
		"inputs = [{ name = \"x\", unit = \"m\" }]\noutputs = [{ name = \"lack\", unit = \"m\" }]\n"
	if err := fromText(t, equations, "").in.Initialise(); err == nil ||
		!strings.Contains(err.Error(), "function FitsModal is a controller, which is called at samples") {
		t.Errorf("equations with a controller: %v", err)
	}
	registerController(t, "FiveForces", "Fz", "Fx Fy Mx My Mz", law)
	car := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	if err := car.in.SetText("tire_FL.model", "FiveForces"); err != nil {
		t.Fatal(err)
	}
	if err := car.in.Initialise(); err == nil || !strings.Contains(err.Error(), "function FiveForces is a controller") {
		t.Errorf("a tire with a controller: %v", err)
	}
}
