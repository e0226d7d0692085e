package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// collected is what the laws of components leave.
type collected struct {
	Calls    []Call
	Contacts []program.WheelContact
	Limits   []program.LengthLimit
	limited  []*expr.Expr // what is watched of them
	Tires    []component.WatchedTire
	Terrains []program.Terrain
	Uneven   []component.UnevenRoad

	forces      loads
	pushed      []loadAt     // forces that components apply, by node
	twisted     []loadAt     // moments likewise, by class
	direct      []*expr.Expr // loads that act on one speed only
	brakes      []brake
	holds       []hold
	resistances []resistance // of tires, to rolling
	torques     []driveTorque
	secants     []secantSlope
	sliding     []slidingForce
	rows        map[*expr.Expr]bool   // definitions that are tire intermediates
	kept        map[string]*expr.Expr // what components ask for again
	published   []Output
	indicators  []Output
}

// componentLoads adds the through variables that components give as explicit
// laws: springs, drivers, tires.
func (f *Formulation) componentLoads() {
	f.forces = f.newLoads()
	f.direct = f.zeroRow()
	each(f, func(c component.Uneven, b component.Builder) { c.Lay(b) })
	for _, c := range f.Model.Components {
		c.Law(f.builder(c))
	}
	f.applyChordBrakes()
	f.loadWheels()
}

// apply applies a force or moment of magnitude e along a motion: on its head, with the opposite on its tail.
func (f *Formulation) apply(x component.Coordinate, e *expr.Expr) {
	p := f.Pool
	if x.Speed >= 0 {
		f.direct[x.Speed] = p.Add(f.direct[x.Speed], p.Scale(expr.Integer(x.Sign), e))
		return
	}
	v := p.ScaleV(e, x.Axis)
	from, to := f.node(x.From), f.node(x.To)
	if x.Domain == graph.Translation {
		f.push(to, v)
		f.push(from, p.NegV(v))
		return
	}
	f.twist(f.classOf[to], v)
	f.twist(f.classOf[from], p.NegV(v))
}

// push applies a force to a node, twist a moment to a class. What no speed moves a motion may move, which then does the
// work.
func (f *Formulation) push(node int, v expr.Vector) {
	f.pushed = append(f.pushed, loadAt{node, v})
	f.addForce(f.forces, node, v)
}

func (f *Formulation) twist(class int, v expr.Vector) {
	f.twisted = append(f.twisted, loadAt{class, v})
	f.addMoment(f.forces, class, v)
}

// loadAt is a force on a node or a moment on a class.
type loadAt struct {
	at int
	expr.Vector
}

// driveTorque is the torque of a driver or brake on its head, which reacts on its tail.
type driveTorque struct {
	from, to string
	axis     expr.Vector
	torque   *expr.Expr
}

// drive applies a torque, and keeps it for the grip of wheels.
func (f *Formulation) drive(x component.Coordinate, torque *expr.Expr) {
	f.apply(x, torque)
	f.torques = append(f.torques, driveTorque{x.From, x.To, x.Axis, torque})
}

// each goes through the components that answer T.
func each[T component.Component](f *Formulation, visit func(c T, b component.Builder)) {
	for _, c := range component.All[T](f.scope) {
		visit(c, f.builder(c))
	}
}
