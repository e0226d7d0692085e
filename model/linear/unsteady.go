package linear

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/program"
)

// Thresholds of cause, for rates that no change of states and free inputs can balance.
const (
	reason    = 0.5  // share of all rates above which unbalanced rates explain the lack of a steady state
	resolving = 0.9  // share of them that an input or a state must be able to end
	direct    = 1e-3 // share of its effect that nothing else can balance, at least
	least     = 1e-9 // effect of a state or an input that counts as none, by the effect of all
	mostMoved = 0.5  // rad or m, largest change of a prescribed motion
	probe     = 1e-3 // share of an input, or of 1, for the change of an input at a bound
	alike     = 0.7  // share of the largest unbalanced rate above which a state is named, too
	mostNamed = 4    // inputs, or states
)

// cause explains why a search ended at the present state with the residual f, and names a remedy, as the end of a
// message; "" if it finds no reason. The reason is the part of f that the changing states and free inputs cannot
// balance in the equations linearised there.
func (l *Model) cause(f unsteady, quiet, changing []int) string {
	if math.IsInf(f.largest, 1) {
		return ""
	}
	effects := l.effects(f, quiet)
	n := len(l.program.States)
	columns := slices.Clone(changing)
	for _, i := range l.free {
		if l.noEffect(effects, n+i) {
			return fmt.Sprintf("; %s, which is free, is %.4g there and has no effect: it is saturated, or acts on nothing; "+
				"ask for less, free another input, or start it within its range", l.program.Inputs[i].Name, l.u[i])
		}
		columns = append(columns, n+i)
	}
	image, err := imageOf(effects, columns)
	if err != nil {
		return ""
	}
	rest := beyond(image, mat.NewVecDense(len(f.values), slices.Clone(f.values)))
	if mat.Norm(rest, 2) < reason*f.size {
		return ""
	}
	ends := func(effect mat.Vector) (by float64, ok bool) { // required change, in the linearised equations
		own := beyond(image, effect)
		size := mat.Norm(own, 2)
		along := mat.Dot(own, rest)
		return -along / (size * size), size > direct*mat.Norm(effect, 2) && math.Abs(along) > resolving*size*mat.Norm(rest, 2)
	}
	var inputs, fixed []string
	for i, v := range l.program.Inputs[:len(l.program.Inputs)-l.program.Controls] {
		if !l.actuates(i) {
			continue
		}
		by, ok := ends(effects.ColView(n + i))
		if ok && !(l.moves(i) && math.Abs(by) > mostMoved) {
			inputs = append(inputs, v.Name)
		}
		if !l.noEffect(effects, n+i) {
			continue
		}
		for way, words := range []string{"above", "below"} { // an input at a bound changes in one direction only
			sign := float64(1 - 2*way)
			if by, ok := ends(l.difference(f, quiet, i, sign)); ok && by*sign > 0 {
				inputs = append(inputs, fmt.Sprintf("%s started %s %.4g", v.Name, words, l.u[i]))
				break
			}
		}
	}
	for i, v := range l.program.States {
		if _, ok := ends(effects.ColView(i)); ok && l.fixed[v.Name] {
			fixed = append(fixed, v.Name)
		}
	}
	most := 0.0
	for k := range quiet {
		most = max(most, math.Abs(rest.AtVec(k)))
	}
	var states []string
	for k, i := range quiet {
		if math.Abs(rest.AtVec(k)) > alike*most {
			states = append(states, l.program.States[i].Name)
		}
	}
	return l.remedy(states, inputs, fixed)
}

// remedy reports that states are not held, and lists what can hold them: inputs, or the release of held states.
func (l *Model) remedy(states, inputs, fixed []string) string {
	some := func(list []string) string {
		if len(list) > mostNamed {
			list = append(list[:mostNamed:mostNamed], "...")
		}
		return strings.Join(list, ", ")
	}
	free, release := "free an input that can ("+some(inputs)+")", "do not hold "+some(fixed)
	text := "; nothing that may change holds " + some(states)
	switch {
	case len(inputs) > 0 && len(fixed) > 0:
		return text + ": " + free + ", or " + release
	case len(inputs) > 0:
		return text + ": " + free
	case len(fixed) > 0:
		return text + ": " + release
	}
	text += ", and no input does: the moving part is loose, or spins and requires a non-spinning carrier"
	var all []string
	for _, v := range l.program.States {
		if l.fixed[v.Name] && !v.Held {
			all = append(all, v.Name)
		}
	}
	if len(all) > 0 {
		text += ", or too many states are held: " + some(all)
	}
	return text
}

// effects are the derivatives of the residuals by all states, followed by all inputs except controls.
func (l *Model) effects(f unsteady, quiet []int) *mat.Dense {
	a, b, h, g := l.jacobian(program.StateQuantity, program.StateQuantity),
		l.jacobian(program.StateQuantity, program.InputQuantity), l.gradients(), l.drives()
	n, inputs := len(l.program.States), len(l.program.Inputs)-l.program.Controls
	j := mat.NewDense(len(f.values), n+inputs, nil)
	loops := 2 * l.program.Constraints
	var relative *mat.Dense
	if l.carried != nil {
		relative = l.carried.Differentiate(l.x, l.dx, a)
	}
	for row := range f.values {
		for k := range n {
			switch rest := row - len(quiet); {
			case rest < 0:
				j.Set(row, k, a.At(quiet[row], k)/l.sizeOf(quiet[row]))
			case rest < loops:
				j.Set(row, k, h.At(rest, k))
			default:
				j.Set(row, k, relative.At(rest-loops, k))
			}
		}
		for k := range inputs {
			switch rest := row - len(quiet); {
			case rest < 0:
				j.Set(row, n+k, b.At(quiet[row], k)/l.sizeOf(quiet[row]))
			case rest < loops:
				j.Set(row, n+k, g.At(rest, k))
			}
		}
	}
	return j
}

// noEffect reports whether a column of effects is nothing beside the others.
func (l *Model) noEffect(effects *mat.Dense, column int) bool {
	return mat.Norm(effects.ColView(column), 2) <= least*mat.Norm(effects, 2)
}

// difference is the effect of an input by the change of all that must vanish, for changes one way, 1 or -1.
func (l *Model) difference(f unsteady, quiet []int, input int, way float64) mat.Vector {
	was := l.u[input]
	h := way * probe * max(1, math.Abs(was))
	l.u[input] = was + h
	moved := l.steadyStateResidual(quiet)
	l.u[input] = was
	effect := mat.NewVecDense(len(f.values), nil)
	for k, v := range f.values {
		effect.SetVec(k, (moved.values[k]-v)/h)
	}
	return effect
}

// imageOf is an orthonormal basis of the range of some columns, each scaled by its own size; empty for no columns.
func imageOf(effects *mat.Dense, columns []int) (*mat.Dense, error) {
	if len(columns) == 0 {
		return &mat.Dense{}, nil
	}
	rows, _ := effects.Dims()
	scaled := mat.NewDense(rows, len(columns), nil)
	for k, column := range columns {
		v := mat.VecDenseCopyOf(effects.ColView(column))
		if size := mat.Norm(v, 2); size > 0 {
			v.ScaleVec(1/size, v)
		}
		scaled.SetCol(k, v.RawVector().Data)
	}
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDThinU) {
		return nil, errSolve
	}
	values := svd.Values(nil)
	rank := 0
	for rank < len(values) && values[rank] > rankTolerance*values[0] {
		rank++
	}
	if rank == 0 {
		return &mat.Dense{}, nil
	}
	var u mat.Dense
	svd.UTo(&u)
	return mat.DenseCopyOf(u.Slice(0, rows, 0, rank)), nil
}

// beyond is the part of v that is normal to a basis, which may be empty.
func beyond(basis *mat.Dense, v mat.Vector) *mat.VecDense {
	rest := mat.VecDenseCopyOf(v)
	if basis.IsEmpty() {
		return rest
	}
	var along, within mat.VecDense
	along.MulVec(basis.T(), v)
	within.MulVec(basis, &along)
	rest.SubVec(rest, &within)
	return rest
}

// startsOffTheRoad reports whether the loads of all tires are 0 at the start.
func (l *Model) startsOffTheRoad() bool {
	x, y := make([]float64, len(l.x)), make([]float64, len(l.program.Outputs))
	l.machine.SetParameters(l.parameters)
	l.machine.Start(l.start, x)
	l.machine.Derivatives(0, x, l.start, l.dx)
	l.machine.Outputs(y)
	tires := 0
	for _, w := range component.All[component.Wheeled](l.source.Scope()) {
		if !w.Wheel().Tire {
			return false
		}
		load, err := l.Output(w.Head().Name + ".Fz")
		if err != nil || y[load] > 0 {
			return false
		}
		tires++
	}
	return tires > 0
}

// actuates reports whether an input drives a vehicle; inputs of its road, tires or air do not, nor do the rate and
// acceleration of a prescribed motion.
func (l *Model) actuates(input int) bool {
	for _, m := range l.program.Motions {
		if input == m.Rate || input == m.Acceleration {
			return false
		}
	}
	owner, _, _ := strings.Cut(l.program.Inputs[input].Name, ".")
	switch c := l.source.Scope().Find(owner).(type) {
	case component.Wheeled, component.Surrounding:
		return false
	default:
		return c != nil
	}
}

// moves reports whether an input is a prescribed place or angle.
func (l *Model) moves(input int) bool {
	return slices.ContainsFunc(l.program.Motions, func(m program.Motion) bool { return m.Position == input })
}
