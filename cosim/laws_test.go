package cosim_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/vehicle"
	"skidpad/tire"
)

// controller is a PI control law with the gains kp and ki.
type controller struct{ kp, ki float64 }

func (c controller) Eval(in, out []float64) {
	wish, speed, z := in[0], in[1], in[2]
	out[0], out[1] = c.kp*(wish-speed)+c.ki*z, wish-speed
}

// registerLaw registers a PI law that returns the results.
func registerLaw(t *testing.T, name string, outputs ...string) {
	t.Helper()
	err := tire.Register(tire.Kind{Name: name, Inputs: []string{"goal", "speed", "z"}, Outputs: outputs,
		Open: func(tire.OpenRequest) (tire.Function, error) { return controller{0.5, 5}, nil }})
	if err != nil && !strings.Contains(err.Error(), "exists already") {
		t.Fatal(err)
	}
}

// byFunction is the motor with the PI controller in a function.
func byFunction(function string) string {
	text, _, _ := strings.Cut(motorLoop, "[component.control]")
	return text + `[component.control]
type = "equations"
function = "` + function + `"
inputs = [{ name = "speed", unit = "rad/s", from = "shaft.omega" }, { name = "goal", unit = "rad/s", from = "wish" }]
states = [{ name = "z", unit = "rad" }]
outputs = [{ name = "voltage", unit = "V", to = ["winding.voltage"] }]
`
}

// A law in a function gives the motion of the same law in formulas, with its states in the model. Its derivatives are
// differences.
func TestLawFunctionsEqualFormulas(t *testing.T) {
	registerLaw(t, "PILaw", "voltage", "z_dot")
	formulas := instance(t, ofText(t, motorLoop), "rk4", 2e-5)
	function := instance(t, ofText(t, byFunction("PILaw")), "rk4", 2e-5)
	for _, r := range []*run{formulas, function} {
		r.start(noInput)
		r.drive(noInput, 0.001, 0.1)
	}
	for _, name := range []string{"shaft.omega", "control.z", "control.voltage", "winding.current", "winding.voltage"} {
		if a, b := formulas.get(name), function.get(name); math.Abs(a-b) > 1e-12*(1+math.Abs(a)) {
			t.Errorf("%s is %v by the function, %v by formulas", name, b, a)
		}
	}
	if w := function.get("shaft.omega"); math.Abs(w-38.22638407) > 1e-8*50 {
		t.Errorf("the speed is %.10f rad/s after 0.1 s, published 38.22638407", w)
	}
	var sensitivity [1]float64
	for _, r := range []*run{formulas, function} {
		if err := r.in.Directional([]int{r.variable("der(winding.current)")}, []int{r.variable("shaft.omega")},
			[]float64{1}, sensitivity[:]); err != nil || math.Abs(sensitivity[0]+600) > 1e-3 {
			t.Errorf("the current changes by %v A/s per rad/s, not -600: %v", sensitivity[0], err)
		}
	}
}

// Laws are replaced at load time, and laws that do not fit are refused. A model file cannot name a library by itself.
func TestIncompatibleLawsAreRefused(t *testing.T) {
	registerLaw(t, "PILaw", "voltage", "z_dot")
	registerLaw(t, "OtherLaw", "current", "z_dot")
	registerLaw(t, "ShortLaw", "voltage")
	for model, want := range map[string]string{
		"PILaw":    "",
		"OtherLaw": "control: function OtherLaw returns current, z_dot; here voltage, z_dot are needed, in this order",
		"ShortLaw": "function ShortLaw returns voltage; here voltage, z_dot are needed",
		"NoLaw":    `there is no law "NoLaw"; register one of that name`,
		"Fiala":    "function Fiala returns Fx, Fy, Mx, My, Mz; here voltage, z_dot are needed",
	} {
		r := instance(t, ofText(t, byFunction("PILaw")), "rk4", 1e-4)
		if err := r.in.SetText("control.model", model); err != nil {
			t.Fatal(err)
		}
		err := r.in.Initialise()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", model, err, want)
		}
	}
	const library = "plugin:/nowhere/law.so#law"
	named := strings.Replace(byFunction(library), "#law\"", "#law\"\nfile = \"gains.txt\"", 1)
	r := instance(t, ofText(t, named), "rk4", 1e-4)
	if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), "a model file cannot make code run") {
		t.Errorf("the library of a model file: %v", err)
	}
	if err := r.in.SetText("control.model", library); err != nil {
		t.Fatal(err)
	}
	if err := r.in.Initialise(); err == nil || strings.Contains(err.Error(), "a model file cannot") {
		t.Errorf("the library that the user names: %v", err)
	}
	if file, err := r.in.Text("control.file"); err != nil || file != "gains.txt" {
		t.Errorf("the file of the model is %q where the user names the same library: %v", file, err)
	}
	for law, want := range map[string]string{
		`function = "PILaw"
states = [{ name = "z", unit = "1", rate = "1" }]`: "control.states[0].rate has no effect, because the function computes z",
		`outputs = [{ name = "y", unit = "1" }]`: `control.outputs[0] lacks the key "value"`,
		`file = "gains.txt"
outputs = [{ name = "y", unit = "1", value = "1" }]`: "control.file has no effect without control.function",
	} {
		_, err := vehicle.Parse([]byte("name = \"L\"\n[component.control]\ntype = \"equations\"\n"+law+"\n"), "l.toml", nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", law, err, want)
		}
	}
}
