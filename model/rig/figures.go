package rig

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/kc"
)

// Figure is a characteristic value of the axle, in SI units: of each wheel, or of the axle. The values of the wheels
// are equal where the sides are mirror images.
type Figure struct {
	Key     string
	Unit    string
	Left    kc.Number
	Right   kc.Number
	Axle    bool   // Left is the figure of the axle
	Missing string // why there is no value; "" where there is one
}

// Motions and loads of the figures.
const (
	bounce      = 0.010 // [m]
	bounceSteps = 21
	rollTravel  = 0.001 // [m]
	probe       = 1000  // of supports and of the roll centre by force [N]
	lateral     = 500   // [N]
	aligning    = 50    // [N m]
	loadSteps   = 11
)

// along finds states at places from a middle one outwards.
func (f *figures) along(places []float64, given func(x float64) Given) ([]*State, error) {
	states := make([]*State, len(places))
	nearest := 0
	for i, x := range places {
		if math.Abs(x) < math.Abs(places[nearest]) {
			nearest = i
		}
	}
	from := f.design
	for i := nearest; i < len(places); i++ {
		s, err := f.at(given(places[i]), from)
		if err != nil {
			return nil, err
		}
		states[i], from = s, s
	}
	from = states[nearest]
	for i := nearest - 1; i >= 0; i-- {
		s, err := f.at(given(places[i]), from)
		if err != nil {
			return nil, err
		}
		states[i], from = s, s
	}
	return states, nil
}

// even are n places from -most to most.
func even(most float64, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = most * float64(2*i-(n-1)) / float64(n-1)
	}
	return list
}

// axle is the axle of a state.
func (s *State) axle() *kc.Axle { return &kc.Axle{Wheels: s.Wheels, Pads: s.Pads} }

// Figures finds the figures of the axle about its design position.
func (r *Rig) Figures() ([]Figure, error) {
	f, err := r.figures()
	if err != nil {
		return nil, err
	}
	return f.list, nil
}

// figures finds all figures, and keeps their states.
func (r *Rig) figures() (*figures, error) {
	f := &figures{Rig: r, states: map[Given]*State{}}
	return f, f.find()
}

// figures are figures and their states.
type figures struct {
	*Rig
	design *State
	states map[Given]*State
	steer  *Curve  // nil where there is none
	first  *[2]int // of springs
	list   []Figure
	lift   func(*State) *State // a state with derivatives along a direction; nil for none
}

// find finds the figures.
func (f *figures) find() (err error) {
	f.list = nil
	if f.design, err = f.at(Given{}, nil); err != nil {
		return err
	}
	for _, find := range []func() error{f.bounce, f.roll, f.forces, f.steeringAxis, f.steering, f.compliance} {
		if err := find(); err != nil {
			return err
		}
	}
	return nil
}

// at is the state under what is given.
func (f *figures) at(to Given, from *State) (*State, error) {
	s := f.states[to]
	if s == nil {
		var err error
		if s, err = f.Solve(to, from); err != nil {
			return nil, err
		}
		f.states[to] = s
	}
	return f.lifted(s), nil
}

// lifted is a state with its derivatives.
func (f *figures) lifted(s *State) *State {
	if f.lift == nil {
		return s
	}
	return f.lift(s)
}

func (f *figures) wheels(key, unit string, of func(side int) kc.Number) {
	f.list = append(f.list, Figure{Key: key, Unit: unit, Left: of(Left), Right: of(Right)})
}

func (f *figures) axle(key, unit string, value kc.Number) {
	f.list = append(f.list, Figure{Key: key, Unit: unit, Left: value, Right: value, Axle: true})
}

func (f *figures) missing(key, why string) {
	nothing := kc.Of(math.NaN())
	f.list = append(f.list, Figure{Key: key, Left: nothing, Right: nothing, Missing: why})
}

// read lists a number of each state.
func read(states []*State, of func(s *State) kc.Number) (list []kc.Number) {
	for _, s := range states {
		list = append(list, of(s))
	}
	return list
}

// constants are numbers that do not change.
func constants(list []float64) (numbers []kc.Number) {
	for _, x := range list {
		numbers = append(numbers, kc.Of(x))
	}
	return numbers
}

func (f *figures) bounce() error {
	travel := even(bounce, bounceSteps)
	states, err := f.along(travel, func(z float64) Given { return Given{Travel: [2]float64{z, z}} })
	if err != nil {
		return err
	}
	slope := func(key, unit string, of func(s *State, side int) kc.Number) {
		f.wheels(key, unit, func(side int) kc.Number {
			return kc.Slope(constants(travel), read(states, func(s *State) kc.Number { return of(s, side) }))
		})
	}
	slope("toe_per_travel", "rad/m", func(s *State, side int) kc.Number { return s.Wheels[side].Toe() })
	slope("camber_per_travel", "rad/m", func(s *State, side int) kc.Number { return s.Wheels[side].Camber() })
	slope("x_per_travel", "1", func(s *State, side int) kc.Number { return s.Wheels[side].Centre[0] })
	slope("y_per_travel", "1", func(s *State, side int) kc.Number { return s.Wheels[side].Centre[1] })
	slope("wheel_rate", "N/m", func(s *State, side int) kc.Number { return s.Pads[side] })
	f.rideRate(f.list[len(f.list)-1])
	f.motionRatios(travel, states)
	switch depends, err := f.dependent(); {
	case err != nil:
		f.missing("roll_centre_one_wheel", err.Error())
		return nil
	case depends:
		f.missing("roll_centre_one_wheel", "the path of each wheel depends on the other wheel")
		return nil
	}
	f.wheels("roll_centre_one_wheel", "m", func(side int) kc.Number {
		contact := func(i int) []kc.Number {
			return read(states, func(s *State) kc.Number { return s.Wheels[side].Contact()[i] })
		}
		return kc.RollCentreOfOneWheel(contact(1), contact(2), f.design.Wheels[side].Contact()[1])
	})
	return nil
}

// probeTravel of the right wheel [m] changes the camber of the left wheel of a rigid axle by probeTravel over the
// track. A wheel whose camber changes by more than leastDependence of this depends on the other; a bar or a rack
// between yielding wheels changes it less.
const probeTravel, leastDependence = 0.001, 0.05

// dependent reports whether the travel of the right wheel tilts the left wheel.
func (f *figures) dependent() (bool, error) {
	s, err := f.Solve(Given{Travel: [2]float64{0, probeTravel}}, f.design)
	if err != nil {
		return false, err
	}
	before, after := &f.design.Wheels[Left], &s.Wheels[Left]
	turned := math.Abs(after.Camber().V - before.Camber().V)
	track := f.design.Wheels[Left].Contact()[1].V + f.design.Wheels[Right].Contact()[1].V
	return turned*math.Abs(track) > leastDependence*probeTravel, nil
}

// rideRate finds the rate of suspension and tire in series.
func (f *figures) rideRate(wheel Figure) {
	var rate [2]kc.Number
	for side, name := range f.Tires {
		tire, is := component.Named[*component.Tire](f.Model.Scope(), name)
		if !is || !(tire.VerticalStiffness.Value > 0) {
			f.missing("ride_rate", name+" has no vertical stiffness")
			return
		}
		rate[side] = kc.Of(tire.VerticalStiffness.Value)
	}
	f.wheels("ride_rate", "N/m", func(side int) kc.Number {
		return kc.InSeries([2]kc.Number{wheel.Left, wheel.Right}[side], rate[side])
	})
}

// opposite are the states with opposite travel: the right wheel up, the left wheel up.
func (f *figures) opposite() (right, left *State, err error) {
	if right, err = f.at(Given{Travel: [2]float64{-rollTravel, rollTravel}}, f.design); err != nil {
		return nil, nil, err
	}
	left, err = f.at(Given{Travel: [2]float64{rollTravel, -rollTravel}}, f.design)
	return right, left, err
}

func (f *figures) roll() error {
	right, left, err := f.opposite()
	if err != nil {
		return err
	}
	roll := kc.Roll(right.axle(), left.axle())
	f.axle("roll_stiffness", "N.m/rad", roll.Stiffness)
	f.axle("roll_steer", "1", roll.Steer)
	f.wheels("roll_camber", "1", func(side int) kc.Number { return roll.Camber[side] })
	f.axle("roll_centre", "m", roll.Centre)
	return nil
}

// both is the same load on both wheels.
func both(l Load) Given { return Given{Loads: [2]Load{l, l}} }

func (f *figures) forces() error {
	support := func(key string, l Load) error {
		s, err := f.at(both(l), f.design)
		if err != nil {
			return err
		}
		f.wheels(key, "1", func(side int) kc.Number { return s.Pads[side].Minus(f.design.Pads[side]).Scaled(1.0 / probe) })
		return nil
	}
	if err := support("support_brake", Load{Contact: [3]float64{-probe, 0, 0}}); err != nil {
		return err
	}
	if err := support("support_drive", Load{Centre: [3]float64{probe, 0, 0}}); err != nil {
		return err
	}
	f.antis(f.list[len(f.list)-2], f.list[len(f.list)-1])
	s, err := f.at(both(Load{Contact: [3]float64{0, probe, 0}}), f.design)
	if err != nil {
		return err
	}
	f.axle("roll_centre_by_force", "m", kc.RollCentreByForce(s.axle(), f.design.axle(), probe))
	return nil
}

// antis finds anti-dive of the first axle, and anti-lift and anti-squat of the last axle.
func (f *figures) antis(brake, drive Figure) {
	first, last := f.options.Axle == 1, f.options.Axle == len(f.roles.Axles)
	if first == last {
		f.missing("anti_dive", "a vehicle with other axles than two")
		return
	}
	wheelbase, height := f.design.wheelbase, f.design.massHeight
	add := func(key string, of Figure, share float64) {
		f.wheels(key, "1", func(side int) kc.Number {
			return kc.Anti([2]kc.Number{of.Left, of.Right}[side], share, wheelbase, height)
		})
	}
	key, share := "anti_dive", 1.0
	if last {
		key, share = "anti_lift", -1
	}
	if part, missing := f.brakeShare(); missing != "" {
		f.missing(key, missing)
	} else {
		add(key, brake, share*part)
	}
	if last {
		add("anti_squat", drive, 1)
	}
}

// brakeShare is the part of the axle in the braking torque: by the brake distributions of the model, or by the roles.
func (r *Rig) brakeShare() (share float64, missing string) {
	scope := r.Model.Scope()
	onAxle := func(brake string) bool {
		c := scope.Find(brake)
		for _, name := range r.Tires {
			w, _ := component.Named[component.Wheeled](scope, name)
			if frame := w.Wheel().Frame; c != nil && slices.Contains(c.Frames().Uses, frame) {
				return true
			}
		}
		return false
	}
	found := false
	for _, c := range component.All[component.Sharing](scope) {
		for _, s := range c.Shares() {
			found = true
			if slices.ContainsFunc(s.Brakes, onAxle) {
				share += s.Share.Value
			}
		}
	}
	front := r.roles.FrontShare
	switch {
	case found:
		return share, ""
	case front == nil:
		return 0, "no brake-distribution shares the braking among the axles: give the role brake.front_share"
	case r.options.Axle == 1:
		return *front, ""
	case len(r.roles.Axles) == 2:
		return 1 - *front, ""
	}
	return 0, "the role brake.front_share does not tell the braking of the last of three or more axles"
}

// steeringAxis finds the figures of the steering axes in the design position.
func (f *figures) steeringAxis() error {
	keys := []struct{ key, unit string }{{"castor", "rad"}, {"inclination", "rad"}, {"trail", "m"}, {"scrub", "m"},
		{"hub_trail", "m"}, {"hub_offset", "m"}}
	var axes [2]kc.Axis
	for side := range 2 {
		axis, missing := f.axisOf(side)
		if missing != "" {
			for _, k := range keys {
				f.missing(k.key, missing)
			}
			return nil
		}
		axes[side] = axis
	}
	for i, k := range keys {
		f.wheels(k.key, k.unit, func(side int) kc.Number {
			a, w := &axes[side], &f.design.Wheels[side]
			trail, scrub := a.Trail(w)
			hubTrail, hubOffset := a.HubTrail(w)
			return [...]kc.Number{a.Castor(), a.Inclination(), trail, scrub, hubTrail, hubOffset}[i]
		})
	}
	return nil
}

// value is a number of a wheel.
type value struct {
	key, unit string
	of        func(w *kc.Wheel) kc.Number
}

var (
	toe      = value{"toe", "rad", (*kc.Wheel).Toe}
	camber   = value{"camber", "rad", (*kc.Wheel).Camber}
	sideways = value{"contact_y", "m", func(w *kc.Wheel) kc.Number { return w.Contact()[1] }}
	forward  = value{"x", "m", func(w *kc.Wheel) kc.Number { return w.Centre[0] }}
)

// loading is a test of compliance: a load on the left wheel, and on the right wheel the same or its mirror image.
type loading struct {
	key, unit string
	most      float64
	load      func(x float64) Load
	mirrored  bool
	values    []value
}

// given is a load in the design position.
func (l *loading) given(x float64) Given {
	left := l.load(x)
	right := left
	if l.mirrored {
		right.Contact[1], right.Moment[2] = -right.Contact[1], -right.Moment[2]
	}
	return Given{Loads: [2]Load{left, right}}
}

func alongY(x float64) Load   { return Load{Contact: [3]float64{0, x, 0}} }
func aboutZ(x float64) Load   { return Load{Moment: [3]float64{0, 0, x}} }
func alongX(x float64) Load   { return Load{Contact: [3]float64{x, 0, 0}} }
func atCentre(x float64) Load { return Load{Centre: [3]float64{x, 0, 0}} }

var loadings = []loading{
	{"lateral_parallel", "N", lateral, alongY, false, []value{toe, camber, sideways}},
	{"lateral_opposed", "N", lateral, alongY, true, []value{toe, camber, sideways}},
	{"aligning_parallel", "N.m", aligning, aboutZ, false, []value{toe, camber, sideways}},
	{"aligning_opposed", "N.m", aligning, aboutZ, true, []value{toe, camber, sideways}},
	{"braking", "N", lateral, alongX, true, []value{toe, camber, forward}},
	{"driving", "N", lateral, atCentre, true, []value{toe, camber, forward}},
}

// compliance finds the slopes over loads. A load to the left is inward on the right wheel, unless it is mirrored.
func (f *figures) compliance() error {
	for i := range loadings {
		test := &loadings[i]
		loads := even(test.most, loadSteps)
		states, err := f.along(loads, test.given)
		if err != nil {
			return err
		}
		if test.key == "aligning_parallel" {
			if err := f.torques(loads, states); err != nil {
				return err
			}
		}
		for _, v := range test.values {
			f.wheels(test.key+"_"+v.key, v.unit+"/"+test.unit, func(side int) kc.Number {
				slope := kc.Slope(constants(loads), read(states, func(s *State) kc.Number { return v.of(&s.Wheels[side]) }))
				if side == Right && !test.mirrored {
					slope = slope.Negative()
				}
				return slope
			})
		}
	}
	return nil
}

// motionRatios finds the ratios of springs and dampers: how much they shorten per travel. The figure motion_ratio
// belongs to the first spring of each wheel; others have one where theirs differs.
func (f *figures) motionRatios(travel []float64, states []*State) {
	ratio := func(i int) kc.Number {
		slope := kc.Slope(constants(travel), read(states, func(s *State) kc.Number { return s.Values[i] })).Negative()
		if f.springs[i].joint && slope.V < 0 {
			return slope.Negative()
		}
		return slope
	}
	if f.first == nil {
		first := f.firstSprings(f.design)
		f.first = &first
	}
	first := *f.first
	for side := range 2 {
		if first[side] < 0 {
			f.missing("motion_ratio", "the "+Sides[side]+" wheel has no spring of its own")
			return
		}
	}
	f.wheels("motion_ratio", f.springs[first[Left]].unit, func(side int) kc.Number { return ratio(first[side]) })
	const differs = 1e-9
	for i, s := range f.springs {
		if x := ratio(i); math.Abs(x.V) > leastRatio && math.Abs(x.V-ratio(first[Left]).V) > differs &&
			math.Abs(x.V-ratio(first[Right]).V) > differs {
			f.axle("motion_ratio of "+s.component, s.unit, x)
		}
	}
}
