package rig

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/curve"
	"skidpad/model/kc"
)

// Tables are the motion of the left wheel of an axle over its travel and a second variable, from the design position.
// The second variable is the rack, or the travel of the right wheel.
type Tables struct {
	Travel  []float64  // lines of the grid [m]
	Steer   []float64  // lines of the second variable [m, rad]; the design position alone where there is none
	Other   bool       // the second variable is the travel of the right wheel
	Columns []Column   // x, y, toe, camber, castor, then lengths, then angles
	Centre  [3]float64 // of the wheel in the design position, in axes of the chassis from its origin [m]
	Angles  [2]float64 // toe and camber in the design position [rad]
	Right   [3]float64 // as Centre, of the right wheel, with y to the right
	Notes   []string   // about the range
}

// Column is a quantity over both variables. Displacements are forward and outward, and toe, camber and castor have the
// signs of a suspension by curves.
type Column struct {
	Key    string
	Unit   string // m or rad
	Of     Kind
	Values [][]float64 // by the lines of travel and second variable
	Worst  float64     // largest difference from the axle midway between the lines
}

// Kind is what a column has.
type Kind int

// The kinds.
const (
	OfWheel Kind = iota
	Length       // of the spring Key
	Angle        // of the revolute joint Key
	OfRight      // of the right wheel, where tables have both wheels
)

// Steered reports whether the rack moves the wheel.
func (t *Tables) Steered() bool { return t.Two() && !t.Other }

// Two reports whether there is a second variable.
func (t *Tables) Two() bool { return len(t.Steer) > 1 }

// Column is the column of a spring or joint, nil for none.
func (t *Tables) Column(of Kind, key string) *Column {
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Of == of && c.Key == key {
			return c
		}
	}
	return nil
}

// Tabulated says what tables have.
type Tabulated struct {
	Tolerance float64  // largest error midway between the lines of the grid [m, rad]
	Other     bool     // over the travels of both wheels, not over travel and rack
	Parts     bool     // without the wheel
	Both      bool     // also of the right wheel
	Lengths   []string // springs between points, or on a length
	Angles    []string // revolute joints; the rig needs Options.Bodies
}

// Limits of tables.
const (
	firstLines  = 5   // of each variable
	mostLines   = 150 // likewise
	mostPasses  = 12  // of the refinement
	smaller     = 0.9 // of a range that is not reachable at all combinations
	mostShrinks = 20
)

// place is a travel, and a displacement of the rack or the travel of the right wheel.
type place struct{ travel, second float64 }

// given is the place on the rig.
func (b *tabulation) given(p place) Given {
	if b.Other {
		return Given{Travel: [2]float64{p.travel, p.second}}
	}
	return Given{Travel: [2]float64{p.travel, p.travel}, Rack: p.second}
}

// tabulation makes tables.
type tabulation struct {
	*Rig
	*Tables
	parts   bool
	even    bool  // both travels can be exchanged
	springs []int // of Rig.springs
	angles  []int // outputs
	both    bool
	centre  [3]float64 // of the wheel in the design position
	ahead   [3]float64 // forward along the wheel in the design position, in axes of the carrier
	aside   [3]float64 // as ahead, of the right wheel
	states  map[place]*State
	samples map[place][]float64
}

// Tabulate makes tables. Over the rack, both wheels have the same travel.
func (r *Rig) Tabulate(o Tabulated) (*Tables, error) {
	b := &tabulation{Rig: r, Tables: &Tables{Other: o.Other}, parts: o.Parts, both: o.Both,
		states: map[place]*State{}, samples: map[place][]float64{}}
	ofWheel := func(of Kind) {
		for _, key := range []string{"x", "y"} {
			b.Columns = append(b.Columns, Column{Key: key, Unit: "m", Of: of})
		}
		for _, key := range []string{"toe", "camber", "castor"} {
			b.Columns = append(b.Columns, Column{Key: key, Unit: "rad", Of: of})
		}
	}
	if !o.Parts {
		ofWheel(OfWheel)
	}
	if o.Both {
		ofWheel(OfRight)
	}
	for _, name := range o.Lengths {
		i := slices.IndexFunc(r.springs, func(s spring) bool { return s.component == name && s.unit == "1" })
		if i < 0 {
			return nil, fmt.Errorf("%s has no length; tables have lengths of springs, and angles of revolute joints", name)
		}
		b.springs = append(b.springs, i)
		b.Columns = append(b.Columns, Column{Key: name, Unit: "m", Of: Length})
	}
	for _, name := range o.Angles {
		output, has := r.equations.Angles[name]
		if !has {
			return nil, fmt.Errorf("%s has no angle; tables have lengths of springs, and angles of revolute joints", name)
		}
		b.angles = append(b.angles, output)
		b.Columns = append(b.Columns, Column{Key: name, Unit: "rad", Of: Angle})
	}
	if err := b.begin(); err != nil {
		return nil, err
	}
	if !o.Other {
		if err := b.alike(o.Tolerance); err != nil {
			return nil, err
		}
	}
	for range mostPasses {
		if err := b.fill(); err != nil {
			return nil, err
		}
		travel, second, err := b.coarse(o.Tolerance)
		switch {
		case err != nil:
			return nil, err
		case len(travel)+len(second) == 0:
			return b.Tables, nil
		case len(b.Travel)+len(travel) > mostLines || len(b.Steer)+len(second) > mostLines:
			return nil, fmt.Errorf("the tables need more than %d lines for a tolerance of %g; give a larger tolerance",
				mostLines, o.Tolerance)
		}
		b.Travel, b.Steer = together(b.Travel, travel), together(b.Steer, second)
	}
	return nil, fmt.Errorf("the motion of the wheel is not smooth enough for tables with a tolerance of %g", o.Tolerance)
}

// together are the lines of both lists.
func together(a, b []float64) []float64 {
	list := slices.Concat(a, b)
	slices.Sort(list)
	return list
}

// begin finds the design position and the range.
func (b *tabulation) begin() error {
	design, err := b.Solve(Given{}, nil)
	if err != nil {
		return err
	}
	b.mark(design)
	b.states[place{}], b.samples[place{}] = design, b.sample(design)
	bounce, _, err := b.Curve("bounce", false)
	if err != nil {
		return err
	}
	b.Notes = append(b.Notes, bounce.Ends...)
	b.withinStops(bounce)
	second := []float64{0, 0}
	if b.Other {
		second = []float64{bounce.At[0], bounce.At[len(bounce.At)-1]}
	} else if b.steers(design) == "" {
		steer, _, err := b.Curve("steer", false)
		if err != nil {
			return err
		}
		b.Notes = append(b.Notes, steer.Ends...)
		second = []float64{steer.At[0], steer.At[len(steer.At)-1]}
	}
	travel := []float64{bounce.At[0], bounce.At[len(bounce.At)-1]}
	for range mostShrinks {
		if b.reachable(travel, second) {
			b.even = b.Other && b.parts && b.exchangeable(place{travel[0], second[1]})
			b.Travel, b.Steer = spread(travel), spread(second)
			return nil
		}
		for _, ends := range [][]float64{travel, second} {
			ends[0], ends[1] = smaller*ends[0], smaller*ends[1]
		}
		with := "rack"
		if b.Other {
			with = "travel of the other wheel"
		}
		b.Notes = []string{fmt.Sprintf("travel and %s together reach from %.4g to %.4g m and from %.4g to %.4g", with,
			travel[0], travel[1], second[0], second[1])}
	}
	return fmt.Errorf("the wheel cannot move about its design position")
}

// exchangeable reports whether the values stay when both travels are exchanged.
func (b *tabulation) exchangeable(p place) bool {
	const rounding = 1e-10 // m, rad
	one, err := b.at(p)
	other, fault := b.at(place{p.second, p.travel})
	if err != nil || fault != nil {
		return false
	}
	for i, x := range one {
		if math.Abs(x-other[i]) > rounding {
			return false
		}
	}
	return true
}

// withinStops cuts the ends of a curve where the stops bear much more than the weight of the car.
func (b *tabulation) withinStops(bounce *Curve) {
	const much = 10
	middle := slices.Index(bounce.At, 0)
	most := much * math.Abs(bounce.States[middle].Pads[Left].V)
	first, last := middle, middle
	for first > 0 && math.Abs(bounce.States[first].Pads[Left].V) < most {
		first--
	}
	for last < len(bounce.At)-1 && math.Abs(bounce.States[last].Pads[Left].V) < most {
		last++
	}
	if ends := len(bounce.At) - 1; most > 0 && (first > 0 || last < ends) {
		b.Notes = []string{fmt.Sprintf("the tables end at a travel of %.4g and %.4g m, where a pad bears more than %d times "+
			"its force in the design position", bounce.At[first], bounce.At[last], much)}
		bounce.At, bounce.States = bounce.At[first:last+1], bounce.States[first:last+1]
	}
}

// mark keeps the design position. The equations have just been evaluated there.
func (b *tabulation) mark(design *State) {
	w := &design.Wheels[Left]
	b.centre = [3]float64{w.Centre[0].V, w.Centre[1].V, w.Centre[2].V}
	b.Centre, b.Angles = b.centre, [2]float64{w.Toe().V, w.Camber().V}
	axes, level := b.carrier(), levelled([3]float64{w.Spin[0].V, w.Spin[1].V, w.Spin[2].V})
	for i := range axes {
		b.ahead[i] = dot(axes[i], level)
	}
	right := &design.Wheels[Right]
	b.Right = plain(right.Centre)
	level = levelled(plain(right.Spin))
	for i, axis := range design.carrier[Right] {
		b.aside[i] = dot(plain(axis), level)
	}
}

// plain are the values of a vector.
func plain(v kc.Vector) [3]float64 { return [3]float64{v[0].V, v[1].V, v[2].V} }

// turned is the direction that was forward along the wheel in the design position.
func (b *tabulation) turned(axes [3][3]float64) [3]float64 { return combined(b.ahead, axes) }

// combined is a direction in axes that turn.
func combined(shares [3]float64, axes [3][3]float64) (ahead [3]float64) {
	for i, share := range shares {
		for k := range ahead {
			ahead[k] += share * axes[i][k]
		}
	}
	return ahead
}

// reachable reports whether the ends of travel and rack can come together.
func (b *tabulation) reachable(travel, second []float64) bool {
	for _, z := range travel {
		for _, s := range second {
			if _, err := b.at(place{z, s}); err != nil {
				return false
			}
		}
	}
	return true
}

// alike checks that the right wheel is the mirror image of the left one.
func (b *tabulation) alike(tolerance float64) error {
	if b.parts {
		return nil
	}
	const allowed = 10 // times the tolerance
	last := len(b.Steer) - 1
	rack := min(-b.Steer[0], b.Steer[last])
	for _, travel := range []float64{b.Travel[0], b.Travel[len(b.Travel)-1]} {
		left, err := b.at(place{travel, rack})
		if err != nil {
			return err
		}
		there := place{travel, -rack}
		if _, err := b.at(there); err != nil {
			return err
		}
		right := &b.states[there].Wheels[Right]
		mirrored := []float64{right.Centre[0].V - b.centre[0], right.Centre[1].V - b.centre[1], right.Toe().V,
			right.Camber().V}
		for k, x := range mirrored {
			if d := math.Abs(x - left[k]); d > allowed*tolerance {
				return fmt.Errorf("at a travel of %.4g m and the rack at %.4g the %s of the right wheel differs by %.2g %s from "+
					"the mirror image of the left wheel; the tables of one corner need equal sides", travel, rack,
					b.Columns[k].Key, d, b.Columns[k].Unit)
			}
		}
	}
	return nil
}

// spread are the first lines between two ends; 0 is one of them.
func spread(ends []float64) (list []float64) {
	if ends[0] == ends[1] {
		return []float64{0}
	}
	const half = firstLines / 2
	for i := -half; i <= half; i++ {
		list = append(list, rounded(math.Abs(float64(i))/half*ends[(i+half)/(half+1)]))
	}
	return list
}

// rounded is a place of a line, in nanometres or nanoradians.
func rounded(x float64) float64 { return math.Round(1e9*x)/1e9 + 0 }

// carrier are the axes of the left carrier, in axes of the chassis.
func (b *tabulation) carrier() (axes [3][3]float64) {
	first := b.equations.Wheels[Left].Carrier
	for i := range axes {
		axes[i] = [3]float64(b.y[first+3*i : first+3*i+3])
	}
	return axes
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// levelled is the level direction forward along a wheel with a spin axis to the left.
func levelled(u [3]float64) [3]float64 {
	size := math.Hypot(u[0], u[1])
	return [3]float64{u[1] / size, -u[0] / size, 0}
}

// sample are the values of all columns. The equations have just been evaluated at the state.
func (b *tabulation) sample(s *State) []float64 {
	var list []float64
	if !b.parts {
		list = ofWheel(&s.Wheels[Left], b.centre, b.turned(b.carrier()))
	}
	if b.both {
		var axes [3][3]float64
		for i, axis := range s.carrier[Right] {
			axes[i] = plain(axis)
		}
		list = append(list, ofWheel(&s.Wheels[Right], b.Right, combined(b.aside, axes))...)
	}
	for _, i := range b.springs {
		list = append(list, s.Values[i].V)
	}
	for _, output := range b.angles {
		list = append(list, b.y[output])
	}
	return list
}

// ofWheel are place and angles of a wheel, in axes with y outward. ahead was forward along it in the design position.
//
// The carrier turns by toe-in t and camber g to its spin axis u = (sin t cos g, cos t cos g, -sin g), and about u by
// the castor k: ahead turns from the level direction c along the wheel to c cos k + (c x u) sin k.
func ofWheel(w *kc.Wheel, design, ahead [3]float64) []float64 {
	u := plain(w.Spin)
	level := levelled(u)
	up := crossed(level, u)
	return []float64{w.Centre[0].V - design[0], w.Centre[1].V - design[1], w.Toe().V, w.Camber().V,
		math.Atan2(dot(ahead, up), dot(ahead, level))}
}

// at is the sample at a place.
func (b *tabulation) at(p place) ([]float64, error) {
	if b.even && p.second < p.travel {
		p.travel, p.second = p.second, p.travel
	}
	if list := b.samples[p]; list != nil {
		return list, nil
	}
	s := b.solveBetween(p)
	if s == nil {
		var err error
		if s, err = b.solveFromNearest(p); err != nil {
			return nil, err
		}
	}
	b.states[p], b.samples[p] = s, b.sample(s)
	return b.samples[p], nil
}

// solveBetween finds the state from the straight line between the nearest two states at both sides of it; nil where
// there are none, or the search fails.
func (b *tabulation) solveBetween(p place) *State {
	var ends [2]place
	for _, axis := range []func(place) (along, across float64){
		func(q place) (float64, float64) { return q.travel, q.second },
		func(q place) (float64, float64) { return q.second, q.travel },
	} {
		at, line := axis(p)
		low, high := math.Inf(-1), math.Inf(1)
		for q := range b.states {
			along, across := axis(q)
			switch {
			case across != line:
			case along < at && along > low:
				low, ends[0] = along, q
			case along > at && along < high:
				high, ends[1] = along, q
			}
		}
		if high-low < math.Inf(1) {
			s, _ := b.Solve(b.given(p), b.states[ends[0]].towards(b.states[ends[1]], (at-low)/(high-low)))
			return s
		}
	}
	return nil
}

// solveFromNearest finds the state from the nearest one.
func (b *tabulation) solveFromNearest(p place) (*State, error) {
	nearest, distance := place{}, math.Inf(1)
	for q := range b.states {
		if d := math.Hypot(p.travel-q.travel, p.second-q.second); d < distance || d == distance &&
			(q.travel < nearest.travel || q.travel == nearest.travel && q.second < nearest.second) {
			nearest, distance = q, d
		}
	}
	return b.Solve(b.given(p), b.states[nearest])
}

// fill puts the values on the lines into the columns.
func (b *tabulation) fill() error {
	for k := range b.Columns {
		b.Columns[k].Values, b.Columns[k].Worst = make([][]float64, len(b.Travel)), 0
	}
	for i, z := range b.Travel {
		for _, s := range b.Steer {
			list, err := b.at(place{z, s})
			if err != nil {
				return err
			}
			for k := range b.Columns {
				b.Columns[k].Values[i] = append(b.Columns[k].Values[i], list[k])
			}
		}
	}
	return nil
}

// At is a column between its lines, as a suspension by curves and surfaces has it.
func (t *Tables) at(k int) (func(travel, second float64) float64, error) {
	c := &t.Columns[k]
	if !t.Two() {
		var y []float64
		for i := range t.Travel {
			y = append(y, c.Values[i][0])
		}
		line, err := curve.Smooth(t.Travel, y)
		return func(travel, _ float64) float64 {
			value, _, _ := line.At(travel)
			return value
		}, err
	}
	var points []curve.PointOfSurface
	for i, z := range t.Travel {
		for j, s := range t.Steer {
			points = append(points, curve.PointOfSurface{X: z, Y: s, Z: c.Values[i][j]})
		}
	}
	surface, err := curve.NewSurface(points, curve.Smooth, false)
	return func(travel, second float64) float64 {
		value, _, _ := surface.At(travel, second)
		return value
	}, err
}

// coarse are the new lines: midway between lines with an error above the tolerance.
func (b *tabulation) coarse(tolerance float64) (travel, second []float64, err error) {
	var columns []func(travel, second float64) float64
	for k := range b.Columns {
		of, err := b.Tables.at(k)
		if err != nil {
			return nil, nil, err
		}
		columns = append(columns, of)
	}
	misses := func(p place) (worst float64, err error) {
		list, err := b.at(p)
		if err != nil {
			return 0, err
		}
		for k := range b.Columns {
			of := math.Abs(columns[k](p.travel, p.second) - list[k])
			b.Columns[k].Worst, worst = max(b.Columns[k].Worst, of), max(worst, of)
		}
		return worst, nil
	}
	middles := func(lines []float64) (list []float64) {
		for i := 1; i < len(lines); i++ {
			list = append(list, rounded((lines[i-1]+lines[i])/2))
		}
		return list
	}
	find := func(across, along []float64, of func(across, along float64) place) (list []float64, err error) {
		for _, middle := range middles(across) {
			worst := 0.0
			for _, line := range along {
				one, err := misses(of(middle, line))
				if err != nil {
					return nil, err
				}
				worst = max(worst, one)
			}
			if worst > tolerance {
				list = append(list, middle)
			}
		}
		return list, nil
	}
	if travel, err = find(b.Travel, b.Steer, func(z, s float64) place { return place{z, s} }); err != nil {
		return nil, nil, err
	}
	second, err = find(b.Steer, b.Travel, func(s, z float64) place { return place{z, s} })
	return travel, second, err
}
