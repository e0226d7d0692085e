package formulate

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// boundMachine returns the program of a formulation and a machine with its tire functions bound.
func boundMachine(t *testing.T, f *Formulation) (*program.Program, program.Machine) {
	t.Helper()
	p, err := program.Build(f.Source())
	if err != nil {
		t.Fatal(err)
	}
	m := p.NewMachine(p.Tape())
	var kinds []*tire.Kind
	var functions []tire.Function
	for _, c := range p.Calls {
		kind, err := tire.Lookup(c.Function)
		if err != nil {
			t.Fatal(err)
		}
		function, err := kind.New(c.Parameters)
		if err != nil {
			t.Fatal(err)
		}
		kinds, functions = append(kinds, kind), append(functions, function)
	}
	callees, err := program.Callees(p.Calls, kinds, functions, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, function := range program.Joined(callees, kinds, functions, false) {
		if err := m.Bind(i, function, callees[i].Inputs); err != nil {
			t.Fatal(err)
		}
	}
	return p, m
}

// nearStart returns random states and inputs near the start values. The inputs of roads and the controls keep theirs.
func nearStart(r *rand.Rand, p *program.Program, m program.Machine) (x, u []float64) {
	values := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		values[i] = v.Start
	}
	m.SetParameters(values)
	u = make([]float64, len(p.Inputs))
	for i, v := range p.Inputs {
		if u[i] = v.Start; !strings.HasPrefix(v.Name, "road") && i < len(u)-p.Controls {
			u[i] += 0.2 * math.Abs(r.NormFloat64())
		}
	}
	x = make([]float64, len(p.States))
	m.Start(u, x)
	for i := range x {
		x[i] += 0.05 * r.NormFloat64()
	}
	return x, u
}

// eachShippedTree calls a function for each tree of each shipped model.
func eachShippedTree(t *testing.T, check func(t *testing.T, m *vehicle.Model, tree string)) {
	files, err := filepath.Glob("../../resources/models/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, tree := range m.Trees {
			t.Run(m.Name+"/"+tree.Name, func(t *testing.T) { check(t, m, tree.Name) })
		}
	}
}

// remainders lists the sums of forces and moments along free axes, where nothing holds the frame. They should be 0.
func (b *balance) remainders() (list []Output) {
	p := b.Pool
	add := func(name string, e *expr.Expr) { list = append(list, Output{Name: "remainder " + name, Value: e}) }
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for _, i := range b.Forest.Branch[d] {
			e, v := &b.Forest.Graph.Edges[i], b.edges[i]
			switch s := &e.Space; {
			case s.Free != nil:
				frame := b.axesOfSpeeds(e, s.Free.Speeds.Along)
				for _, k := range s.Free.Axes {
					add(e.Name, b.resolve(v, frame).X[k])
				}
			case s.Motion != nil && !s.Motion.Prescribed:
				axis := b.resolve(b.constant(b.axesOf(e.Tail), s.Motion.Axis), v.Frame)
				add(e.Name, p.Dot(axis, v))
			case s.Guide != nil && d == graph.Translation:
				along := b.carry(i).slides[0].axis
				sum := p.Dot(along, b.resolve(v, along.Frame))
				for _, r := range b.Forest.Branch[graph.Rotation] {
					if o := &b.Forest.Graph.Edges[r]; o.Owner == e.Owner && s.Guide.Turning() {
						class := &b.classes[b.moving(b.classOf[o.Head])]
						sum = p.Add(sum, p.Dot(b.resolve(class.joints[0].axis, b.edges[r].Frame), b.edges[r]))
					}
				}
				for _, l := range b.paired { // loads within the joint
					if l.on.Axis.Frame == "" && l.on.Speed == b.speedIndex[i][0] {
						sum = p.Sub(sum, l.load)
					}
				}
				add(e.Name, sum)
			}
		}
	}
	return list
}

// drawSpeeds sets the key speeds of each body and each tire to one of the words, at random.
func drawSpeeds(r *rand.Rand, m *vehicle.Model, words ...string) {
	for _, c := range m.Components {
		switch c := c.(type) {
		case *component.RigidBody:
			c.Speeds = words[r.IntN(len(words))]
		case *component.Tire:
			c.Speeds = words[r.IntN(len(words))]
		}
	}
}

// Loads, inertial loads and multipliers, summed node by node, are 0 along the axes where nothing holds the frame. These
// sums check the equations of motion, which are derived in another way. With the rates of angles as speeds, the angular
// acceleration of a free body also has a part without the rates of the speeds.
func TestForcesBalanceAlongFreeAxes(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 1))
	eachShippedTree(t, func(t *testing.T, m *vehicle.Model, tree string) {
		for _, words := range testrun.Either([][]string{{"rates", ""}}, [][]string{{""}, {"body", "ground", "rates"}}) {
			drawSpeeds(r, m, words...)
			checkBalance(t, r, m, tree)
		}
	})
}

func checkBalance(t *testing.T, r *rand.Rand, m *vehicle.Model, tree string) {
	t.Helper()
	f, err := New(m, Options{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	all := f.balanced()
	first := len(f.Outputs)
	f.Outputs, f.Indicators = append(f.Outputs, all.remainders()...), 0
	last := len(f.Outputs)
	for i := range f.Forest.Graph.Edges {
		if v, ok := all.edges[i]; ok {
			for _, x := range v.X {
				f.Outputs = append(f.Outputs, Output{Name: f.Forest.Graph.Edges[i].Name, Value: x})
			}
		}
	}
	for _, e := range f.Solution[len(f.Speeds):] {
		f.Outputs = append(f.Outputs, Output{Name: "multiplier", Value: e})
	}
	p, machine := boundMachine(t, f)
	y := make([]float64, len(p.Outputs))
	for range 5 {
		x, u := nearStart(r, p, machine)
		machine.Derivatives(0, x, u, make([]float64, len(x)))
		machine.Outputs(y)
		largest := 1.0 // N
		for _, v := range y[last:] {
			largest = max(largest, math.Abs(v))
		}
		for i := first; i < last; i++ {
			if !(math.Abs(y[i]) <= 1e-9*largest) {
				t.Errorf("%s is %g where the largest through variable is %g", p.Outputs[i].Name, y[i], largest)
			}
		}
	}
}

// powers lists the power of every edge: its through variable times a velocity. For loads, inertial loads and chords
// this is the velocity of their nodes, for a branch the velocity of its head relative to its tail.
func (f *Formulation) powers() (list []*expr.Expr) {
	p, ground := f.Pool, f.classes[0].frame
	b := f.newBalance()
	b.multipliers = f.Solution[len(f.Speeds):]
	b.applied("")
	b.inertia()
	b.restrain()
	turning := func(n int) expr.Vector {
		return f.resolve(f.classes[max(f.classOf[n], 0)].omega, ground)
	}
	moving := func(n int) expr.Vector { return f.resolve(f.points[n].velocity, ground) }
	for n := range f.points {
		for _, v := range b.force[n] {
			list = append(list, p.Dot(f.resolve(v, ground), moving(n)))
		}
		for _, v := range b.moment[n] {
			list = append(list, p.Dot(f.resolve(v, ground), turning(n)))
		}
	}
	b.sum()
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for _, i := range f.Forest.Branch[d] {
			e, y := &f.Forest.Graph.Edges[i], f.resolve(b.edges[i], ground)
			relative := p.SubV(turning(e.Head), turning(e.Tail))
			if d == graph.Translation {
				relative = p.SubV(moving(e.Head), moving(e.Tail))
				if e.Space.Free == nil { // as the tail sees it
					relative = p.SubV(relative, p.Cross(turning(e.Tail), f.Across(e.Tail, e.Head, Position, ground)))
				}
			}
			list = append(list, p.Dot(y, relative))
		}
	}
	return list
}

// Tellegen's theorem: the through variables of all edges, including those of the multipliers, are orthogonal to the
// velocities of the edges, and the flows of each scalar domain to its drops.
func TestPowersOfAllEdgesSumToZero(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 7))
	networked := map[graph.Domain]bool{}
	eachShippedTree(t, func(t *testing.T, m *vehicle.Model, tree string) {
		f, err := New(m, Options{Tree: tree})
		if err != nil {
			t.Fatal(err)
		}
		first := len(f.Outputs)
		domains := []graph.Domain{}
		add := func(d graph.Domain, power *expr.Expr) {
			domains = append(domains, d)
			f.Outputs = append(f.Outputs, Output{Name: "power", Value: power})
		}
		for _, power := range f.powers() {
			add(graph.Translation, power)
		}
		for i, e := range f.Forest.Graph.Scalars {
			networked[e.Domain] = true
			add(e.Domain, f.Pool.Mul(f.drops[i], f.flows[i]))
		}
		f.Indicators = 0
		p, machine := boundMachine(t, f)
		y := make([]float64, len(p.Outputs))
		for range 20 {
			x, u := nearStart(r, p, machine)
			for _, s := range p.Networks {
				x[s.State] *= 1 + 0.2*r.NormFloat64()
			}
			for i, v := range p.Inputs {
				if v.Unit == "Pa" {
					u[i] = 5e6 * math.Abs(r.NormFloat64())
				}
			}
			machine.Derivatives(0, x, u, make([]float64, len(x)))
			machine.Outputs(y)
			sums, sizes := map[graph.Domain]float64{}, map[graph.Domain]float64{}
			for i, d := range domains {
				sums[d], sizes[d] = sums[d]+y[first+i], sizes[d]+math.Abs(y[first+i])
			}
			for d, sum := range sums {
				if !(math.Abs(sum) <= 1e-12*(1+sizes[d])) {
					t.Errorf("the powers of all edges of %v sum to %g W, their magnitudes to %g W", d, sum, sizes[d])
				}
			}
		}
	})
	if !networked[graph.Electrical] || !networked[graph.Hydraulic] {
		t.Errorf("shipped models have the networks %v", networked)
	}
}
