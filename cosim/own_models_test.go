package cosim_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// weighed is a model with sensors on all its bodies. The sensors give the energy without the equations of motion.
type weighed struct {
	*run
	bodies []heavy
}

type heavy struct {
	sensor  string
	mass    float64
	inertia [3][3]float64
}

const aloft = 1000.0 // m, above any tire contact

// weigh reads a model, removes its dampers and adds the sensors. A wheel is measured in the frame of its carrier, where
// the wheel's inertia is constant.
func weigh(t *testing.T, name, tree string) *weighed {
	t.Helper()
	m, err := vehicle.Read("../resources/models/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	carrier := map[string]string{}
	w := &weighed{}
	for _, c := range m.Components {
		if j, ok := c.(*component.Revolute); ok {
			carrier[j.To] = j.From
		}
	}
	for _, c := range append([]component.Component(nil), m.Components...) {
		var mass, frame, resolve = 0.0, "", ""
		var inertia component.Inertia
		switch c := c.(type) {
		case *component.SpringDamper:
			c.Damping = keys.Scalar{Text: "0"}
			continue
		case *component.RigidBody:
			mass, frame, resolve, inertia = c.Mass.Value, c.Frame, c.Frame, c.Inertia
		case *component.Tire:
			mass, frame, resolve, inertia = c.Mass.Value, c.Frame, carrier[c.Frame], c.Inertia
		default:
			continue
		}
		sensor := "weigh_" + c.Head().Name
		m.Components = append(m.Components,
			&component.Sensor{Header: keys.Header{Name: sensor}, From: "ground", To: frame, Resolve: resolve},
			&component.Sensor{Header: keys.Header{Name: sensor + "_place"}, From: "ground", To: frame, Resolve: "ground"})
		h := heavy{sensor: sensor, mass: mass}
		if inertia.Axisymmetric {
			for i := range 3 {
				h.inertia[i][i] = inertia.Transverse.Value
			}
			h.inertia[inertia.Axis][inertia.Axis] = inertia.Axial.Value
		} else {
			h.inertia = [3][3]float64{
				{inertia.XX.Value, inertia.XY.Value, inertia.XZ.Value},
				{inertia.XY.Value, inertia.YY.Value, inertia.YZ.Value},
				{inertia.XZ.Value, inertia.YZ.Value, inertia.ZZ.Value},
			}
		}
		w.bodies = append(w.bodies, h)
	}
	sys, err := cosim.New(m, cosim.Options{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	w.run = instance(t, sys, "rk4", 0.001)
	return w
}

func (w *weighed) energy() float64 {
	const g = 9.81
	sum := 0.0
	for _, b := range w.bodies {
		var v, o [3]float64
		for i, axis := range []string{"x", "y", "z"} {
			v[i], o[i] = w.get(b.sensor+".v"+axis), w.get(b.sensor+".w"+axis)
		}
		for i := range 3 {
			sum += b.mass * v[i] * v[i] / 2
			for j := range 3 {
				sum += o[i] * b.inertia[i][j] * o[j] / 2
			}
		}
		sum += b.mass * g * w.get(b.sensor+"_place.z")
	}
	for _, c := range w.sys.Model().Components {
		if s, ok := c.(*component.SpringDamper); ok {
			d := w.get(s.Name+".length") - s.FreeLength.Value
			sum += s.Stiffness.Value * d * d / 2
		}
	}
	return sum
}

// Models written in TOML alone, from no publication, conserve energy without tire contact and dampers, whatever joints
// they have.
func TestUnpublishedModelsConserveEnergy(t *testing.T) {
	for _, c := range []struct {
		model, tree string
		lively      map[string]float64
	}{
		{"pendulum", "joint", nil},
		{"double_pendulum", "", nil},
		{"truck3", "", map[string]float64{"body.z": aloft, "body.wx": 0.3, "body.wy": -0.2, "body.wz": 0.4,
			"susp_2L.s_dot": 0.4}},
		{"car_trailer", "", map[string]float64{"body.z": aloft, "body.wx": 0.3, "body.wz": 0.4, "coupling.wz": -0.6,
			"coupling.wx": 0.2, "susp_TL.s_dot": 0.3}},
	} {
		w := weigh(t, c.model, c.tree)
		for name, v := range c.lively {
			w.set(name, v)
		}
		w.start(noInput)
		if c.model == "car_trailer" || c.model == "truck3" {
			if z := w.get("body.z"); z != aloft {
				t.Fatalf("starts at %g m", z)
			}
		}
		first := w.energy()
		w.drive(noInput, 0.001, 2)
		if last := w.energy(); !(math.Abs(last-first) <= 1e-8*math.Abs(first)) {
			t.Errorf("%s: energy %.12g J at the start, %.12g J after 2 s", c.model, first, last)
		}
	}
}

func TestUnpublishedModelsSettleAndSteer(t *testing.T) {
	for _, c := range []struct {
		model  string
		steers []string
		tires  []string
		weight float64 // N
	}{
		{"truck3", []string{"steer_1L", "steer_1R"}, []string{"1L", "1R", "2L", "2R", "3L", "3R"},
			9.81 * (14600 + 6*150 + 2*110 + 4*220)},
		{"car_trailer", []string{"steer_FL", "steer_FR"}, []string{"FL", "FR", "RL", "RR", "TL", "TR"},
			9.81 * (2077 + 4*38 + 700 + 2*30)},
	} {
		r := instance(t, load(t, c.model, ""), "linearly-implicit", 0.001)
		r.start(noInput)
		r.drive(noInput, 0.001, 3)
		load := 0.0
		for _, tire := range c.tires {
			load += r.get("tire_" + tire + ".Fz")
		}
		if !(math.Abs(load-c.weight) <= 1e-3*c.weight) {
			t.Errorf("%s: the wheels carry %g N, the vehicle weighs %g N", c.model, load, c.weight)
		}
		if v := math.Abs(r.get("body.y")); !(v <= 1e-9) {
			t.Errorf("%s: strays %g m from straight ahead", c.model, v)
		}
		for _, s := range c.steers {
			r.set(s+".angle", 0.02)
		}
		r.drive(noInput, 0.001, 6)
		rate, speed := r.get("body.wz"), r.get("body.vx")
		if !(rate > 0 && rate <= speed*0.02) {
			t.Errorf("%s: steered left at %g m/s it yaws at %g rad/s", c.model, speed, rate)
		}
		left, right := 0.0, 0.0
		for _, tire := range c.tires {
			if strings.HasSuffix(tire, "L") {
				left += r.get("tire_" + tire + ".Fz")
			} else {
				right += r.get("tire_" + tire + ".Fz")
			}
		}
		if !(left < right) {
			t.Errorf("%s: in a left turn the left wheels carry %g N, the right ones %g N", c.model, left, right)
		}
	}
}

// In steady driving straight ahead the coupling of the trailer is straight.
func TestTrailerFollowsTheCar(t *testing.T) {
	r := instance(t, load(t, "car_trailer", ""), "linearly-implicit", 0.001)
	r.set("coupling.angle1", 0.1)
	r.start(noInput)
	r.drive(noInput, 0.001, 8)
	car, trailer := r.get("body.yaw"), r.get("trailer.yaw")
	if !(math.Abs(trailer-car) <= 2e-3) {
		t.Errorf("after 8 s the trailer points %g rad away from the car", trailer-car)
	}
}

func TestPendulumTreesMoveAlike(t *testing.T) {
	a, b := instance(t, load(t, "pendulum", "joint"), "rk4", 0.001),
		instance(t, load(t, "pendulum", "body"), "rk4", 0.001)
	a.start(noInput)
	b.start(noInput)
	a.drive(noInput, 0.001, 5)
	b.drive(noInput, 0.001, 5)
	for _, name := range []string{"rod.x", "rod.z", "rod.pitch"} {
		if x, y := a.get(name), b.get(name); !(math.Abs(x-y) <= 1e-8) {
			t.Errorf("%s = %.12g by the joint, %.12g by constraints", name, x, y)
		}
	}
}
