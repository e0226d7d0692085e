package reference

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
)

// System is a model in absolute coordinates. It may be used by one goroutine at a time.
type System struct {
	model     *model.Model
	parts     []part // the first is ground; roads follow
	fixed     int    // number of parts that are not free
	markers   map[string]marker
	joints    []joint
	loads     []load
	tires     []*wheel
	revolutes []*revolute
	hands     []*handWheel
	gears     []*gear
	followed  []followed
	gravity   r3.Vec

	roads []road

	// The unknowns are positions, velocities, auxiliary states (angles of revolute
	// joints, slips), lambda and mu; these are the offsets of the groups.
	velocities, auxiliaries, lambda, mu, size int

	inputs inputs

	// What the latest evaluation found, by part and by constraint.
	motions         []motion
	forces, moments []r3.Vec // about the centre of mass, ground axes
	equations       []equation
}

// part is a rigid body, a point mass, or several of them and frames rigidly joined.
type part struct {
	name    string
	mass    float64
	inertia axes // about the centre of mass in part axes: the columns of the matrix
	turns   bool // false for a point mass
	q, v    int  // first unknown of the position (x y z and the quaternion) and the velocity
}

// marker is a frame fixed in a part.
type marker struct {
	part   int
	offset r3.Vec // from the part's centre of mass, part axes
	turn   axes   // of the frame in part axes
}

// revolute is a revolute joint with its angle, which is an unknown of its own because a
// quaternion does not count turns.
type revolute struct {
	name     string
	names    [2]string // of angle and rate
	from, to marker
	axis     r3.Vec
	unknown  int
}

// New builds the equations of a model.
func New(m *model.Model) (*System, error) {
	s := &System{model: m, markers: map[string]marker{}, gravity: vector(m.Gravity)}
	s.inputs.names = map[string]int{}
	if err := s.assemble(); err != nil {
		return nil, err
	}
	for _, c := range m.Components {
		if err := s.add(c); err != nil {
			return nil, err
		}
	}
	s.loads = slices.Concat(slices.DeleteFunc(slices.Clone(s.loads), isBrake), slices.DeleteFunc(slices.Clone(s.loads), func(l load) bool { return !isBrake(l) }))
	s.number()
	return s, nil
}

// add adds what one component constrains and applies.
func (s *System) add(c model.Component) error {
	at := func(frame string) marker { return s.markers[frame] }
	name := c.Head().Name
	switch c := c.(type) {
	case *model.RigidBody:
		if c.Damping.Value != 0 {
			return fmt.Errorf("%s: the reference solver does not know angular damping", name)
		}
	case *model.PointMass:
		if c.Anisotropic {
			return fmt.Errorf("%s: the reference solver does not know inertial masses", name)
		}
	case *model.RigidArm, *model.Sensor:
	case *model.Road:
		for i := range s.roads {
			if s.parts[s.roads[i].part].name == name {
				s.roads[i].moves, s.roads[i].input = true, s.input(name+".z", name+".z_dot")
			}
		}
		s.inputs.values[s.input(name+".mu")] = 1
	case *model.Terrain:
		s.inputs.values[s.input(name+".mu")] = 1
	case *model.Revolute:
		from, to, u := at(c.From), at(c.To), unit(c.Axis)
		s.join(joint{name: name, from: from, to: to}, points(), hinge(u))
		if c.Torque {
			s.loads = append(s.loads, &torque{from: from, to: to, axis: u, input: s.input(name + ".torque")})
		}
		s.revolutes = append(s.revolutes, &revolute{name: name, names: [2]string{".phi", ".omega"}, from: from, to: to, axis: u})
	case *model.Prismatic:
		s.join(joint{name: name, from: at(c.From), to: at(c.To)}, across(unit(c.Axis)), parallel())
	case *model.Suspension:
		g, err := newGuide(c)
		if err != nil {
			return err
		}
		sideways := []condition{{kind: projection, a: identity[0]}, {kind: projection, a: identity[1]}}
		s.join(joint{name: name, from: at(c.From), to: at(c.To), guide: g}, sideways, parallel())
	case *model.Spherical:
		s.join(joint{name: name, from: at(c.From), to: at(c.To)}, points())
	case *model.MotionDriver:
		value := name + ".angle"
		if c.Translation {
			value = name + ".position"
		}
		d := &driver{axis: unit(c.Axis), translation: c.Translation}
		s.drivenBy(d, c, value)
		s.join(joint{name: name, from: at(c.From), to: at(c.To), driver: d}, points(), parallel())
	case *model.Rod:
		if c.Active.Value != 1 {
			return fmt.Errorf("%s: the reference solver does not support inactive rods; set active to 1", name)
		}
		s.join(joint{name: name, from: at(c.From), to: at(c.To)}, []condition{{kind: distance, length: c.Length.Value}})
	case *model.SpringDamper:
		return s.spring(c)
	case *model.AntiRollBar:
		return s.bar(c)
	case *model.TorqueDriver:
		l := &torque{from: at(c.From), to: at(c.To), axis: unit(c.Axis), brake: c.Brake}
		if c.Brake {
			l.input = s.braked(name)
		} else {
			l.input = s.input(name + ".torque")
		}
		s.loads = append(s.loads, l)
	case *model.Steering, *model.BrakeDistribution: // with what follows them
	case *model.Aerodynamics:
		s.air(c)
	case *model.SideForce:
		s.loads = append(s.loads, &sideForce{SideForce: c, at: at(c.Frame)})
	case *model.Differential, *model.Engine, *model.Gearbox:
		s.driveline(c)
	case *model.ForceDriver:
		s.loads = append(s.loads, &force{from: at(c.From), to: at(c.To), axis: unit(c.Axis), input: s.input(name + ".force")})
	case *model.Tire:
		if c.Undeformed || c.Slip.TurnSlip {
			return fmt.Errorf("%s: the reference solver does not know undeformed contacts and turn slip", name)
		}
		return s.wheel(c)
	default:
		return fmt.Errorf("%s: the reference solver does not know components of type %s", name, c.Head().Type)
	}
	return nil
}

// number gives the unknowns their places.
func (s *System) number() {
	n := 0
	take := func(count int) int {
		n += count
		return n - count
	}
	for i := range s.parts[s.fixed:] {
		p := &s.parts[s.fixed+i]
		if p.q = take(3); p.turns {
			take(4)
		}
	}
	s.velocities = n
	for i := range s.parts[s.fixed:] {
		p := &s.parts[s.fixed+i]
		if p.v = take(3); p.turns {
			take(3)
		}
	}
	s.auxiliaries = n
	for _, r := range s.revolutes {
		r.unknown = take(1)
	}
	for _, w := range s.tires {
		if w.relaxation != nil {
			w.slips = take(2)
		}
	}
	s.lambda = take(len(s.equations))
	s.mu = take(len(s.equations))
	s.size = n
	s.forces, s.moments = make([]r3.Vec, len(s.parts)), make([]r3.Vec, len(s.parts))
	s.motions = make([]motion, len(s.parts))
	for i := range s.motions {
		s.motions[i].axes = identity
	}
}

// input makes inputs, if there are none of the names, and returns the number of the first.
func (s *System) input(names ...string) int {
	first := len(s.inputs.values)
	for i, name := range names {
		s.inputs.names[name] = first + i
		s.inputs.values = append(s.inputs.values, 0)
	}
	return first
}

func vector(v model.Vector) r3.Vec { return triple(values(v)) }

func triple(v [3]float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }

func values(v model.Vector) [3]float64 { return [3]float64{v[0].Value, v[1].Value, v[2].Value} }

func unit(axis [3]float64) r3.Vec { return r3.Unit(triple(axis)) }
