package rig_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/kc"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

func figures(t *testing.T, r *rig.Rig) map[string]rig.Figure {
	t.Helper()
	list, err := r.Figures()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]rig.Figure{}
	for _, f := range list {
		of[f.Key] = f
	}
	return of
}

// The passenger car has kinematics by curves and joints that yield. With these joints held at 0 its figures are the
// published ones (docs/passenger-car.md), to all printed digits.
func TestPassengerCarHasItsPublishedKinematics(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	const deg = math.Pi / 180
	for i, want := range []map[string]string{
		{"roll_centre": "60", "camber_per_travel": "-0.393", "toe_per_travel": "-4.01", "anti_dive": "25"},
		{"roll_centre": "100", "camber_per_travel": "-0.906", "toe_per_travel": "1.49", "anti_lift": "58",
			"anti_squat": "22"},
	} {
		axle := string("FR"[i])
		var held []string
		for _, joint := range []string{"toe_", "camber_"} {
			held = append(held, joint+axle+"L", joint+axle+"R")
		}
		r, err := rig.New(m, rig.Options{Axle: i + 1, Hold: held})
		if err != nil {
			t.Fatal(err)
		}
		got := figures(t, r)
		for key, printed := range want {
			f := got[key]
			value := f.Left.V
			switch key {
			case "roll_centre":
				value *= 1e3
			case "toe_per_travel":
				value /= deg
			case "anti_dive", "anti_lift", "anti_squat":
				value *= 100
			}
			_, behind, _ := strings.Cut(printed, ".")
			want, _ := strconv.ParseFloat(printed, 64)
			if half := 0.5000001 * math.Pow10(-len(behind)); !(math.Abs(value-want) <= half) {
				t.Errorf("axle %d: %s is %.6g, not %s", i+1, key, value, printed)
			}
			if math.Abs(f.Left.V-f.Right.V) > 1e-9*math.Abs(f.Left.V) {
				t.Errorf("axle %d: %s is %v left and %v right", i+1, key, f.Left.V, f.Right.V)
			}
		}
		_, steers := got["castor"]
		if missing := got["castor"].Missing; !steers || (missing == "") != (i == 0) {
			t.Errorf("axle %d: castor is missing: %q", i+1, missing)
		}
	}
}

func TestRigRefuses(t *testing.T) {
	car, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	bicycle, err := vehicle.Read("../../resources/models/bicycle.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *vehicle.Model
		o    rig.Options
		says string
	}{
		{car, rig.Options{Axle: 3}, "axles 1 to 2"},
		{car, rig.Options{Axle: 1, Hold: []string{"toe_LF"}}, `did you mean "toe_FL"`},
		{bicycle, rig.Options{Axle: 1}, "roles"},
	} {
		if _, err := rig.New(c.m, c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v does not say %q", err, c.says)
		}
	}
}

// Where the wheels cannot get, the error tells how far they got.
func TestUnreachableTravel(t *testing.T) {
	s := readSample(t)
	r, err := rig.New(s.car(t, false), rig.Options{Axle: 1, Radius: s.Inputs.Radius})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Solve(rig.Given{Travel: [2]float64{0.6, 0.6}}, nil)
	if err == nil || !strings.Contains(err.Error(), "of the way") {
		t.Errorf("%v", err)
	}
}

// The compliance matrix is symmetric, and its columns are the slopes of states under loads.
func TestComplianceMatrix(t *testing.T) {
	s := readSample(t)
	r, err := rig.New(s.car(t, true), rig.Options{Axle: 1, Radius: s.Inputs.Radius})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.ComplianceMatrix()
	if err != nil {
		t.Fatal(err)
	}
	for i := range m {
		for k := range m {
			if math.Abs(m[i][k]-m[k][i]) > 1e-9*math.Sqrt(m[i][i]*m[k][k]) {
				t.Errorf("%d, %d: %v and %v", i, k, m[i][k], m[k][i])
			}
		}
	}
	design, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	under := func(load rig.Load) *rig.State {
		pads := [2]float64{design.Pads[0].V, design.Pads[1].V}
		state, err := r.Solve(rig.Given{ByPads: true, Pads: pads, Loads: [2]rig.Load{load, {}}}, design)
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	const h = 1.0 // N, N m
	for column, unit := range map[int]func(x float64) rig.Load{
		1: func(x float64) rig.Load { return rig.Load{Contact: [3]float64{0, x, 0}} },
		0: func(x float64) rig.Load { return rig.Load{Contact: [3]float64{x, 0, 0}} },
		5: func(x float64) rig.Load { return rig.Load{Moment: [3]float64{0, 0, x}} },
	} {
		high, low := under(unit(h)), under(unit(-h))
		slope := func(of func(s *rig.State) kc.Number) float64 { return (of(high).V - of(low).V) / (2 * h) }
		for side := range 2 {
			w := design.Wheels[side]
			y := float64(1 - 2*side)
			turn := kc.At(m[6*side+3][column], m[6*side+4][column], m[6*side+5][column])
			u := w.Spin
			u[1] = u[1].Scaled(y)
			d := turn.Cross(u)
			d[1] = d[1].Scaled(y)
			for name, of := range map[string]func(w *kc.Wheel) kc.Number{"toe": (*kc.Wheel).Toe, "camber": (*kc.Wheel).Camber} {
				turned, back := w, w
				turned.Spin, back.Spin = w.Spin.Plus(d), w.Spin.Minus(d)
				want := slope(func(s *rig.State) kc.Number { return of(&s.Wheels[side]) })
				if got := (of(&turned).V - of(&back).V) / 2; math.Abs(got-want) > 1e-5*math.Abs(want)+1e-13 {
					t.Errorf("%s %s by %d is %v, by states %v", rig.Sides[side], name, column, got, want)
				}
			}
			shift, lever := m[6*side][column], w.Contact().Minus(w.Centre)
			if want := slope(func(s *rig.State) kc.Number { return s.Wheels[side].Centre[0] }); math.Abs(shift-
				turn[1].V*lever[2].V+turn[2].V*y*lever[1].V-want) > 1e-5*math.Abs(want)+1e-13 {
				t.Errorf("%s x by %d is %v, by states %v", rig.Sides[side], column, shift, want)
			}
		}
	}
	// the mirror image
	for i := range 6 {
		for k := range 6 {
			flips := func(i int) float64 { return []float64{1, -1, 1, -1, 1, -1}[i] }
			if want := flips(i) * flips(k) * m[i][k]; math.Abs(m[6+i][6+k]-want) > 1e-8*math.Sqrt(m[i][i]*m[k][k]) {
				t.Errorf("right %d, %d: %v, not %v", i, k, m[6+i][6+k], want)
			}
		}
	}
}

// The passenger car's wheels are turned by 60 % of Ackermann (its model file).
func TestSteeringOfThePassengerCar(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := rig.New(m, rig.Options{Axle: 1, Hold: []string{"toe_FL", "toe_FR", "camber_FL", "camber_FR"}})
	if err != nil {
		t.Fatal(err)
	}
	got := figures(t, r)
	if a := got["ackermann"]; math.Abs(a.Left.V-0.6) > 0.1 || math.Abs(a.Right.V-a.Left.V) > 1e-6 {
		t.Errorf("%+v", a)
	}
	curve, _, err := r.Curve("steer", false)
	if err != nil {
		t.Fatal(err)
	}
	design, right := curve.States[len(curve.States)/2], curve.States[0] // the steering wheel is turned to the right
	width := 0.0
	for side := range 2 {
		axis, missing := r.SteeringAxis(design, side)
		if missing != "" {
			t.Fatal(missing)
		}
		d, p := axis.Direction, axis.Point
		width += p[1].V + d[1].V*(design.Wheels[side].Contact()[2].V-p[2].V)/d[2].V
	}
	turned := func(side int) kc.Number {
		return right.Wheels[side].Toe().Minus(design.Wheels[side].Toe()).Scaled([]float64{1, -1}[side])
	}
	want := kc.Ackermann(turned(1), turned(0), kc.Of(width), kc.Of(2.579))
	if a := got["ackermann"]; math.Abs(a.Right.V-want.V) > 1e-9 {
		t.Errorf("%v, not %v", a.Right.V, want.V)
	}
	if s := got["steer_per_rack"]; math.Abs(s.Left.V*19-1) > 0.05 || math.Abs(s.Right.V-s.Left.V) > 1e-6 {
		t.Errorf("%+v", s)
	}
	if c := got["turning_circle"]; math.Abs(c.Left.V-2*2.579/math.Sin(26*math.Pi/180)) > 1 || c.Right.V-c.Left.V > 1e-6 {
		t.Errorf("%+v", c)
	}
}

// Derivatives by parameters of the model and of components, and by pairs of both sides, equal differences of figures of
// changed models. Springs of curves, masses and bars count, too; a parameter of the rear axle has no effect in front.
func TestSensitivitiesEqualDifferences(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := rig.New(m, rig.Options{Axle: 1, Radius: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Sensitivities(nil)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(all, func(s rig.Sensitivity) bool { return s.Parameter == "rear_spring" }) {
		t.Error("rear_spring acts in front")
	}
	for _, name := range []string{"front_load", "castor", "front_half_track"} {
		i := slices.IndexFunc(all, func(s rig.Sensitivity) bool { return s.Parameter == name })
		if i < 0 {
			t.Fatalf("%s has no effect", name)
		}
		h := 1e-4 * math.Abs(all[i].Value)
		at := func(change float64) map[string]rig.Figure {
			changed, err := m.WithValues(map[string]float64{name: all[i].Value + change},
				func(kind bounded.Kind, file string) ([]byte, error) { return kind.Read(bounded.Beside(m.File, file)) })
			if err != nil {
				t.Fatal(err)
			}
			other, err := rig.New(changed, rig.Options{Axle: 1, Radius: 0.3})
			if err != nil {
				t.Fatal(err)
			}
			return figures(t, other)
		}
		above, below := at(h), at(-h)
		for _, f := range all[i].Figures {
			if f.Missing != "" || math.IsNaN(f.Left.D) {
				continue
			}
			want := (above[f.Key].Left.V - below[f.Key].Left.V) / (2 * h)
			if size := math.Abs(want) + 1e-3*math.Abs(f.Left.V/all[i].Value); !(math.Abs(f.Left.D-want) <= 1e-4*size) {
				t.Errorf("%s by %s: %v, by differences %v", f.Key, name, f.Left.D, want)
			}
		}
	}
}

// The joints of the carrier and the loads on its wheel are in balance, as are the two ends of the rods with the rack;
// the bearing passes all loads of the wheel on.
func TestForcesOfJoints(t *testing.T) {
	s := readSample(t)
	for _, bushings := range []bool{false, true} {
		r, err := rig.New(s.car(t, bushings), rig.Options{Axle: 1, Radius: s.Inputs.Radius, Forces: true})
		if err != nil {
			t.Fatal(err)
		}
		load := rig.Load{Contact: [3]float64{-3000, 2000, 0}, Centre: [3]float64{100, 0, 50}, Moment: [3]float64{10, 20, 30}}
		state, err := r.Solve(rig.Given{Travel: [2]float64{0.02, -0.01}, Loads: [2]rig.Load{load, {}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := r.Forces(state)
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]rig.JointForce{}
		for _, f := range list {
			of[f.Component] = f
		}
		outer := []string{"lower_ball_L", "tie_L", "upper_ball_L"}
		if !bushings {
			outer = []string{"lower_ball_L", "tie_L", "upper_fore_L", "upper_aft_L"}
		}
		on := [3]float64{load.Contact[0] + load.Centre[0], load.Contact[1] + load.Centre[1],
			load.Contact[2] + load.Centre[2] + state.Pads[0].V}
		for i := range 3 {
			sum, size := on[i], 1.0
			for _, name := range outer {
				sum += of[name].Force[i]
				size += math.Abs(of[name].Force[i])
			}
			if math.Abs(sum) > 1e-8*size {
				t.Errorf("bushings %v: the carrier has a force of %v along %d", bushings, sum, i)
			}
			if got := of["spin_L"].Force[i]; math.Abs(got+on[i]) > 1e-8*size {
				t.Errorf("bushings %v: the bearing has %v along %d, not %v", bushings, got, i, -on[i])
			}
		}
		w := &state.Wheels[0]
		lever := w.Contact().Minus(w.Centre)
		moment := lever.Cross(kc.At(load.Contact[0], load.Contact[1], load.Contact[2]+state.Pads[0].V))
		for i := range 3 {
			if got, want := of["spin_L"].Moment[i], -moment[i].V-load.Moment[i]; math.Abs(got-want) > 1e-7 {
				t.Errorf("bushings %v: the bearing has the moment %v about %d, not %v", bushings, got, i, want)
			}
		}
		// rods pull the carrier to the bar of the rack, which the rack holds
		if pull := of["tie_L"].Force[1] + of["tie_R"].Force[1]; math.Abs(pull-state.RackForce.V) > 1e-7 {
			t.Errorf("bushings %v: the rack is held by %v, the rods pull with %v", bushings, state.RackForce.V, pull)
		}
		f := of["tie_L"].Force
		if size := math.Sqrt(f[0]*f[0] + f[1]*f[1] + f[2]*f[2]); math.Abs(math.Abs(of["tie_L"].Tension)-size) > 1e-8*size {
			t.Errorf("bushings %v: tension %v of the force %v", bushings, of["tie_L"].Tension, f)
		}
		spring := of["spring_L"]
		if want := s.Inputs.Spring.K * (state.Values[0].V - s.Inputs.Spring.Free); math.Abs(spring.Tension-want) > 1e-7 {
			t.Errorf("bushings %v: the spring has %v, not %v", bushings, spring.Tension, want)
		}
		if bushings {
			front, rear := of["bush_lower_front_L"], of["bush_lower_rear_L"]
			if front.On != "arm_lower_front_L" || front.Force == rear.Force {
				t.Errorf("%+v, %+v", front, rear)
			}
		}
	}
}

// Parameters of both sides are pairs: the right one changes as the mirror image, so that the figures of both wheels
// change alike.
func TestParametersOfBothSidesArePairs(t *testing.T) {
	s := readSample(t)
	r, err := rig.New(s.car(t, false), rig.Options{Axle: 1, Radius: s.Inputs.Radius})
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Sensitivities([]string{"spring_L.stiffness", "hub_L.angle1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range list {
		if want := strings.Replace(got.Parameter, "_L", "_R", 1); got.Mirrored != want {
			t.Errorf("%s is a pair with %q", got.Parameter, got.Mirrored)
		}
		for _, f := range got.Figures {
			if math.Abs(f.Left.D-f.Right.D) > 1e-9*math.Abs(f.Left.V/got.Value)+1e-15 {
				t.Errorf("%s changes %s by %v and %v", got.Parameter, f.Key, f.Left.D, f.Right.D)
			}
		}
	}
	if len(list) != 2 {
		t.Errorf("%d parameters", len(list))
	}
	if _, err := r.Sensitivities([]string{"spring_L.stifness"}); err == nil {
		t.Error("a parameter that does not exist has derivatives")
	}
}

// A car in the air has the unloaded radius of its tires, and a wheelbase by its axles where the roles have none.
func TestRadiusAndWheelbaseOfTheModel(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	own := *m.Roles
	own.Wheelbase = 0
	r, err := rig.New(m, rig.Options{Axle: 1, Roles: &own, Set: []rig.Setting{{Name: "body.z", Value: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	state, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w := &state.Wheels[0]; math.Abs(w.Radius-0.3135) > 0.005 {
		t.Errorf("radius %v", w.Radius)
	}
	standing, err := rig.New(m, rig.Options{Axle: 1, Roles: &own})
	if err != nil {
		t.Fatal(err)
	}
	if state, err = standing.Solve(rig.Given{}, nil); err != nil {
		t.Fatal(err)
	}
	if w := &state.Wheels[0]; math.Abs(w.Radius-0.301) > 0.005 {
		t.Errorf("radius %v", w.Radius)
	}
	// the wheels of the sample, which lean, stand on the ground
	s := readSample(t)
	leaning, err := rig.New(s.car(t, false), rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	if state, err = leaning.Solve(rig.Given{}, nil); err != nil {
		t.Fatal(err)
	}
	if z := state.Wheels[0].Contact()[2].V; math.Abs(z) > 1e-12 {
		t.Errorf("the contact is at %v", z)
	}
	// 1.1562 + 1.4227 in the file, and in the roles rounded to 2.579
	with, err := rig.New(m, rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, b := figures(t, standing)["anti_dive"], figures(t, with)["anti_dive"]
	if ratio := a.Left.V / b.Left.V * 2.579; math.Abs(ratio-2.5789) > 1e-4 || ratio == 2.579 {
		t.Errorf("the wheelbase is %v", ratio)
	}
}

// Bump steer and castor of the sample get wanted values by the smallest moves of points: the changed model has them.
func TestTune(t *testing.T) {
	s := readSample(t)
	m := s.car(t, false)
	o := rig.Options{Axle: 1, Radius: s.Inputs.Radius}
	moves := []rig.Move{{Parameter: "tie_inner_z", Most: 0.02}, {Parameter: "tie_outer_z", Most: 0.02},
		{Parameter: "upper_outer_x", Most: 0.03}}
	tuned, err := rig.Tune(m, o, []rig.Target{{Figure: "toe_per_travel", Value: 0}, {Figure: "castor", Value: 0.1}}, moves)
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range tuned.Moves {
		o.Set = append(o.Set, rig.Setting{Name: move.Parameter, Value: move.To})
	}
	r, err := rig.New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	got := figures(t, r)
	if a, b := got["toe_per_travel"].Left.V, got["castor"].Left.V; math.Abs(a) > 1e-5 || math.Abs(b-0.1) > 1e-5 {
		t.Errorf("%v, %v by %+v", a, b, tuned.Moves)
	}
	// the smallest change is along the derivatives: both ends of the rod move, against each other
	if a, b := tuned.Moves[0], tuned.Moves[1]; (a.To-a.From)*(b.To-b.From) >= 0 || math.Abs(a.To-a.From) > 0.015 {
		t.Errorf("%+v", tuned.Moves)
	}
	// the change, in squares of the largest moves, has no part along which the figures stay
	list, err := r.Sensitivities([]string{"tie_inner_z", "tie_outer_z", "upper_outer_x"})
	if err != nil {
		t.Fatal(err)
	}
	var change kc.Vector
	rows := map[string]*kc.Vector{"toe_per_travel": {}, "castor": {}}
	for i, move := range tuned.Moves {
		change[i] = kc.Of((move.To - move.From) / (move.Most * move.Most))
		at := slices.IndexFunc(list, func(s rig.Sensitivity) bool { return s.Parameter == move.Parameter })
		for _, f := range list[at].Figures {
			if row := rows[f.Key]; row != nil {
				row[i] = kc.Of(f.Left.D)
			}
		}
	}
	stay := rows["toe_per_travel"].Cross(*rows["castor"])
	if share := stay.Dot(change).V / (stay.Size().V * change.Size().V); math.Abs(share) > 1e-4 {
		t.Errorf("a share of %v of the change has no effect", share)
	}
	pair, err := rig.Tune(m, rig.Options{Axle: 1, Radius: 0.3}, []rig.Target{{Figure: "wheel_rate", Value: 30000}},
		[]rig.Move{{Parameter: "spring_L.stiffness", Most: 20000}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range pair.After {
		if f.Key == "wheel_rate" && math.Abs(f.Right.V-30000) > 1 {
			t.Errorf("the right wheel has %v", f.Right.V)
		}
	}
	for says, targets := range map[string][]rig.Target{
		"cannot reach": {{Figure: "castor", Value: 1}},
		"no figure":    {{Figure: "caster", Value: 0.1}},
		"missing":      {{Figure: "ackermann", Value: 0.5}},
	} {
		if _, err := rig.Tune(m, rig.Options{Axle: 1, Radius: 0.3}, targets, moves[2:]); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}
