package roles

import (
	"fmt"
	"math"

	"skidpad/model/document"
)

// Sizes holds dimensions found in a vehicle; 0: unknown.
type Sizes struct {
	Wheelbase float64   // m
	Track     float64   // of the widest axle [m]
	Ratio     float64   // steering wheel to road wheels
	Radii     []float64 // of the wheels, by axle [m]
	Brake     float64   // the value for a deceleration of 1 m/s2
	Gradient  *float64  // of understeer [rad/(m/s2)], nil where it is not known
}

// Doubt is an implausible statement of the roles, with its place.
type Doubt struct {
	At   *Node
	Text string
}

// String is the place and the text.
func (d Doubt) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", d.At.File, d.At.Line, d.At.Column, d.Text)
}

// Limits of the statements of roles, by the sizes of the vehicle. Outlines of cars, trucks and karts are 1.1 to 1.4
// times as wide as their tracks and 1.3 to 2.3 times as long as their wheelbases.
const (
	leastWidth  = 0.7 // by the track
	mostWidth   = 2.5
	leastLength = 1.0 // by the wheelbase
	mostLength  = 3.5
	mostApart   = 1.5  // factor between a stated and a found number
	mostBeside  = 1.05 // the same of the wheelbase of two axles
	mostRadius  = 1.2
	mostBrake   = 2
	mostTurning = 0.005 // between gradients of understeer [rad/(m/s2)]: the range of most cars
)

// Contradictions lists contradictions between the roles and the sizes of the vehicle.
func (r *Roles) Contradictions(of Sizes) (list []Doubt) {
	if len(r.Trailers) > 0 {
		of.Wheelbase = 0 // the axles of trailers count in it
	}
	doubt := func(at *Node, format string, args ...any) {
		list = append(list, Doubt{at, fmt.Sprintf(format, args...)})
	}
	if o := r.Outline; o != nil {
		n := r.Table.Field("outline")
		if of.Track > 0 && !inRange(o.Width/of.Track, leastWidth, mostWidth) {
			doubt(n.Field("width"), "roles.outline.width is %.4g m, and the widest axle has a track of %.3g m; %s", o.Width,
				of.Track, suggestUnit(o.Width, of.Track, leastWidth, mostWidth))
		}
		if length := o.Front + o.Rear; of.Wheelbase > 0 && !inRange(length/of.Wheelbase, leastLength, mostLength) {
			at, longer := n.Field("front"), o.Front
			if o.Rear > o.Front {
				at, longer = n.Field("rear"), o.Rear
			}
			doubt(at, "roles.outline is %.4g m long, front and rear together, and the wheelbase is %.3g m; %s", length,
				of.Wheelbase, suggestUnit(longer, of.Wheelbase, leastLength/2, mostLength))
		}
	}
	least := mostApart // with more axles people measure to one of them, or between two
	if len(r.Axles) == 2 {
		least = mostBeside
	}
	if of.Wheelbase > 0 && r.Wheelbase > 0 && differByFactor(r.Wheelbase, of.Wheelbase, least) {
		doubt(r.Table.Field("wheelbase"), "roles.wheelbase is %.4g m, and the axles are %.4g m apart; %s; without the key "+
			"it is found", r.Wheelbase, of.Wheelbase, suggestUnit(r.Wheelbase, of.Wheelbase, 1/mostApart, mostApart))
	}
	if s := r.Steering; of.Ratio > 0 && s.Overall() > 0 && differByFactor(s.Ratio, of.Ratio, mostApart) {
		remedy := "correct the ratio, or leave it out: it is found then"
		if !s.Wheel {
			remedy = "correct the axes or the list of the drivers: the ratio follows from the angles of the drivers"
		}
		doubt(r.Table.Field("steering").Field("ratio"), "roles.steering.ratio is %.4g, and the vehicle turns as with %.4g, "+
			"the steering-wheel angle by the angle of the road wheels; %s", s.Ratio, of.Ratio, remedy)
	}
	for i, radius := range of.Radii {
		if stated := r.Axles[i].Radius; radius > 0 && stated > 0 && differByFactor(stated, radius, mostRadius) {
			doubt(r.Table.Field("rolling_radius").Items[i], "roles.rolling_radius of axle %d is %.4g m, and its wheels have "+
				"%.4g m; %s; without the key it is found", i+1, stated, radius,
				suggestUnit(stated, radius, 1/mostRadius, mostRadius))
		}
	}
	if of.Brake > 0 && len(r.Brake) == 1 && r.Brake[0].Factor > 0 &&
		differByFactor(r.Brake[0].Factor, of.Brake, mostBrake) {
		doubt(FactorOf(r.Table), "roles.brake.factor is %.4g, and the vehicle needs %.4g for a deceleration of 1 m/s2; "+
			"correct the factor, or leave it out: it is found then", r.Brake[0].Factor, of.Brake)
	}
	if r.Understeer != nil && of.Gradient != nil && math.Abs(*r.Understeer-*of.Gradient) > mostTurning {
		doubt(r.Table.Field("understeer"), "roles.understeer is %.4g rad/(m/s2), and the vehicle has %.3g; correct it, or "+
			"leave it out: it is found then", *r.Understeer, *of.Gradient)
	}
	return list
}

func inRange(x, least, most float64) bool { return x >= least && x <= most }

// FactorOf is the factor of the first brake in a table of roles that has one.
func FactorOf(table *Node) *Node {
	brake := table.Field("brake")
	if brake.Kind == document.List {
		brake = brake.Items[0]
	}
	return brake.Field("factor")
}

// differByFactor reports whether two numbers differ by more than a factor.
func differByFactor(x, y, factor float64) bool { return !inRange(x/y, 1/factor, factor) }

// suggestUnit suggests the unit that puts a length x, divided by the length `by`, within limits.
func suggestUnit(x, by, least, most float64) string {
	for _, u := range []struct {
		name string
		of   float64 // m
	}{{"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}, {"ft", 0.3048}} {
		if inRange(x*u.of/by, least, most) {
			return fmt.Sprintf("a number without a unit is in m: write \"%v %s\" if %[2]s is meant",
				math.Round(x*1e6)/1e6, u.name)
		}
	}
	return "correct it, or write it with its unit"
}
