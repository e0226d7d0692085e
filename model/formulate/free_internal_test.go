package formulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// freeLinks is a chain of bodies with springs and free joints. Each joint leads from an arm on a body to the next body.
func freeLinks(speeds string) string {
	var text strings.Builder
	text.WriteString("name = \"Links\"\n[component.b0]\ntype = \"rigid-body\"\nmass = 2\n" +
		"inertia = { xx = 0.2, yy = 0.3, zz = 0.25, xz = 0.05 }\n")
	prefer := []string{}
	for i := 1; i < 4; i++ {
		fmt.Fprintf(&text, `[component.b%[1]d]
type = "rigid-body"
mass = 1.%[1]d
inertia = { xx = 0.2, yy = 0.3, zz = 0.25, xy = 0.03 }
[component.arm%[1]d]
type = "rigid-arm"
from = "b%[2]d"
to = "tip%[1]d"
translation = [0.3, 0.1, -0.2]
angles = [0.2, 0.1, 0.3]
[component.link%[1]d]
type = "free"
from = "tip%[1]d"
to = "b%[1]d"
speeds = %[3]q
[component.spring%[1]d]
type = "spring-damper"
from = "tip%[1]d"
to = "b%[1]d"
stiffness = 40
free_length = 0.5
`, i, i-1, speeds)
		prefer = append(prefer, fmt.Sprintf("\"link%[1]d.T1\", \"link%[1]d.R2\"", i))
	}
	fmt.Fprintf(&text, "[[tree]]\nname = \"indirect\"\nprefer = [%s]\n", strings.Join(prefer, ", "))
	return text.String()
}

// TestRecursionWithChosenSpeeds: matrix and recursion have the same rates of free joints with all speeds, also where
// the turning of the tail does not move the head.
func TestRecursionWithChosenSpeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 2))
	for _, speeds := range []string{"body", "ground", "rates"} {
		m, err := vehicle.Parse([]byte(freeLinks(speeds)), "links.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		rates := map[solves][]float64{}
		x := make([]float64, 48)
		for i := range x {
			x[i] = 0.5 * r.NormFloat64()
		}
		for _, how := range []solves{byMatrix, byRecursion} {
			f, err := formulated(m, Options{}, how)
			if err != nil {
				t.Fatal(err)
			}
			if f.withoutMass != (how == byRecursion) {
				t.Fatalf("%s is not solved as it should be", speeds)
			}
			p, err := program.Build(f.Source())
			if err != nil {
				t.Fatal(err)
			}
			if len(p.States) != len(x) {
				t.Fatalf("%s: there are %d states", speeds, len(p.States))
			}
			machine := p.NewMachine(p.Tape())
			parameters := make([]float64, len(p.Parameters))
			for i, v := range p.Parameters {
				parameters[i] = v.Start
			}
			machine.SetParameters(parameters)
			rates[how] = make([]float64, len(x))
			machine.Derivatives(0, x, make([]float64, len(p.Inputs)), rates[how])
		}
		for i, v := range rates[byMatrix] {
			if got := rates[byRecursion][i]; !(math.Abs(got-v) <= 1e-11*max(1, math.Abs(v))) {
				t.Errorf("%s: rate %d is %.14g by the recursion, %.14g by the matrix", speeds, i, got, v)
			}
		}
	}
}
