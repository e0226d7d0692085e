package drive

import (
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// A signal on an input that a controller of the model drives is rejected with the name of the controller's output: in
// the library and in FMUs of both versions.
func TestSignalsOnDrivenInputsAreRejected(t *testing.T) {
	testrun.Slow(t)
	model := built.Model("bicycle_controlled")
	native, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	bicycle, err := native.Load(model, "")
	if err != nil {
		t.Fatal(err)
	}
	defer bicycle.Close()
	subjects := map[string]Subject{"library": bicycle}
	for name, version := range map[string]int{"FMI 2": 2, "FMI 3": 3} {
		fmu, err := library.OpenFMU(built.FMU(t, model, version))
		if err != nil {
			t.Fatal(err)
		}
		defer fmu.Close()
		instance, err := fmu.Instantiate("bicycle", fmu.Token)
		if err != nil {
			t.Fatal(err)
		}
		defer instance.Close()
		subjects[name] = instance
	}
	for name, s := range subjects {
		for input, want := range map[string]string{
			"steer.torque":     "steer.torque is driven by rider.torque",
			"rider.steer_rate": "rider.steer_rate is driven by steer.omega",
			"rider.wish":       "", "steer.omega": "steer.omega is an output",
		} {
			of := manoeuvre.InputSignal{Variables: []string{input}, Signal: signal.Constant(0)}
			m := &manoeuvre.Manoeuvre{Inputs: []manoeuvre.InputSignal{of}}
			_, err := newInputDriver(s, m, nil)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: a signal on %s: %v, want %q", name, input, err, want)
			}
		}
	}
}
