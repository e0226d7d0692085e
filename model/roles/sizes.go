package roles

import (
	"fmt"
	"math"
)

// Sizes are those of a vehicle that were found in it; 0 where one is not known.
type Sizes struct {
	Wheelbase float64 // m
	Track     float64 // of the widest axle [m]
	Ratio     float64 // steering wheel to road wheels
}

// Doubt is what roles state and hardly mean, with its place.
type Doubt struct {
	At   *Node
	Text string
}

// String is the place and the text.
func (d Doubt) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", d.At.File, d.At.Line, d.At.Column, d.Text)
}

// Limits of what roles state, by the sizes of the vehicle. Outlines of cars, trucks and karts are 1.1 to 1.4 times as
// wide as their tracks and 1.3 to 2.3 times as long as their wheelbases.
const (
	leastWidth  = 0.7 // by the track
	mostWidth   = 2.5
	leastLength = 1.0 // by the wheelbase
	mostLength  = 3.5
	mostApart   = 1.5 // factor between a stated and a found number
)

// Contradictions lists what the roles state and the sizes of the vehicle contradict.
func (r *Roles) Contradictions(of Sizes) (list []Doubt) {
	if len(r.Trailers) > 0 {
		of.Wheelbase = 0 // the axles of trailers count in it
	}
	doubt := func(at *Node, format string, args ...any) {
		list = append(list, Doubt{at, fmt.Sprintf(format, args...)})
	}
	if o := r.Outline; o != nil {
		n := r.Table.Field("outline")
		if of.Track > 0 && !between(o.Width/of.Track, leastWidth, mostWidth) {
			doubt(n.Field("width"), "roles.outline.width is %.4g m, and the widest axle has a track of %.3g m; %s", o.Width,
				of.Track, meant(o.Width, of.Track, leastWidth, mostWidth))
		}
		if length := o.Front + o.Rear; of.Wheelbase > 0 && !between(length/of.Wheelbase, leastLength, mostLength) {
			at, longer := n.Field("front"), o.Front
			if o.Rear > o.Front {
				at, longer = n.Field("rear"), o.Rear
			}
			doubt(at, "roles.outline is %.4g m long, front and rear together, and the wheelbase is %.3g m; %s", length,
				of.Wheelbase, meant(longer, of.Wheelbase, leastLength/2, mostLength))
		}
	}
	if of.Wheelbase > 0 && r.Wheelbase > 0 && apart(r.Wheelbase, of.Wheelbase) {
		doubt(r.Table.Field("wheelbase"), "roles.wheelbase is %.4g m, and the axles are %.4g m apart; %s; without the key "+
			"it is found", r.Wheelbase, of.Wheelbase, meant(r.Wheelbase, of.Wheelbase, 1/mostApart, mostApart))
	}
	if s := r.Steering; s != nil && of.Ratio > 0 && s.Ratio > 0 && apart(s.Ratio, of.Ratio) {
		remedy := "correct the ratio, or leave it out: it is found then"
		if !s.Wheel {
			remedy = "correct the axes or the list of the drivers: the ratio is that of the angles of the drivers"
		}
		doubt(r.Table.Field("steering").Field("ratio"), "roles.steering.ratio is %.4g, and the vehicle turns as with %.4g, "+
			"the steering-wheel angle by the angle of the road wheels; %s", s.Ratio, of.Ratio, remedy)
	}
	return list
}

func between(x, least, most float64) bool { return x >= least && x <= most }

func apart(x, y float64) bool { return !between(x/y, 1/mostApart, mostApart) }

// meant names the unit with which a length x, by another one, is within limits.
func meant(x, by, least, most float64) string {
	for _, u := range []struct {
		name string
		of   float64 // m
	}{{"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}, {"ft", 0.3048}} {
		if between(x*u.of/by, least, most) {
			return fmt.Sprintf("a number without a unit is in m: write \"%v %s\" if %[2]s is meant",
				math.Round(x*1e6)/1e6, u.name)
		}
	}
	return "correct it, or write it with its unit"
}
