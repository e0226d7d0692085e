package figures

import (
	"math"
	"testing"
)

// A half-car has synthetic signals. The largest use of the grip is found with its sign, its time and its wheel; the
// front wheel is evaluated only until the brakes are applied.
func TestFiguresOfAHalfCarAreSharesOfGrip(t *testing.T) {
	time := times(10)
	r := record(time)
	wave := func(top, at float64) []float64 {
		return of(time, func(t float64) float64 { return top * math.Exp(-(t-at)*(t-at)) })
	}
	constant := func(x float64) []float64 { return of(time, func(float64) float64 { return x }) }
	r.Speed = of(time, func(t float64) float64 { return 3 * t })
	r.HalfCar = &HalfCar{
		Front: Relaxed{Spin: constant(2), Traction: wave(-100, 2), Stabilisation: wave(20, 2), Sliding: constant(0),
			Grip: constant(400)},
		Rear: Relaxed{Spin: wave(50, 4), Traction: wave(700, 5), Stabilisation: constant(0), Sliding: wave(-900, 6),
			Grip: constant(1000)},
	}
	for i := 9000; i < len(time); i++ { // braked
		r.HalfCar.Front.Traction[i] = -300
	}
	list := halfCar.Run(r, &halfCarOptions{until: 8})
	for id, want := range map[string][2]float64{"v_end": {30, math.NaN()}, "spin_rear_max": {50, 4},
		"traction_rear_share": {0.7, 5}, "sliding_rear_share": {-0.9, 6}, "reaction_front_share": {0.2, 2}} {
		f := pick(t, list, id)
		near(t, id, f.Value, want[0], 1e-12)
		if !math.IsNaN(want[1]) {
			near(t, "time of "+id, f.Time, want[1], 1e-12)
		}
	}
	r.HalfCar.Rear.Grip = constant(0)
	f := pick(t, halfCar.Run(r, &halfCarOptions{until: 8}), "traction_rear_share")
	if f.Missing != "there is no grip" {
		t.Errorf("without grip there is a share of it: %+v", f)
	}
}

// withoutGrip is a half-car whose wheels do nothing.
func withoutGrip(time []float64) *HalfCar {
	zero := func() []float64 { return make([]float64, len(time)) }
	still := func() Relaxed {
		return Relaxed{Spin: zero(), Traction: zero(), Stabilisation: zero(), Sliding: zero(), Grip: zero()}
	}
	return &HalfCar{Front: still(), Rear: still(), Drive: zero(), Brake: zero(), Friction: zero()}
}
