package manoeuvre

import (
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// Pedals hold the speed of phases by throttle and brake, with the vehicle's own gain, in place of the gains of
// SpeedControl. Package drive finds this gain in short runs with SpeedControl.
type Pedals struct {
	Slowest, Fastest float64 // speeds between which the gain is found, negative backwards [m/s]
	Closed, Open     float64 // throttle
	Frequency        float64 // of vehicle and law [rad/s]
	Damping          float64
	Deceleration     float64     // largest by the brakes [m/s2]
	Brakes           []roles.Set // with their factors, for a deceleration; nil for a vehicle without the role
}

var pedalsKeys = []keys.Key{
	{Name: "slowest", Unit: "m/s", Text: "least speed where the gain is measured; speeds backwards are negative"},
	{Name: "fastest", Unit: "m/s", Text: "largest speed where the gain is measured"},
	{Name: "frequency", Unit: "rad/s", Default: "1", Positive: true, Text: "natural one of vehicle and pedals"},
	{Name: "damping", Unit: pureUnit, Default: "1", Positive: true, Text: "ratio of vehicle and pedals"},
	{Name: "deceleration", Unit: "m/s2", Default: "4", Positive: true, Text: "largest one by the brakes"},
}

// pedals reads the table [pedals].
func (r *manoeuvreReader) pedals(root *keys.Fields, m *Manoeuvre) {
	if !root.Given("pedals") {
		return
	}
	f := root.Sub("pedals")
	m.Pedals = &Pedals{Slowest: f.Number("slowest"), Fastest: f.Number("fastest"), Frequency: f.Number("frequency"),
		Damping: f.Number("damping"), Deceleration: f.Number("deceleration")}
	p := m.Pedals
	if p.Slowest >= p.Fastest && f.Given("slowest") && f.Given("fastest") {
		f.FaultOfTable("the slowest speed, %g m/s, is not below the fastest, %g m/s", p.Slowest, p.Fastest)
	}
	if p.Slowest*p.Fastest < 0 {
		f.FaultOfTable("speeds from %g to %g m/s are partly backwards; a gear goes one way", p.Slowest, p.Fastest)
	}
	if m.SpeedControl != nil {
		p.Closed, p.Open = m.SpeedControl.Least, m.SpeedControl.Limit
	}
	if r.car == nil {
		if m.SpeedControl == nil {
			f.FaultOfTable("pedals need a table [speed_control], which drives the runs that find the gain of the vehicle")
		}
		return
	}
	if t := r.car.roles.Throttle; t != nil {
		p.Closed, p.Open = t.Closed, t.Open
	}
	for _, set := range r.car.roles.Brake {
		if set.Factor == 0 {
			set.Factor = r.brakeFactor(f.Node("slowest"))
		}
		p.Brakes = append(p.Brakes, set)
	}
}
