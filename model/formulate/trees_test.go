package formulate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// accelerations of all frames against the ground: of their origins [m/s2] and angular ones [rad/s2], in axes of the
// ground. Velocities are affine in the speeds. The rates of the speeds therefore add the velocity that they would
// give as speeds, less the velocity at rest.
func accelerations(f *formulate.Formulation, p *program.Program, x, dx, u []float64) []float64 {
	n := len(f.Speeds)
	with := func(speeds []float64) []float64 { return slices.Concat(speeds, x[n:]) }
	bias, rates := symbolValues(f, p, x, u), symbolValues(f, p, with(dx[:n]), u)
	rest := symbolValues(f, p, with(make([]float64, n)), u)
	var list []float64
	for node := range f.Forest.Graph.Nodes {
		for i := range 3 {
			v := f.Across(graph.Ground, node, formulate.Velocity, "ground").X[i]
			a := f.Across(graph.Ground, node, formulate.Acceleration, "ground").X[i]
			w := f.AcrossRotation(graph.Ground, node, formulate.Velocity, "ground").X[i]
			dw := f.AcrossRotation(graph.Ground, node, formulate.Acceleration, "ground").X[i]
			list = append(list, bias.Value(a)+rates.Value(v)-rest.Value(v), bias.Value(dw)+rates.Value(w)-rest.Value(w))
		}
	}
	return list
}

// ownTree adds a tree to a model. The tree prefers edges drawn at random, all of them edges of tires if ofTires.
func ownTree(r *rand.Rand, m *vehicle.Model, g *graph.Graph, ofTires bool) (*vehicle.Model, []string) {
	var pool, prefer []string
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Selectable() && (!ofTires || strings.HasPrefix(e.Name, "tire")) {
			pool = append(pool, e.Name)
		}
	}
	for range 1 + r.IntN(4) {
		prefer = append(prefer, pool[r.IntN(len(pool))])
	}
	own := *m
	own.Trees = append(slices.Clone(m.Trees),
		vehicle.Tree{Name: "own", Selection: graph.Selection{Prefer: prefer}})
	return &own, prefer
}

// ownSpeeds gives each component that moves freely speeds drawn at random.
func ownSpeeds(r *rand.Rand, m *vehicle.Model) {
	words := []string{"", "body", "ground", "rates"}
	m.Components = slices.Clone(m.Components)
	for i, c := range m.Components {
		switch c := c.(type) {
		case *component.RigidBody:
			own := *c
			own.Speeds = words[r.IntN(4)]
			m.Components[i] = &own
		case *component.Tire:
			own := *c
			own.Speeds = words[r.IntN(4)]
			m.Components[i] = &own
		}
	}
}

// All frames have the same accelerations in every tree that can be selected, and with all speeds. Brakes, engines,
// gearboxes, differentials and rolling resistances act, in motion and at rest. In some trees a wheel is reached through
// its tire and the vehicle through the wheel.
func TestAccelerationsDoNotDependOnTheTree(t *testing.T) {
	testrun.Slow(t)
	r := rand.New(rand.NewPCG(45, 1))
	for _, name := range []string{"generic4w", "generic4w_driveline", "generic4w_gearbox", "skidder", "passenger_car",
		"passenger_car_manual", "car_trailer", "truck3", "tricycle", "bicycle", "generic4w_carcass", "tractor_semitrailer"} {
		m := read(t, name)
		first, err := formulate.New(m, formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p1, m1 := machine(t, m, formulate.Options{})
		bind(t, p1, m1)
		compared := 0
		for try := range testrun.Either(2, 40) {
			own, prefer := ownTree(r, m, first.Forest.Graph, try%2 == 0)
			ownSpeeds(r, own)
			second, err := formulate.New(own, formulate.Options{Tree: "own"})
			if err != nil {
				// a wheel on a tire and a hub without inertia, a spring on the angle of a joint out of the tree
				if text := err.Error(); !strings.Contains(text, "nothing has inertia in the direction of the speed") &&
					!strings.Contains(text, "is not a branch of this tree") && !errors.As(err, new(*graph.SelectionError)) {
					t.Errorf("%s, prefer %q: %v", name, prefer, err)
				}
				continue
			}
			compared++
			p2, m2 := machine(t, own, formulate.Options{Tree: "own"})
			bind(t, p2, m2)
			values, u1, u2 := drawn(r, p1, p2, try%4 > 1)
			x1, x2 := start(t, p1, m1, values, u1), start(t, p2, m2, values, u2)
			dx1, dx2 := make([]float64, len(x1)), make([]float64, len(x2))
			m1.Derivatives(0, x1, u1, dx1)
			m2.Derivatives(0, x2, u2, dx2)
			a, b := accelerations(first, p1, x1, dx1, u1), accelerations(second, p2, x2, dx2, u2)
			largest := 1.0
			for _, v := range a {
				largest = max(largest, math.Abs(v))
			}
			for i := range a {
				if !(math.Abs(a[i]-b[i]) <= 1e-9*largest) {
					t.Errorf("%s, prefer %q: acceleration %d of frame %s is %.15g, %.15g in the first tree", name, prefer, i%6,
						second.Forest.Graph.Nodes[i/6], b[i], a[i])
					break
				}
			}
		}
		if compared == 0 {
			t.Errorf("%s: no other tree was compared", name)
		}
	}
}

// drawn returns random start values and inputs for two programs of one model, near the values of its file. In a vehicle
// at rest only the wheels turn, slowly, so that brakes and rolling resistances hold them in part. The moments that they
// hold contain moments of inertia that depend on the tree; at rest these vanish.
func drawn(r *rand.Rand, p1, p2 *program.Program, resting bool) (values map[string]float64, u1, u2 []float64) {
	values = map[string]float64{}
	for _, v := range p1.Parameters {
		if !v.StartValue {
			continue
		}
		values[v.Name] = v.Start + 0.01*r.NormFloat64()
		if resting && (v.Unit == "m/s" || v.Unit == "rad/s") {
			values[v.Name] = 0
			if strings.HasPrefix(v.Name, "wheel") {
				values[v.Name] = 0.2 * r.NormFloat64()
			}
		}
	}
	inputs := map[string]float64{}
	for _, v := range p1.Inputs {
		x := v.Start
		if !strings.HasPrefix(v.Name, "road") {
			x += 0.2 * r.NormFloat64()
		}
		if strings.HasPrefix(v.Name, "brake") {
			x += 300 * r.Float64()
		}
		if resting && (strings.HasSuffix(v.Name, ".rate") || strings.HasSuffix(v.Name, ".acceleration")) {
			x = 0
		}
		inputs[v.Name], u1 = x, append(u1, x)
	}
	for _, v := range p2.Inputs {
		x, found := inputs[v.Name]
		if !found { // a control of constraints, which one tree alone has
			x = v.Start
		}
		u2 = append(u2, x)
	}
	return values, u1, u2
}
