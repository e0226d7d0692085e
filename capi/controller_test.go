package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// unitCar is a passenger car with a cruise control that acts each 20 ms, the first time after 4 ms.
func unitCar(t *testing.T, control string) *driven {
	t.Helper()
	base, err := filepath.Abs("../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	text := "base = \"" + filepath.ToSlash(base) + "\"\nname = \"UnitCar\"\ntitle = \"A car\"\n[component.cruise]\n" +
		"sample = 0.02\nphase = 0.004\ninputs = [{ name = \"speed\", unit = \"m/s\", from = \"@chassis.vx\" }, " +
		"{ name = \"wish\", unit = \"m/s\", value = 22 }, { name = \"brake\", unit = \"1\" }]\n" + control
	file := filepath.Join(t.TempDir(), "unit.toml")
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

// The cruise control in formulas, and by a function.
const (
	unitByFormulas = `type = "sampled-equations"
modes = [{ mode = "on", condition = "brake > 0", next = "off" }]
states = [{ name = "z", unit = "m", value = 13.31,
  next = "select(mode == off or demand < 0 or demand > 1, z, z + sample*lack)" }]
outputs = [
  { name = "lack", unit = "m/s", value = "wish - speed" },
  { name = "demand", unit = "1", value = "0.2*lack + 0.02*z" },
  { name = "throttle", unit = "1", value = "select(mode == off, 0, min(1, max(0, demand)))", to = ["@throttle"] },
]
`
	unitByFunction = `type = "controller"
states = [{ name = "off", unit = "1" }, { name = "z", unit = "m", value = 13.31 }]
outputs = [{ name = "throttle", unit = "1", to = ["@throttle"] }]
`
	// faulty controllers have less
	unitByFaulty = `type = "controller"
states = [{ name = "z", unit = "m", value = 13.31 }]
outputs = [{ name = "throttle", unit = "1", to = ["@throttle"] }]
`
)

// The example in C has the bits of the same law in sampled equations, with gains of its own and with gains of a file,
// through a change of the mode and from a state that was saved between two samples.
func TestLibraryControllerHasTheBitsOfFormulas(t *testing.T) {
	library := "plugin:" + filepath.Join(tires(t), "cruise.so") + "#skidpad_cruise"
	gains := filepath.Join(t.TempDir(), "gains.txt")
	if err := os.WriteFile(gains, []byte("kp = 0.2\nki = 0.02\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	formulas, function, other := unitCar(t, unitByFormulas), unitCar(t, unitByFunction), unitCar(t, unitByFunction)
	function.text("cruise.function", library)
	other.text("cruise.function", library)
	other.text("cruise.file", gains)
	cars := []*driven{formulas, function, other}
	for _, d := range cars {
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"body.vx", "body.x", "cruise.throttle", "cruise.z", "engine.throttle", "tire_RL.Fx"}
	saved := make([]byte, function.StateSize())
	for k := range 240 {
		for _, d := range cars {
			d.set("cruise.brake", float64(k/200)) // at 0.8 s
			if err := d.Step(0.004); err != nil {
				t.Fatal(err)
			}
		}
		if k == 97 { // between two samples
			if err := function.Save(saved); err != nil {
				t.Fatal(err)
			}
			again := unitCar(t, unitByFunction)
			again.text("cruise.function", library)
			if err := again.Restore(saved); err != nil {
				t.Fatal(err)
			}
			cars = append(cars, again)
		}
		for _, name := range names {
			for i, d := range cars {
				if a, b := formulas.number(name), d.number(name); math.Float64bits(a) != math.Float64bits(b) {
					t.Fatalf("step %d, car %d: %s is %.17g, by formulas %.17g", k, i, name, b, a)
				}
			}
		}
	}
	if formulas.number("cruise.mode") != 1 || function.number("cruise.off") != 1 ||
		function.number("cruise.throttle") != 0 {
		t.Error("the driver has braked, and the cruise control is on")
	}
}

// A state that is saved between two samples goes on with the same bits in another process.
func TestControllersGoOnInAnotherProcess(t *testing.T) {
	testrun.OnlyAll(t)
	names := []string{"body.vx", "body.x", "cruise.throttle", "cruise.z"}
	drive := func(d *driven) (text string) {
		for range 40 {
			if err := d.Step(0.003); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range names {
			text += fmt.Sprintf(" %016x", math.Float64bits(d.number(name)))
		}
		return text
	}
	file, library, there := strings.Cut(os.Getenv("SKIDPAD_TEST_CONTROLLER"), "\n")
	if !there {
		library = "plugin:" + filepath.Join(tires(t), "cruise.so") + "#skidpad_cruise"
	}
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	d := unitCar(t, unitByFunction)
	d.text("cruise.function", library)
	if there {
		state, err := os.ReadFile(file)
		if err == nil {
			err = d.Restore(state)
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("\nvalues%s\n", drive(d))
		return
	}
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	if err := d.Step(0.053); err != nil {
		t.Fatal(err)
	}
	state := make([]byte, d.StateSize())
	file = filepath.Join(t.TempDir(), "state")
	err := d.Save(state)
	if err == nil {
		err = os.WriteFile(file, state, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := exec.Command(os.Args[0], "-test.run", "^TestControllersGoOnInAnotherProcess$")
	again.Env = append(os.Environ(), "SKIDPAD_TEST_CONTROLLER="+file+"\n"+library)
	if said, err := again.CombinedOutput(); err != nil || !strings.Contains(string(said), "\nvalues"+drive(d)+"\n") {
		t.Errorf("another process: %v, %.400s", err, said)
	}
}

// Faulty controllers are refused with the component, what is wrong, what is allowed, and what to do; nothing is lost.
func TestFaultyControllersAreReported(t *testing.T) {
	testrun.Slow(t)
	bad := built.Compiled(t, "bad_controllers.so", "cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
		"-I.", "testdata/bad_controllers.c")
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	const (
		version = "it has version 2002 of the interface; this library has version 1 for tires, 1001 for laws and 2001 for " +
			"controllers: build it with"
		served = "refuses does not serve version 1 of the tire interface, nor version 1001 of laws or version 2001 of " +
			"controllers; build it with"
		law     = "is for tires or for equations; here a controller by skidpad_controller.h is needed"
		sampled = "is a controller, which is called at samples"
		sample  = "; in a sample at t = 0.004 s; the state at 0 s is kept"
	)
	faults := map[string]string{
		"#good": "", "#later": version, "#refuses": served,
		"#short_size":      "its skidpad_controller has 88 bytes, not 96; set size to sizeof(skidpad_controller)",
		"#no_name":         "its name is NULL; set name to an identifier",
		"#spaced_name":     `its name is "my controller"; it must be an identifier`,
		"#null_init":       "init or evaluate is NULL",
		"#null_evaluate":   "init or evaluate is NULL",
		"#null_inputs":     "inputs is NULL; set it to the names of the inputs",
		"#many_inputs":     "it asks for 65 inputs; 1 to 64 are possible",
		"#no_inputs":       "it asks for 0 inputs; 1 to 64 are possible",
		"#null_input":      "the name of input 1 is NULL",
		"#same_input":      `it names the input "speed" twice; name each once`,
		"#other_input":     `asks for "nothing"; there are speed, wish, brake, z, sample`,
		"#own_states":      "its member none is not 0; set it to 0: the component has the states of a controller",
		"#derivatives":     "its member nothing is not NULL; set it to NULL: controllers have no derivatives",
		"#no_outputs":      "it has 0 outputs; set outputs to the names of 1 to 64 results",
		"#null_output":     "the name of output 1 is NULL",
		"#same_output":     `it names the result "throttle" twice; name each once`,
		"#other_order":     "returns z_next, throttle; here throttle, z_next are needed, in this order",
		"#of_rates":        "returns throttle, z_dot; here throttle, z_next are needed, in this order",
		"#one_result":      "returns throttle; here throttle, z_next are needed, in this order",
		"#init_fails":      "controller init_fails: the licence has ended",
		"#infinite_result": "the function failed: infinite_result: z_next = +Inf; results must be finite" + sample,
		"#fails":           "the function failed: fails: evaluate returned 7: the sensor is gone" + sample,
		"#fails_silently":  "fails_silently: evaluate returned 7" + sample,
		"#writes":          "writes: evaluate wrote outside of the 2 numbers of its results; correct the library" + sample,
		"#absent":          "it exports no function absent",
		"/nothing.so#good": "it cannot be loaded",
		"":                 "must be named plugin:LIBRARY#SYMBOL",
	}
	functions := map[string]string{
		"plugin:" + filepath.Join(tires(t), "pi.so") + "#skidpad_pi":       law,
		"plugin:" + filepath.Join(tires(t), "fiala.so") + "#skidpad_fiala": law,
		"Nowhere": `there is no controller "Nowhere"; register one of that name (skidpad_register_controller, ` +
			"skidpad.register_controller), or set cruise.function to plugin:LIBRARY#SYMBOL",
	}
	for symbol, want := range faults {
		functions["plugin:"+bad+symbol] = want
	}
	d := unitCar(t, unitByFaulty)
	for function, want := range functions {
		d.Reset()
		d.text("cruise.function", function)
		err := d.Initialise()
		if err == nil {
			err = d.Step(0.02)
		}
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "cruise: ")) {
			t.Errorf("%s: %v, want %q", function, err, want)
		}
		if d.Time() == 0 && err == nil {
			t.Errorf("%s: no step was made", function)
		}
	}
	d.Reset()
	d.text("cruise.function", "plugin:"+filepath.Join(tires(t), "cruise.so")+"#skidpad_cruise")
	if err := d.Initialise(); err == nil || !strings.Contains(err.Error(), "returns throttle, off_next, z_next; here") {
		t.Errorf("the example in another component: %v", err)
	}
	laws := cruising(t, byLibrary)
	laws.text("cruise.model", "plugin:"+bad+"#good")
	if err := laws.Initialise(); err == nil || !strings.Contains(err.Error(), sampled) {
		t.Errorf("equations with a controller: %v", err)
	}
	car := drive(t, "generic4w", "rk4")
	car.text("tire_FL.model", "plugin:"+bad+"#good")
	if err := car.Initialise(); err == nil || !strings.Contains(err.Error(), sampled) {
		t.Errorf("a tire with a controller: %v", err)
	}
}
