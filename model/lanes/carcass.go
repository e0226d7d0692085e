package lanes

import (
	"reflect"
	"slices"
	"sync"

	"skidpad/tire/machinecode"
	"skidpad/tire"
)

// carcassKind is what carcasses have in common that are evaluated together.
type carcassKind struct {
	force, relaxation *tire.Kind // relaxation: nil for kinematic slip
	turns             bool
}

// carcassCode is machine code of a kind of carcasses, made once.
type carcassCode struct {
	once         sync.Once
	forces, rows *machinecode.Code // nil where there can be none
}

var (
	carcassCodes = map[carcassKind]*carcassCode{}
	carcassLock  sync.Mutex
)

// BatchCarcasses returns functions to be used in place of carcasses: those of one kind around built-in functions become
// a group, evaluated four at a time with their force functions by machine code. Results are the same to the last bit.
// Where there can be no machine code, they stay as they are evaluated without.
func BatchCarcasses(carcasses []*tire.Carcass, evaluated []tire.Function) []tire.Function {
	joined := slices.Clone(evaluated)
	places := map[carcassKind][]int{}
	var kinds []carcassKind
	for i, c := range carcasses {
		k := carcassKind{c.ForceKind, c.RelaxationKind, c.Plan().Turns}
		if places[k] == nil {
			kinds = append(kinds, k)
		}
		places[k] = append(places[k], i)
	}
	for _, k := range kinds {
		at := places[k]
		o := newCarcassOperations(carcasses[at[0]])
		if o == nil {
			continue
		}
		code := codeOf(k, o)
		if code.forces == nil || code.rows == nil {
			continue
		}
		var members []tire.Differentiable
		for _, i := range at {
			members = append(members, carcasses[i])
		}
		g := newBatch(code.forces, members, o.arguments(), o.fields(), o.results(), tire.Differentiable.Eval)
		rows := o.arguments() * o.results()
		g.slopes = newBatch(code.rows, members, o.arguments(), o.fields(), rows+o.results(),
			func(f tire.Differentiable, in, out []float64) {
				f.Jacobian(in, out[:rows])
				f.Eval(in, out[rows:])
			})
		for n, i := range at {
			joined[i] = &batched{members[n], g, n}
		}
	}
	return joined
}

// codeOf finds the machine code of a kind, or makes it.
func codeOf(k carcassKind, o *carcassOperations) *carcassCode {
	carcassLock.Lock()
	code := carcassCodes[k]
	if code == nil {
		code = &carcassCode{}
		carcassCodes[k] = code
	}
	carcassLock.Unlock()
	code.once.Do(func() { code.forces, code.rows = o.compile() })
	return code
}

// carcassOperations puts the operations of carcasses together. The memory of their code holds the arguments, the fields
// of the law, of the force function and of the relaxation function, the results.
type carcassOperations struct {
	of                     *tire.Carcass
	plan                   tire.CarcassPlan
	law, force, relaxation *operations // relaxation: nil for kinematic slip
}

// newCarcassOperations returns those of a carcass, nil if its functions have none.
func newCarcassOperations(c *tire.Carcass) *carcassOperations {
	o := &carcassOperations{of: c, plan: c.Plan()}
	o.law, o.force = operationsOfType(o.plan.Law), operationsOf(c.ForceKind, c.Force)
	if o.law == nil || o.force == nil || o.force.grip == nil {
		return nil
	}
	if c.RelaxationKind == nil {
		return o
	}
	if o.relaxation = operationsOf(c.RelaxationKind, c.Relaxation); o.relaxation == nil || o.relaxation.lengths == nil {
		return nil
	}
	return o
}

func (o *carcassOperations) arguments() int { return len(o.of.Inputs()) }

// results are those of the force function, of the law, and the rate of the turn slip.
func (o *carcassOperations) results() int {
	n := o.force.outputs + tire.CarcassRolling
	if o.plan.Turns {
		n++
	}
	return n
}

func (o *carcassOperations) fields() int {
	n := len(o.law.fields) + len(o.force.fields)
	if o.relaxation != nil {
		n += len(o.relaxation.fields)
	}
	return n
}

func (o *carcassOperations) compile() (forces, rows *machinecode.Code) {
	build := func(slopes bool) *machinecode.Code {
		b := machinecode.NewBuilder()
		n := o.arguments()
		c := &carcassBuild{carcassOperations: o, b: b, in: loads(b, 0, n), ofLaw: loads(b, n, len(o.law.fields))}
		n += len(o.law.fields)
		c.ofForce = loads(b, n, len(o.force.fields))
		if o.relaxation != nil {
			c.ofRelaxation = loads(b, n+len(o.force.fields), len(o.relaxation.fields))
		}
		results := c.values()
		if slopes {
			results = slices.Concat(c.slopes(), results)
		}
		code, _ := compiled(b, o.arguments()+o.fields(), results) // without it, Go does the same
		return code
	}
	return build(false), build(true)
}

// carcassBuild makes what tire.Carcass does of operations, in the same order.
type carcassBuild struct {
	*carcassOperations
	b                            *machinecode.Builder
	in                           []machinecode.Value // arguments of the carcass
	ofLaw, ofForce, ofRelaxation []machinecode.Value // fields

	lawIn, lawOut, forceIn, forces []machinecode.Value
}

// Arguments of what the functions tell: load, inclination and friction are the first of the carcass.
const gripArguments, lengthArguments = 3, 2

// values is tire.Carcass.Eval.
func (c *carcassBuild) values() []machinecode.Value {
	zero := c.b.Const(0)
	c.lawIn = slices.Repeat([]machinecode.Value{zero}, tire.CarcassLawTakes)
	copy(c.lawIn, c.in[:c.plan.Needs])
	copy(c.lawIn[tire.CarcassGrip:], c.force.grip.value(c.b, c.in[:gripArguments], c.ofForce))
	if c.relaxation != nil {
		copy(c.lawIn[tire.CarcassLengths:], c.relaxation.lengths.value(c.b, c.in[:lengthArguments], c.ofRelaxation))
	}
	c.lawOut = c.law.eval(c.b, c.lawIn, c.ofLaw)
	for _, from := range c.plan.ForceFrom {
		if from < 0 {
			c.forceIn = append(c.forceIn, c.lawOut[-1-from])
		} else {
			c.forceIn = append(c.forceIn, c.in[from])
		}
	}
	c.forces = c.force.eval(c.b, c.forceIn, c.ofForce)
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
		results = append(results, c.relaxation.eval(c.b, c.turnIn(), c.ofRelaxation)[c.plan.Turn])
	case c.plan.Turns:
		results = append(results, c.b.Const(0))
	}
	return results
}

// slide adds the force of sliding on the side, along (0) or across (1).
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

// slopes is tire.Carcass.Jacobian, after values.
func (c *carcassBuild) slopes() []machinecode.Value {
	b, n, m := c.b, c.arguments(), c.force.outputs
	slope := c.lawSlopes()
	force := c.force.jacobian(b, c.forceIn, c.ofForce)
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
	turn := c.relaxation.jacobian(b, c.turnIn(), c.ofRelaxation)
	for i, from := range c.plan.TurnFrom {
		if from >= 0 {
			jac[(m+tire.CarcassRolling)*n+from] = turn[c.plan.Turn*len(c.plan.TurnFrom)+i]
		}
	}
	return jac
}

// lie turns the derivatives of the forces along and across into those of a tire that lies, where it does.
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

// lawSlopes returns the derivatives of the law's results by arguments, of those of what is held on to, too.
func (c *carcassBuild) lawSlopes() func(result, argument int) machinecode.Value {
	b := c.b
	law := c.law.jacobian(b, c.lawIn, c.ofLaw)
	grip := c.force.grip.slopes(b, c.in[:gripArguments], c.ofForce)
	var lengths []machinecode.Value
	if c.relaxation != nil {
		lengths = c.relaxation.lengths.slopes(b, c.in[:lengthArguments], c.ofRelaxation)
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

// carcassFields writes the fields of the law and the functions of a carcass.
func carcassFields(c *tire.Carcass, to func(x float64)) {
	of := []tire.Function{c.Plan().Law, c.Force}
	if c.RelaxationKind != nil {
		of = append(of, c.Relaxation)
	}
	for _, f := range of {
		eachField(reflect.ValueOf(f).Elem(), to)
	}
}
