package component

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var complianceType = Type{
	Word: "compliance",
	Text: "coupled springs and dampers of several joints, by a table over the travel of a suspension",
	Keys: []keys.Key{
		{Name: "joints", Shape: keys.TextsShape, Names: keys.Components, Filled: true,
			Text: "prismatic and revolute joints; rows and columns of the matrix have their order"},
		{Name: "over", Shape: keys.TextShape, Names: keys.Components,
			Text: "suspension with the travel and the second variable of `table`"},
		nonnegative("loss", "1", "0", "loss factor at `frequency`: damping of loss/(2 pi frequency) times the stiffness"),
		{Name: "frequency", Unit: "Hz", Optional: true, Positive: true, Text: "frequency at which `loss` was measured"},
		{Name: "table", Shape: keys.TablesShape, Keys: complianceTableKeys,
			Text: "stiffness and preload at travels, or at all pairs of travels and values of the second variable"},
	},
	Read: readCompliance,
}

// complianceTableKeys are the keys of a row.
var complianceTableKeys = []keys.Key{
	scalar("travel", "m", "", "travel"),
	{Name: "second", Unit: "m", Turning: "rad", Optional: true, Mirror: keys.OfSecond,
		Text: "second variable of the suspension: `steer` or `other`; in all rows or in none"},
	{Name: "matrix", Shape: keys.MatrixShape, Unit: keys.AnyUnit, Mirror: keys.Stays,
		Text: "stiffness over the coordinates of the joints [N/m, N/rad; N, N.m/rad]: symmetric and positive semidefinite"},
	{Name: "preload", Shape: keys.ListShape, Optional: true, Text: "forces and moments at zero coordinates, which act " +
		"against the coordinates; default: none", Value: &keys.Key{Unit: keys.AnyUnit, Mirror: keys.Stays,
		Text: "force [N] or moment [N.m] of a joint"}},
}

// Compliance holds joints by springs that are coupled. With their coordinates x, the travel q of a suspension and its
// second variable s, it stores the energy U = P(q, s).x + x.K(q, s) x/2. The loads -(P + K (x + lag x')) act on the
// joints, -U_q on the travel and -U_s on the second variable.
type Compliance struct {
	keys.Header
	Joints          []string
	Over            string // suspension
	Loss, Frequency keys.Scalar
	Second          bool                  // the table goes over the second variable of the suspension, too
	Matrix          [][]*ComplianceNumber // N/m, N/rad, N m/rad, upper half; nil for 0
	Preload         []*ComplianceNumber   // N, N m; nil for 0
}

// ComplianceNumber is a number of the table. It is linear between its lines, and constant beyond them: as a mean of
// stiffnesses that are positive semidefinite, a stiffness is, too.
type ComplianceNumber struct {
	Curve   *curve.Curve
	Surface *curve.Surface // in its place, over travel and second variable
}

func readCompliance(h keys.Header, f *keys.Fields) Component {
	c := &Compliance{Header: h, Joints: f.Texts("joints"), Over: f.Text("over"), Loss: f.Scalar("loss"),
		Frequency: f.Scalar("frequency")}
	if f.Given("loss") != f.Given("frequency") {
		f.FaultOfTable("compliance %s has one of loss and frequency; give both or neither", h.Name)
	}
	c.readTable(f)
	return c
}

// turns reports whether a joint turns.
func turns(f *keys.Fields, joint string) bool { return f.Reader.TypeOf(joint) == "revolute" }

// readTable makes curves or surfaces from the rows.
func (c *Compliance) readTable(f *keys.Fields) {
	n := len(c.Joints)
	var points []curve.PointOfSurface // with the travel and the second variable of each row
	values := make([][][]float64, n)  // of the upper half of the matrix, by rows
	loads := make([][]float64, n)
	for i := range values {
		values[i] = make([][]float64, n)
	}
	for k, row := range f.List("table") {
		_, row.Turning = f.Reader.Second(c.Over)
		m := row.MatrixIn("matrix", n, n, func(i, j int) string {
			return stiffnessUnit(turns(f, c.Joints[i]), turns(f, c.Joints[j]))
		})
		if m == nil {
			return // noted
		}
		checkStiffness(row, m, c.Joints)
		if second := row.Given("second"); k == 0 {
			c.Second = second
		} else if second != c.Second {
			row.FaultOfTable("%s differs from the first row: give second in all rows or in none", row.Path)
			return
		}
		points = append(points, curve.PointOfSurface{X: row.Scalar("travel").Value, Y: row.Scalar("second").Value})
		preload := c.preload(row)
		if preload == nil {
			return // noted
		}
		for i := range n {
			for j := i; j < n; j++ {
				values[i][j] = append(values[i][j], fixed(row, m[i][j]))
			}
			loads[i] = append(loads[i], fixed(row, preload[i]))
		}
	}
	if points == nil {
		return
	}
	if second, _ := f.Reader.Second(c.Over); c.Second && second == "" {
		f.Fault("table", "%s has a second variable, and the suspension %s has none; leave second out", f.PathOf("table"),
			c.Over)
		return
	}
	c.Preload = make([]*ComplianceNumber, n)
	c.Matrix = make([][]*ComplianceNumber, n)
	for i := range n {
		c.Preload[i] = c.numbers(f, points, loads[i])
		c.Matrix[i] = make([]*ComplianceNumber, n)
		for j := i; j < n; j++ {
			c.Matrix[i][j] = c.numbers(f, points, values[i][j])
		}
	}
}

// preload are the loads of a row, zeros without the key; nil where they do not fit.
func (c *Compliance) preload(row *keys.Fields) []keys.Scalar {
	if !row.Given("preload") {
		return make([]keys.Scalar, len(c.Joints))
	}
	items := row.Items("preload")
	if len(items) != len(c.Joints) {
		row.Fault("preload", "%s has %d numbers; give one for each of the %d joints", row.PathOf("preload"), len(items),
			len(c.Joints))
		return nil
	}
	var list []keys.Scalar
	for i, item := range items {
		key := keys.Key{Unit: loadUnit(turns(row, c.Joints[i]))}
		list = append(list, row.Reader.Scalar(item, fmt.Sprintf("%s[%d]", row.PathOf("preload"), i), &key))
	}
	return list
}

// fixed is the value of a number of a table.
func fixed(row *keys.Fields, s keys.Scalar) float64 {
	if s.Formula {
		row.FaultAt(s.Pos, "%s has the formula %s; a table takes numbers only", row.Path, s.Text)
	}
	return s.Value
}

// numbers are the values of the rows as a curve or a surface; nil for zeros and wrong values.
func (c *Compliance) numbers(f *keys.Fields, points []curve.PointOfSurface, z []float64) *ComplianceNumber {
	if slices.ContainsFunc(z, math.IsNaN) || !slices.ContainsFunc(z, func(x float64) bool { return x != 0 }) {
		return nil // the former is noted
	}
	number := &ComplianceNumber{}
	var err error
	if c.Second {
		list := slices.Clone(points)
		for i := range list {
			list[i].Z = z[i]
		}
		number.Surface, err = curve.NewSurface(list, curve.Linear, true)
	} else {
		x := make([]float64, len(points))
		for i, p := range points {
			x[i] = p.X
		}
		if number.Curve, err = curve.Linear(x, z); err == nil {
			number.Curve = number.Curve.Hold()
		}
	}
	if err != nil {
		f.Fault("table", "%s: %v", f.PathOf("table"), err)
		return nil
	}
	return number
}

func (*Compliance) Frames() Frames { return Frames{} }

// Edges: explicit laws on the coordinates of the joints and on the travel of the suspension, whose frames it shares.
//
//	T1 A -> B, T2 C -> D ...  of the joints and the suspension; R1, R2 ... of revolute joints
func (c *Compliance) Edges(s *Scope) (list []graph.Edge) {
	for i, joint := range append(slices.Clone(c.Joints), c.Over) {
		list = append(list, lawOn(s, joint, fmt.Sprint(i+1)))
	}
	return list
}

// Check makes sure of the joints and of the suspension.
func (c *Compliance) Check(s *Scope, r *keys.Reader) {
	for i, joint := range c.Joints {
		checkJoint(s, r, c.Head(), "joints", joint)
		if joint == c.Over || slices.Contains(c.Joints[:i], joint) {
			r.Place(r.Naming(c.Head(), joint, "joints"), "compliance %s has the joint %q twice; name each joint once", c.Name,
				joint)
		}
	}
	if _, is := Named[guiding](s, c.Over); !is {
		r.Place(r.Naming(c.Head(), c.Over, "over"), "%s.over is %q; it must be a suspension%s", c.Name, c.Over,
			s.Nearest(c.Over))
	}
}

// tabulated are the numbers of the table at the travel and the second variable, with their slopes.
type tabulated struct{ value, byTravel, bySecond *expr.Expr }

// complianceState is the state of the springs: the coordinates, and the variables of the table.
type complianceState struct {
	on             []Coordinate
	travel         Coordinate
	second         Motion
	lag            *expr.Expr
	hasSecond, bad bool
}

func (c *Compliance) state(b Builder) (s complianceState) {
	for _, joint := range c.Joints {
		x := coordinateOf(b, joint)
		s.on, s.bad = append(s.on, x), s.bad || x.Value == nil
	}
	guide, _ := Named[guiding](b.Scope(), c.Over)
	s.travel = guide.Coordinate(b.For(guide))
	if s.hasSecond = c.Second; s.hasSecond {
		s.second = guide.Following(b.For(guide))
	}
	s.lag = lossLag(b, c.Loss, c.Frequency)
	return s
}

func (c *Compliance) at(b Builder, s *complianceState, name string, of *ComplianceNumber) tabulated {
	p := b.Pool()
	name += "_" + c.Name
	switch {
	case of == nil:
		return tabulated{p.Int(0), p.Int(0), p.Int(0)}
	case of.Curve != nil:
		x := b.Curve(name, of.Curve, s.travel.Value)
		return tabulated{x.Value, x.Slope, p.Int(0)}
	}
	x := b.Surface(name, of.Surface, s.travel.Value, s.second.Position)
	return tabulated{x, p.Diff(x, s.travel.Value), p.Diff(x, s.second.Position)}
}

func (c *Compliance) stiffness(b Builder, s *complianceState, i, j int) tabulated {
	i, j = min(i, j), max(i, j)
	return c.at(b, s, fmt.Sprintf("stiffness_%d_%d", i+1, j+1), c.Matrix[i][j])
}

func (c *Compliance) preloadAt(b Builder, s *complianceState, i int) tabulated {
	return c.at(b, s, fmt.Sprintf("preload_%d", i+1), c.Preload[i])
}

// Law applies the loads on the joints, and the slopes of the stored energy.
func (c *Compliance) Law(b Builder) {
	p, s := b.Pool(), c.state(b)
	if s.bad {
		return
	}
	var led []*expr.Expr // x + lag x'
	for i := range s.on {
		led = append(led, b.Define(fmt.Sprintf("led_%d", i+1), p.Add(s.on[i].Value, p.Mul(s.lag, s.on[i].Rate))))
	}
	byTravel, bySecond := p.Int(0), p.Int(0)
	for i := range s.on {
		x, of := &s.on[i], c.preloadAt(b, &s, i)
		load, q, r := of.value, of.byTravel, of.bySecond
		for j := range s.on {
			k := c.stiffness(b, &s, i, j)
			load = p.Add(load, p.Mul(k.value, led[j]))
			share := expr.Fraction(1, 2)
			switch {
			case j > i:
				continue
			case j < i:
				share = expr.Integer(1)
			}
			q = p.Add(q, p.Scale(share, p.Mul(k.byTravel, s.on[j].Value)))
			r = p.Add(r, p.Scale(share, p.Mul(k.bySecond, s.on[j].Value)))
		}
		byTravel, bySecond = p.Add(byTravel, p.Mul(q, x.Value)), p.Add(bySecond, p.Mul(r, x.Value))
		load = b.Define(fmt.Sprintf("load_%d", i+1), p.Neg(load))
		b.Apply(*x, load)
		key, unit, text := "force", "N", "force along "
		if x.Domain == graph.Rotation {
			key, unit, text = "torque", "N.m", "torque about "
		}
		b.Publish(fmt.Sprintf("%s_%d", key, i+1), unit, text+"the coordinate of "+c.Joints[i], load)
	}
	b.Apply(s.travel, p.Neg(b.Define("rise", byTravel)))
	if s.hasSecond {
		b.Apply(Coordinate{Domain: s.travel.Domain, From: s.travel.From, To: s.travel.To, Value: s.second.Position,
			Rate: s.second.Rate, Speed: -1}, p.Neg(b.Define("second_rise", bySecond)))
	}
}

// IgnoresTurn: it acts along and about the axes of joints.
func (*Compliance) IgnoresTurn(Turn) bool { return true }

// Energy: the springs store energy, and the loss dissipates power.
func (c *Compliance) Energy(b Builder) Energy {
	p, s := b.Pool(), c.state(b)
	var stored, lost []*expr.Expr
	for i := range s.on {
		x, v := s.on[i].Value, s.on[i].Rate
		stored = append(stored, p.Mul(c.preloadAt(b, &s, i).value, x))
		for j := range i + 1 {
			share := expr.Integer(1)
			if i == j {
				share = expr.Fraction(1, 2)
			}
			k := c.stiffness(b, &s, i, j).value
			stored = append(stored, p.Scale(share, p.Mul(k, x, s.on[j].Value)))
			lost = append(lost, p.Scale(share, p.Mul(p.Int(2), s.lag, k, v, s.on[j].Rate)))
		}
	}
	return Energy{Potential: p.Add(stored...), Dissipated: p.Add(lost...)}
}
