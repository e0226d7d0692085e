package figures

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A car drives a circle of 100 m at constant deceleration and then turns in by a known excess yaw rate. The test knows
// the ratios, the side-slip and the distance from the circle: to both sides, from any position, across the wrap of the
// yaw angle.
func TestTurnFiguresOfAKnownMotion(t *testing.T) {
	const radius, v, d, slip, begin = 100.0, 20.0, 3.0, -0.02, 2.0
	o := &turnOptions{radius: radius, firstTime: 1, secondTime: 2, early: 0.2, locked: 0.9}
	for _, side := range []float64{1, -1} {
		for _, excess := range []float64{0, 0.1} { // of the rate of yaw over v/R, from the beginning on
			time := times(5)
			r := record(time, Phase{"circle", 0, begin}, Phase{"disturbed", begin, 5})
			course := side * 2.6 // of the velocity; the body is turned from it by the side-slip
			x, y := 40.0, -30.0
			for i, at := range time {
				s := math.Max(0, at-begin)
				speed := v - d*s
				rate := side * speed / radius
				if s > 0 {
					rate *= 1 + excess
				}
				r.X[i], r.Y[i] = x, y
				r.SideSlip[i] = side * (slip - 0.01*s)
				r.Yaw[i] = math.Remainder(course-r.SideSlip[i], 2*math.Pi)
				r.Speed[i] = speed * math.Cos(r.SideSlip[i])
				r.Lateral[i] = speed * rate
				// one step along the circle of this curvature, with the speed in its middle
				const h = 1e-3
				if at >= begin {
					speed = v - d*(s+h/2)
					rate = side * speed / radius * (1 + excess)
				}
				turn := rate * h
				chord := speed * h * math.Sin(turn/2) / (turn / 2)
				x, y = x+chord*math.Cos(course+turn/2), y+chord*math.Sin(course+turn/2)
				course += turn
			}
			r.Front = []Tire{{Name: "left", Load: r.X, Height: r.X,
				Slip: of(time, func(t float64) float64 { return -math.Max(0, t-3) })}}
			list := disturbedTurn.Run(r, o)
			name := fmt.Sprintf(", side %g, excess %g", side, excess)
			// the body turns by what the course does and by the change of the side-slip angle
			ratio := func(s float64) float64 { return 1 + excess + 0.01*radius/(v-d*s) }
			near(t, "speed"+name, pick(t, list, "speed").Value, v*math.Cos(slip), 1e-9)
			near(t, "lateral acceleration"+name, pick(t, list, "a_y").Value, side*v*v/radius, 1e-9)
			// the mean of before and after
			near(t, "ratio at the beginning"+name, pick(t, list, "yaw_ratio_0").Value, 1+(ratio(0)-1)/2, 1e-3)
			near(t, "extreme of 1 s"+name, pick(t, list, "yaw_ratio_extreme_1").Value, ratio(1), 1e-6)
			near(t, "ratio after 1 s"+name, pick(t, list, "yaw_ratio_1").Value, ratio(1), 1e-6)
			near(t, "ratio after 2 s"+name, pick(t, list, "yaw_ratio_2").Value, ratio(2), 1e-6)
			near(t, "extreme of 2 s"+name, pick(t, list, "yaw_ratio_extreme_2").Value, ratio(2), 1e-6)
			near(t, "lateral ratio"+name, pick(t, list, "a_y_ratio_1").Value, 1+excess, 1e-6)
			near(t, "change of side-slip"+name, pick(t, list, "side_slip_change_2").Value, -0.02, 1e-9)
			near(t, "deceleration"+name, pick(t, list, "deceleration").Value,
				(v-d)*math.Cos(slip-0.01)-(v-2*d)*math.Cos(slip-0.02), 1e-9)
			near(t, "yaw acceleration"+name, pick(t, list, "yaw_acceleration").Value, -d/radius*(1+excess), 1e-3)
			near(t, "locking"+name, pick(t, list, "locked").Value, 1.9, 1e-6)
			if away := pick(t, list, "deviation_2").Value; excess == 0 {
				near(t, "way from the circle"+name, away, 0, 1e-3)
			} else if s := v*2 - d*2; math.Abs(away+excess/radius*s*s/2) > 0.03*math.Abs(away) {
				// inwards, to first order
				t.Errorf("%g m from the circle%s", away, name)
			}
		}
	}
}

// The wheels of a side are lifted together when the lower wheel lifts; the speed is the least entry speed of a run with
// a lift.
func TestRolloverFiguresOfKnownWheels(t *testing.T) {
	time := times(4)
	run := func(speed, front, rear float64) *Record {
		r := record(time, Phase{"straight", 0, 1}, Phase{"steer", 1, 4})
		r.Speed = of(time, func(t float64) float64 { return speed - math.Max(0, t-1) })
		up := func(most float64) []float64 {
			return of(time, func(t float64) float64 { return most*math.Exp(-math.Pow(t-2, 2)) - 0.01 })
		}
		load := func(n float64) []float64 {
			return of(time, func(t float64) float64 { return n * (1 + math.Pow(t-3, 2)) })
		}
		flat := of(time, func(float64) float64 { return -0.02 })
		r.Front = []Tire{{Name: "FL", Load: load(3000), Height: flat}, {Name: "FR", Load: load(100), Height: up(front)}}
		r.Rear = []Tire{{Name: "RL", Load: load(3000), Height: flat}, {Name: "RR", Load: load(200), Height: up(rear)}}
		r.Roll = of(time, func(t float64) float64 { return 0.2 * math.Sin(3*t) })
		r.Lateral = of(time, func(t float64) float64 { return -5 * math.Exp(-math.Pow(t-2.5, 2)) })
		r.Roll[500] = 9 // before the steering, which does not count
		return r
	}
	o := &rolloverOptions{lift: 0.051}
	list := rolloverRun(run(20, 0.3, 0.05), o)
	near(t, "height", pick(t, list, "lift_max").Value, 0.04, 1e-9)
	near(t, "lift", pick(t, list, "two_wheel_lift").Value, 0, 0)
	near(t, "load of a side", pick(t, list, "side_load_min").Value, 300, 1e-9)
	near(t, "roll", math.Abs(pick(t, list, "roll_max").Value), 0.2, 1e-5)
	near(t, "roll rate", math.Abs(pick(t, list, "roll_rate_max").Value), 0.6, 1e-5)
	near(t, "lateral acceleration", pick(t, list, "a_y_max").Value, -5, 1e-9)
	near(t, "entry speed", pick(t, list, "entry_speed").Value, 20, 1e-9)
	list = rolloverRun(run(20, 0.3, 0.1), o)
	lift := pick(t, list, "two_wheel_lift")
	near(t, "lift", lift.Value, 1, 0)
	near(t, "height when they lift", 0.1*math.Exp(-math.Pow(lift.Time-2, 2))-0.01, 0.051, 5e-3)
	runs := []*Record{run(22, 0.2, 0.08), run(15, 0.3, 0.04), run(25, 0.1, 0.1), run(18, 0, 0)}
	near(t, "least speed with a lift", pick(t, rollover.All(runs, o), "lift_speed").Value, 22, 1e-9)
	if f := pick(t, rollover.All(runs[3:], o), "lift_speed"); !strings.Contains(f.Missing, "no run") {
		t.Errorf("%+v", f)
	}
}
