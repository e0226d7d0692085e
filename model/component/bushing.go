package component

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var bushingType = Type{
	Word: "bushing",
	Text: "elastic joint: springs and dampers along and about three axes between two frames",
	Keys: slices.Concat([]keys.Key{
		fromKey, toKey,
		{Name: "along", Shape: keys.AxisShape, Default: "z", Mirror: keys.ThirdAxis,
			Text: "z axis of the bushing, in the frame `from`; its x axis is the x axis of `from` made perpendicular to it, " +
				"or, if the two are less than 45 degrees apart, its y axis is the z axis of `from` made perpendicular"},
		{Name: "axes", Shape: keys.ListShape, Optional: true, Mirror: keys.FirstAxes,
			Text: "x axis and y axis of the bushing, in the frame `from`, in place of `along`",
			Value: &keys.Key{Shape: keys.AxisShape, Mirror: keys.FirstAxes,
				Text: "x axis or y axis of the bushing"}},
		inAxes(keys.Stays, true, "stiffness", "N/m", "force per displacement along each axis"),
		inAxes(keys.Stays, true, "rotational_stiffness", "N.m/rad", "moment per angle about each axis"),
		{Name: "matrix", Shape: keys.MatrixShape, Unit: keys.AnyUnit, Optional: true, Mirror: keys.MatrixInAxes,
			Text: "stiffness over dx, dy, dz, rx, ry, rz, six rows [N/m, N/rad; N, N.m/rad], in place of the stiffnesses: " +
				"symmetric and positive semidefinite"},
		inAxes(keys.Stays, true, "damping", "N.s/m", "force per rate of the displacement"),
		inAxes(keys.Stays, true, "rotational_damping", "N.m.s/rad", "moment per rate of the angle"),
		nonnegative("loss", "1", "0", "loss factor at `frequency`: further damping of the stiffnesses or the matrix, "+
			"loss/(2 pi frequency) times each"),
		{Name: "frequency", Unit: "Hz", Optional: true, Positive: true, Text: "frequency at which `loss` was measured"},
		inAxes(keys.PolarInAxes, false, "preload", "N",
			"force at zero displacement: the opposite acts on the head"),
		inAxes(keys.AxialInAxes, false, "preload_moment", "N.m", "moment at zero rotation: the opposite acts on the head"),
	}, bushingCurves(), []keys.Key{heatKey}),
	Read: readBushing,
}

// inAxes are three numbers of a bushing, along or about its axes.
func inAxes(m keys.Mirror, nonnegative bool, name, unit, text string) keys.Key {
	k := vector(m, name, unit, text)
	k.Nonnegative = nonnegative
	return k
}

// bushingCoordinates are the coordinates of a bushing: displacement and rotation vector of the head.
var bushingCoordinates = [6]string{"dx", "dy", "dz", "rx", "ry", "rz"}

// bushingCurve is the key of the curve of a law over a coordinate.
func bushingCurve(law string, i int) string {
	if i < 3 {
		return law + "_force_" + "xyz"[i:i+1]
	}
	return law + "_moment_" + "xyz"[i-3:i-2]
}

// bushingCurves are the keys of the curves, a spring and a damper for each coordinate.
func bushingCurves() (list []keys.Key) {
	for _, law := range []struct {
		word  string
		units [2]string
		text  string
	}{
		{"spring", [2]string{"m, N", "rad, N.m"}, "added to the stiffness, over the coordinate `%s`"},
		{"damper", [2]string{"m/s, N", "rad/s, N.m"}, "added to the damping, over the rate of `%s`"},
	} {
		for i, coordinate := range bushingCoordinates {
			k := monotone(bushingCurve(law.word, i), law.units[i/3], fmt.Sprintf(law.text, coordinate))
			if 2 <= i && i <= 4 { // z turns round where the bushing is mirrored, and so do rotations about x and y
				k.Mirror = keys.OddCurve
			}
			list = append(list, k)
		}
	}
	return list
}

// Bushing is an elastic joint of six coordinates. In its axes, which are fixed in the tail, d is the position of the
// head's origin against the tail's, and theta the rotation vector of the head against the tail. Force on the head:
//
//	F = -(Preload + K d + SpringForce(d) + C d' + DamperForce(d'))
//	M = -J^-T (the same of theta),  theta' = J^-1 w
type Bushing struct {
	keys.Header
	From, To                       string
	Axes                           [3][3]float64   // x, y and z, in From
	Along                          *keys.Vector    // z of any length, where formulas give it; nil otherwise
	Stiffness, RotationalStiffness keys.Vector     // N/m, N m/rad
	Matrix                         [][]keys.Scalar // in their place: N/m, N/rad, N m/rad; nil for none
	Damping, RotationalDamping     keys.Vector     // N s/m, N m s/rad
	Loss                           keys.Scalar     // at Frequency
	Frequency                      keys.Scalar     // Hz
	Preload, PreloadMoment         keys.Vector     // N, N m
	SpringCurves, DamperCurves     [6]*curve.Curve // N over m and m/s, N m over rad and rad/s; nil for none
}

func readBushing(h keys.Header, f *keys.Fields) Component {
	c := &Bushing{
		Header: h, From: f.Text("from"), To: f.Text("to"),
		Stiffness: f.Vector("stiffness"), RotationalStiffness: f.Vector("rotational_stiffness"),
		Matrix:  f.MatrixIn("matrix", 6, 6, bushingUnit),
		Damping: f.Vector("damping"), RotationalDamping: f.Vector("rotational_damping"),
		Loss: f.Scalar("loss"), Frequency: f.Scalar("frequency"),
		Preload: f.Vector("preload"), PreloadMoment: f.Vector("preload_moment"),
	}
	c.Axes, c.Along = bushingAxes(f)
	laws := []string{"stiffness", "rotational_stiffness", "matrix", "damping", "rotational_damping", "preload",
		"preload_moment"}
	for i := range bushingCoordinates {
		spring, damper := bushingCurve("spring", i), bushingCurve("damper", i)
		c.SpringCurves[i], c.DamperCurves[i] = risingCurve(f, spring), resisting(risingCurve(f, damper))
		laws = append(laws, spring, damper)
	}
	if !slices.ContainsFunc(laws, f.Given) {
		f.FaultOfTable("bushing %s has no law; give it at least one of %s", h.Name, strings.Join(laws, ", "))
	}
	elastic := f.Given("stiffness") || f.Given("rotational_stiffness")
	switch {
	case f.Given("matrix") && elastic:
		f.Fault("matrix", "%s.matrix stands beside stiffness or rotational_stiffness; give the matrix or the stiffnesses",
			h.Name)
	case f.Given("loss") != f.Given("frequency"):
		f.FaultOfTable("bushing %s has one of loss and frequency; give both or neither", h.Name)
	case f.Given("loss") && !elastic && !f.Given("matrix"):
		f.Fault("loss", "%s.loss is damping of the stiffnesses, and none is given; give stiffness, rotational_stiffness or "+
			"matrix", h.Name)
	}
	checkStiffness(f, c.Matrix, bushingCoordinates[:])
	return c
}

// bushingUnit is the unit of an element of the matrix.
func bushingUnit(i, j int) string { return stiffnessUnit(i >= 3, j >= 3) }

// bushingAxes are the axes x, y and z of a bushing. Those of its mirror image are S x, S y and -S z with
// S = diag(1, -1, 1).
func bushingAxes(f *keys.Fields) (axes [3][3]float64, along *keys.Vector) {
	if f.Given("axes") {
		if f.Given("along") {
			f.Fault("axes", "%s.axes stands beside along; give one of them", f.Path)
		}
		return givenAxes(f), nil
	}
	z, along := f.FormulaAxis("along")
	return sleeveAxes(z, nearX(z)), along
}

// nearX reports whether the z axis of a bushing is near x, so that z of the tail decides about the other axes.
func nearX(z [3]float64) bool { return math.Abs(z[0]) > math.Sqrt(0.5) }

// sleeveAxes are the axes for a unit vector z, by the rule for a z near x or by the other one.
func sleeveAxes(z [3]float64, nearX bool) [3][3]float64 {
	if nearX {
		y := perpendicularTo(z, [3]float64{0, 0, 1})
		return [3][3]float64{crossed(y, z), y, z}
	}
	x := perpendicularTo(z, [3]float64{1, 0, 0})
	return [3][3]float64{x, crossed(z, x), z}
}

// AxesAlong are the axes for other values of Along. The values of the file decide about the rule for x and y.
func (c *Bushing) AxesAlong(z [3]float64) [3][3]float64 {
	length := math.Sqrt(dotted(z, z))
	for i := range z {
		z[i] /= length
	}
	return sleeveAxes(z, nearX(c.Axes[2]))
}

// givenAxes are x and y of the key axes, and z.
func givenAxes(f *keys.Fields) [3][3]float64 {
	list := f.Axes("axes", 2)
	if list == nil {
		return [3][3]float64{}
	}
	x, y, none := list[0], list[1], [3]float64{}
	if x == none || y == none {
		return [3][3]float64{} // noted
	}
	const most = 1e-4 // rad
	if off := dotted(x, y); math.Abs(off) > most {
		f.Fault("axes", "%s.axes are %.6g degrees apart; x and y must be perpendicular, within 0.005 degrees", f.Path,
			math.Acos(off)*180/math.Pi)
	}
	y = perpendicularTo(x, y)
	return [3][3]float64{x, y, crossed(x, y)}
}

// perpendicularTo is the unit vector that is perpendicular to a unit vector and nearest to another vector.
func perpendicularTo(u, v [3]float64) [3]float64 {
	along, length := dotted(u, v), 0.0
	for i := range v {
		v[i] -= along * u[i]
		length = math.Hypot(length, v[i])
	}
	for i := range v {
		v[i] /= length
	}
	return v
}

func dotted(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func crossed(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// risingCurve reads a curve that does not fall: a bushing that did would be unstable or supply energy.
func risingCurve(f *keys.Fields, name string) *curve.Curve {
	c := f.Curve(name)
	if c == nil {
		return nil
	}
	for i := range c.X[1:] {
		if c.Y[i+1] < c.Y[i] {
			f.Fault(name, "%s falls from %g to %g between %g and %g; it must rise or stay level", f.PathOf(name), c.Y[i],
				c.Y[i+1], c.X[i], c.X[i+1])
			return nil
		}
	}
	return c
}

func (c *Bushing) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To}, Axes: []string{c.From, c.To}}
}

// Edges: two explicit laws, which enter no tree.
//
//	T1 A -> B  force
//	R1 A -> B  moment
func (c *Bushing) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		graph.Law("T1", graph.Translation, c.From, c.To),
		graph.Law("R1", graph.Rotation, c.From, c.To),
	}
}

// Check: the reader has checked its numbers.
func (*Bushing) Check(*Scope, *keys.Reader) {}

// bushingMotion is the motion of the head against the tail in the axes of the bushing.
type bushingMotion struct {
	position, rotation           expr.Vector
	positionRate, rotationalRate expr.Vector
	curvature                    *expr.Expr // c of J^-1 = 1 - [theta]/2 + c [theta]^2
}

// motion is the motion of the head. With the quaternion (w, v) of the rotation and t = |v|/w = tan(a/2) of its angle a,
// the angle is halved three times to u = tan(a/16), by squares and without a division by the angle:
//
//	theta = a/t v/w,  a = 16 u s,  s = atan(u)/u = 1 - u^2 e,  e = 1/3 - u^2/5 + u^4/7 - ...
//
// Eight terms give 4e-13 up to half a turn. The curvature c = g(a/2)/4 with g(x) = (1 - x cot x)/x^2 follows from
// g(a/16) = e/s^2 by g(x) = (g(x/2) + tan(x/2)/(x/2))/4, a sum of positive terms, without a difference at small angles.
func (c *Bushing) motion(b Builder, in expr.Frame) bushingMotion {
	p := b.Pool()
	one := p.Int(1)
	// Rotation.
	r := b.Orientation(c.To, c.From).M
	w := b.Define("w", p.Scale(expr.Fraction(1, 2), p.Call(expr.Sqrt, p.Add(one, r[0][0], r[1][1], r[2][2]))))
	axis := expr.Vector{Frame: b.OwnAxes(c.From)}
	for i := range axis.X {
		j, k := (i+1)%3, (i+2)%3
		axis.X[i] = p.Div(p.Sub(r[k][j], r[j][k]), p.Scale(expr.Integer(4), p.Pow(w, 2))) // v/w
	}
	axis = b.Resolve(b.DefineV("v", axis), in)
	square := b.Define("tan2", p.Dot(axis, axis)) // tan^2(a/2)
	var wider [3]*expr.Expr                       // tan(x)/tan(x/2) - 1 of a/2, a/4, a/8, plus 2
	for i, name := range [...]string{"q1", "q2", "q3"} {
		wider[i] = b.Define(name, p.Add(one, p.Call(expr.Sqrt, p.Add(one, square))))
		square = b.Define([...]string{"tan4", "tan8", "tan16"}[i], p.Div(square, p.Pow(wider[i], 2)))
	}
	series := p.Num(expr.Fraction(1, 17))
	for n := int64(15); n >= 3; n -= 2 {
		series = p.Sub(p.Num(expr.Fraction(1, n)), p.Mul(square, series))
	}
	series = b.Define("e", series)
	ratio := b.Define("s", p.Sub(one, p.Mul(square, series)))
	theta := b.DefineV("theta", p.ScaleV(
		p.Div(p.Scale(expr.Integer(16), ratio), p.Mul(wider[0], wider[1], wider[2])), axis))
	quarter := expr.Fraction(1, 4)
	slope := b.Define("slope", p.Pow(ratio, -1)) // tan(x)/x of a/16
	curvature := p.Mul(series, p.Pow(slope, 2))
	for i := 2; i >= 0; i-- {
		curvature = b.Define("g"+"123"[i:i+1], p.Scale(quarter, p.Add(curvature, slope)))
		slope = p.Scale(expr.Fraction(1, 2), p.Mul(slope, wider[i]))
	}
	m := bushingMotion{rotation: theta, curvature: b.Define("c", p.Scale(quarter, curvature))}
	// Rates.
	m.position = b.DefineV("d", b.Position(c.From, c.To, in))
	velocity := b.Velocity(c.From, c.To, in)
	if turning := b.AngularVelocity(graph.GroundFrame, c.From, in); !turning.IsZero() {
		velocity = p.SubV(velocity, p.Cross(turning, m.position))
	}
	m.positionRate = b.DefineV("d_dot", velocity)
	m.rotationalRate = b.DefineV("theta_dot", m.turned(p, -1, b.DefineV("omega", b.AngularVelocity(c.From, c.To, in))))
	return m
}

// turned is J^-1 v = v - theta x v/2 + c theta x (theta x v) for the sign -1, and J^-T v for 1.
func (m *bushingMotion) turned(p *expr.Pool, sign int64, v expr.Vector) expr.Vector {
	across := p.Cross(m.rotation, v)
	return p.AddV(v, p.ScaleV(p.Num(expr.Fraction(sign, 2)), across),
		p.ScaleV(m.curvature, p.Cross(m.rotation, across)))
}

// frame is the bushing's axes. They are the tail's where no other are given.
func (c *Bushing) frame(b Builder) expr.Frame {
	tail := b.OwnAxes(c.From)
	if c.Along != nil {
		return c.frameAlong(b, tail)
	}
	if c.Axes == [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		return tail
	}
	var turn [3][3]*expr.Expr
	for j, axis := range c.Axes {
		for i, e := range b.Constant(tail, axis).X {
			turn[i][j] = e
		}
	}
	own := expr.Frame("axes_" + c.Name)
	b.AddAxes(own, tail, turn)
	return own
}

// frameAlong are the axes whose z follows formulas.
func (c *Bushing) frameAlong(b Builder, tail expr.Frame) expr.Frame {
	p := b.Pool()
	unit := func(name string, v expr.Vector) expr.Vector {
		length := b.Define(name+"_length", p.Call(expr.Sqrt, p.Dot(v, v)))
		return b.DefineV(name, p.ScaleV(p.Pow(length, -1), v))
	}
	across := func(name string, z expr.Vector, near int) expr.Vector {
		return unit(name, p.SubV(b.Unit(tail, near), p.ScaleV(z.X[near], z)))
	}
	along := expr.Vector{Frame: tail}
	for i, s := range c.Along {
		along.X[i] = b.Number("along_"+"xyz"[i:i+1], s)
	}
	z := unit("axis_z", along)
	var x, y expr.Vector
	if nearX(c.Axes[2]) {
		y = across("axis_y", z, 2)
		x = b.DefineV("axis_x", p.Cross(y, z))
	} else {
		x = across("axis_x", z, 0)
		y = b.DefineV("axis_y", p.Cross(z, x))
	}
	var turn [3][3]*expr.Expr
	for j, axis := range []expr.Vector{x, y, z} {
		for i, e := range axis.X {
			turn[i][j] = e
		}
	}
	own := expr.Frame("axes_" + c.Name)
	b.AddAxes(own, tail, turn)
	return own
}

// number is the number of one of the coordinates, of a vector for displacements and one for rotations.
func (c *Bushing) number(b Builder, i int, along, about string, units [2]string, v [2]keys.Vector) *expr.Expr {
	key := [2]string{along, about}[i/3] + "_" + "xyz"[i%3:i%3+1]
	return b.Scalar(key, units[i/3], v[i/3][i%3])
}

// stiffness is an element of the stiffness over the coordinates.
func (c *Bushing) stiffness(b Builder, i, j int) *expr.Expr {
	switch {
	case c.Matrix != nil:
		i, j = min(i, j), max(i, j)
		return b.Scalar("matrix_"+bushingCoordinates[i]+"_"+bushingCoordinates[j], bushingUnit(i, j), c.Matrix[i][j])
	case i != j:
		return b.Pool().Int(0)
	}
	return c.number(b, i, "stiffness", "rotational_stiffness", [2]string{"N/m", "N.m/rad"},
		[2]keys.Vector{c.Stiffness, c.RotationalStiffness})
}

func (c *Bushing) damping(b Builder, i int) *expr.Expr {
	return c.number(b, i, "damping", "rotational_damping", [2]string{"N.s/m", "N.m.s/rad"},
		[2]keys.Vector{c.Damping, c.RotationalDamping})
}

func (c *Bushing) preload(b Builder, i int) *expr.Expr {
	return c.number(b, i, "preload", "preload_moment", [2]string{"N", "N.m"}, [2]keys.Vector{c.Preload, c.PreloadMoment})
}

// Law is F = -(P + f(d) + C d') and M = -J^-T (Q + g(theta) + D theta') on the head, in the axes of the bushing. Their
// opposites act on the tail, the force at the head's origin.
func (c *Bushing) Law(b Builder) {
	p, in := b.Pool(), c.frame(b)
	m := c.motion(b, in)
	var x, v [6]*expr.Expr
	for i, name := range bushingCoordinates {
		x[i], v[i] = m.position.X[i%3], m.positionRate.X[i%3]
		if i >= 3 {
			x[i], v[i] = m.rotation.X[i%3], m.rotationalRate.X[i%3]
		}
		b.Keep(name, x[i])
		b.Keep(name+"'", v[i])
	}
	lag := lossLag(b, c.Loss, c.Frequency)
	loads := [2]expr.Vector{{Frame: in}, {Frame: in}}
	for i := range x {
		load := p.Add(c.preload(b, i), p.Mul(c.damping(b, i), v[i]))
		for j := range x {
			load = p.Add(load, p.Mul(c.stiffness(b, i, j), p.Add(x[j], p.Mul(lag, v[j]))))
		}
		if of := c.SpringCurves[i]; of != nil {
			load = p.Add(load, b.Curve(bushingCurve("spring", i)+"_"+c.Name, of, x[i]).Value)
		}
		if of := c.DamperCurves[i]; of != nil {
			load = p.Add(load, b.Curve(bushingCurve("damper", i)+"_"+c.Name, of, v[i]).Value)
		}
		loads[i/3].X[i%3] = load
	}
	force := b.DefineV("F", p.NegV(loads[0]))
	moment := b.DefineV("M", p.NegV(m.turned(p, 1, b.DefineV("m", loads[1]))))
	for i := range x {
		b.Deflect(Motion{Position: x[i], Rate: v[i]})
		b.Pull(Pull{p.Neg(loads[i/3].X[i%3]), v[i]})
	}
	b.Force(c.To, force)
	b.Moment(c.To, moment)
	b.Force(c.From, p.NegV(force))
	b.Moment(c.From, p.NegV(p.AddV(moment, p.Cross(m.position, force))))
	text := "of " + c.To + " relative to " + c.From + ", along the axes of the bushing"
	publishVector(b, [3]string{"dx", "dy", "dz"}, "m", "displacement "+text, m.position)
	publishVector(b, [3]string{"rx", "ry", "rz"}, "rad", "rotation vector "+text, m.rotation)
	publishVector(b, [3]string{"Fx", "Fy", "Fz"}, "N", "force on "+c.To+", along the axes of the bushing", force)
	publishVector(b, [3]string{"Mx", "My", "Mz"}, "N.m", "moment on "+c.To+", along the axes of the bushing", moment)
}

// Energy: preloads, stiffness and curves store energy over the coordinates; damping and loss dissipate power.
func (c *Bushing) Energy(b Builder) Energy {
	p, lag := b.Pool(), lossLag(b, c.Loss, c.Frequency)
	var stored, lost []*expr.Expr
	for i, name := range bushingCoordinates {
		x, v := b.Kept(name), b.Kept(name+"'")
		stored = append(stored, p.Mul(c.preload(b, i), x), springEnergy(b, c.stiffness(b, i, i), x))
		lost = append(lost, p.Mul(p.Add(c.damping(b, i), p.Mul(lag, c.stiffness(b, i, i))), p.Pow(v, 2)))
		for j, other := range bushingCoordinates[:i] {
			stored = append(stored, p.Mul(c.stiffness(b, i, j), x, b.Kept(other)))
			lost = append(lost, p.Scale(expr.Integer(2), p.Mul(lag, c.stiffness(b, i, j), v, b.Kept(bushingCoordinates[j]+"'"))))
		}
		if of := c.SpringCurves[i]; of != nil {
			stored = append(stored, b.CurveIntegral(bushingCurve("spring", i)+"_"+c.Name, of, x))
		}
		if of := c.DamperCurves[i]; of != nil {
			lost = append(lost, p.Mul(b.Curve(bushingCurve("damper", i)+"_"+c.Name, of, v).Value, v))
		}
	}
	return Energy{Potential: p.Add(stored...), Dissipated: p.Add(lost...)}
}
