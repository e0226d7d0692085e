package standalone

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// A vehicle with frozen parameters has the bits of the library with these parameters. The file has no parameters, and
// is shorter.
func TestFrozenVehicles(t *testing.T) {
	testrun.Slow(t)
	type choice struct{ model, method string }
	list := []choice{{"skidder_carcass", "euler"}}
	if testrun.All() {
		for _, model := range covered {
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
			folder := written(t, in, Options{Name: "vehicle", Vectors: true, Frozen: true})
			frozen, err := os.ReadFile(filepath.Join(folder, "vehicle.c"))
			if err != nil {
				t.Fatal(err)
			}
			usual, err := os.ReadFile(filepath.Join(generated(t, in, true), "vehicle.c"))
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
