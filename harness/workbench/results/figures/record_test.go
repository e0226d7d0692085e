package figures

import (
	"math"
	"testing"
)

// filled is a record whose channels differ: the first has the number 1, the second 2, and so on.
func filled(r *Record) map[string]float64 {
	numbers := map[string]float64{}
	r.Time = []float64{0}
	for i, c := range r.Channels() {
		numbers[c.Name] = float64(i + 1)
		*c.To = []float64{float64(i + 1)}
	}
	r.Complete()
	return numbers
}

// Each signal of a record comes from the variable named in its comment. The remaining signals are computed.
func TestSignalsComeFromTheirChannels(t *testing.T) {
	r := &Record{Body: "body", Wheel: "steering", Front: []Tire{{Name: "front"}}, Rear: []Tire{{Name: "rear"}},
		Corners: []Corner{{Variable: "susp.travel", Unsprung: "hub"}}, Following: &Unit{Name: "trailer"}}
	x := filled(r)
	horizontal := func(body string) float64 {
		sin, cos := math.Sincos(x[body+".roll"])
		return x[body+".ay"]*cos - x[body+".az"]*sin
	}
	f, b, u := r.Front[0], r.Rear[0], r.Following
	height := func(tire string) float64 {
		return (x[tire+".R_l"] - x[tire+".unloaded_radius"]) * math.Cos(x[tire+".gamma"])
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"speed": {r.Speed[0], x["body.vx"]}, "ahead": {r.Ahead[0], x["body.ax"]}, "aside": {r.Aside[0], x["body.ay"]},
		"up": {r.Up[0], x["body.az"]}, "yaw rate": {r.YawRate[0], x["body.wz"]}, "roll": {r.Roll[0], x["body.roll"]},
		"pitch": {r.Pitch[0], x["body.pitch"]}, "yaw": {r.Yaw[0], x["body.yaw"]}, "x": {r.X[0], x["body.x"]},
		"y": {r.Y[0], x["body.y"]}, "side-slip": {r.SideSlip[0], math.Atan(x["body.vy"] / x["body.vx"])},
		"lateral":           {r.Lateral[0], horizontal("body")},
		"trailer lateral":   {u.Lateral[0], horizontal("trailer")},
		"trailer yaw rate":  {u.YawRate[0], x["trailer.wz"]},
		"trailer x":         {u.X[0], x["trailer.x"]},
		"trailer y":         {u.Y[0], x["trailer.y"]},
		"trailer yaw":       {u.Yaw[0], x["trailer.yaw"]},
		"load":              {f.Load[0], x["front.Fz"]},
		"slip":              {f.Slip[0], x["front.kappa"]},
		"angle":             {f.Angle[0], x["front.alpha"]},
		"longitudinal":      {f.Fx[0], x["front.Fx"]},
		"lateral force":     {f.Fy[0], x["front.Fy"]},
		"height":            {f.Height[0], height("front")},
		"rear load":         {b.Load[0], x["rear.Fz"]},
		"rear height":       {b.Height[0], height("rear")},
		"travel":            {r.Corners[0].Travel[0], x["susp.travel"]},
		"unsprung":          {r.Corners[0].Up[0], x["hub.az"]},
		"steering":          {r.Steer[0], x["steering.wheel_angle"]},
		"torque of a hand":  {r.Hands[0], x["steering.wheel_torque"]},
		"number of signals": {float64(len(x)), 11 + 7 + 2*8 + 2 + 2},
	} {
		if c.got != c.want {
			t.Errorf("%s is %g, want %g", name, c.got, c.want)
		}
	}
}

// The signals of a half-car come from its wheels and its inputs.
func TestSignalsOfAHalfCarComeFromTheirChannels(t *testing.T) {
	r := &Record{Body: "body", HalfCar: &HalfCar{Front: Relaxed{Body: "rim_F", Name: "wheel_F"},
		Rear:   Relaxed{Body: "rim_R", Name: "wheel_R"},
		Inputs: map[string]string{"drive": "motor.torque", "brake": "brake.torque", "friction": "road.mu"}}}
	x := filled(r)
	c := r.HalfCar
	for name, pair := range map[string][2]float64{
		"body.vx": {r.Speed[0], 1}, "rim_F.wy": {c.Front.Spin[0], 2}, "wheel_F.traction": {c.Front.Traction[0], 3},
		"wheel_F.stabilisation": {c.Front.Stabilisation[0], 4}, "wheel_F.sliding": {c.Front.Sliding[0], 5},
		"wheel_F.grip": {c.Front.Grip[0], 6}, "rim_R.wy": {c.Rear.Spin[0], 7},
		"wheel_R.grip": {c.Rear.Grip[0], 11}, "motor.torque": {c.Drive[0], 12}, "brake.torque": {c.Brake[0], 13},
		"road.mu": {c.Friction[0], 14},
	} {
		if pair[0] != pair[1] || x[name] != pair[1] {
			t.Errorf("%s is %g, want %g", name, pair[0], x[name])
		}
	}
	for _, channel := range r.Channels() {
		if _, input := map[string]bool{"motor.torque": true, "brake.torque": true, "road.mu": true}[channel.Name]; input !=
			channel.Input {
			t.Errorf("%s is an input: %v", channel.Name, channel.Input)
		}
	}
}

// Plots show angles in degrees, other signals in SI units, and each axis names its quantity.
func TestSignalsOverEachOther(t *testing.T) {
	r := &Record{Time: []float64{0, 1}, Steer: []float64{0, math.Pi}, Lateral: []float64{2, 3}, Speed: []float64{5, 6}}
	for _, c := range []struct {
		x, y         Signal
		labelX       string
		labelY       string
		lastX, lastY float64
	}{
		{Time, SteeringWheel, "time, s", "steering wheel, deg", 1, 180},
		{Lateral, Speed, "lateral acceleration, m/s2", "speed, m/s", 3, 6},
		{SteeringWheel, Lateral, "steering wheel, deg", "lateral acceleration, m/s2", 180, 3},
	} {
		p := Overlaid("T", []*Record{{}, r}, c.x, c.y)
		if p.X != c.labelX || p.Y != c.labelY || len(p.Curves) != 2 || p.Curves[1].Run != 1 {
			t.Fatalf("%+v; want %s over %s of two runs", p, c.labelY, c.labelX)
		}
		if x, y := p.Curves[1].X[1], p.Curves[1].Y[1]; x != c.lastX || y != c.lastY {
			t.Errorf("%s over %s: %g over %g, want %g over %g", c.labelY, c.labelX, y, x, c.lastY, c.lastX)
		}
	}
}
