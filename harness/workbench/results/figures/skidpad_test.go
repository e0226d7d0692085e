package figures

import (
	"math"
	"testing"
)

// eight is a record of a body on a figure of eight with a constant speed on the second circle of each side, and 0.9 of
// it on the first one. The axes of the ground are turned.
func eight(radius, straight, right, left, turn float64) *Record {
	around := 2 * math.Pi * radius
	ways := []float64{straight, around, around, around, around, 5}
	speeds := []float64{right, 0.9 * right, right, 0.9 * left, left, left}
	end := 2.0
	for i, way := range ways {
		end += way / speeds[i]
	}
	time := times(end)
	r := record(time, Phase{"straight", 0, 2}, Phase{"eight", 2, time[len(time)-1]})
	r.X, r.Y, r.Yaw = make([]float64, len(time)), make([]float64, len(time)), make([]float64, len(time))
	sin, cos := math.Sincos(turn)
	for i, t := range time {
		s, rest := 0.0, t-2
		for k, way := range ways {
			part := min(rest, way/speeds[k])
			s, rest = s+part*speeds[k], rest-part
		}
		x, y, yaw := s, 0.0, 0.0
		switch on := s - straight; {
		case on > 4*around:
			x -= 4 * around
		case on > 0:
			side := 1.0
			if on < 2*around {
				side = -1
			}
			yaw = side * on / radius
			x, y = straight+radius*math.Sin(on/radius), side*radius*(1-math.Cos(on/radius))
		}
		r.X[i], r.Y[i], r.Yaw[i] = 3+cos*x-sin*y, -5+sin*x+cos*y, yaw+turn
	}
	return r
}

// On circles of a radius R with a speed v, the second circle takes 2 pi R/v. On the middle path, the side of a body of
// width b is R - b/2 from the centre, and its farther corner is sqrt((R + b/2)^2 + l^2).
func TestSkidpadOfConstantSpeeds(t *testing.T) {
	const radius, right, left = 9.125, 10.0, 9.0
	o := &skidpadOptions{Outline: Outline{Front: 1.5, Rear: 1.2, Width: 1.4}, inner: 7.625, outer: 10.625, straight: 20}
	list := skidpad.Run(eight(radius, 20, right, left, 2.5), o)
	near(t, "time to the right", pick(t, list, "time_right").Value, 2*math.Pi*radius/right, 1e-5)
	near(t, "time to the left", pick(t, list, "time_left").Value, 2*math.Pi*radius/left, 1e-5)
	near(t, "time", pick(t, list, "time").Value, math.Pi*radius*(1/right+1/left), 1e-5)
	near(t, "acceleration to the right", pick(t, list, "lateral_right").Value, right*right/radius, 3e-5)
	near(t, "acceleration to the left", pick(t, list, "lateral_left").Value, left*left/radius, 3e-5)
	want := min(radius-0.7-7.625, 10.625-math.Hypot(radius+0.7, 1.5))
	near(t, "clearance", pick(t, list, "clearance").Value, want, 1e-6)
	if f := pick(t, list, "pass"); f.Value != 1 {
		t.Errorf("pass: %+v", f)
	}
	all := skidpad.OfAll([]*Record{eight(radius, 20, right, left, 0), eight(radius, 20, right, right, 0),
		eight(8, 20, 12, 12, 0)}, o)
	near(t, "best time", pick(t, all, "best_time").Value, 2*math.Pi*radius/right, 1e-5)
	o.Width = 3.2 // wider than the track
	if f := pick(t, skidpad.OfAll([]*Record{eight(radius, 20, right, left, 0)}, o), "best_time"); f.Missing == "" {
		t.Errorf("best time of a wide body: %+v", f)
	}
	list = skidpad.Run(eight(radius, 20, right, left, 2.5), o)
	near(t, "clearance of a wide body", pick(t, list, "clearance").Value, 10.625-math.Hypot(radius+1.6, 1.5), 1e-6)
	if f := pick(t, list, "pass"); f.Value != 0 {
		t.Errorf("pass of a wide body: %+v", f)
	}
	o.Width = 1.4 // circles of 9 m touch each other at the same point, and are 8.875 m from the centre at the other end
	list = skidpad.Run(eight(9, 20, right, left, 2.5), o)
	near(t, "clearance from the border inside", pick(t, list, "clearance").Value, 8.875-0.7-7.625, 1e-5)
}

// A vehicle that leaves the figure of eight has no times, and does not pass.
func TestSkidpadThatIsNotCompleted(t *testing.T) {
	o := &skidpadOptions{Outline: Outline{1.5, 1.2, 1.4}, inner: 7.625, outer: 10.625, straight: 20}
	r := eight(9.125, 20, 10, 10, 0)
	for i := range r.Time {
		if r.Time[i] > 12 { // on the second circle
			r.X[i], r.Y[i] = r.X[i-1]+0.01, r.Y[i-1]
		}
	}
	list := skidpad.Run(r, o)
	if f := pick(t, list, "time"); f.Missing == "" {
		t.Errorf("time: %+v", f)
	}
	if f := pick(t, list, "pass"); f.Value != 0 {
		t.Errorf("pass: %+v", f)
	}
	if f := pick(t, list, "clearance"); !(f.Value < 0) {
		t.Errorf("clearance: %+v", f)
	}
	for _, f := range skidpad.Run(record(times(1), Phase{"straight", 0, 1}), o) {
		if f.ID != "pass" && f.Missing == "" || f.ID == "pass" && f.Value != 0 {
			t.Errorf("a run that ends before: %+v", f)
		}
	}
}
