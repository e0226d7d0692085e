package reference

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/cosim"
)

// stored returns the kinetic and the potential energy at the latest evaluation: of parts with their motions in ground,
// of linear springs, and of the vertical springs of tires.
func (s *System) stored() (kinetic, potential float64) {
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		w := m.in(m.w)
		kinetic += p.mass * r3.Dot(m.v, m.v) / 2
		kinetic += (w.X*r3.Dot(p.inertia[0], w) + w.Y*r3.Dot(p.inertia[1], w) + w.Z*r3.Dot(p.inertia[2], w)) / 2
		potential -= p.mass * r3.Dot(s.gravity, m.r)
	}
	for _, l := range s.loads {
		if l, is := l.(*spring); is {
			potential += l.Stiffness.Value / 2 * math.Pow(l.length-l.FreeLength.Value, 2)
		}
	}
	for _, w := range s.tires {
		c := w.component
		deflection := (c.UnloadedRadius.Value - w.at.Rl) * math.Cos(w.at.gamma)
		potential += c.VerticalStiffness.Value / 2 * math.Pow(max(0, deflection), 2)
	}
	return kinetic, potential
}

// The kinetic and potential energy of the engine equal the energies of the independent bodies of this solver, at starts
// with rotation and velocity in every direction.
func TestStoredEnergiesAgreeWithTheEngine(t *testing.T) {
	start := map[string]float64{
		"body.vy": 0.7, "body.vz": -0.2, "body.wx": 0.3, "body.wy": -0.2, "body.wz": 0.4, "body.roll": 0.03,
		"body.pitch": -0.02, "susp_FL.s_dot": 0.3, "susp_RR.s": 0.58, "wheel_FR.omega": 50,
	}
	s := newSystem(t, readModel(t, "generic4w"))
	if _, err := s.start(start); err != nil {
		t.Fatal(err)
	}
	kinetic, potential := s.stored()
	system, err := cosim.Load("../../../resources/models/generic4w.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := system.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for name, value := range start {
		i, _ := system.Find(name)
		if err := in.Set(i, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"energy.kinetic": kinetic, "energy.potential": potential} {
		i, _ := system.Find(name)
		have, err := in.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(have-want) > 1e-12*want {
			t.Errorf("%s is %.15g J, the independent bodies have %.15g J", name, have, want)
		}
	}
}
