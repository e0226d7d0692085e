package standalone

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// withMethods writes a shipped model with several methods, and returns its initialised instances in the library, too.
func withMethods(t *testing.T, model string, methods ...string) (folder string, of []*cosim.Instance) {
	t.Helper()
	of, err := Instances(methods, func() (*cosim.Instance, error) { return vehicleOf(t, model), nil })
	if err != nil {
		t.Fatal(err)
	}
	files, err := Files(of, Options{Name: "vehicle"})
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), []byte(f.Text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, of
}

// take selects a method of the vehicle.
func (v *vehicleInC) take(method byte) {
	v.say('n')
	v.commands.WriteByte(method)
}

// Each method of a file is bit-identical to the library, also from a state that an instance with another method
// restores.
func TestMethodsOfOneFile(t *testing.T) {
	testrun.Slow(t)
	models := testrun.Either([]string{"skidder_carcass"}, []string{"skidder_carcass", "generic4w", "generic4w_carcass",
		"passenger_car", "wheel", "driver_lane_change", "motorcycle3d"})
	for _, model := range models {
		t.Run(model, func(t *testing.T) {
			folder, of := withMethods(t, model, "rk4", "euler", "heun", "linearly-implicit")
			program := compiled(t, folder, "gcc -O0")
			for n, in := range of {
				in.NewWarnings() // those at the start
				d := &twin{t: t, in: in, c: &vehicleInC{order: binary.NativeEndian}}
				d.plan, _ = in.Plan()
				d.c.take(99)
				if n > 0 {
					d.c.take(byte(n))
				}
				d.command()
				d.c.run(t, program)
				if status, method := d.c.status(t), d.c.status(t); status != 3 || method != 0 {
					t.Fatalf("method 99: status %d, then the method is %d", status, method)
				}
				if n > 0 {
					if status, method := d.c.status(t), d.c.status(t); status != 0 || method != n {
						t.Fatalf("method %d: status %d, then the method is %d", n, status, method)
					}
				}
				d.compare()
			}
		})
	}
}

// After a change of the method at a communication point, the run equals a run of the library from the same state.
func TestMethodsCanBeChanged(t *testing.T) {
	testrun.OnlyAll(t)
	folder, of := withMethods(t, "generic4w_carcass", "euler", "rk4", "linearly-implicit")
	v := &vehicleInC{order: binary.NativeEndian}
	v.say('i')
	const steps = 200
	h := 0.001
	var x []float64
	for n, in := range of {
		v.take(byte(n))
		if n > 0 {
			in.SetTime(of[n-1].Time())
			if err := in.SetStates(x); err != nil {
				t.Fatal(err)
			}
		}
		for range steps {
			v.say('s', []float64{h})
			if err := in.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		plan, _ := in.Plan()
		x = append(x[:0], plan.X...)
	}
	v.say('x')
	v.run(t, compiled(t, folder, "gcc -O1"))
	v.numbersOfStatus(t, 1+len(of)*(2+steps))
	for i, got := range v.numbers(t, 1+len(x))[1:] {
		if !same(got, x[i]) {
			t.Fatalf("state %d is %v, in the library %v", i, got, x[i])
		}
	}
}

// numbersOfStatus skips answers.
func (v *vehicleInC) numbersOfStatus(t *testing.T, n int) {
	t.Helper()
	for range n {
		if v.status(t) == 3 {
			t.Fatal("an error")
		}
	}
}

// Every instance has a known method, and no two have the same.
func TestMethodsAreNamedOnce(t *testing.T) {
	for list, want := range map[string]string{
		" rk4 , euler": "", "": "", "rk4,": `"" is no method; it must be one of euler, heun, rk4 and linearly-implicit`,
		"rk4,Euler": `"Euler" is no method`, "euler,rk4,euler": "euler is named twice",
	} {
		names, err := SplitMethods(list)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", list, err, want)
		}
		if list == " rk4 , euler" && strings.Join(names, "+") != "rk4+euler" {
			t.Errorf("%q: %q", list, names)
		}
	}
	bicycle := func() (*cosim.Instance, error) { return vehicleOf(t, "bicycle"), nil }
	if _, err := Instances([]string{"euler", "dlmm"}, bicycle); err == nil ||
		!strings.Contains(err.Error(), `solver.method is "dlmm"`) {
		t.Error(err)
	}
	other := initialised(t, "bicycle", "solver.method", "rk4")
	other.Reset()
	for _, v := range other.System().Variables() {
		if strings.HasSuffix(v.Name, "mass") {
			at, _ := other.System().Find(v.Name)
			if err := other.Set(at, 2*v.Start); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := other.SetText("solver.method", "rk4"); err != nil {
		t.Fatal(err)
	}
	if err := other.Initialise(); err != nil {
		t.Fatal(err)
	}
	_, err := Files([]*cosim.Instance{initialised(t, "bicycle", "solver.method", "euler"), other}, Options{Name: "v"})
	if err == nil || !strings.Contains(err.Error(), "not the same vehicle") {
		t.Errorf("two masses: %v", err)
	}
}
