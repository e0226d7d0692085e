package lanes

import (
	"slices"
	"sync"

	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// carcassLaws are the common laws of carcasses that are evaluated together. A carcass with steady-state (kinematic)
// slip has no laws of lengths and relaxation.
type carcassLaws struct {
	law, holds, grip, force, lengths, relaxation *tire.Law
	forceKind, relaxationKind                    *tire.Kind
	turns                                        bool
	lanes                                        int
}

// carcassCode is machine code of carcasses, made once.
type carcassCode struct {
	once                  sync.Once
	values, slopes, start *machinecode.Block
}

var carcassCodes sync.Map // of carcassLaws: *carcassCode

// carcassTexts identify the carcasses that are evaluated together.
type carcassTexts struct {
	law, grip, force, lengths, relaxation any
	forceKind, relaxationKind             *tire.Kind
	turns                                 bool
}

// textsOf returns the texts of a carcass. The result together is false if a function of the carcass is not written as
// formulas.
func textsOf(c *tire.Carcass) (texts carcassTexts, together bool) {
	plan := c.Plan()
	texts = carcassTexts{law: tire.TextOf(plan.Law), grip: tire.TextOf(plan.Grip), force: tire.TextOf(c.Force),
		forceKind: c.ForceKind, relaxationKind: c.RelaxationKind, turns: plan.Turns}
	if texts.grip == nil || texts.force == nil {
		return texts, false
	}
	if c.RelaxationKind == nil {
		return texts, true
	}
	texts.lengths, texts.relaxation = tire.TextOf(plan.Lengths), tire.TextOf(c.Relaxation)
	return texts, texts.lengths != nil && texts.relaxation != nil
}

// BatchCarcasses returns replacements for carcasses. Carcasses with the same laws become a group, evaluated with their
// force functions by machine code, four at a time if they are several. Results are bit-identical. Without machine code,
// the functions evaluated are returned.
func BatchCarcasses(carcasses []*tire.Carcass, evaluated []tire.Function) []tire.Function {
	joined := slices.Clone(evaluated)
	positions := map[carcassTexts][]int{}
	for i, c := range carcasses {
		if texts, together := textsOf(c); together {
			positions[texts] = append(positions[texts], i)
		}
	}
	for _, at := range positions {
		of := make([]*tire.Carcass, len(at))
		for n, i := range at {
			of[n] = carcasses[i]
		}
		if p := carcassProgram(of); p != nil {
			members := make([]tire.Function, len(of))
			for n, c := range of {
				members[n] = c
			}
			for n, member := range batchesOf(p, members) {
				joined[at[n]] = member
			}
		}
	}
	return joined
}

// common returns the law of a function of all carcasses, nil without a law.
func common(carcasses []*tire.Carcass, of func(c *tire.Carcass) tire.Function) *tire.Law {
	var functions []tire.Function
	for _, c := range carcasses {
		if f := of(c); f != nil {
			functions = append(functions, f)
		}
	}
	if len(functions) == 0 {
		return nil
	}
	return tire.CommonLaw(functions)
}

// carcassProgram returns the program of carcasses with the same texts, nil without machine code.
func carcassProgram(carcasses []*tire.Carcass) *program {
	first := carcasses[0]
	l := carcassLaws{forceKind: first.ForceKind, relaxationKind: first.RelaxationKind, turns: first.Plan().Turns,
		lanes: lanesFor(len(carcasses))}
	l.law = common(carcasses, func(c *tire.Carcass) tire.Function { return c.Plan().Law })
	l.holds = common(carcasses, func(c *tire.Carcass) tire.Function { return c.Plan().Holds })
	l.grip = common(carcasses, func(c *tire.Carcass) tire.Function { return c.Plan().Grip })
	l.force = common(carcasses, func(c *tire.Carcass) tire.Function { return c.Force })
	if l.relaxationKind != nil {
		l.lengths = common(carcasses, func(c *tire.Carcass) tire.Function { return c.Plan().Lengths })
		l.relaxation = common(carcasses, func(c *tire.Carcass) tire.Function { return c.Relaxation })
	}
	o := &carcassOperations{carcassLaws: l, of: first, plan: first.Plan()}
	stored, _ := carcassCodes.LoadOrStore(l, &carcassCode{})
	code := stored.(*carcassCode)
	code.once.Do(func() {
		code.values, code.slopes = o.compile(false), o.compile(true)
		code.start = &machinecode.Block{Lanes: o.lanes, Operations: o.start}
	})
	if code.values.Code == nil || code.slopes.Code == nil {
		return nil
	}
	return &program{lanes: l.lanes, arguments: o.arguments(), fields: o.fields(), values: code.values, slopes: code.slopes,
		start:   code.start,
		results: o.results(), rows: o.arguments()*o.results() + o.results(), bind: o.bind}
}

// carcassOperations assembles the operations of carcasses. The memory of their code holds the arguments, the fields of
// the laws in their order, the results.
type carcassOperations struct {
	carcassLaws
	of   *tire.Carcass
	plan tire.CarcassPlan
}

func (o *carcassOperations) arguments() int { return len(o.of.Inputs()) }

// results returns the number of results: of the force function, of the law, and the rate of the turn slip.
func (o *carcassOperations) results() int {
	n := o.force.Values.Results() + tire.CarcassRolling
	if o.turns {
		n++
	}
	return n
}

// laws lists the laws that are not nil.
func (o *carcassOperations) laws() []*tire.Law {
	list := []*tire.Law{o.law, o.holds, o.grip, o.force}
	if o.relaxationKind != nil {
		list = append(list, o.lengths, o.relaxation)
	}
	return list
}

func (o *carcassOperations) fields() (n int) {
	for _, l := range o.laws() {
		n += l.Fields()
	}
	return n
}

// bind computes the fields of a carcass.
func (o *carcassOperations) bind(f tire.Function, to []float64) {
	c := f.(*tire.Carcass)
	plan := c.Plan()
	functions := [...]tire.Function{plan.Law, plan.Holds, plan.Grip, c.Force, plan.Lengths, c.Relaxation}
	for i, l := range o.laws() {
		l.Bind(functions[i], to[:l.Fields()])
		to = to[l.Fields():]
	}
}

// compile makes machine code of values, or of slopes followed by values.
func (o *carcassOperations) compile(slopes bool) *machinecode.Block {
	return machinecode.NewBlock(o.lanes, func() (*machinecode.Builder, error) { return o.operations(slopes), nil })
}

func (o *carcassOperations) operations(slopes bool) *machinecode.Builder {
	c := o.build()
	results := c.values()
	if slopes {
		results = slices.Concat(c.slopes(), results)
	}
	store(c.b, o.arguments()+o.fields(), results)
	return c.b
}

// build begins a build.
func (o *carcassOperations) build() *carcassBuild {
	b := machinecode.NewBuilder()
	n := o.arguments()
	c := &carcassBuild{carcassOperations: o, b: b, in: b.Loads(0, n), fieldsOf: map[*tire.Law][]machinecode.Value{}}
	for _, l := range o.laws() {
		c.fieldsOf[l] = b.Loads(n, l.Fields())
		n += l.Fields()
	}
	return c
}

// carcassBuild builds the evaluation of tire.Carcass from operations, in the same order.
type carcassBuild struct {
	*carcassOperations
	b        *machinecode.Builder
	in       []machinecode.Value // arguments of the carcass
	fieldsOf map[*tire.Law][]machinecode.Value

	lawIn, lawOut, forceIn, forces []machinecode.Value
}

// value returns the results of a law, slopesOf its derivatives row by row.
func (c *carcassBuild) value(of *tire.Law, in []machinecode.Value) []machinecode.Value {
	return of.Values.Lower(c.b, in, c.fieldsOf[of])
}

func (c *carcassBuild) slopesOf(of *tire.Law, in []machinecode.Value) []machinecode.Value {
	return of.Slopes.Lower(c.b, in, c.fieldsOf[of])[:of.Inputs()*of.Values.Results()]
}

// Numbers of arguments of grip and lengths: load, inclination and friction are the first arguments of the carcass.
const gripArguments, lengthArguments = 3, 2

// deflect evaluates the law.
func (c *carcassBuild) deflect() {
	zero := c.b.Const(0)
	c.lawIn = slices.Repeat([]machinecode.Value{zero}, tire.CarcassLawTakes)
	copy(c.lawIn, c.in[:c.plan.Needs])
	copy(c.lawIn[tire.CarcassGrip:], c.value(c.grip, c.in[:gripArguments]))
	if c.relaxationKind != nil {
		copy(c.lawIn[tire.CarcassLengths:], c.value(c.lengths, c.in[:lengthArguments]))
	}
	c.lawOut = c.value(c.law, c.lawIn)
}

// values builds tire.Carcass.Eval.
func (c *carcassBuild) values() []machinecode.Value {
	c.deflect()
	for _, from := range c.plan.ForceFrom {
		if from < 0 {
			c.forceIn = append(c.forceIn, c.lawOut[-1-from])
		} else {
			c.forceIn = append(c.forceIn, c.in[from])
		}
	}
	c.forces = c.value(c.force, c.forceIn)
	results := slices.Clone(c.forces)
	rolling := c.lawOut[tire.CarcassRolling]
	lies := c.b.Less(rolling, c.b.Const(1))
	for o := range 2 {
		lying := c.slide(o, c.b.Mul(rolling, results[o]), c.lawOut[tire.CarcassSliding+o])
		results[o] = c.b.Select(lies, lying, results[o])
	}
	results = append(results, c.lawOut[:tire.CarcassRolling]...)
	switch {
	case c.plan.Turn >= 0:
		results = append(results, c.value(c.relaxation, c.turnIn())[c.plan.Turn])
	case c.turns:
		results = append(results, c.b.Const(0))
	}
	return results
}

// slide adds the sliding force on the side, along (0) or across (1).
func (c *carcassBuild) slide(o int, to, sliding machinecode.Value) machinecode.Value {
	if o == 0 {
		return c.b.Add(to, sliding)
	}
	return c.b.Sub(to, sliding)
}

func (c *carcassBuild) turnIn() (list []machinecode.Value) {
	for _, from := range c.plan.TurnFrom {
		if from < 0 {
			list = append(list, c.b.Const(0))
		} else {
			list = append(list, c.in[from])
		}
	}
	return list
}

// slopes builds tire.Carcass.Jacobian, after values.
func (c *carcassBuild) slopes() []machinecode.Value {
	b, n, m := c.b, c.arguments(), c.force.Values.Results()
	slope := c.lawSlopes()
	force := c.slopesOf(c.force, c.forceIn)
	inner := len(c.forceIn)
	jac := slices.Repeat([]machinecode.Value{b.Const(0)}, n*c.results())
	for i, from := range c.plan.ForceFrom {
		if from >= c.plan.Needs {
			for o := range m {
				jac[o*n+from] = force[o*inner+i]
			}
		}
	}
	for k := range c.plan.Needs {
		for r := range tire.CarcassRolling {
			jac[(m+r)*n+k] = slope(r, k)
		}
		for i, from := range c.plan.ForceFrom {
			d := b.Const(1)
			if from < 0 {
				d = slope(-1-from, k)
			} else if from != k {
				continue
			}
			for o := range m {
				jac[o*n+k] = b.Add(jac[o*n+k], b.Mul(d, force[o*inner+i]))
			}
		}
	}
	c.lie(jac, slope)
	if c.plan.Turn < 0 {
		return jac
	}
	turn := c.slopesOf(c.relaxation, c.turnIn())
	for i, from := range c.plan.TurnFrom {
		if from >= 0 {
			jac[(m+tire.CarcassRolling)*n+from] = turn[c.plan.Turn*len(c.plan.TurnFrom)+i]
		}
	}
	return jac
}

// lie converts the derivatives of the longitudinal and lateral forces to the derivatives of a lying tire, if the tire
// lies.
func (c *carcassBuild) lie(jac []machinecode.Value, slope func(result, argument int) machinecode.Value) {
	b, n := c.b, c.arguments()
	rolling := c.lawOut[tire.CarcassRolling]
	lies := b.Less(rolling, b.Const(1))
	for o := range 2 {
		for k := range n {
			d := jac[o*n+k]
			lying := b.Mul(d, rolling)
			if k >= c.plan.Needs {
				jac[o*n+k] = b.Select(lies, lying, d)
				continue
			}
			of := c.slide(o, b.Mul(slope(tire.CarcassRolling, k), c.forces[o]), slope(tire.CarcassSliding+o, k))
			stands := d
			if k == tire.CarcassUpright {
				stands = b.Add(d, of)
			}
			jac[o*n+k] = b.Select(lies, b.Add(lying, of), stands)
		}
	}
}

// lawSlopes returns the derivatives of the law's results by the arguments, including the dependence through grip and
// lengths.
func (c *carcassBuild) lawSlopes() func(result, argument int) machinecode.Value {
	b := c.b
	law := c.slopesOf(c.carcassLaws.law, c.lawIn)
	grip := c.slopesOf(c.grip, c.in[:gripArguments])
	var lengths []machinecode.Value
	if c.relaxationKind != nil {
		lengths = c.slopesOf(c.lengths, c.in[:lengthArguments])
	}
	return func(result, argument int) machinecode.Value {
		row := law[result*tire.CarcassLawTakes:]
		d := row[argument]
		add := func(first, arguments int, told []machinecode.Value) {
			for i := 0; argument < arguments && i < len(told)/arguments; i++ {
				d = b.Add(d, b.Mul(row[first+i], told[i*arguments+argument]))
			}
		}
		add(tire.CarcassGrip, gripArguments, grip)
		add(tire.CarcassLengths, lengthArguments, lengths)
		return d
	}
}
