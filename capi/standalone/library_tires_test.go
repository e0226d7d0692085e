package standalone

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/tire"
)

var corners = []string{"FL", "FR", "RL", "RR"}

// withLibraryTires returns an initialised instance with a library tire function. The library does not exist.
func withLibraryTires(t *testing.T, model, method string) *cosim.Instance {
	t.Helper()
	of, err := Instances([]string{method}, func() (*cosim.Instance, error) {
		in := vehicleOf(t, model)
		for _, corner := range corners {
			if err := in.SetText("tire_"+corner+".model", "plugin:nowhere.so#f"); err != nil {
				return nil, err
			}
		}
		return in, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return of[0]
}

// tireObject compiles a tire function.
func tireObject(t *testing.T, file string) (object string) {
	t.Helper()
	testrun.Requires(t, "gcc")
	object = filepath.Join(t.TempDir(), "tire.o")
	if out, err := exec.Command("gcc", "-std=c11", "-O2", "-ffp-contract=off", "-I"+built.Path("capi"), "-c", "-o", object,
		file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return object
}

// withTires compiles a vehicle with a tire function of an object.
func withTires(t *testing.T, folder, compiler, function, object string) (program string) {
	t.Helper()
	return compiledFrom(t, folder, "driver", compiler+" -DTIRES="+function+" -I"+built.Path("capi"),
		filepath.Join(folder, "vehicle.c"), object)
}

// The Fiala tire of the example library is bit-identical to the built-in tire: in steps, in saved states, and in moved
// instances.
func TestLibraryTiresInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	object := tireObject(t, built.Path("capi", "examples", "fiala", "fiala.c"))
	file := built.Path("resources", "tires", "fiala_generic4w.toml")
	for _, method := range testrun.Either([]string{"euler"}, []string{"euler", "rk4"}) {
		texts := []string{"solver.method", method}
		for _, corner := range corners {
			texts = append(texts, "tire_"+corner+".model", "Fiala", "tire_"+corner+".file", file)
		}
		in := initialised(t, "generic4w", texts...)
		folder := generated(t, withLibraryTires(t, "generic4w", method))
		d := &twin{t: t, in: in, c: &vehicleInC{order: binary.NativeEndian}}
		d.plan, _ = in.Plan()
		in.NewWarnings()
		d.command()
		d.c.run(t, withTires(t, folder, "gcc -O1 -march=native", "skidpad_fiala", object), file)
		d.compare()
	}
}

// The shared library with the loaded function makes the same steps.
func TestLibraryTiresInCAreBitIdenticalToSharedLibrary(t *testing.T) {
	testrun.OnlyAll(t)
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Load(built.Model("generic4w"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	file := built.Path("resources", "tires", "fiala_generic4w.toml")
	for _, corner := range corners {
		if err := errors.Join(
			v.SetText("tire_"+corner+".model", "plugin:"+filepath.Join(built.Tires(t), "fiala.so")+"#skidpad_fiala"),
			v.SetText("tire_"+corner+".file", file)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(v.SetText("solver.method", "rk4"), v.Initialise()); err != nil {
		t.Fatal(err)
	}
	in := withLibraryTires(t, "generic4w", "rk4")
	var names []string
	for _, x := range in.System().Program().States {
		names = append(names, x.Name)
	}
	references, err := v.References(names...)
	if err != nil {
		t.Fatal(err)
	}
	object := tireObject(t, built.Path("capi", "examples", "fiala", "fiala.c"))
	c := &vehicleInC{order: binary.NativeEndian}
	c.say('i')
	p := in.System().Program()
	u := make([]float64, len(p.Inputs)-p.Controls)
	for i := range u {
		u[i] = p.Inputs[i].Start
		if strings.HasSuffix(p.Inputs[i].Name, ".angle") {
			u[i] = 0.05
		}
	}
	c.say('u', u, make([]float64, len(u)))
	const steps = 1000
	for range steps {
		c.say('s', []float64{0.001})
		c.say('x')
	}
	c.run(t, withTires(t, generated(t, in), "gcc -O2 -march=native", "skidpad_fiala", object), file)
	for _, name := range []string{"steer_FL.angle", "steer_FR.angle"} {
		if err := v.SetNamed(name, 0.05); err != nil {
			t.Fatal(err)
		}
	}
	want := make([]float64, len(names))
	if c.status(t) != 0 {
		t.Fatal("no start")
	}
	for k := range steps {
		if err := errors.Join(v.Step(0.001), v.Get(references, want)); err != nil || c.status(t) == 3 {
			t.Fatal(err)
		}
		for i, x := range c.numbers(t, 1+len(names)+len(u))[1:][:len(names)] {
			if !same(x, want[i]) {
				t.Fatalf("step %d: %s is %v, in the library %v", k, names[i], x, want[i])
			}
		}
	}
}

// A vehicle without its tire functions does not start and cannot be restored. It rejects functions with unknown inputs,
// and steps with a failing function.
func TestLibraryTiresAreMounted(t *testing.T) {
	testrun.Slow(t)
	for _, frozen := range []bool{false, true}[:testrun.Either(1, 2)] {
		folder := written(t, withLibraryTires(t, "generic4w", "euler"), Options{Name: "vehicle", Frozen: frozen})
		rules(t, codeOf(read(t, folder, "vehicle.h")+"\n"+read(t, folder, "vehicle.c")))
		program := compiledWith(t, folder, "mount", testrun.Either("gcc -O0", "gcc -O0 -g -fsanitize=address,undefined"))
		if said, err := exec.Command(program).CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("frozen %v: %v\n%s", frozen, err, said)
		}
		if readme := read(t, folder, "README.txt"); !strings.Contains(readme, "vehicle_set_tire") {
			t.Errorf("README.txt:\n%s", readme)
		}
	}
}

// Vehicles with library functions that a file cannot call are rejected; the message names the remedy.
func TestUnsupportedLibraryFunctionsAreRejected(t *testing.T) {
	const library = "plugin:nowhere.so#f"
	of := func(model string, texts ...string) error {
		_, err := Instances(nil, func() (*cosim.Instance, error) { return vehicleOf(t, model, texts...), nil })
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{of("generic4w", "tire_RL.relaxation.model", library), "generated C calls force functions of tires only"},
		{of("skidder_carcass", "tire_FL.model", library), "the carcass is made of forces of its tire before the run"},
		{of("generic4w", "tire_FL.model", " Plugin:nowhere.so#f"), "there is no tire function"},
		{of("generic4w", "tire_FL.model", library, "solver.method", "linearly-implicit"),
			`"linearly-implicit", which needs derivatives of tires`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
	in := withLibraryTires(t, "generic4w", "euler")
	if one, none := LibraryTire(in), LibraryTire(vehicleOf(t, "generic4w")); one != "tire_FL" || none != "" {
		t.Errorf("tires of libraries: %q and %q", one, none)
	}
	for _, o := range []Options{{Derivatives: true}, {CasADi: true}, {Module: true}} {
		o.Name = "vehicle"
		if _, err := Files([]*cosim.Instance{in}, o); err == nil ||
			!strings.Contains(err.Error(), "the function of tire_FL is in a library, which only a C file") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := newWriter([]*cosim.Instance{in}, Options{Name: "vehicle"}, true); err == nil ||
		!strings.Contains(err.Error(), "pack an FMU without sources") {
		t.Error(err)
	}
	if _, err := tire.Find(library, ""); err == nil {
		t.Error("missing libraries are found")
	}
}

// read reads a file of a folder.
func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
