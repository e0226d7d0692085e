package display

import (
	"strings"

	"skidpad/model/unit"
)

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
