package bench

import (
	"encoding/xml"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// trees returns the models that are compared with MuJoCo and Pinocchio, and a model with everything that a tree can
// have.
func trees(t *testing.T) []*vehicle.Model {
	t.Helper()
	four, err := vehicle.Parse(fourLimbs, "four_limbs.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	list := []*vehicle.Model{four}
	for _, file := range []string{filepath.Join(resources, "models", "passenger_car.toml"), "testdata/skew.toml"} {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, mechanics(m, true))
	}
	return list
}

// An exported tree has the kinetic and potential energy of the model at any state. Equal energies imply equal
// equations.
func TestTreesHaveTheEnergiesOfTheirModels(t *testing.T) {
	for _, m := range trees(t) {
		tree, err := treeOf(m)
		if err != nil {
			t.Fatal(err)
		}
		b, err := subjectOf(m.Name, m)
		if err != nil {
			t.Fatal(err)
		}
		states, err := tree.randomStates(b.program)
		if err != nil {
			t.Fatal(err)
		}
		machine, err := b.machine(b.program.Tape(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ledger := machine.Side(program.Energies)
		reference := math.NaN() // potential energy of the model minus that of the tree; constant
		for i := range states {
			ledger.Evaluate(states[i].x, b.u, nil)
			var kinetic, potential float64
			for _, e := range ledger.Ledger() {
				for _, k := range e.Values[program.KineticEnergy] {
					kinetic += ledger.Value(k)
				}
				for _, k := range e.Values[program.PotentialEnergy] {
					potential += ledger.Value(k)
				}
			}
			own, height := tree.energies(&states[i])
			if math.Abs(own-kinetic) > 1e-12*kinetic {
				t.Errorf("%s: the tree has the kinetic energy %.15g J, the model %.15g J", m.Name, own, kinetic)
			}
			if i == 0 {
				reference = potential - height
			}
			if d := potential - height - reference; !(math.Abs(d) <= 1e-11*(math.Abs(potential)+math.Abs(reference))) {
				t.Errorf("%s: potential energy differs by %g J from state to state", m.Name, d)
			}
		}
	}
}

// energies returns kinetic and potential energy [J] at a state, summed over the links.
func (t *tree) energies(s *treeState) (kinetic, potential float64) {
	type motion struct {
		placement
		velocity, spin r3.Vec // in ground axes
	}
	all := make([]motion, len(t.links))
	for i := range t.links {
		l, here := &t.links[i], &all[i]
		if i == 0 {
			*here = motion{placement{s.position, s.turn}, s.turn.Rotate(s.velocity), s.turn.Rotate(s.spin)}
		} else {
			parent := &all[l.parent]
			q, rate := s.coordinates[i-1], s.speeds[i-1]
			here.placement = parent.then(l.pose)
			axis := here.rotation.Rotate(l.axis)
			here.spin = parent.spin
			slide := r3.Vec{}
			if l.kind == "slide" {
				here.at = r3.Add(here.at, r3.Scale(q, axis))
				slide = r3.Scale(rate, axis)
			} else {
				here.rotation = r3.Rotation(quat.Mul(quat.Number(here.rotation), quat.Number(r3.NewRotation(q, l.axis))))
				here.spin = r3.Add(here.spin, r3.Scale(rate, axis))
			}
			here.velocity = r3.Add(r3.Add(parent.velocity, r3.Cross(parent.spin, r3.Sub(here.at, parent.at))), slide)
		}
		out := here.rotation.Rotate(l.centre)
		v := r3.Add(here.velocity, r3.Cross(here.spin, out))
		own := r3.Rotation(quat.Conj(quat.Number(here.rotation))).Rotate(here.spin)
		kinetic += (l.mass*r3.Norm2(v) + r3.Dot(own, l.inertia.MulVec(own))) / 2
		potential -= l.mass * r3.Dot(vec(t.gravity), r3.Add(here.at, out))
	}
	return kinetic, potential
}

// mujocoBody is a body of MuJoCo's format.
type mujocoBody struct {
	Pos    string `xml:"pos,attr"`
	Quat   string `xml:"quat,attr"`
	Joints []struct {
		Type string `xml:"type,attr"`
		Axis string `xml:"axis,attr"`
		Pos  string `xml:"pos,attr"`
	} `xml:"joint"`
	Inertial struct {
		Mass        float64 `xml:"mass,attr"`
		Pos         string  `xml:"pos,attr"`
		Fullinertia string  `xml:"fullinertia,attr"`
	} `xml:"inertial"`
	Bodies []mujocoBody `xml:"body"`
}

// read adds a body. Positions and axes of its successive joints are given in the body with all joints at 0.
func (t *tree) read(b *mujocoBody, parent int) {
	quaternion := numbersIn(b.Quat)
	pose := placement{vec([3]float64(numbersIn(b.Pos))), r3.Rotation{Real: quaternion[0], Imag: quaternion[1],
		Jmag: quaternion[2], Kmag: quaternion[3]}}
	last := r3.Vec{} // the frame of the last joint in the body
	add := func(kind string, axis r3.Vec, pose placement) {
		t.links = append(t.links, link{parent: parent, kind: kind, axis: axis, pose: pose, inertia: r3.NewMat(nil)})
		parent = len(t.links) - 1
	}
	if len(b.Joints) == 0 {
		add("free", r3.Vec{}, pose)
	}
	for i, j := range b.Joints {
		at := vec([3]float64(numbersIn(j.Pos)))
		here := placement{r3.Sub(at, last), noRotation()}
		if i == 0 {
			here = pose.then(placement{at, noRotation()})
		}
		add(j.Type, vec([3]float64(numbersIn(j.Axis))), here)
		last = at
	}
	l, m := &t.links[parent], numbersIn(b.Inertial.Fullinertia)
	l.mass, l.centre = b.Inertial.Mass, r3.Sub(vec([3]float64(numbersIn(b.Inertial.Pos))), last)
	l.inertia = r3.NewMat([]float64{m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2]})
	own := parent
	for i := range b.Bodies {
		child := &b.Bodies[i]
		at := numbersIn(child.Pos)
		child.Pos = words(r3.Sub(vec([3]float64(at)), last))
		t.read(child, own)
	}
}

func numbersIn(text string) (list []float64) {
	for _, word := range strings.Fields(text) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			panic(err)
		}
		list = append(list, v)
	}
	return list
}

// The MuJoCo file has the energies of the tree. In the file, a link without mass is a joint of the next body, with its
// position and axis when all joints are at 0.
func TestBodiesOfMuJoCoHaveTheEnergiesOfTheTree(t *testing.T) {
	bodies := []int{17, 9, 4}
	for i, m := range trees(t) {
		model, err := treeOf(m)
		if err != nil {
			t.Fatal(err)
		}
		b, err := subjectOf(m.Name, m)
		if err != nil {
			t.Fatal(err)
		}
		states, err := model.randomStates(b.program)
		if err != nil {
			t.Fatal(err)
		}
		text, err := model.mjcf()
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(text, "<body"); n != bodies[i] {
			t.Errorf("%s: %d bodies in\n%s", m.Name, n, text)
		}
		var file struct {
			Option struct {
				Gravity string `xml:"gravity,attr"`
			} `xml:"option"`
			World struct {
				Body mujocoBody `xml:"body"`
			} `xml:"worldbody"`
		}
		if err := xml.Unmarshal([]byte(text), &file); err != nil {
			t.Fatal(err)
		}
		again := new(tree)
		again.gravity = [3]float64(numbersIn(file.Option.Gravity))
		again.read(&file.World.Body, -1)
		for k := range states {
			kinetic, potential := model.energies(&states[k])
			own, height := again.energies(&states[k])
			if math.Abs(own-kinetic) > 1e-12*kinetic || math.Abs(height-potential) > 1e-12*(1+math.Abs(potential)) {
				t.Errorf("%s: MuJoCo has %.15g and %.15g J, the tree %.15g and %.15g J", m.Name, own, height, kinetic, potential)
			}
		}
	}
}

// A part without mass that carries several joints is rejected: MuJoCo needs a mass.
func TestBodiesOfMuJoCoHaveMass(t *testing.T) {
	m := trees(t)[2]
	for _, c := range m.Components {
		if j, is := c.(*component.Revolute); is && j.Name == "tail_hinge" {
			j.From = "slider"
		}
	}
	tree, err := treeOf(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.mjcf(); err == nil || !strings.Contains(err.Error(), "slide has no mass and carries 2 joints") {
		t.Errorf("the error is: %v", err)
	}
}

// A model is rejected unless its joints form a tree that leads away from the first body.
func TestOnlyTreesAreExported(t *testing.T) {
	body := func(name, more string) string {
		return "[component." + name + `]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
` + more
	}
	const hinge = `[component.hinge]
type = "revolute"
axis = "x"
from = "b"
to = "a"
`
	for text, want := range map[string]string{
		body("b", "frame = \"c\"\n"):          "frame c",
		body("b", "sequence = \"312\"\n"):     "sequence 312",
		body("a", "") + body("b", ""):         "frame b is not connected by joints",
		body("a", "") + body("b", "") + hinge: "hinge does not lead away from a",
	} {
		m, err := vehicle.Parse([]byte("name = \"Other\"\n"+text), "other.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := treeOf(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is wanted of\n%s\nthere is: %v", want, text, err)
		}
	}
}
