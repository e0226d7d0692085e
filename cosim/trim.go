package cosim

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"skidpad/model/carried"
	parts "skidpad/model/component"
	"skidpad/model/program"
	"skidpad/model/search"
)

// TrimResult reports a steady motion.
type TrimResult struct {
	Iterations int
	Residual   float64 // largest rate left of a speed or slip state [SI]
	Worst      string  // the state, constraint or body with that rate or violation
}

const (
	trimTolerance  = 1e-9
	trimRounding   = 1e-15 // of the terms of a rate, which no search undercuts
	trimIterations = 60
	trimResolved   = 1e-6  // search.Search.Resolved, for differences
	trimExact      = 1e-8  // the same for exact derivatives
	trimWithin     = 1e-12 // change of start values that ends the search
	trimStep       = 1e-6  // of differences
	// fastest change of the speed of travel [m/s^2]: less than braking hard or falling
	trimSlowing = 5
)

// Trim searches for start values of a steady motion, before Initialise: driving straight or in a turn as the inputs
// demand, or rest. It searches for rest if all start speeds are 0, or if the speeds of travel in the model file have
// been set to 0. The speed of travel is kept; all other start values are changed until
//
//	dv/dt = 0  and  A dq/dt = 0,  A = d(dv/dt)/dq,
//
// for speeds and slips v and coordinates q: nothing accelerates, and the motion itself does not disturb the balance, as
// it would while the vehicle sinks. The second condition leaves position, heading and wheel angles free without a list
// of them. Constraints and their rates hold; the search begins with an assembled start. Free bodies that move with the
// chassis, such as wheel carriers on rods, keep their places relative to it.
//
// The first condition does not hold for the speed of travel: a rolling vehicle may slow down, and the bodies that move
// with it slow down alike. At rest it does not hold for carcasses: a carcass under a force creeps, at 1e-6 m/s.
// Directions without effect stay unchanged, because the steps of package search have no part in them. The tires must
// touch the road at the start. In a tree whose speeds are resolved in the ground frame only driving straight is steady.
// With a rolling resistance that jumps at standstill there is no rest.
//
// Potentials and flows of networks are steady, too. States of charge and temperatures keep their start values, although
// they change in a steady motion. Where there is no rest, joints that machines or pumps turn may turn steadily.
//
// On failure the start values are as before, and the error names the state with the largest imbalance.
func (in *Instance) Trim() (TrimResult, error) {
	if in.initialised {
		return TrimResult{}, errors.New("trim comes before initialisation; reset the instance first")
	}
	if err := in.connect(); err != nil {
		return TrimResult{}, err
	}
	before := append([]float64(nil), in.p...)
	result, err := in.searchSteady()
	in.prepared = false
	if err != nil {
		copy(in.p, before)
	}
	return result, err
}

// searchSteady searches for a steady motion, at rest also for one in which machines turn.
func (in *Instance) searchSteady() (TrimResult, error) {
	before := slices.Clone(in.p)
	result, err := in.searchRepeatedly()
	if err == nil {
		return result, nil
	}
	if turned := parts.TurnedByNetworks(in.sys.model.Scope(), in.sys.model.Graph()); len(turned) > 0 {
		copy(in.p, before)
		if t, failure := newTrim(in, turned); failure == nil && t.travel == 0 {
			if turning, failure := t.run(); failure == nil {
				return turning, nil
			}
		}
	}
	return result, err
}

// searchRepeatedly searches up to three times: with different derivatives, and from different starts.
func (in *Instance) searchRepeatedly() (result TrimResult, err error) {
	before := slices.Clone(in.p)
	for attempt := range 3 {
		copy(in.p, before)
		if attempt == 2 && !in.drive() {
			break
		}
		t, failure := newTrim(in, nil)
		if failure != nil {
			return result, failure
		}
		loops := len(in.sys.program.ConstraintNames) > 0
		t.exact = t.travel != 0 && (t.carried != nil || loops && attempt == 1)
		if attempt == 1 && !t.exact {
			continue
		}
		if attempt == 1 && t.carried != nil {
			t.stand()
		}
		if result, err = t.run(); err == nil {
			break
		}
	}
	return result, err
}

type trim struct {
	in          *Instance
	unknowns    []int           // parameters
	units       []float64       // usual magnitudes of the unknowns
	speeds      []int           // states: speeds and slips
	slowing     []int           // states: speeds of travel whose rates may remain
	carried     *carried.Bodies // nil for none
	exact       bool            // derivatives better than differences
	alike       []float64       // rates of the speeds of carried bodies as these slow down with the chassis, by state
	balanced    []bool          // by speed or slip: its rate must vanish
	sizes       []float64       // by speed or slip: usual magnitude of its rate
	coordinates []int           // states
	travel      float64         // the fastest speed of all states [m/s], 0 at rest
	fastest     string          // the state with that speed
	names       []string        // of the states
	r           []float64       // both conditions, violations of constraints and their rates, motions of carried bodies
	jac         []float64
}

// newTrim prepares a search. turning are speeds of joints that may turn at rest.
func newTrim(in *Instance, turning map[string]bool) (*trim, error) {
	p := in.sys.program
	states := len(in.sys.program.States)
	t := &trim{in: in, jac: make([]float64, states*states), alike: make([]float64, states)}
	for _, v := range p.States {
		t.names = append(t.names, v.Name)
	}
	in.place()
	t.carried = carried.Find(in.sys.model, t.names)
	if err := t.assemble(); err != nil {
		return nil, err
	}
	in.prepare()
	for i, v := range p.States {
		if v.Unit == "m/s" && math.Abs(in.x[i]) > math.Abs(t.travel) && !t.carries(v.Name) {
			t.travel, t.fastest = in.x[i], v.Name
		}
	}
	if t.stopped() {
		t.travel = 0
	}
	// in trees with several bodies more than one state has the speed of travel
	travels := func(v program.Variable, speed float64) bool {
		return v.Unit == "m/s" && math.Abs(speed) > math.Abs(t.travel)/2 && !t.carries(v.Name)
	}
	held := map[string]bool{}
	for _, v := range p.States {
		held[v.Name] = v.Held
	}
	for i, v := range p.Parameters {
		if !v.StartValue || held[v.Name] || t.travel != 0 && travels(v, in.p[i]) {
			continue
		}
		speed := v.Unit == "m/s" || v.Unit == "rad/s"
		if speed && t.travel == 0 && !turning[v.Name] {
			in.p[i] = 0
			continue
		}
		t.unknowns, t.units = append(t.unknowns, i), append(t.units, program.Usual(v.Unit))
	}
	t.roll()
	for i, v := range p.States {
		if v.Unit == "m" || v.Unit == "rad" {
			t.coordinates = append(t.coordinates, i)
			continue
		}
		if v.Held {
			continue
		}
		t.speeds, t.sizes = append(t.speeds, i), append(t.sizes, program.Usual(v.Unit))
		creeps := t.travel == 0 && v.Unit == "J^0.5"
		slows := t.travel != 0 && travels(v, in.x[i])
		if slows {
			t.slowing = append(t.slowing, i)
		}
		t.balanced = append(t.balanced, !creeps && !slows)
	}
	rows := 2*len(t.speeds) + len(in.sides.phi)
	if t.carried != nil {
		rows += t.carried.Rates()
	}
	t.r = make([]float64, rows)
	return t, nil
}

// carries reports whether a state is a speed of a carried body.
func (t *trim) carries(name string) bool {
	return t.carried != nil && t.carried.Moves(slices.Index(t.names, name))
}

func (t *trim) run() (TrimResult, error) {
	t.residual(t.r)
	if t.travel == 0 && !(t.worst(TrimResult{}).Residual < trimTolerance) {
		t.relax()
	}
	x := make([]float64, len(t.unknowns))
	for j, i := range t.unknowns {
		x[j] = t.in.p[i] / t.units[j]
	}
	// conditions are balanced: with the resulting accelerations as weights, stiff springs would allow only short steps
	// along the directions that the springs leave free
	s := &search.Search{Of: t, Equations: len(t.r), Enough: trimTolerance, Steps: trimIterations,
		Resolved: trimResolved, Balanced: true}
	if t.exact {
		s.Resolved, s.Natural, s.Within = trimExact, true, trimWithin
	}
	found, _ := s.Run(x)
	copy(t.r, found.Values)
	return t.checkResult(TrimResult{Iterations: found.Steps})
}

// checkResult accepts or rejects the result of the search.
func (t *trim) checkResult(result TrimResult) (TrimResult, error) {
	if result = t.worst(result); result.Residual < trimTolerance || t.rounding() {
		return result, t.rejectUnsteady()
	}
	motion, check := "at rest", "set what drives to 0, such as a throttle, or apply the brakes, and check"
	if t.travel != 0 {
		motion = fmt.Sprintf("with %s = %.4g m/s", t.fastest, t.travel)
		check = "check inputs, start speeds (all 0 for rest) and"
	}
	return result, fmt.Errorf("no steady state found %s: after %d iterations the rate of %s is still %.3g%s; %s whether "+
		"all tires touch the road", motion, result.Iterations, result.Worst, result.Residual*t.size(result.Worst),
		t.others(result.Worst), check)
}

// mostOthers bounds the list of what remains beside the largest rate.
const mostOthers = 3

// others lists what remains beside the largest rate.
func (t *trim) others(worst string) string {
	left := map[string]float64{}
	for k, v := range t.r {
		if name := t.of(k); name != worst && math.Abs(v) > max(left[name], trimTolerance) {
			left[name] = math.Abs(v)
		}
	}
	names := slices.SortedFunc(maps.Keys(left), func(a, b string) int {
		return cmp.Or(cmp.Compare(left[b], left[a]), cmp.Compare(a, b))
	})
	var list []string
	for i, name := range names {
		if i == mostOthers {
			list = append(list, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		list = append(list, fmt.Sprintf("%s %.3g", name, left[name]*t.size(name)))
	}
	if len(list) == 0 {
		return ""
	}
	return " (beside it " + strings.Join(list, ", ") + ")"
}

// size is the usual magnitude of the rate of a state, by its name; 1 for other conditions.
func (t *trim) size(name string) float64 {
	for k, i := range t.speeds {
		if t.names[i] == name {
			return t.sizes[k]
		}
	}
	return 1
}

// rounding reports whether what is left of the conditions is rounding, as the sum of large terms of stiff springs.
func (t *trim) rounding() bool {
	states := len(t.names)
	t.jacobian()
	for row, v := range t.r {
		terms := 0.0
		if row < len(t.speeds) {
			for j, a := range t.jac[t.speeds[row]*states:][:states] {
				terms += math.Abs(a) * max(1, math.Abs(t.in.x[j])) / t.sizes[row]
			}
		}
		if !(math.Abs(v) < max(trimTolerance, trimRounding*terms)) {
			return false
		}
	}
	return true
}

// rejectUnsteady refuses a motion that cannot last.
func (t *trim) rejectUnsteady() error {
	for k, i := range t.speeds {
		if a := t.in.dx[i]; !t.balanced[k] && math.Abs(a) > trimSlowing {
			return fmt.Errorf("no steady state found: %s changes at %.3g m/s^2, more than %d; check the brakes and "+
				"whether all tires touch the road", t.in.sys.program.States[i].Name, a, trimSlowing)
		}
	}
	return t.rejectTurning()
}

func (t *trim) worst(r TrimResult) TrimResult {
	r.Residual = 0
	for k, v := range t.r {
		a := math.Abs(v)
		if math.IsNaN(a) {
			a = math.Inf(1)
		}
		if a > r.Residual {
			r.Residual, r.Worst = a, t.of(k)
		}
	}
	return r
}

// of names the state, constraint or body of a condition.
func (t *trim) of(row int) string {
	p := t.in.sys.program
	if n := len(t.speeds); row < 2*n {
		return p.States[t.speeds[row%n]].Name
	} else if row -= 2 * n; row < len(t.in.sides.phi) {
		return p.ConstraintNames[row%len(p.ConstraintNames)]
	}
	return t.carried.Name(row - len(t.in.sides.phi))
}
