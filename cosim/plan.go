package cosim

import (
	"skidpad/model/program"
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// Plan is for callers outside of Go that make the communication steps of an instance: a listing, and the memories of
// the instance. The plan keeps its address until something in it is replaced. A step of the caller does exactly what
// Begin and Next do, to the last bit, and the caller reports it by Stepped. A step with anything to note or report is
// left to the instance, which begins it from the same state.
type Plan struct {
	*Listing
	Memory     [][]float64  // by number
	Groups     []tire.Group // functions outside of Go
	X, U, Rate []float64
	Watch      Watch
	Levels     []Level     // by surface
	Footprints []Footprint // by ground
	Waves      [][]float64 // by surface; empty unless the surface is an iso8608
	Seeds      []float64   // by surface

	// By ground, the position of a tire along its road: at the end of the latest solver step, NaN for unknown, and in
	// the latest evaluation. The caller that makes a step updates both.
	Along, Reached []float64
	ContactAlong   []float64 // by wheel contact: its position along the road at the end of the latest solver step
	LongestStep    float64   // of the solver [s]

	// By sampler of the listing, its numbers. SampleCounts are the time of the start [s], then by sampler how many
	// samples are past. The caller that takes samples counts them.
	Sampling     []Sampling
	SampleCounts []float64
}

// Watch holds the checks of the first rates of a solver step. While every Gate is passed and no row is outside of its
// limits, nothing happens. Numbers change as the instance would change them. Where a row leaves its limits, the step is
// left to the instance.
type Watch struct {
	Gates   []Gate
	Limits  []Limits  // by row
	Numbers []float64 // by row, in the order of the numbers below
	Out     []float64 // one number: not 0 while a row is outside of its limits
}

// Gate is a quick check of a number: the number is within all of its limits if |number - Middle| is at most Half.
type Gate struct {
	At     Place
	Middle float64
	Half   int64 // bits of the floating-point number
}

// Limits are the limits of a row, and the narrower limits within which the row has come back.
type Limits struct{ Low, High, BackLow, BackHigh float64 }

// Level is the height [m] of a surface, the slopes of its plane, and the factors of friction at y >= 0 and y < 0.
type Level struct{ Height, SlopeX, SlopeY, Left, Right float64 }

// Footprint is the length and the width of a footprint [m], 0 for none.
type Footprint struct{ Length, Width float64 }

// Job is machinecode.Job.
type Job = machinecode.Job

// Sampling are the addresses of the numbers of a sampler: the time between samples and the time of the first sample
// [s], and whether the sampler acts.
type Sampling struct{ Sample, Phase, Active *float64 }

// At returns the number at a place, nil for none.
func (p *Plan) At(place Place) *float64 {
	if place.Memory < 0 {
		return nil
	}
	return &p.Memory[place.Memory][place.At]
}

// Plan returns the plan of the instance, or the reason why the instance itself must make every step.
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

// forgetPlan discards the plan. It is called where functions, solver or states are replaced.
func (in *Instance) forgetPlan() { in.plan, in.unplanned = nil, "" }

// planner is an instance with the methods that make plans.
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
	if listing.Samples != nil {
		plan.SampleCounts = in.samples.numbers
		for _, s := range in.sys.program.Samplers {
			plan.Sampling = append(plan.Sampling,
				Sampling{&in.constants[s.Sample], &in.constants[s.Phase], &in.constants[s.Active]})
		}
	}
	for i := range in.sys.program.Uneven {
		plan.Footprints = append(plan.Footprints, in.footprintOf(i))
	}
	return plan, ""
}

const noCode = "the equations or a tire function are not machine code that C can call"

// reasonForGo names a part of the instance that exists in Go only; "" if there is none.
func (in planner) reasonForGo() string {
	if in.carriesDerivatives() {
		return "derivatives of the run are carried along"
	}
	if !in.method.InC {
		return "the method " + in.method.Name + " runs in Go"
	}
	for _, a := range in.acts {
		if why := a.inGo(); why != "" {
			return why
		}
	}
	switch {
	case len(in.tires.receivers) > 0 || in.tires.states > 0 || len(in.tires.observers) > 0:
		return "a tire function has states, or receives poses or steps"
	case in.ledger.works > 0:
		return "works are recorded"
	}
	return ""
}

// Planned reports whether the plan can make the next step, because nothing is pending that needs the instance.
func (in *Instance) Planned() bool {
	return in.plan != nil && in.initialised && !in.pendingStep.active && in.since == 0 && in.slow.limit == 0 &&
		len(in.slow.texts) == 0
}

// Watching reports whether the conditions of Ends are checked.
func (in *Instance) Watching() bool { return in.acts.next() < never }

// Tried notes that evaluations of the plan have run, at any state.
func (in *Instance) Tried() { in.fresh = false }

// Stepped notes that steps by the plan have reached a time [s].
func (in *Instance) Stepped(t float64) {
	in.t, in.since, in.fresh = t, 0, false
	in.pendingStep.n = max(1, in.pendingStep.n) // the start is past
}

// watching lists the watched numbers of the instance.
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
