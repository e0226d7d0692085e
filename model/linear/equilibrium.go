package linear

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"skidpad/model/program"
	"skidpad/model/search"
)

// steady is the largest rate of a speed or slip in a steady motion [m/s^2, rad/s^2].
const steady = 1e-6

// far is how much speeds may change to the steady motion, as a share of the largest.
const far = 0.5

// changeWithin is the change of the states that ends a search by full steps.
const changeWithin = 1e-12

// mostIterations bounds the search for a steady motion.
const mostIterations = 60

// Free lets the search for a steady motion choose an input, such as a driving torque that holds the speed or a steer
// angle that holds a yaw rate. Free also lets it choose a state that is otherwise held, such as a state of charge or a
// temperature; the rate of this state is then 0.
func (l *Model) Free(name string) error {
	for _, v := range l.program.States {
		if v.Held && v.Name == name {
			l.freed[name] = true
			delete(l.fixed, name)
			return nil
		}
	}
	i, err := find(l.inputs(), name, "input")
	if err == nil && !slices.Contains(l.free, i) {
		l.free = append(l.free, i)
	}
	return err
}

// Hold keeps the search for a steady state from changing a state, or the states of a start speed.
func (l *Model) Hold(name string) error {
	if _, err := find(names(l.program.States), name, "state"); err != nil && l.standIns[name] == nil {
		return err
	}
	l.hold(name)
	return nil
}

// findSteadyState searches for a steady state near the start: rates of speeds, slips and all non-cyclic coordinates are
// 0, and constraints hold. States given to Set keep their values. If the search from the start fails or ends at a
// distant state, a second search begins at the model's own start.
func (l *Model) findSteadyState() error {
	if len(l.x) == 0 { // its motion is prescribed in full
		return nil
	}
	start := slices.Clone(l.x[:l.program.Speeds])
	err := l.search()
	if err == nil {
		err = l.rejectDistantSolution(start)
	}
	if err == nil {
		return nil
	}
	reached, further := l.continueFromOwnStart()
	switch {
	case further == nil:
		return nil
	case l.startsOffTheRoad():
		return errors.New("found no steady state near the start, where no tire is on the road: correct the height of the " +
			"vehicle, or the start values of its suspension")
	case reached != "":
		return fmt.Errorf("found steady states from the model's own start up to %s, and none beyond: %w", reached, further)
	}
	return fmt.Errorf("found no steady state near the start: %w", err)
}

// firstShare and leastShare are the first step of continueFromOwnStart and the smallest one.
const firstShare, leastShare = 1.0 / 16, 1.0 / 1024

// continueFromOwnStart searches for the steady state by homotopy, from the steady state nearest to the model's own
// start. The values given to Set move from the model's values to the requested ones, with adaptive steps. Speeds that
// are not held change in proportion to the held ones. Thus it also reaches speeds where wheels with their start
// rotation would only slide. If the homotopy fails, reached describes the last steady state ("" for none), and err the
// reason.
func (l *Model) continueFromOwnStart() (reached string, err error) {
	wanted := l.parameters
	defer func() { l.parameters = wanted }()
	l.parameters = make([]float64, len(wanted))
	begin := make([]float64, len(l.x))
	to := func(share float64) error {
		for i, v := range l.program.Parameters {
			l.parameters[i] = v.Start + share*(wanted[i]-v.Start)
		}
		for i, v := range l.program.Inputs[:len(l.start)-l.program.Controls] {
			if !slices.Contains(l.free, i) {
				l.u[i] = v.Start + share*(l.start[i]-v.Start)
			}
		}
		l.machine.SetParameters(l.parameters)
		l.begin(begin)
		if share == 0 {
			copy(l.x, begin)
		}
		was, is := 0.0, 0.0 // size of the speeds that are held
		for i, v := range l.program.States {
			if l.fixed[v.Name] {
				if i < l.program.Speeds {
					was, is = math.Hypot(was, l.x[i]), math.Hypot(is, begin[i])
				}
				l.x[i] = begin[i]
			}
		}
		for i, v := range l.program.States[:l.program.Speeds] {
			if !l.fixed[v.Name] && was > 0 {
				l.x[i] *= is / was
			}
		}
		guess := slices.Clone(l.x[:l.program.Speeds])
		if err := l.search(); err != nil {
			return err
		}
		return l.rejectDistantSolution(guess)
	}
	copy(l.u, l.start)
	if err := to(0); err != nil {
		return "", err
	}
	done, err := search.Continue(firstShare, leastShare, to, l.x, l.u)
	if err != nil {
		return l.interpolatedValues(wanted, done), err
	}
	return "", nil
}

// interpolatedValues lists the values given to Set at a share of the way from the model's own values; "" at its begin.
func (l *Model) interpolatedValues(wanted []float64, share float64) string {
	var list []string
	add := func(v program.Variable, to float64) {
		if to != v.Start && share > 0 {
			list = append(list, fmt.Sprintf("%s = %.4g", v.Name, v.Start+share*(to-v.Start)))
		}
	}
	for i, v := range l.program.Parameters {
		add(v, wanted[i])
	}
	for i, v := range l.program.Inputs[:len(l.start)-l.program.Controls] {
		if !slices.Contains(l.free, i) {
			add(v, l.start[i])
		}
	}
	return strings.Join(list, ", ")
}

// search finds a steady state at any distance. Changes are measured by their effect on the rates.
func (l *Model) search() error {
	e := &steadyState{Model: l, quiet: l.stationaryStates()}
	for i, v := range l.program.States {
		if !l.fixed[v.Name] {
			e.states = append(e.states, i)
		}
	}
	var x []float64
	for _, i := range e.states {
		x = append(x, l.x[i])
	}
	for _, i := range l.free {
		x = append(x, l.u[i])
	}
	full := &search.Search{Balanced: true, Natural: true, Within: changeWithin}
	byEffect := &search.Search{ByEffect: true}
	ways, equations := []*search.Search{byEffect}, len(e.quiet)+2*l.program.Constraints
	if l.carried != nil { // stiff joints of carried bodies need full steps, standstill short ones
		ways, equations = []*search.Search{full, byEffect}, equations+l.carried.Rates()
	}
	begin := slices.Clone(x)
	var f unsteady
	for _, s := range ways {
		copy(x, begin)
		s.Of, s.Equations, s.Enough, s.Steps = e, equations, l.enough, mostIterations
		if _, err := s.Run(x); err != nil {
			return errSolve
		}
		if f = l.steadyStateResidual(e.quiet); f.largest <= steady {
			return nil
		}
	}
	why := l.cause(f, e.quiet, e.states)
	if why == "" {
		why = "; change start values, hold other states, or free an input that sustains the motion; mount a spinning body " +
			"on a non-spinning carrier"
	}
	return fmt.Errorf("the search ends where %s is %.3g, %g allowed%s", f.of, f.largest, steady, why)
}

// steadyState are the equations of a steady state. Their unknowns are the states that may change, then the free inputs.
type steadyState struct {
	*Model
	quiet, states []int
}

// put sets the unknowns.
func (e *steadyState) put(x []float64) {
	for k, i := range e.states {
		e.x[i] = x[k]
	}
	for k, i := range e.free {
		e.u[i] = x[len(e.states)+k]
	}
}

// Evaluate implements search.Equations.
func (e *steadyState) Evaluate(x, f []float64) {
	e.put(x)
	copy(f, e.steadyStateResidual(e.quiet).values)
}

// Differentiate implements search.Equations.
func (e *steadyState) Differentiate(_ []float64, j *mat.Dense) {
	a, b, h := e.jacobian(program.StateQuantity, program.StateQuantity),
		e.jacobian(program.StateQuantity, program.InputQuantity), e.gradients()
	rows, _ := j.Dims()
	loops := 2 * e.program.Constraints
	var relative *mat.Dense
	if e.carried != nil {
		relative = e.carried.Differentiate(e.x, e.dx, a)
	}
	for row := range rows {
		for k, i := range e.states {
			switch rest := row - len(e.quiet); {
			case rest < 0:
				j.Set(row, k, a.At(e.quiet[row], i)/e.sizeOf(e.quiet[row]))
			case rest < loops:
				j.Set(row, k, h.At(rest, i))
			default:
				j.Set(row, k, relative.At(rest-loops, i))
			}
		}
		for k, i := range e.free {
			if row < len(e.quiet) {
				j.Set(row, len(e.states)+k, b.At(e.quiet[row], i)/e.sizeOf(e.quiet[row]))
			}
		}
	}
}

// rejectDistantSolution rejects a steady state far from the start of the search. Such a state can be standstill, or
// wheels that spin as fast as their balance requires.
func (l *Model) rejectDistantSolution(start []float64) error {
	p := l.program
	most, moved := 0.0, 0
	for i, v := range start {
		if d := math.Abs(l.x[i] - v); d > most {
			most, moved = d, i
		}
	}
	if most > far*max(1, floats.Norm(start, math.Inf(1))) && !l.turned[p.States[moved].Name] {
		return fmt.Errorf("the nearest steady state is far away: %s goes from %.4g to %.4g; hold a speed and free "+
			"an input that sustains it; mount a spinning body on a non-spinning carrier", p.States[moved].Name, start[moved],
			l.x[moved])
	}
	return nil
}

// unsteady are the rates that vanish in a steady state, and the residuals of constraints and of their rates.
type unsteady struct {
	values        []float64
	size, largest float64 // square root of the sum of squares, largest magnitude
	of            string
}

func (l *Model) steadyStateResidual(quiet []int) unsteady {
	p := l.program
	l.machine.Derivatives(0, l.x, l.u, l.dx)
	f := unsteady{}
	add := func(v float64, what, name string) {
		f.values = append(f.values, v)
		if v-v != 0 {
			f.largest, f.of = math.Inf(1), what+name
		} else if math.Abs(v) > f.largest {
			f.largest, f.of = math.Abs(v), what+name
		}
	}
	for _, i := range quiet {
		add(l.dx[i]/l.sizeOf(i), "the rate of ", p.States[i].Name)
	}
	if p.Constraints > 0 {
		side := l.machine.Side(program.Residuals)
		side.Evaluate(l.x, l.u, nil)
		for i := range side.Len() {
			add(side.Value(i), "the violation of ", fmt.Sprintf("constraint %d", i%p.Constraints+1))
		}
	}
	for i, v := range l.relative() {
		add(v, "the motion relative to the chassis of ", l.carried.Name(i))
	}
	f.size = mat.Norm(mat.NewVecDense(len(f.values), f.values), 2)
	return f
}

// sizeOf is the usual magnitude of the rate of a state.
func (l *Model) sizeOf(state int) float64 { return program.Usual(l.program.States[state].Unit) }

// stationaryStates are the states whose rates vanish in a steady state: speeds, slips, potentials and flows of
// networks, and all coordinates except the cyclic ones. At the present state only rates of cyclic coordinates depend on
// cyclic coordinates. A state of linear equations can also be cyclic, if its rate does not depend on itself.
// Coordinates of carried bodies follow the chassis; the rates of their places on the chassis vanish in their stead.
// Rates of held states do not vanish.
func (l *Model) stationaryStates() []int {
	a := l.moving()
	n := len(l.program.States)
	cyclic := make([]bool, n)
	thresholds := l.thresholds(a)
	for k := l.program.Speeds; k < n; k++ {
		cyclic[k] = k < 2*l.program.Speeds || math.Abs(a.At(k, k)) <= thresholds[k]
	}
	for _, s := range l.program.Networks {
		cyclic[s.State] = false
	}
	follows := func(i int) bool { return l.carried != nil && l.carried.Has(i) }
	for again := true; again; {
		again = false
		for k := range n {
			for i := 0; i < n && cyclic[k] && !follows(k); i++ {
				if !cyclic[i] && math.Abs(a.At(i, k)) > thresholds[i] {
					cyclic[k], again = false, true
				}
			}
		}
	}
	var list []int
	for k := range n {
		if v := l.program.States[k]; !cyclic[k] && (!v.Held || l.freed[v.Name]) {
			list = append(list, k)
		}
	}
	return list
}

// thresholds are the magnitudes of derivatives of the rates below which they count as 0: a share of the largest row. A
// row of a network counts by itself, because networks can be faster than mechanics by many orders of magnitude.
func (l *Model) thresholds(a *mat.Dense) []float64 {
	n, _ := a.Dims()
	list := make([]float64, n)
	network := map[int]bool{}
	for _, s := range l.program.Networks {
		network[s.State] = true
	}
	largest := 0.0
	for i := range list {
		list[i] = mat.Norm(a.RowView(i), 1)
		if !network[i] {
			largest = max(largest, list[i])
		}
	}
	for i := range list {
		if !network[i] {
			list[i] = largest
		}
		list[i] *= rankTolerance
	}
	return list
}
