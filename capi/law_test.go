package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// cruising is a passenger car with a cruise control: by formulas, or by a function.
func cruising(t *testing.T, law string) *driven {
	t.Helper()
	base, err := filepath.Abs("../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	text := "base = \"" + filepath.ToSlash(base) + "\"\nname = \"Cruising\"\ntitle = \"A car\"\n[component.cruise]\n" +
		"type = \"equations\"\ninputs = [{ name = \"speed\", unit = \"m/s\", from = \"@chassis.vx\" }, " +
		"{ name = \"wish\", unit = \"m/s\", value = 22 }]\n" + law
	file := filepath.Join(t.TempDir(), "cruising.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := cosim.Load(file, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return &driven{t, in}
}

const (
	byFormulas = `states = [{ name = "z", unit = "m", value = 13.31, rate = "wish - speed + (throttle - demand)/0.2" }]
outputs = [{ name = "demand", unit = "1", value = "0.2*(wish - speed) + 0.02*z" },
  { name = "throttle", unit = "1", value = "max(0, min(1, demand))", to = ["@throttle"] }]
`
	byLibrary = `function = "NotYet"
states = [{ name = "z", unit = "m", value = 13.31 }]
outputs = [{ name = "throttle", unit = "1", to = ["@throttle"] }]
`
)

// number is the value of a variable.
func (d *driven) number(name string) float64 {
	d.Helper()
	i, ok := d.System().Find(name)
	if !ok {
		d.Fatalf("no variable %s", name)
	}
	v, err := d.Get(i)
	if err != nil {
		d.Fatal(err)
	}
	return v
}

// gains is a parameter file of the example.
func gains(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gains.txt")
	if err := os.WriteFile(file, []byte("kp = 0.2\nki = 0.02\nlow = 0\nhigh = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// The example is the same law in C: the car moves as with the formulas, also with derivatives from the library.
func TestLibraryLawEqualsFormulas(t *testing.T) {
	library := "plugin:" + filepath.Join(tires(t), "pi.so") + "#skidpad_pi"
	formulas, law := cruising(t, byFormulas), cruising(t, byLibrary)
	law.text("cruise.model", library)
	law.text("cruise.file", gains(t))
	for _, d := range []*driven{formulas, law} {
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 500 {
			if err := d.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range []string{"body.vx", "cruise.z", "cruise.throttle", "engine.throttle"} {
		if a, b := formulas.number(name), law.number(name); math.Abs(a-b) > 1e-13*math.Abs(a) {
			t.Errorf("%s is %v by the library, %v by formulas", name, b, a)
		}
	}
	result := [1]float64{}
	knowns, unknowns := []string{"body.vx", "cruise.wish", "cruise.z"}, []string{"cruise.throttle", "der(cruise.z)"}
	for _, known := range knowns {
		for _, unknown := range unknowns {
			var both [2]float64
			for k, d := range []*driven{formulas, law} {
				of, _ := d.System().Find(unknown)
				by, _ := d.System().Find(known)
				if err := d.Directional([]int{of}, []int{by}, []float64{1}, result[:]); err != nil {
					t.Fatal(err)
				}
				both[k] = result[0]
			}
			if math.Abs(both[0]-both[1]) > 1e-12 {
				t.Errorf("d %s/d %s is %v by the library, %v by formulas", unknown, known, both[1], both[0])
			}
		}
	}
	saved := make([]byte, law.StateSize())
	if err := law.Save(saved); err != nil {
		t.Fatal(err)
	}
	before := law.number("body.vx")
	if err := law.Step(0.01); err != nil {
		t.Fatal(err)
	}
	if err := law.Restore(saved); err != nil || law.number("body.vx") != before {
		t.Errorf("the restored speed is %v, not %v: %v", law.number("body.vx"), before, err)
	}
}

// Laws with errors are rejected with the reason.
func TestFaultyLawsAreReported(t *testing.T) {
	testrun.Slow(t)
	bad := built.Compiled(t, "bad_laws.so", "cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-I.",
		"testdata/bad_laws.c")
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	for symbol, want := range map[string]string{
		"good":        "",
		"large_rate":  "",
		"later":       "it has version 1002 of the interface; this library has version 1 for tires, 1001 for laws",
		"no_outputs":  "it has 0 outputs; set outputs to the names of 1 to 64 results",
		"null_output": "the name of output 1 is NULL",
		"own_states":  "its member none is not 0",
		"other_order": "returns z_dot, throttle; here throttle, z_dot are needed, in this order",
		"one_result":  "returns throttle; here throttle, z_dot are needed",
		"other_input": `asks for "nothing"; there are speed, wish, z`,
		"nan_result":  "throttle = NaN; results must be finite",
		"fails":       "evaluate returned 7",
		"writes":      "evaluate wrote outside of the 2 numbers of its results",
		"none":        "it exports no function none",
	} {
		d := cruising(t, byLibrary)
		d.text("cruise.model", "plugin:"+bad+"#"+symbol)
		err := d.Initialise()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "cruise: ")) {
			t.Errorf("%s: %v, want %q", symbol, err, want)
		}
	}
	d := cruising(t, byLibrary)
	d.text("cruise.model", "plugin:"+filepath.Join(tires(t), "pi.so")+"#skidpad_pi")
	if err := d.Initialise(); err == nil || !strings.Contains(err.Error(), "law PI: the parameter file (none given)") {
		t.Errorf("without a file: %v", err)
	}
}
