package figures

import (
	"math"
	"strings"
	"testing"
)

// stopping brakes by a constant deceleration a from the speed v at 1 s to rest, where the phase ends.
func stopping(v, a float64) *Record {
	const begin = 1.0
	end := begin + v/a
	time := times(math.Ceil(end*1000) / 1000)
	r := emptyRecord(time, Phase{"before", 0, begin}, Phase{"brake", begin, time[len(time)-1]})
	braked := func(t float64) float64 { return min(max(t-begin, 0), v/a) }
	r.Speed = of(time, func(t float64) float64 { return v - a*braked(t) })
	r.X = of(time, func(t float64) float64 { return v*min(t, begin) + v*braked(t) - a/2*braked(t)*braked(t) })
	r.Bound = Limit{Value: 2 * a}
	return r
}

func distanceOptionsOf() *distanceOptions {
	return &distanceOptions{nominal: 30, fromShare: 0.8, toShare: 0.1, locked: 0.9, lockedTime: 0.1, lockedAbove: 5}
}

// A constant deceleration a from v has the distance v^2/(2 a), 30^2/(2 a) from 30 m/s, the mean deceleration a, and
// half of a bound of 2 a.
func TestTheDistanceIsThatOfTheNominalSpeed(t *testing.T) {
	const v, a = 27.3, 7.8
	r := stopping(v, a)
	list := brakeDistance.Run(r, distanceOptionsOf())
	near(t, "distance", pick(t, list, "distance").Value, 30*30/(2*a), 1e-5)
	near(t, "mean deceleration", pick(t, list, "mean_deceleration").Value, a, 1e-5)
	near(t, "bound", pick(t, list, "braking_bound").Value, 2*a, 1e-12)
	near(t, "share", pick(t, list, "bound_share").Value, 0.5, 1e-5)
	near(t, "speed", pick(t, list, "speed").Value, v, 1e-12)
	near(t, "time", pick(t, list, "time").Value, v/a, 1e-3)
	near(t, "unlocked", pick(t, list, "unlocked").Value, 1, 0)
	r.Bound = Limit{Value: math.NaN(), Missing: "no peaks"}
	missing(t, "without a bound", brakeDistance.Run(r, distanceOptionsOf()), "no peaks", "braking_bound")
	missing(t, "without a bound", brakeDistance.Run(r, distanceOptionsOf()), "missing", "bound_share")
	// a vehicle that slides across its course is as fast as it was
	r.SideSlip = of(r.Time, func(float64) float64 { return 0.5 })
	for i := range r.Speed {
		r.Speed[i] *= math.Cos(0.5)
	}
	near(t, "mean deceleration of one that slides", pick(t, brakeDistance.Run(r, distanceOptionsOf()),
		"mean_deceleration").Value, a, 1e-5)
}

// A wheel may be locked for 0.1 s at a time, and below 5 m/s; it is named.
func TestLockedWheelsCountWithTheirTime(t *testing.T) {
	const v, a = 27.0, 9.0 // 5 m/s at 1 s + 22/9 s
	for _, c := range []struct {
		what             string
		from, to, slip   float64
		longest, allowed float64
	}{
		{"a short lock", 2, 2.0995, -1, 0.099, 1},
		{"a long lock", 2, 2.2005, -0.95, 0.2, 0},
		{"slip", 2, 3, -0.85, 0, 1},
		{"a wheel that spins", 2, 3, 2, 0, 1},
		{"a lock at the end", 3.45, 4, -1, 0, 1},
		{"before the brakes", 0.5, 1.0, -1, 0, 1},
	} {
		r := stopping(v, a)
		for _, at := range []struct{ from, to float64 }{{c.from, c.to}, {3.2, 3.25}} {
			for i, time := range r.Time {
				if time >= at.from && time < at.to {
					r.Rear[1].Slip[i] = c.slip
				}
			}
		}
		list := brakeDistance.Run(r, distanceOptionsOf())
		lock := pick(t, list, "lock_time")
		if c.longest == 0 && c.slip <= -0.9 {
			c.longest = 0.049 // of the second one
		}
		if math.Abs(lock.Value-c.longest) > 1.5e-3 || pick(t, list, "unlocked").Value != c.allowed ||
			strings.HasSuffix(lock.Definition, ": RR") != (c.longest > 0) {
			t.Errorf("%s: %+v, unlocked %g", c.what, lock, pick(t, list, "unlocked").Value)
		}
	}
	r := stopping(v, a)
	r.Verdict = "spun at 4 s"
	if f := pick(t, brakeDistance.Run(r, distanceOptionsOf()), "unlocked"); f.Value != 0 {
		t.Errorf("a run that ended early: %+v", f)
	}
}

// Of several runs the shortest without locked wheels counts; one run is its own answer.
func TestTheShortestRunWithoutLockedWheelsCounts(t *testing.T) {
	o := distanceOptionsOf()
	locked := stopping(27, 10)
	for i := range locked.Time {
		locked.Front[0].Slip[i] = -1
	}
	list := brakeDistance.All([]*Record{stopping(27, 6), stopping(27, 8), locked, stopping(27, 7)}, o)
	f := pick(t, list, "distance")
	near(t, "the shortest distance", f.Value, 30*30/16.0, 1e-5)
	if !strings.Contains(f.Definition, "of run 2") {
		t.Errorf("definition %q", f.Definition)
	}
	near(t, "its deceleration", pick(t, list, "mean_deceleration").Value, 8, 1e-5)
	missing(t, "only locked runs", brakeDistance.All([]*Record{locked, locked}, o), "locks in every run", "distance")
	if list := brakeDistance.All([]*Record{locked}, o); list != nil {
		t.Errorf("one run has figures of all runs: %+v", list)
	}
}
