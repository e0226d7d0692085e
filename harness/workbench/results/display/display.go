// Package display is how reports show numbers: quantities with their labels, in the units that a reader wants.
package display

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/unit"
)

// Units are the display units of SI units. Units without an entry are displayed as they are, in SI.
type Units struct{ list []shown }

// shown is a display unit with the SI unit that it replaces.
type shown struct {
	si, name string
	factor   float64 // SI value of one of the unit
}

// Degrees has degrees for angles, and SI units otherwise.
func Degrees() *Units {
	u := &Units{}
	for _, s := range [][2]string{{"rad", "deg"}, {"rad/s", "deg/s"}, {"rad2/s", "deg2/s"}} {
		u.put(shown{s[0], s[1], Factor(s[1])})
	}
	return u
}

// Default are the units of reports of set-ups: degrees for angles, km/h for speeds.
func Default() *Units {
	u := Degrees()
	u.put(shown{"m/s", "km/h", Factor("km/h")})
	return u
}

// Acceleration has accelerations in g or in m/s2.
func (u *Units) Acceleration(name string) error {
	switch name {
	case "", "m/s2":
		return nil
	case "g":
		u.put(shown{"m/s2", "g", 9.80665})
		return nil
	}
	return fmt.Errorf("accelerations in %q; they are shown in g or in m/s2", name)
}

// put adds a unit in place of the one that is there.
func (u *Units) put(s shown) {
	u.list = append(slices.DeleteFunc(u.list, func(o shown) bool { return o.si == s.si }), s)
}

// Of is the display unit of numbers in an SI unit, and the SI value of the display unit. What is per another unit, such
// as deg/(m/s2), follows the first.
func (u *Units) Of(si string) (name string, factor float64) {
	for _, s := range u.list {
		if s.si == si {
			return s.name, s.factor
		}
	}
	for _, s := range u.list {
		if rest, is := strings.CutPrefix(si, s.si); is && (rest[0] == '/' || rest[0] == '.') && !strings.Contains(s.si, "/") {
			return s.name + rest, s.factor
		}
	}
	return si, 1
}

// Quantity is something that reports show of the motion of a vehicle.
type Quantity struct {
	Key   string // of its channel, behind the name of the body; "" where it follows from several channels
	Title string
	SI    string // unit of its numbers
}

// The quantities that reports show.
var (
	Speed         = Quantity{"vx", "Speed", "m/s"}
	YawRate       = Quantity{"wz", "Yaw rate", "rad/s"}
	Lateral       = Quantity{"ay", "Lateral acceleration", "m/s2"}
	Roll          = Quantity{"roll", "Roll angle", "rad"}
	Pitch         = Quantity{"pitch", "Pitch angle", "rad"}
	X             = Quantity{"x", "x", "m"}
	Y             = Quantity{"y", "y", "m"}
	SideSlip      = Quantity{"", "Side-slip angle", "rad"}
	SteeringWheel = Quantity{"", "Steering wheel", "rad"}
)

// Of names the variable of the quantity of a body.
func (q Quantity) Of(body string) string { return body + "." + q.Key }

// Label returns the label of an axis in the units of a reader, and the factor from this unit to the SI unit.
func (q Quantity) Label(u *Units) (label string, factor float64) {
	name, factor := u.Of(q.SI)
	return Label(strings.ToLower(q.Title), name), factor
}

// Label makes the label of an axis from a name and a unit; either can be "".
func Label(name, unit string) string {
	if name == "" || unit == "" {
		return name + unit
	}
	return name + ", " + unit
}

// Factor is the SI value of one of a unit, 1 for "". A unit that does not exist is a programmer's error.
func Factor(name string) float64 {
	if name == "" {
		return 1
	}
	u, err := unit.Parse(name)
	if err != nil {
		panic(err)
	}
	return u.Factor
}
