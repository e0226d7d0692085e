package reference

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// System is a model in absolute coordinates. It may be used by one goroutine at a time.
type System struct {
	model     *vehicle.Model
	elements  []element // of its components
	parts     []part    // the first is ground; roads follow
	fixed     int       // number of parts that are not free
	markers   map[string]marker
	joints    []joint
	loads     []load
	tires     []*wheel
	revolutes []*revolute
	shafts    []*shaft
	nodes     []scalarNode
	scalars   []*scalarEdge
	states    []*scalarState // of components of networks, beside their storages
	drawing   bool           // there are edges with a given power
	idle      bool           // they take no power now
	gravity   r3.Vec

	roads []road

	// The unknowns are positions, velocities, auxiliary states (angles of revolute
	// joints, slips), states of networks, potentials and flows of networks, lambda and mu; these are the offsets of the
	// groups. The error of a step is measured in those before algebraic.
	velocities, auxiliaries, storages, algebraic, lambda, mu, size int

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

// New builds the equations of a model.
func New(m *vehicle.Model) (*System, error) {
	s := &System{model: m, markers: map[string]marker{}, gravity: vector(m.Gravity)}
	s.inputs.names = map[string]int{}
	for _, c := range m.Components {
		s.elements = append(s.elements, elementOf(c))
	}
	if err := s.assemble(); err != nil {
		return nil, err
	}
	for _, networks := range []bool{false, true} { // parts of networks act on joints anywhere in the file
		for i, e := range s.elements {
			if _, is := m.Components[i].(component.Networked); is != networks {
				continue
			}
			if err := e.add(s); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(s.loads, func(a, b load) int { return cmp.Compare(last(a), last(b)) })
	s.number()
	return s, nil
}

// element returns the element of the component with this name, or nil.
func (s *System) element(name string) element {
	for i, c := range s.model.Components {
		if c.Head().Name == name {
			return s.elements[i]
		}
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
		if w.hasSlips() {
			w.slips = take(2)
		}
	}
	s.storages = n
	for _, e := range s.scalars {
		if e.stores() {
			e.stored = take(1)
		}
	}
	for _, state := range s.states {
		state.unknown = take(1)
	}
	s.algebraic = n
	for i := range s.nodes {
		s.nodes[i].potential = take(1)
	}
	for _, e := range s.scalars {
		e.flow = take(1)
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

// slots makes inputs without names and returns the number of the first.
func (s *System) slots(count int) int {
	s.inputs.values = append(s.inputs.values, make([]float64, count)...)
	return len(s.inputs.values) - count
}

func vector(v keys.Vector) r3.Vec { return triple(values(v)) }

func triple(v [3]float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }

func values(v keys.Vector) [3]float64 { return [3]float64{v[0].Value, v[1].Value, v[2].Value} }

func unit(axis [3]float64) r3.Vec { return r3.Unit(triple(axis)) }
