package linear_test

import (
	"math/cmplx"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// About straight rolling without steady slip the carcass has the linear equations of the string: the same modes.
func TestCarcassHasTheModesOfTheString(t *testing.T) {
	text, err := os.ReadFile("../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, function := range []string{"Fiala\"\nfile = \"../tires/fiala_generic4w.toml",
		"Brush\"\nfile = \"../tires/brush_generic4w.toml"} {
		var of [2][]linear.Mode
		for i, method := range []string{"delayed", "carcass"} {
			edited := strings.ReplaceAll(string(text), "Pacejka02\"\nfile = \"../tires/pacejka2002.toml", function)
			edited = strings.ReplaceAll(edited, `method = "delayed"`, "method = \""+method+"\"")
			m, err := vehicle.Parse([]byte(edited), "test.toml", func(_ bounded.Kind, name string) ([]byte, error) {
				return os.ReadFile(filepath.Join("../../resources/models", name))
			})
			if err != nil {
				t.Fatal(err)
			}
			l, err := linear.New(m, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, corner := range []string{"FL", "FR", "RL", "RR"} {
				if err := l.Set("tire_"+corner+".Cr", 0); err != nil {
					t.Fatal(err)
				}
			}
			of[i] = modes(t, at(t, l, "body.vx", 20))
		}
		if len(of[0]) != len(of[1]) || len(of[0]) < 10 {
			t.Fatalf("%d modes of the string, %d of the carcass", len(of[0]), len(of[1]))
		}
		worst := 0.0
		for _, want := range of[0] {
			nearest := 1e9
			for _, got := range of[1] {
				nearest = min(nearest, cmplx.Abs(got.Value-want.Value)/max(1, cmplx.Abs(want.Value)))
			}
			worst = max(worst, nearest)
		}
		t.Logf("%d modes, %.2g apart", len(of[0]), worst)
		if worst > 1e-9 {
			t.Errorf("modes are up to %g apart", worst)
		}
	}
}
