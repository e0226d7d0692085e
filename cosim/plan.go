package cosim

import (
	"skidpad/model/program"
	"skidpad/tire/machinecode"
)

// Plan is what a communication step of an instance consists of, for callers outside of Go that make steps themselves:
// the evaluations as lists of machine code and moves, and the numbers of the instance, in place. It is the same, by its
// address, until what it lists is replaced.
//
// Who makes a step does what Begin and Next do, to the last bit, and says so by Stepped. Where anything
// would have to be noted or said, a step is left to the instance, which begins it from the same state.
type Plan struct {
	Method      string
	Rates       *Straight
	Outputs     *Straight // after Rates
	Linear      *Linear   // of the method linearly-implicit
	Ends        *Straight // margins of the conditions that end runs; nil where none is watched
	Watched     []int     // indices of the results of Ends that are looked at
	X, U, Rate  []float64
	Motions     []program.Motion
	Watch       Watch
	Grounds     []Ground // by tire on terrain, all of them level
	LongestStep float64  // of the solver [s]

	// What Values writes, as far as it changes from step to step, by the variables' indices: the time, numbers that stand
	// somewhere after Rates and Outputs, and 1 or 0 where a number is above 0 or not.
	Time             int
	Numbers, Touches []Shown
	Held             []Shown // of these variables, the ones that Get reads without an evaluation
}

// Shown is where the value of a variable comes from.
type Shown struct {
	Variable int
	At       *float64
}

// Watch is what the first rates of a solver step are looked at for. While each Gate is passed and no row is outside of
// its limits, nothing happens. Numbers change as the instance would change them; where a row leaves its limits,
// the step is left to the instance.
type Watch struct {
	Gates   []Gate
	Rows    []Row
	Numbers []float64 // by row, in the order of the numbers below
	Out     []float64 // one number: not 0 while a row is outside of its limits
}

// Gate is a quick look at a number: it is within all of its limits if |number - Middle| is at most Half.
type Gate struct {
	At     *float64
	Middle float64
	Half   int64 // its bits
}

// Row is a number with limits, after Rates, and one that must be above 0 for them to mean anything; nil for none.
// It has come back when it is within BackLow and BackHigh.
type Row struct {
	At, Touching                 *float64
	Low, High, BackLow, BackHigh float64
}

// Ground is a level terrain under a tire: its height [m], above what an input adds, its factor of friction, and the
// inputs that are given its plane.
type Ground struct {
	Level, Factor                                 float64
	Above, Height, SlopeX, SlopeY, Rate, Friction int
}

// Straight, StraightPart and Linear are those of package program, Job is that of package machinecode.
type (
	Straight     = program.Straight
	StraightPart = program.Part
	Linear       = program.Linear
	Job          = machinecode.Job
)

// Plan returns the plan of the instance, or why every step has to be made by the instance itself.
func (in *Instance) Plan() (plan *Plan, why string) {
	if !in.initialised {
		return nil, errNotInitialised.Error()
	}
	if in.plan != nil && !in.standsOn(in.plan.Grounds) {
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
	if why := in.reasonForGo(); why != "" {
		return nil, why
	}
	p := in.sys.program
	plan = &Plan{Method: in.method.Name, X: in.x, U: in.u, Rate: in.rate, Motions: p.Motions,
		LongestStep: in.settings[stepSetting]}
	if plan.Rates, plan.Outputs = in.machine.Straight(); plan.Rates == nil {
		return nil, noCode
	}
	in.watch.setLimits(in.machine)
	plan.Watch = in.watching()
	for i := range p.Uneven {
		u := &p.Uneven[i]
		height, factor, _ := in.tires.surfaces[u.Terrain].Level()
		plan.Grounds = append(plan.Grounds, Ground{height, factor, u.Above, u.Height, u.SlopeX, u.SlopeY, u.Rate,
			u.Friction})
	}
	if in.linearisation != nil {
		if plan.Linear = in.linearisation.Straight(); plan.Linear == nil {
			return nil, noCode
		}
	}
	in.show(plan)
	for _, a := range in.acts {
		if why := a.plan(plan); why != "" {
			return nil, why
		}
	}
	return plan, ""
}

const noCode = "the equations or a tire function are no machine code that C can call"

// show lists where values come from.
func (in planner) show(p *Plan) {
	s := in.sys
	p.Time = s.first[Time]
	for i := s.first[Output]; i < s.first[Time]; i++ {
		source := s.variables[i].source
		if k := s.variables[i].passed; k >= 0 && len(in.tires.fallible) == 0 {
			p.Held = append(p.Held, Shown{i, &in.x[k]})
		}
		var at *float64
		switch s.variables[i].Kind {
		case Contact:
			p.Touches = append(p.Touches, Shown{i, p.Outputs.Results[len(in.y)-len(in.touches.on)+source]})
			continue
		case Energy:
			continue
		case Output, Indicator:
			at = p.Outputs.Results[source]
		case Ended:
			at = &in.ends.first[source]
		case State:
			at = &in.x[source]
		case Rate:
			at = p.Rates.Results[source]
		}
		p.Numbers = append(p.Numbers, Shown{i, at})
	}
}

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
	case !in.onLevelGround():
		return "terrain that is not level, or has more than one friction, runs in Go"
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
	in.commitRoadPlaces()
	in.pendingStep.n = max(1, in.pendingStep.n) // the start is past
}

// watching lists what is watched.
func (in planner) watching() (p Watch) {
	w := &in.watch
	p.Numbers, p.Out = w.numbers, w.out
	for _, g := range w.gates {
		p.Gates = append(p.Gates, Gate{g.at, g.middle, g.half})
	}
	for i := range w.of.rows {
		r, l := &w.of.rows[i], w.limits[i]
		row := Row{At: w.at[r.of], Low: l[0], High: l[1], BackLow: r.back * l[0], BackHigh: r.back * l[1]}
		if r.touching >= 0 {
			row.Touching = w.at[r.touching]
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}
