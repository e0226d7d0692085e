package reference

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// reactions returns, for known accelerations, the force and moment of the multipliers of each joint on its second
// frame, about the origin of this frame, in ground.
func (s *System) reactions(multipliers []float64) map[string][2]r3.Vec {
	list := map[string][2]r3.Vec{}
	for i := range s.joints {
		j := &s.joints[i]
		if j.guide != nil {
			continue // springs on the travel act beside the multipliers
		}
		var force, moment r3.Vec
		for k := j.first; k < j.first+len(j.conditions); k++ {
			g := s.equations[k].to
			force = r3.Add(force, r3.Scale(multipliers[k], g.v))
			moment = r3.Add(moment, r3.Scale(multipliers[k], g.w))
		}
		arm := r3.Sub(s.at(&j.to).r, s.motions[j.to.part].r)
		list[j.name] = [2]r3.Vec{force, r3.Sub(moment, r3.Cross(arm, force))}
	}
	return list
}

// The reactions of the engine are the multipliers of joints in absolute coordinates, at starts that turn and move in
// every direction.
func TestReactionsAreMultipliersInAbsoluteCoordinates(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 6))
	const folder = resources + "models/"
	for _, name := range []string{"generic4w", "skidder", "double_pendulum", "truck_trailer", "passenger_car"} {
		s := newSystem(t, readModel(t, name))
		text := "base = \"" + name + ".toml\"\nname = \"Asked\"\ntitle = \"A test\"\nreactions = [\"* in ground\"]\n"
		m, err := vehicle.Parse([]byte(text), folder+"asked.toml",
			func(kind bounded.Kind, name string) ([]byte, error) { return kind.Read(folder + name) })
		if err != nil {
			t.Fatal(err)
		}
		system, err := cosim.New(m, cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := system.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		start := map[string]float64{}
		for i, v := range system.Variables() {
			if v.Initial && !strings.HasPrefix(v.Name, "tire") {
				start[v.Name] = v.Start + 0.1*random.NormFloat64()
				if err := in.Set(i, start[v.Name]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		if err := s.inputs.connect(Inputs{}); err != nil {
			t.Fatal(err)
		}
		y, err := s.start(start)
		if err != nil {
			t.Fatal(err)
		}
		d := newDynamics(s)
		if err := d.solve(0, y); err != nil {
			t.Fatal(err)
		}
		list := s.reactions(d.b[s.auxiliaries-s.velocities:])
		size := 0.0
		for _, pair := range list {
			size = max(size, r3.Norm(pair[0]), r3.Norm(pair[1]))
		}
		if len(list) < 2 || size < 10 {
			t.Fatalf("%s has %d joints, whose loads are up to %g", name, len(list), size)
		}
		for joint, pair := range list {
			for k, letter := range []string{"F", "M"} {
				value := func(axis string) float64 {
					i, found := system.Find(joint + "." + letter + axis)
					if !found {
						t.Fatalf("%s: no reaction of %s", name, joint)
					}
					x, err := in.Get(i)
					if err != nil {
						t.Fatal(err)
					}
					return x
				}
				have := r3.Vec{X: value("x"), Y: value("y"), Z: value("z")}
				if !(r3.Norm(r3.Sub(have, pair[k])) <= 1e-9*size) {
					t.Errorf("%s: %s of %s is %v, the multipliers give %v", name, letter, joint, have, pair[k])
				}
			}
		}
	}
}
