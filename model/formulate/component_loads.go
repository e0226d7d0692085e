package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// collected is the output of the components' laws.
type collected struct {
	Calls    []Call
	Contacts []program.WheelContact
	Limits   []program.Limit
	limited  []*expr.Expr // their watched values
	Tires    []component.WatchedTire
	Terrains []program.Terrain
	Uneven   []component.UnevenRoad
	samplers []component.Sampled

	forces      loads
	pushed      []loadAt     // forces that components apply, by node
	twisted     []loadAt     // moments likewise
	paired      []pair       // loads along motions that are speeds, which are among direct
	led         []pair       // loads along lengths without an axis, which are among direct
	counters    []counter    // moments on frames that no speed turns
	direct      []*expr.Expr // loads that act on one speed only
	onSpeeds    []onSpeed    // those among them that are no pulls
	brakes      []brake
	braking     []pair // brakes among the loads on speeds, once these are known
	holds       []hold
	resistances []resistance // of tires, to rolling
	torques     []driveTorque
	stiff
	secants    []secantSlope
	sliding    []slidingForce
	rows       map[*expr.Expr]bool   // definitions that are tire intermediates
	kept       map[string]*expr.Expr // values kept for later calls of components
	published  []Output
	reactions  map[string]bool // by name: published outputs that are requested reactions
	indicators []Output
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

// apply applies a force or moment of magnitude e along a motion: on its head, with the opposite on its tail. A length
// without an axis has the same power on the speeds that change it. The equations lack what constraints of networks
// bring in, and what is in M.
func (f *Formulation) apply(x component.Coordinate, e *expr.Expr, by string) {
	p, load := f.Pool, f.withoutUnknowns(e)
	f.deflect(component.Motion{Position: x.Value, Rate: x.Rate})
	f.pulls = append(f.pulls, component.Pull{Load: load, Rate: x.Rate})
	if x.Speed < 0 && x.Axis.Frame == "" {
		f.led = append(f.led, pair{x, e, by})
		for k := range f.Speeds {
			if share := p.Diff(x.Rate, f.Speeds[k].Symbol); !share.IsZero() {
				f.direct[k] = p.Add(f.direct[k], p.Mul(share, load))
			}
		}
		return
	}
	if x.Speed >= 0 {
		f.paired = append(f.paired, pair{x, e, by})
		f.direct[x.Speed] = p.Add(f.direct[x.Speed], p.Scale(expr.Integer(x.Sign), load))
		return
	}
	v := p.ScaleV(e, x.Axis)
	from, to := f.node(x.From), f.node(x.To)
	if x.Domain == graph.Translation {
		f.push(to, v, by, true)
		f.push(from, p.NegV(v), by, true)
		return
	}
	f.twist(to, v, by, true)
	f.twist(from, p.NegV(v), by, true)
}

// push applies a force to a node, twist a moment to its class. A frame without speeds can have a prescribed motion,
// which then does the work. Loads that are pulls, too, are known as such.
func (f *Formulation) push(node int, v expr.Vector, by string, pull bool) {
	f.pushed = append(f.pushed, loadAt{node, v, by, pull})
	f.addForce(f.forces, node, f.vectorWithoutUnknowns(v))
}

func (f *Formulation) twist(node int, v expr.Vector, by string, pull bool) {
	f.twisted = append(f.twisted, loadAt{node, v, by, pull})
	f.addMoment(f.forces, f.classOf[node], f.vectorWithoutUnknowns(v))
}

// loadAt is a force or a moment on a node, by a component.
type loadAt struct {
	at int
	expr.Vector
	by   string
	pull bool
}

// onSpeed is a load on a speed.
type onSpeed struct {
	speed int
	load  *expr.Expr
}

// pair is a load along a motion, by a component: on its head, with the opposite on its tail.
type pair struct {
	on   component.Coordinate
	load *expr.Expr
	by   string
}

// counter is a moment on a node that the equations of motion do not need.
type counter struct {
	at     int
	moment func() expr.Vector
}

// driveTorque is the torque of a driver or brake on its head, which reacts on its tail.
type driveTorque struct {
	from, to string
	axis     expr.Vector
	torque   *expr.Expr
}

// drive applies a torque, and keeps it for the grip of wheels.
func (f *Formulation) drive(x component.Coordinate, torque *expr.Expr, by string) {
	f.apply(x, torque, by)
	f.torques = append(f.torques, driveTorque{x.From, x.To, x.Axis, f.withoutUnknowns(torque)})
}

// each goes through the components that answer T.
func each[T component.Component](f *Formulation, visit func(c T, b component.Builder)) {
	for _, c := range component.All[T](f.scope) {
		visit(c, f.builder(c))
	}
}
