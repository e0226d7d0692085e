package verify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// The reactions in steady motions are the forces of connections that tangent stiffness finds body by body.
func TestSteadyReactionsAreThoseOfTheSecondMethod(t *testing.T) {
	testrun.Slow(t)
	const folder = "../../../resources/models/"
	for name, at := range map[string]struct {
		variable string
		value    float64
	}{
		"bicycle_rolling": {"speed", 5}, "wheel_rolling": {"speed", 1}, "truck_trailer": {"speed", 20},
		"tilting_three_wheeler": {"speed", 8}, "bicycle_trailer": {"speed", 6},
	} {
		if strings.Contains("tilting_three_wheeler bicycle_trailer", name) && !testrun.All() {
			continue // redundant constraints, whose derivatives are long
		}
		text := "base = \"" + name + ".toml\"\nname = \"Asked\"\ntitle = \"A test\"\nreactions = [\"* in ground\"]\n"
		m, err := vehicle.Parse([]byte(text), folder+"asked.toml",
			func(kind bounded.Kind, name string) ([]byte, error) { return kind.Read(folder + name) })
		if err != nil {
			t.Fatal(err)
		}
		l, err := linear.New(m, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Set(at.variable, at.value); err != nil {
			t.Fatal(err)
		}
		s, err := l.At()
		if err != nil {
			t.Fatal(err)
		}
		steady, err := ByTangentStiffness(m, map[string]float64{at.variable: at.value}, s)
		if err != nil {
			t.Fatal(err)
		}
		size, compared := 0.0, 0
		for _, r := range steady.Reactions {
			size = max(size, math.Abs(r.Force[0]), math.Abs(r.Force[1]), math.Abs(r.Force[2]))
		}
		for _, r := range steady.Reactions {
			for k, key := range []string{"Fx", "Fy", "Fz"} {
				row := slices.Index(s.Outputs, r.Name+"."+key)
				if row < 0 {
					continue // a spring
				}
				compared++
				if !(math.Abs(s.Y[row]-r.Force[k]) <= 1e-9*size) {
					t.Errorf("%s: %s.%s is %.12g, by the second method %.12g", name, r.Name, key, s.Y[row], r.Force[k])
				}
			}
		}
		if compared < 6 {
			t.Errorf("%s: %d components are compared", name, compared)
		}
	}
}
