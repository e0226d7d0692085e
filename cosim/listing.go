package cosim

import (
	"slices"
	"strings"

	"skidpad/model/contact"
	"skidpad/model/lanes"
	"skidpad/model/program"
	"skidpad/model/road"
	"skidpad/tire"
)

// Listing describes the steps and outputs of an instance: evaluations as straight-line code and moves between numbered
// memories. A listing contains no addresses and never changes. The plans of instances of a system that use the tire
// functions of the model file share one.
type Listing struct {
	Memories  []program.Memory
	Method    string
	Start     *program.Beginning
	Carcasses []CarcassStart // of the start, after the first rates
	Rates     *Straight
	Outputs   *Straight // after Rates
	Linear    *Linear   // of the method linearly-implicit
	Ends      *Straight // margins of the conditions that end runs; nil where none is watched
	Watched   []int     // indices of the results of Ends that are checked
	Motions   []program.Motion
	Rows      []Row     // numbers checked at the first rates of a solver step
	Surfaces  []Surface // by terrain
	Grounds   []Ground  // by tire on terrain
	Contacts  []RollingContact
	Wheels    *Straight // by ground, the wheel's centre [m], and its direction for a footprint; nil if all are level

	// The variables that change from step to step: the time, variables whose value is a number after Rates and Outputs,
	// and variables that are 1 while a number is above 0, else 0.
	Time             int
	Numbers, Touches []Shown
	Held             []Shown // of these variables, those that Get reads without an evaluation

	// The checks of the start, which plans do not contain.
	Residuals *Straight // of the constraints, then the rates of the residuals; nil for a model without constraints
	Bounds    []Bound

	// The samples; none where a sampler has a function.
	Samples  *Straight // next values of all samplers, after Rates if a value depends on tires; nil without samplers
	Samplers []ListedSampler

	Called []CalledFunction // functions outside of Go, which plans do not contain

	Derivatives *Derivatives // nil unless they are asked for
}

// Shown is a variable and the number of its value. The number is known after Rates, or, if Late, after Outputs.
type Shown struct {
	Variable int
	At       Place
	Late     bool
}

// Row is a row of the table of warnings. The number at At has limits after Rates, while the number at Touching, if
// given, is above 0. Where LowAt or HighAt is a place, the limit is Scale times the number at that place after the
// first rates. A number outside the limits has come back when it is within Back times the limits.
type Row struct {
	Rule, Subject, Quantity string
	At, Touching            Place
	Low, High               float64
	LowAt, HighAt           Place
	Scale, Back             float64
	News                    [2]string // messages of leaving the limits, below and above; see fillIn for placeholders
}

// Bound is a number that depends on parameters only, known after Init, with the bounds of the formula in the model
// file.
type Bound struct {
	At Place
	Of *program.Bound
}

// CalledFunction is a function that a group of an evaluation calls. After the first part of Rates, the inputs that the
// function can request are at the places of Offered. The results go to Results and the places behind it.
type CalledFunction struct {
	Component string
	Group     int
	Offered   []OfferedInput
	Results   Place
}

// OfferedInput is the name of an input that a function can request, and its place.
type OfferedInput struct {
	Name string
	At   Place
}

// CarcassStart turns delayed slips into the states of carcasses. The slips are the states after Start: each goes to
// Slip, and after the run the state is at Energy.
type CarcassStart struct {
	Run
	States []CarcassState
}

// CarcassState is a state of a carcass at the start.
type CarcassState struct {
	State        int
	Slip, Energy Place
}

// Surface is terrain. Its height [m], the slopes of its plane and the factors of friction at y >= 0 and at y < 0 are at
// these places after Start. The factors must be equal where all surfaces of the listing are level.
type Surface struct {
	road.Listed
	Height, SlopeX, SlopeY, Left, Right, Seed Place
}

// Ground is terrain under a tire. Above is the index of the input added to the height; the inputs behind it receive the
// plane. An enveloping tire stands on the mean plane under its footprint. The footprint has Points rows of points along
// and across. Its length and width [m] are at these places after Start.
type Ground struct {
	Surface, Points                               int // Points is 0 for other tires
	Above, Height, SlopeX, SlopeY, Rate, Friction int
	Length, Width                                 Place
}

// RollingContact is a wheel contact. It acts at the end of each solver step. Law is a run on a memory with the numbers
// of package contact. The numbers of Constants follow from parameters after Start.
type RollingContact struct {
	*program.WheelContact
	Law       Run
	Constants []program.Move
	Shown     int // variable of the mode; -1 if no variable shows the mode
}

// InitialModeAt returns the place of the initial mode, which the parameters determine.
func (c *RollingContact) InitialModeAt() Place {
	return Place{Memory: c.Law.Memory, At: contact.InitialMode}
}

// Types of package program.
type (
	Straight     = program.Straight
	Run          = program.Run
	StraightPart = program.Part
	Linear       = program.Linear
	Place        = program.Place
)

// Nowhere is the memory index of a missing place.
const Nowhere = program.Nowhere

// Listing returns a listing of the instance and the present numbers of the memories, or the reason why there is none.
// Unlike a plan, the listing contains the checks of the start and does not need machine code that C can call. If of is
// not nil, the listing contains derivatives.
func (in *Instance) Listing(of *Differentiated) (l *Listing, numbers [][]float64, why string) {
	if !in.initialised {
		return nil, nil, errNotInitialised.Error()
	}
	to := &program.Listed{}
	if l, why = (planner{in}).list(to); why == "" {
		why = planner{in}.listChecks(l, to)
	}
	if why == "" && in.assembled != "" {
		why = "the start violates constraints, and assembling it is done in Go: write the start values that were assembled " +
			"into the model file"
	}
	if why == "" && (planner{in}).exchangesRows() {
		why = "at the start, the method " + in.method.Name + " exchanges rows of its system, which is done in Go"
	}
	if why == "" {
		l.Called = planner{in}.listCalled(to)
	}
	if why == "" && of != nil {
		l.Derivatives, why = planner{in}.listDerivatives(of, l, to)
	}
	if why != "" {
		return nil, nil, why
	}
	l.Memories = to.Memories
	return l, to.Numbers, ""
}

// list returns the listing of the instance and adds the memories and groups, or gives the reason why there is none.
func (in planner) list(to *program.Listed) (l *Listing, why string) {
	if why := in.reasonForGo(); why != "" {
		return nil, why
	}
	l = &Listing{Method: in.method.Name, Motions: in.sys.program.Motions}
	if l.Rates, l.Outputs = in.machine.Straight(to); l.Rates == nil {
		return nil, noCode
	}
	in.watch.setLimits(in.machine) // the places of numbers can have changed
	l.Start = in.machine.Beginning(l.Rates)
	in.listCarcasses(l, to)
	if in.linearisation != nil {
		if l.Linear = in.linearisation.Straight(to, in.sides.residual); l.Linear == nil {
			return nil, noCode
		}
	}
	if why := in.listTerrain(l, to); why != "" {
		return nil, why
	}
	for _, a := range in.acts {
		if why := a.list(l, to); why != "" {
			return nil, why
		}
	}
	in.listRows(l, to)
	in.show(l, to)
	l.Memories = to.Memories
	return l, ""
}

// listChecks lists the checks before a run.
func (in planner) listChecks(l *Listing, to *program.Listed) (why string) {
	if l.Linear != nil && l.Linear.Correction != nil {
		l.Residuals = l.Linear.Correction.Residuals
	} else if in.sides.residual != nil {
		if l.Residuals = in.sides.residual.Straight(to); l.Residuals == nil {
			return noCode
		}
	}
	bounds := in.sys.program.Bounds()
	if len(bounds) == 0 {
		return ""
	}
	values := in.machine.Side(program.Bounded).Straight(to)
	if values == nil {
		return noCode
	}
	for i, at := range values.Results {
		l.Bounds = append(l.Bounds, Bound{at, &bounds[i]})
	}
	return ""
}

// exchangesRows reports whether a step from the start exchanges rows of an implicit system. The step is made on a copy.
func (in planner) exchangesRows() bool {
	if in.linearisation == nil {
		return false
	}
	in.solver.Step(problem(in), 0, in.settings[stepSetting], slices.Clone(in.x))
	in.tires.ignoreFaults()
	in.fresh = false
	return in.linearisation.Exchanging()
}

// listCalled lists the functions outside of Go.
func (in planner) listCalled(to *program.Listed) (list []CalledFunction) {
	for i, f := range in.tires.bound {
		member, grouped := f.(tire.Grouped)
		if !grouped {
			continue
		}
		group, number := member.Member()
		at := slices.Index(to.Groups, group)
		if at < 0 {
			continue // the function has code
		}
		called := CalledFunction{Component: in.tires.names[i], Group: at, Results: to.PlaceOf(group.Result(number, 0))}
		for _, name := range in.sys.program.Calls[i].Inputs {
			called.Offered = append(called.Offered, OfferedInput{name, to.PlaceOf(in.machine.Offered(i, name))})
		}
		list = append(list, called)
	}
	return list
}

// listCarcasses lists the start of carcasses, memory by memory.
func (in planner) listCarcasses(l *Listing, to *program.Listed) {
	for i, c := range in.tires.callees {
		if c.Carcass == nil {
			continue
		}
		block, memory, slips, energies := lanes.CarcassStart(in.tires.bound[i])
		number := to.PlaceOf(&memory[0]).Memory
		at := slices.IndexFunc(l.Carcasses, func(s CarcassStart) bool { return s.Memory == number })
		if at < 0 {
			at = len(l.Carcasses)
			l.Carcasses = append(l.Carcasses, CarcassStart{Run: Run{Block: block, Memory: number, Fixed: Nowhere}})
		}
		for k, state := range in.sys.carcassStates[i] {
			l.Carcasses[at].States = append(l.Carcasses[at].States, CarcassState{state,
				Place{Memory: number, At: slips[k]}, Place{Memory: number, At: energies[k]}})
		}
	}
}

// shared returns the listing of an earlier instance with the same texts, on level ground if this one is. If there is
// none, or tire functions do not follow from the texts alone, it returns l.
func (in planner) shared(l *Listing) *Listing {
	if !in.tires.plain {
		return l
	}
	of := strings.Join(in.texts, "\x00")
	if l.Wheels != nil {
		of += "\x00uneven"
	}
	known, _ := in.sys.listings.LoadOrStore(of, l)
	return known.(*Listing)
}

// listRows lists the watched numbers.
func (in planner) listRows(l *Listing, of *program.Listed) {
	at := func(s source) Place { return of.PlaceOf(s.find(in.machine)) }
	limit := func(number int) Place {
		if number < 0 {
			return Place{Memory: Nowhere}
		}
		return of.PlaceOf(in.machine.Watched(number))
	}
	quantities := in.watch.of.quantities
	for i := range in.watch.of.rows {
		r := &in.watch.of.rows[i]
		row := Row{Rule: r.rule.name, Subject: r.subject, Quantity: r.quantity, At: at(quantities[r.of]),
			Touching: Place{Memory: Nowhere}, Low: r.low, High: r.high, LowAt: limit(r.lowAt), HighAt: limit(r.highAt),
			Scale: r.scale, Back: r.back, News: [2]string{r.news(false), r.news(true)}}
		if r.touching >= 0 {
			row.Touching = at(quantities[r.touching])
		}
		l.Rows = append(l.Rows, row)
	}
}

// show lists the numbers of the values of variables.
func (in planner) show(l *Listing, to *program.Listed) {
	s := in.sys
	states := to.Add(in.x, program.Memory{Size: len(in.x), Parameters: Nowhere})
	ended := to.Add(in.ends.first[:], program.Memory{Size: len(in.ends.first), Parameters: Nowhere})
	state := func(i int) Place { return Place{Memory: states, At: i} }
	calm := len(in.tires.fallible) == 0
	l.Time = s.first[Time]
	for i := s.first[Output]; i < s.first[Time]; i++ {
		source := s.variables[i].source
		if k := s.variables[i].passed; k >= 0 && calm {
			l.Held = append(l.Held, Shown{Variable: i, At: state(k)})
		}
		var at Place
		late := false
		switch s.variables[i].Kind {
		case Contact:
			k := len(in.y) - len(in.touches.on) + source
			l.Touches = append(l.Touches, Shown{i, l.Outputs.Results[k], l.Outputs.Own[k]})
			continue
		case Energy:
			continue
		case Output, Indicator:
			at, late = l.Outputs.Results[source], l.Outputs.Own[source]
		case Ended:
			at = Place{Memory: ended, At: source}
			if calm {
				l.Held = append(l.Held, Shown{Variable: i, At: at})
			}
		case State:
			at = state(source)
		case Rate:
			at = l.Rates.Results[source]
		}
		l.Numbers = append(l.Numbers, Shown{i, at, late})
	}
}
