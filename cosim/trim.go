package cosim

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/program"
	"skidpad/model/search"
)

// TrimResult reports a steady motion.
type TrimResult struct {
	Iterations int
	Residual   float64 // largest rate left of a speed or slip state [SI]
	Worst      string  // the state with that rate
}

const (
	trimTolerance  = 1e-9
	trimIterations = 60
	trimResolved   = 1e-6 // search.Search.Resolved, for differences
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
// of them. The first condition does not hold for the speed of travel: a rolling vehicle may slow down. At rest it does
// not hold for carcasses: a carcass under a force creeps, at 1e-6 m/s. Directions without effect stay unchanged,
// because the steps of package search have no part in them. The tires must touch the road at
// the start. In a tree whose speeds are resolved in the ground frame only driving straight is steady. With a rolling
// resistance that jumps at standstill there is no rest.
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
	result, err := newTrim(in).run()
	in.prepared = false
	if err != nil {
		copy(in.p, before)
	}
	return result, err
}

type trim struct {
	in          *Instance
	unknowns    []int     // parameters
	speeds      []int     // states: speeds and slips
	balanced    []bool    // by speed or slip: its rate must vanish
	coordinates []int     // states
	travel      float64   // the fastest speed of all states [m/s], 0 at rest
	carries     string    // the state with that speed
	r           []float64 // the two conditions, one after the other
	jac         []float64
}

func newTrim(in *Instance) *trim {
	p := in.sys.program
	states := len(in.sys.program.States)
	t := &trim{in: in, jac: make([]float64, states*states)}
	in.prepare()
	for i, v := range p.States {
		if v.Unit == "m/s" && math.Abs(in.x[i]) > math.Abs(t.travel) {
			t.travel, t.carries = in.x[i], v.Name
		}
	}
	if t.stopped() {
		t.travel = 0
	}
	// in trees with several bodies more than one state has the speed of travel
	travels := func(unit string, speed float64) bool {
		return unit == "m/s" && math.Abs(speed) > math.Abs(t.travel)/2
	}
	for i, v := range p.Parameters {
		if !v.StartValue || t.travel != 0 && travels(v.Unit, in.p[i]) {
			continue
		}
		speed := v.Unit == "m/s" || v.Unit == "rad/s"
		if speed && t.travel == 0 {
			in.p[i] = 0
			continue
		}
		t.unknowns = append(t.unknowns, i)
	}
	t.roll()
	for i, v := range p.States {
		if v.Unit == "m" || v.Unit == "rad" {
			t.coordinates = append(t.coordinates, i)
			continue
		}
		t.speeds = append(t.speeds, i)
		creeps := t.travel == 0 && v.Unit == "J^0.5"
		t.balanced = append(t.balanced, !creeps && (t.travel == 0 || !travels(v.Unit, in.x[i])))
	}
	t.r = make([]float64, 2*len(t.speeds))
	return t
}

// relax starts the search for rest without slips, which would leave forces between tires.
func (t *trim) relax() {
	slips := map[string]bool{}
	for _, of := range t.in.sys.model.Components {
		if head := of.Head(); head.Type == "tire" {
			for _, key := range []string{".q1", ".q2", ".q3"} {
				slips[head.Name+key] = true
			}
		}
	}
	for _, i := range t.unknowns {
		if slips[t.in.sys.program.Parameters[i].Name] {
			t.in.p[i] = 0
		}
	}
	t.residual(t.r)
}

// stopped reports whether the speeds of travel in the model file have been set to 0, and no other speed is set. Speeds
// of at most half the fastest speed of the file, such as the vertical speed of a pitched body, are not speeds of
// travel.
func (t *trim) stopped() bool {
	filed := t.filed()
	for i, v := range t.in.sys.program.Parameters {
		if !v.StartValue || v.Unit != "m/s" || t.in.p[i] == 0 {
			continue
		}
		if math.Abs(v.Start) > math.Abs(filed)/2 || t.in.p[i] != v.Start {
			return false
		}
	}
	return filed != 0
}

// filed returns the fastest start speed of the model file [m/s].
func (t *trim) filed() (fastest float64) {
	for _, v := range t.in.sys.program.Parameters {
		if v.StartValue && v.Unit == "m/s" && math.Abs(v.Start) > math.Abs(fastest) {
			fastest = v.Start
		}
	}
	return fastest
}

// roll starts the search with rolling wheels: beyond the peak of the slip curve more slip means less force, which
// misleads the search. Spins of the model file are scaled with the speed. A wheel whose scaled spin is not within a
// tenth of rolling on the unloaded radius starts with that rolling.
func (t *trim) roll() {
	p := t.in.sys.program
	rolling := map[string]float64{}
	for _, a := range t.in.sys.model.Scope().Axles() {
		rolling[a.Joint+".omega"] = t.travel / a.Wheel.Radius.Value * a.Axis[a.Wheel.Axis]
	}
	filed := t.filed()
	for _, i := range t.unknowns {
		omega, wheel := rolling[p.Parameters[i].Name]
		if filed != 0 {
			if spin := p.Parameters[i].Start * t.travel / filed; math.Abs(spin-omega) < 0.1*math.Abs(omega) {
				omega = spin
			}
		}
		if wheel {
			t.in.p[i] = omega
		}
	}
}

// residual evaluates the two conditions. Rows of the second condition are divided by the size of their row of A, so
// that both conditions have the size of speeds and accelerations.
func (t *trim) residual(r []float64) {
	in := t.in
	in.prepare()
	in.rates(0, in.x, in.dx)
	states := len(in.sys.program.States)
	in.machine.Jacobian(program.StateQuantity, program.StateQuantity).Evaluate(in.x[:states], in.continued, t.jac)
	for k, i := range t.speeds {
		r[k] = 0
		if t.balanced[k] {
			r[k] = in.dx[i]
		}
		size, change := 1.0, 0.0
		for _, j := range t.coordinates {
			a := t.jac[i*states+j]
			size += math.Abs(a)
			change += a * in.dx[j]
		}
		r[len(t.speeds)+k] = change / size
	}
}

// Evaluate implements search.Equations.
func (t *trim) Evaluate(x, f []float64) {
	for j, i := range t.unknowns {
		t.in.p[i] = x[j]
	}
	t.residual(f)
}

// Differentiate implements search.Equations: the second condition holds derivatives already.
func (t *trim) Differentiate(x []float64, j *mat.Dense) { search.Differences(t, x, 1e-6, j) }

func (t *trim) run() (TrimResult, error) {
	t.residual(t.r)
	if t.travel == 0 && !(t.worst(TrimResult{}).Residual < trimTolerance) {
		t.relax()
	}
	x := make([]float64, len(t.unknowns))
	for j, i := range t.unknowns {
		x[j] = t.in.p[i]
	}
	// conditions are balanced: with the resulting accelerations as weights, stiff springs would allow only short steps
	// along the directions that the springs leave free
	found, _ := (&search.Search{Of: t, Equations: len(t.r), Enough: trimTolerance, Steps: trimIterations,
		Resolved: trimResolved, Balanced: true}).Run(x)
	copy(t.r, found.Values)
	return t.checkResult(TrimResult{Iterations: found.Steps})
}

// checkResult accepts or rejects the result of the search.
func (t *trim) checkResult(result TrimResult) (TrimResult, error) {
	if result = t.worst(result); result.Residual < trimTolerance {
		return result, t.rejectUnsteady()
	}
	motion, check := "at rest", "set what drives to 0, such as a throttle, or apply the brakes, and check"
	if t.travel != 0 {
		motion = fmt.Sprintf("with %s = %.4g m/s", t.carries, t.travel)
		check = "check inputs, start speeds (all 0 for rest) and"
	}
	return result, fmt.Errorf("no steady state found %s: after %d iterations the rate of %s is still %.3g; %s whether "+
		"all tires touch the road", motion, result.Iterations, result.Worst, result.Residual, check)
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
			r.Residual, r.Worst = a, t.in.sys.program.States[t.speeds[k%len(t.speeds)]].Name
		}
	}
	return r
}
