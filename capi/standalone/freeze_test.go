package standalone

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
	"skidpad/tire/machinecode"
)

// A vehicle with frozen parameters is bit-identical to the library with these parameters. The file has no parameters,
// and is shorter.
func TestFrozenVehicles(t *testing.T) {
	testrun.Slow(t)
	type choice struct{ model, method string }
	list := []choice{{"skidder_carcass", "euler"}}
	if testrun.All() {
		for _, model := range various {
			list = append(list, choice{model, "euler"})
		}
		list = append(list, choice{"generic4w", "linearly-implicit"}, choice{"passenger_car", "linearly-implicit"},
			choice{"generic4w_carcass", "rk4"})
	}
	for _, c := range list {
		t.Run(c.model+"_"+c.method, func(t *testing.T) {
			in := vehicleOf(t, c.model, "solver.method", c.method)
			changed := ""
			for i, v := range in.System().Variables() {
				if strings.HasSuffix(v.Name, ".mass") && v.Start > 0 && changed == "" {
					changed = v.Name
					if err := in.Set(i, 1.25*v.Start); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := in.Initialise(); err != nil {
				t.Fatal(err)
			}
			in.NewWarnings() // those at the start
			folder := written(t, in, Options{Name: "vehicle", Frozen: true})
			frozen, err := os.ReadFile(filepath.Join(folder, "vehicle.c"))
			if err != nil {
				t.Fatal(err)
			}
			usual, err := os.ReadFile(filepath.Join(generated(t, in), "vehicle.c"))
			if err != nil {
				t.Fatal(err)
			}
			if changed != "" && strings.Contains(string(frozen), `"`+changed+`"`) {
				t.Errorf("%s can be written", changed)
			}
			if len(frozen) >= len(usual) {
				t.Errorf("%d characters, %d with parameters", len(frozen), len(usual))
			}
			d := &twin{t: t, in: in, c: &vehicleInC{order: binary.NativeEndian}}
			d.plan, _ = in.Plan()
			program := compiled(t, folder, "gcc -O0")
			d.command()
			d.c.run(t, program)
			d.compare()
		})
	}
}

// All parameters are known numbers. Numbers read by tables of offsets are in memory, too.
func TestFrozenParametersAreNumbers(t *testing.T) {
	in := initialised(t, "bicycle", "solver.method", "euler")
	w := &writer{Options: Options{Name: "vehicle", Frozen: true}, in: in, text: machinecode.NewText("vehicle"),
		called: map[placed]string{}, made: map[shaped]made{}}
	if err := w.list([]*cosim.Instance{in}); err != nil {
		t.Fatal(err)
	}
	for _, m := range w.plan.Memories {
		w.size = append(w.size, m.Size)
	}
	if err := w.freeze(); err != nil {
		t.Fatal(err)
	}
	rates := w.plan.Rates.Memory
	place := func(i int) program.Place {
		return program.Place{Memory: rates, At: w.plan.Memories[rates].Parameters + i}
	}
	for i, v := range in.System().Program().Parameters {
		at, _ := in.System().Find(v.Name)
		want, err := in.Get(at)
		if got, is := w.frozen.number(place(i)); err != nil || !is || !same(got, want) {
			t.Errorf("%s is %v (%v), in the library %v (%v)", v.Name, got, is, want, err)
		}
	}
	if w.frozen.wanted != nil {
		t.Fatal("numbers in memory that nobody reads:", w.frozen.wanted)
	}
	w.offset(place(0))
	if err := w.prepare(); err != nil {
		t.Fatal(err)
	}
	x, _ := w.frozen.number(place(0))
	want := fmt.Sprintf("c->memory[VEHICLE_MEMORY_%d + %d] = %s;", rates, place(0).At, machinecode.Number(x))
	if text := w.body.String(); !strings.Contains(text, want) || strings.Contains(text, "c->parameters, sizeof") {
		t.Errorf("the memory has not %q:\n%s", want, text)
	}
}
