package preview

import (
	"math"
	"math/cmplx"
	"strings"
	"testing"
)

// responses returns the responses of a vehicle behind a lag [s], at 0.1, 0.2 ... 2 Hz.
func responses(v *Vehicle, lag float64) *Response {
	r := &Response{Speed: v.Speed}
	steady := v.At(0)
	r.Steady = [2]float64{real(steady[0]), real(steady[1])}
	for i := 1; i <= 20; i++ {
		w := 2 * math.Pi * 0.1 * float64(i)
		h := v.At(complex(0, w))
		for k := range h {
			h[k] /= complex(1, w*lag)
		}
		r.Angular, r.Of = append(r.Angular, w), append(r.Of, h)
	}
	return r
}

// A vehicle of two states is found again from its responses. One with a further lag keeps its steady response exactly,
// and its responses nearly.
func TestAVehicleIsFoundFromItsResponses(t *testing.T) {
	for _, speed := range []float64{8, 20, 45} {
		v := neutral(speed)
		v.Self[1][0] *= 1.3
		v.Self[1][0] += 0.4 // it understeers
		got := fitted(t, responses(v, 0))
		for i := range 2 {
			near(t, "Steer", got.Steer[i], v.Steer[i], 1e-6)
			for k := range 2 {
				if math.Abs(got.Self[i][k]-v.Self[i][k]) > 1e-6*(1+math.Abs(v.Self[i][k])) {
					t.Errorf("at %g m/s Self is %v; want %v", speed, got.Self, v.Self)
				}
			}
		}
		late := responses(v, 0.03)
		got = fitted(t, late)
		near(t, "the steady yaw rate", real(got.At(0)[1]), late.Steady[1], 1e-9)
		near(t, "the steady lateral velocity", real(got.At(0)[0]), late.Steady[0], 1e-9)
		misfit := func(of *Vehicle) (sum float64) {
			of.Steer[0] = -of.Self[0][0]*late.Steady[0] - of.Self[0][1]*late.Steady[1]
			of.Steer[1] = -of.Self[1][0]*late.Steady[0] - of.Self[1][1]*late.Steady[1]
			sizes := late.sizes()
			for i, w := range late.Angular {
				for k, h := range of.At(complex(0, w)) {
					sum += math.Pow(cmplx.Abs(h-late.Of[i][k])/sizes[k], 2)
				}
			}
			return sum
		}
		least := misfit(got)
		if without := misfit(v); least > 0.2*without {
			t.Errorf("at %g m/s the misfit is %g; that of the vehicle without its lag is %g", speed, least, without)
		}
		for i := range 4 {
			for _, factor := range []float64{0.97, 1.03} {
				other := *got
				other.Self[i/2][i%2] *= factor
				if misfit(&other) < 0.98*least {
					t.Errorf("at %g m/s the misfit is %g; with %g of entry %d of Self it is %g", speed, least, factor, i,
						misfit(&other))
				}
			}
		}
	}
	deaf := Response{Speed: 20, Angular: []float64{1, 2}, Of: make([][2]complex128, 2)}
	if _, err := Fitted([]Response{deaf}); err == nil ||
		!strings.Contains(err.Error(), "at 20 m/s the vehicle does not answer") {
		t.Errorf("a vehicle that does not answer: %v", err)
	}
	if _, err := Fitted(nil); err == nil {
		t.Error("no response is no error")
	}
}

func fitted(t *testing.T, r *Response) *Vehicle {
	t.Helper()
	list, err := Fitted([]Response{*r})
	if err != nil {
		t.Fatal(err)
	}
	return &list[0]
}

// The lateral velocity of a car has the motion of its roll angle, by which it moves against the turn at 1.5 Hz. Where
// the steady lateral velocity is about 0 there is hardly anything else. The vehicles of all speeds are stable then, and
// have their steady responses.
func TestTheRollMotionDoesNotHideTheVehicle(t *testing.T) {
	var list []Response
	for speed := 11.0; speed < 34; speed += 3 {
		r := responses(neutral(speed), 0.05)
		for i, w := range r.Angular {
			p, natural := complex(0, w), complex(2*math.Pi*1.5, 0)
			r.Of[i][0] -= 0.05 * p * complex(speed, 0) * r.Of[i][1] / (p*p + 0.5*natural*p + natural*natural) * p
		}
		list = append(list, *r)
	}
	vehicles, err := Fitted(list)
	if err != nil {
		t.Fatal(err)
	}
	for i := range vehicles {
		v := &vehicles[i]
		near(t, "the steady yaw rate", real(v.At(0)[1]), list[i].Steady[1], 1e-9)
		near(t, "the steady lateral velocity", real(v.At(0)[0]), list[i].Steady[0], 1e-9)
		off, size := 0.0, list[i].sizes()[1]
		for k, w := range list[i].Angular {
			off = max(off, cmplx.Abs(v.At(complex(0, w))[1]-list[i].Of[k][1])/size)
		}
		if off > 0.22 {
			t.Errorf("at %g m/s the yaw rate is off by %g of its largest response", v.Speed, off)
		}
		trace := v.Self[0][0] + v.Self[1][1]
		if det := v.Self[0][0]*v.Self[1][1] - v.Self[0][1]*v.Self[1][0]; trace >= -1 || det <= 1 {
			t.Errorf("at %g m/s Self is %v", v.Speed, v.Self)
		}
	}
}

// The driver's model of a vehicle with two axles and linear tires is exact between and beyond the known speeds, too.
func TestADriverKnowsTheVehicleBetweenSpeeds(t *testing.T) {
	d, err := NewDriver([]Vehicle{*neutral(10), *neutral(25), *neutral(40)}, Limit{}, Hands{Lag: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	for _, speed := range []float64{3, 10, 17, 25, 33, 40, 50} {
		want := neutral(speed)
		got, preview := d.At(speed)
		near(t, "speed", got.Speed, speed, 1e-15)
		for i := range 2 {
			near(t, "Steer", got.Steer[i], want.Steer[i], 1e-12)
			for k := range 2 {
				if math.Abs(got.Self[i][k]-want.Self[i][k]) > 1e-9*math.Abs(want.Self[0][0]) {
					t.Errorf("at %g m/s Self is %v; want %v", speed, got.Self, want.Self)
				}
			}
		}
		low, high := d.Previews[0], d.Previews[len(d.Previews)-1]
		if preview < min(low, high)-1e-12 || preview > max(low, high)+1e-12 {
			t.Errorf("at %g m/s the preview is %g s of %v", speed, preview, d.Previews)
		}
	}
	near(t, "the preview by its factor", d.Ahead(25, 1.5), 1.5*d.Previews[1], 1e-12)
	near(t, "the least preview", d.Ahead(25, 0.01), 0.3, 1e-12)
	_, preview := d.At(32.5)
	near(t, "the preview between two speeds", preview, (d.Previews[1]+d.Previews[2])/2, 1e-12)
	one := Driver{Vehicles: []Vehicle{*neutral(25)}, Previews: []float64{1}}
	got, _ := one.At(12)
	near(t, "a vehicle known at one speed", got.Self[0][0], neutral(12).Self[0][0], 1e-12)
	if standing, _ := d.At(0); standing.Speed != 1 {
		t.Errorf("at rest the driver expects a vehicle at %g m/s", standing.Speed)
	}
	if _, err := NewDriver(nil, Limit{}, Hands{}); err == nil {
		t.Error("a driver without a vehicle is no error")
	}
}

// The steering angle beyond the linear range is that of the steady curve: 0.02 rad more at half of the limit, and not
// more than at 0.97 of the limit, to both sides.
func TestTheSteadyCurveCorrectsTheSteering(t *testing.T) {
	l := Limit{Lateral: []float64{0, 4, 8}, More: []float64{0, 0.02, 0.1}}
	v := neutral(20)
	gain := v.Lateral()
	near(t, "the lateral gain of a neutral vehicle", gain, 20*20/(1.1562+1.42272), 1e-9)
	for lateral, want := range map[float64]float64{0: 0, 2: 2/gain + 0.01, 4: 4/gain + 0.02, 6: 6/gain + 0.06,
		8: 7.76/gain + 0.0952, 30: 7.76/gain + 0.0952} {
		for _, side := range []float64{1, -1} {
			if got := l.Steering(side*lateral/gain, v); math.Abs(got-side*want) > 1e-12 {
				t.Errorf("for %g m/s2 the steering angle is %g rad; want %g", side*lateral, got, side*want)
			}
		}
	}
	if got := (&Limit{}).Steering(0.3, v); got != 0.3 {
		t.Errorf("without a curve the steering angle is %g rad; want 0.3", got)
	}
}
