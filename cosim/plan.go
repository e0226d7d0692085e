package cosim

import (
	"skidpad/model/program"
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// Plan is for callers outside of Go that make the communication steps of an instance: a listing, and the memories of
// the instance. The plan keeps its address until something in it is replaced. Who makes a step does what Begin and
// Next do, to the last bit, and says so by Stepped. Where anything would have to be noted or said, a step is left to
// the instance, which begins it from the same state.
type Plan struct {
	*Listing
	Memory     [][]float64  // by number
	Groups     []tire.Group // functions outside of Go
	X, U, Rate []float64
	Watch      Watch
	Levels     []Level     // by surface
	Footprints []Footprint // by ground
	Waves      [][]float64 // by surface, those of an iso8608
	Seeds      []float64   // by surface

	// By ground, the place of a tire along its road: at the end of the latest solver step, NaN for unknown, and in the
	// latest evaluation. Who makes a step keeps both.
	Along, Reached []float64
	ContactAlong   []float64 // by wheel contact, where it was at the end of the latest solver step
	LongestStep    float64   // of the solver [s]
}

// Watch is what the first rates of a solver step are looked at for. While each Gate is passed and no row is outside of
// its limits, nothing happens. Numbers change as the instance would change them; where a row leaves its limits,
// the step is left to the instance.
type Watch struct {
	Gates   []Gate
	Limits  []Limits  // by row
	Numbers []float64 // by row, in the order of the numbers below
	Out     []float64 // one number: not 0 while a row is outside of its limits
}

// Gate is a quick look at a number: it is within all of its limits if |number - Middle| is at most Half.
type Gate struct {
	At     Place
	Middle float64
	Half   int64 // its bits
}

// Limits are the limits of a row, and the narrower limits of coming back.
type Limits struct{ Low, High, BackLow, BackHigh float64 }

// Level is the height [m] of a surface, the slopes of its plane, and the factors of friction at y >= 0 and below.
type Level struct{ Height, SlopeX, SlopeY, Left, Right float64 }

// Footprint is the length and the width of a footprint [m], 0 for none.
type Footprint struct{ Length, Width float64 }

// Job is machinecode.Job.
type Job = machinecode.Job

// At returns the number at a place, nil for none.
func (p *Plan) At(place Place) *float64 {
	if place.Memory < 0 {
		return nil
	}
	return &p.Memory[place.Memory][place.At]
}

// Plan returns the plan of the instance, or why every step has to be made by the instance itself.
func (in *Instance) Plan() (plan *Plan, why string) {
	if !in.initialised {
		return nil, errNotInitialised.Error()
	}
	if in.plan != nil && !in.standsOn(in.plan) {
		in.forgetPlan() // a state with other parameters was restored
	}
	if in.plan == nil && in.unplanned == "" {
		in.plan, in.unplanned = planner{in}.make()
	}
	return in.plan, in.unplanned
}

// forgetPlan is called where functions, solver or states are replaced.
func (in *Instance) forgetPlan() { in.plan, in.unplanned = nil, "" }

// planner is an instance as plans see it.
type planner struct{ *Instance }

func (in planner) make() (plan *Plan, why string) {
	to := &program.Listed{}
	listing, why := in.list(to)
	switch {
	case why != "":
		return nil, why
	case !machinecode.Callable:
		return nil, noCode
	}
	plan = &Plan{Listing: in.shared(listing), Memory: to.Numbers, Groups: to.Groups, X: in.x, U: in.u, Rate: in.rate,
		Watch: in.watching(to), LongestStep: in.settings[stepSetting]}
	contacts := len(in.sys.program.Contacts)
	plan.ContactAlong, plan.Along, plan.Reached = in.along[:contacts:contacts], in.along[contacts:], in.reached
	for i, s := range in.tires.surfaces {
		plan.Levels, plan.Waves = append(plan.Levels, levelOf(s)), append(plan.Waves, s.Waves())
		plan.Seeds = append(plan.Seeds, in.constants[in.sys.program.Terrains[i].Seed])
	}
	for i := range in.sys.program.Uneven {
		plan.Footprints = append(plan.Footprints, in.footprintOf(i))
	}
	return plan, ""
}

const noCode = "the equations or a tire function are no machine code that C can call"

// reasonForGo says what of an instance is written in Go alone, "" for nothing.
func (in planner) reasonForGo() string {
	if !in.method.InC {
		return "the method " + in.method.Name + " runs in Go"
	}
	for _, a := range in.acts {
		if why := a.inGo(); why != "" {
			return why
		}
	}
	switch {
	case len(in.tires.placed) > 0 || in.tires.states > 0 || len(in.tires.stepped) > 0:
		return "a tire function has states, or asks for places or steps"
	case in.ledger.works > 0:
		return "works are recorded"
	}
	return ""
}

// Planned reports whether nothing that happened asks for more than the plan does in the next step.
func (in *Instance) Planned() bool {
	return in.plan != nil && in.initialised && !in.pendingStep.active && in.since == 0 && in.slow.limit == 0 &&
		len(in.slow.texts) == 0
}

// Watching reports whether Ends are looked at.
func (in *Instance) Watching() bool { return in.acts.next() < never }

// Tried takes over that evaluations of the plan have run, of any state.
func (in *Instance) Tried() { in.fresh = false }

// Stepped takes over that steps by the plan have led to a time [s].
func (in *Instance) Stepped(t float64) {
	in.t, in.since, in.fresh = t, 0, false
	in.pendingStep.n = max(1, in.pendingStep.n) // the start is past
}

// watching lists what is watched of the numbers of the instance.
func (in planner) watching(of *program.Listed) (p Watch) {
	w := &in.watch
	p.Numbers, p.Out = w.numbers, w.out
	for _, g := range w.gates {
		p.Gates = append(p.Gates, Gate{of.PlaceOf(g.at), g.middle, g.half})
	}
	for i := range w.of.rows {
		back, l := w.of.rows[i].back, w.limits[i]
		p.Limits = append(p.Limits, Limits{l[0], l[1], back * l[0], back * l[1]})
	}
	return p
}
