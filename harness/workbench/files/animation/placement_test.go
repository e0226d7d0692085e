package animation

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// matrix is a rotation and a displacement, as a reader of the printed list may have them.
type matrix struct {
	r [3][3]float64
	d [3]float64
}

func (a matrix) times(b matrix) (c matrix) {
	c.d = a.d
	for i := range 3 {
		for k := range 3 {
			for j := range 3 {
				c.r[i][j] += a.r[i][k] * b.r[k][j]
			}
			c.d[i] += a.r[i][k] * b.d[k]
		}
	}
	return c
}

func (a matrix) inverse() (c matrix) {
	for i := range 3 {
		for j := range 3 {
			c.r[i][j] = a.r[j][i]
			c.d[i] -= a.r[j][i] * a.d[j]
		}
	}
	return c
}

// rotated is a rotation about an axis, after Rodrigues.
func rotated(axis []float64, angle float64) matrix {
	s, c := math.Sincos(angle)
	x, y, z := axis[0], axis[1], axis[2]
	return matrix{r: [3][3]float64{
		{c + x*x*(1-c), x*y*(1-c) - z*s, x*z*(1-c) + y*s},
		{y*x*(1-c) + z*s, c + y*y*(1-c), y*z*(1-c) - x*s},
		{z*x*(1-c) - y*s, z*y*(1-c) + x*s, c + z*z*(1-c)}}}
}

func moved(x, y, z float64) matrix {
	m := rotated([]float64{0, 0, 1}, 0)
	m.d = [3]float64{x, y, z}
	return m
}

// printed is the list as scripts read it.
type printed struct {
	Frames     []string
	Operations []struct {
		Kind      string
		From, To  int
		Inverse   bool
		Columns   []int
		Constants []float64
		Sequence  string
		Courses   []printedCourse
	}
}

type printedCourse struct {
	Sign         float64
	Own          bool
	Points, X, Y []float64
	Pieces       [][4]float64
	Cells        [][16]float64
}

// piece is the number of the piece that holds x, and the distance from its begin.
func piece(points []float64, x float64) (int, float64) {
	i := 0
	for i < len(points) && x >= points[i] {
		i++
	}
	return i, x - points[max(i-1, 0)]
}

func (c *printedCourse) at(travel, second float64) float64 {
	switch {
	case c.Own:
		return c.Sign * travel
	case c.Points != nil:
		i, s := piece(c.Points, travel)
		p := c.Pieces[i]
		return c.Sign * (p[0] + p[1]*s + p[2]*s*s + p[3]*s*s*s)
	case c.X != nil:
		i, s := piece(c.X, travel)
		j, t := piece(c.Y, second)
		sum := 0.0
		for k, a := range c.Cells[i*(len(c.Y)+1)+j] {
			sum += a * math.Pow(s, float64(k/4)) * math.Pow(t, float64(k%4))
		}
		return c.Sign * sum
	}
	return 0
}

// place composes the matrices of all frames.
func (p *printed) place(t *testing.T, values []float64) []matrix {
	t.Helper()
	placed := map[int]bool{-1: true}
	list := make([]matrix, len(p.Frames))
	for _, o := range p.Operations {
		if placed[o.To] = true; !placed[o.From] {
			t.Fatalf("%s is placed from %s, which is nowhere", p.Frames[o.To], p.Frames[o.From])
		}
		v := make([]float64, 6)
		for i, column := range o.Columns {
			if column >= 0 {
				v[i] = values[column]
			}
		}
		turns := func(m matrix, angles []float64) matrix {
			for i, angle := range angles {
				axis := make([]float64, 3)
				axis[o.Sequence[i]-'1'] = 1
				m = m.times(rotated(axis, angle))
			}
			return m
		}
		var step matrix
		switch c := o.Constants; o.Kind {
		case "fixed":
			size := math.Hypot(c[4], math.Hypot(c[5], c[6]))
			axis := []float64{c[4] / max(size, 1e-300), c[5] / max(size, 1e-300), c[6] / max(size, 1e-300)}
			step = moved(c[0], c[1], c[2]).times(rotated(axis, 2*math.Atan2(size, c[3])))
		case "free":
			step = turns(moved(v[0], v[1], v[2]), v[3:])
		case "turn":
			step = rotated(c, v[0])
		case "shift":
			step = moved(c[0]*v[0], c[1]*v[0], c[2]*v[0])
		case "guide":
			var at [6]float64
			for i := range at {
				at[i] = o.Courses[i].at(v[0], v[1])
			}
			step = turns(moved(at[0], at[1], at[2]), at[3:])
		}
		if o.Inverse {
			step = step.inverse()
		}
		if o.From >= 0 {
			step = list[o.From].times(step)
		}
		list[o.To] = step
	}
	return list
}

// candidates are the names that variables of components have, and of bodies only if they are wanted.
func candidates(m *vehicle.Model, body func(frame string) bool) (names []string) {
	for _, c := range m.Components {
		quantities := []string{"s", "phi", "travel", "angle1", "angle2", "angle3", "position", "angle"}
		b, is := c.(*component.RigidBody)
		if joint, free := c.(*component.FreeJoint); free && joint.From != component.GroundFrame || is && body(b.Frame) {
			quantities = append(quantities, "x", "y", "z", "yaw", "pitch", "roll")
		}
		for _, q := range quantities {
			names = append(names, c.Head().Name+"."+q)
		}
	}
	return names
}

// chain has a carrier that nothing is drawn at, a mass in a plane, and a surface that is not symmetric.
const chain = `name = "Chain"
[component.body]
type = "rigid-body"
mass = 500
inertia = { xx = 100, yy = 300, zz = 320 }
[component.upward]
type = "prismatic"
from = "body"
to = "hidden"
axis = "z"
[component.forward]
type = "prismatic"
from = "hidden"
to = "mass"
axis = "x"
[component.mass]
type = "point-mass"
mass = 2
[component.corner]
type = "suspension"
from = "body"
to = "carrier"
steer = "forward"
y = [[-1, -1, 0.1], [-1, 0, 0.2], [-1, 1, 0.7], [0, -1, 0.2], [0, 0, 0.3], [0, 1, 0.1], [1, -1, 0.2], [1, 0, 0.9], [1, 1, 0.4]]
[component.carrier]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }
`

// A mass in a plane has y = 0.
func TestMassesInAPlane(t *testing.T) {
	m, err := vehicle.Parse([]byte(chain), "chain.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	known := placedAt(m, run(map[string][]float64{"mass.x": {1, 2}, "mass.z": {3, 4}}), 1)
	near(t, "the mass", known["mass"].r, vector{2, 0, 4})
}

// The printed operations, composed as matrices, give the poses of all shipped models: with the poses of all bodies, and
// with that of one body and the coordinates of joints.
func TestPrintedOperationsPlaceAsPoserDoes(t *testing.T) {
	files, err := filepath.Glob("../../../../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	kinds, inverse := map[string]int{}, 0
	for i, file := range append(files, "chain.toml") {
		if i%testrun.Either(3, 1) != 0 && file != "chain.toml" {
			continue
		}
		m, err := vehicle.Parse([]byte(chain), file, nil)
		if file != "chain.toml" {
			m, err = vehicle.Read(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, all := range []bool{true, false} {
			values, p := randomlyPlaced(m, all, random)
			if p == nil {
				continue // nothing to draw
			}
			for i := range values {
				values[i] = 0.3 * random.NormFloat64()
			}
			p.Place(values)
			if n := testing.AllocsPerRun(2, func() { p.Place(values) }); n != 0 {
				t.Errorf("%s: %g allocations", file, n)
			}
			text, err := json.Marshal(p.Placement)
			if err != nil {
				t.Fatal(err)
			}
			var read printed
			if err := json.Unmarshal(text, &read); err != nil {
				t.Fatal(err)
			}
			for _, o := range read.Operations {
				kinds[o.Kind]++
				if o.Inverse {
					inverse++
				}
			}
			if !slices.Equal(read.Frames[:p.Frames], p.Names) {
				t.Fatalf("%s: the first frames are %q, not %q", file, read.Frames, p.Names)
			}
			for i, want := range read.place(t, values)[:p.Frames] {
				got := p.pose(0, i)
				for axis := range 3 {
					var unit vector
					unit[axis] = 1
					turned := got.q.rotate(unit)
					for k := range 3 {
						if math.Abs(turned[k]-want.r[k][axis]) > 1e-12 || math.Abs(got.r[k]-want.d[k]) > 1e-12 {
							t.Fatalf("%s: %s is at %v, not %v", file, p.Names[i], got, want)
						}
					}
				}
			}
		}
	}
	for _, kind := range operationKinds {
		if kinds[kind] == 0 {
			t.Errorf("no operation %s", kind)
		}
	}
	if inverse == 0 {
		t.Error("no inverse operation")
	}
}

// randomlyPlaced is a model at random values of the variables of all frames, or of the first frame and of joints; p is
// nil if nothing of it can be drawn.
func randomlyPlaced(m *vehicle.Model, all bool, random *rand.Rand) (values []float64, p *Poser) {
	first := ""
	names := candidates(m, func(frame string) bool {
		if first == "" {
			first = frame
		}
		return all || frame == first
	})
	values = make([]float64, len(names))
	for i := range values {
		values[i] = 0.3 * random.NormFloat64()
	}
	p, err := NewPoser(m, names, values, 1)
	if err != nil {
		return values, nil
	}
	return values, p
}
