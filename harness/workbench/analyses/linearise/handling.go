package linearise

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/roles"
)

// Car holds the data of a vehicle for handling figures, and the roles that state them.
type Car struct {
	linear.Car
	roles *roles.Roles
}

// HandlingCar is the car of a target: what its roles say, or its car file.
func HandlingCar(t manoeuvre.Target) (*Car, error) {
	c, err := manoeuvre.ReadSteeredCar(t)
	if err != nil {
		return nil, err
	}
	return &Car{linear.Car{Body: c.Body, Wheelbase: c.Wheelbase, Ratio: c.Ratio, Drivers: c.Drivers, Slides: c.Slides},
		c.Roles}, nil
}

// handling finds the figures of a car. A name that the vehicle does not have has the place of its role in the error.
func (c *Car) handling(vehicle *linear.Model, system *linear.System) (*linear.Handling, error) {
	h, err := vehicle.Handling(system, c.Car)
	var unknown *linear.UnknownName
	if errors.As(err, &unknown) {
		named := func(r roles.Reference) bool { return r.Name == unknown.Name }
		if i := slices.IndexFunc(c.roles.Names, named); i >= 0 {
			err = c.roles.Names[i].Located(err)
		}
	}
	return h, err
}

// HandlingTable has a row for each value.
func (l *Result) HandlingTable() *trace.Table {
	t := &trace.Table{Columns: []string{l.Varied.Name, "speed", "yaw_gain", "lateral_gain", "understeer_gradient",
		"understeer_gradient_deg_per_g", "characteristic_speed", "critical_speed", "static_margin"}}
	for i, h := range l.Handling {
		t.Rows = append(t.Rows, []float64{l.Varied.Values[i], h.Speed, h.YawGain, h.LateralGain, h.UndersteerGradient,
			perG(h.UndersteerGradient), h.CharacteristicSpeed, h.CriticalSpeed, h.StaticMargin})
	}
	return t
}

// perG is an understeer gradient in degrees for each standard acceleration of free fall.
func perG(gradient float64) float64 { return gradient * 180 / math.Pi * 9.80665 }

// PrintHandling prints handling figures.
func (l *Result) PrintHandling(to io.Writer) {
	for i, h := range l.Handling {
		fmt.Fprintf(to, "%s = %g: understeer gradient %.6g rad/(m/s2), %.5g deg/g; ", l.Varied.Name, l.Varied.Values[i],
			h.UndersteerGradient, perG(h.UndersteerGradient))
		if h.UndersteerGradient > 0 {
			fmt.Fprintf(to, "characteristic speed %.5g m/s", h.CharacteristicSpeed)
		} else {
			fmt.Fprintf(to, "critical speed %.5g m/s", h.CriticalSpeed)
		}
		fmt.Fprintf(to,
			"; static margin %.4g of the wheelbase; yaw rate %.5g 1/s and lateral acceleration %.5g m/s2 by the angle "+
				"of the road wheels\n", h.StaticMargin, h.YawGain, h.LateralGain)
	}
}
