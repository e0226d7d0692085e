package cosim

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/program"
	"skidpad/model/search"
	"skidpad/model/vehicle"
)

// AssembleVariable is the text that selects when a start is assembled: one of vehicle.Assemblies.
const AssembleVariable = "solver.assemble"

const (
	closed          = 1e-12 // violation of an assembled start, as a share of the largest coordinate or speed, or of 1
	assemblySteps   = 40
	speedCorrection = 4 // most corrections of the speeds, which are linear: the later ones remove rounding
)

// assembly changes a start that violates constraints, before carcasses, loads and warnings follow from it. Constraints
// are Phi(q) = 0 with drivers at their values at the start.
//
// Coordinates take the smallest change that closes all loops: a length counts as itself, an angle as the arc that it
// makes at the typical lever of the constraints. The chassis and coordinates whose start value was set stay, unless
// loops then remain open; coordinates that the file keeps stay in any case.
//
// Speeds take the change that is smallest in the metric of the mass matrix M, with C p + dPhi/dt = 0:
//
//	p + M^-1 C^T l.
//
// It is the difference of two evaluations of the rates, with Phi' and with 0 demanded of the constraints, because the
// forces of constraints are C^T l in both.
type assembly struct {
	*Instance
	gradients *program.Side
	unknowns  []int // states
	lever     float64
	start     []float64 // states before
	enough    float64   // violation of closed loops
	fixed     map[string]bool
	phi       []float64 // violations, then rates
	steps     int       // of the search for coordinates
}

func newAssembly(in *Instance) *assembly {
	return &assembly{Instance: in, gradients: in.machine.Side(program.Gradients), phi: make([]float64, len(in.sides.phi))}
}

// assemble closes the loops of the start where the text AssembleVariable asks for it, and returns what has changed, ""
// for nothing. The states are left as they are if that is not possible.
func (in *Instance) assemble() (change string, err error) {
	if in.sides.demands == 0 {
		return "", nil
	}
	text := in.texts[in.sys.texts.assemble]
	position, rate := in.Violation()
	accepted := max(position, rate) <= in.settings[toleranceSetting]
	if text == vehicle.Never || text == vehicle.Auto && accepted {
		return "", nil
	}
	return newAssembly(in).run()
}

func (a *assembly) run() (change string, err error) {
	before := slices.Clone(a.x)
	if err := a.closeLoops(); err != nil {
		copy(a.x, before)
		return "", err
	}
	moved := !slices.Equal(before, a.x)
	if moved {
		a.updateLocalPlanes(a.t, a.x)
		a.sendPoses(a.t, a.x)
	}
	if err := a.matchSpeeds(); err != nil {
		copy(a.x, before)
		return "", err
	}
	return a.report(before), nil
}

// closeLoops changes the coordinates.
func (a *assembly) closeLoops() error {
	a.start, a.enough = slices.Clone(a.x), closed*a.size()
	var result search.Result
	a.fixed = a.keeping()
	for _, kept := range []map[string]bool{a.kept(), a.fixed} {
		copy(a.x, a.start)
		result = a.approach(kept, true, assemblySteps)
		if result.Largest <= a.enough {
			return nil
		}
	}
	return a.open(result)
}

// approach changes the coordinates that are not kept until the loops close, to the position nearest to the present one
// or to one nearby.
func (a *assembly) approach(kept map[string]bool, nearest bool, steps int) search.Result {
	a.unknowns = nil
	for i := a.sys.program.Speeds; i < 2*a.sys.program.Speeds; i++ {
		if !kept[a.sys.program.States[i].Name] {
			a.unknowns = append(a.unknowns, i)
		}
	}
	x, units := a.numbers(), a.units()
	result, _ := (&search.Search{Of: a, Equations: len(a.phi) / 2, Enough: a.enough / 10, Steps: steps,
		Units: units, Nearest: nearest}).Run(x)
	a.steps += result.Steps
	return result
}

// keeping are the names of the coordinates that the file keeps.
func (a *assembly) keeping() map[string]bool {
	fixed := map[string]bool{}
	for _, c := range a.sys.model.Components {
		if c.Head().Kept {
			a.addOf(c.Head().Name, fixed)
		}
	}
	return fixed
}

// addOf adds the names of the states of a component.
func (a *assembly) addOf(name string, to map[string]bool) {
	for _, v := range a.sys.program.States {
		if strings.HasPrefix(v.Name, name+".") {
			to[v.Name] = true
		}
	}
}

// kept are the names of the coordinates that stay if the loops can close without them: fixed coordinates, coordinates
// of the chassis, and coordinates with a start value that was set.
func (a *assembly) kept() map[string]bool {
	kept := maps.Clone(a.fixed)
	for i, v := range a.sys.program.Parameters {
		if v.StartValue && a.p[i] != v.Start {
			kept[v.Name] = true
		}
	}
	if r := a.sys.model.Roles; r != nil && r.Chassis != "" {
		a.addOf(r.Chassis, kept)
	}
	return kept
}

// size is the largest coordinate, 1 at least.
func (a *assembly) size() float64 {
	size := 1.0
	for _, v := range a.x[a.sys.program.Speeds : 2*a.sys.program.Speeds] {
		size = max(size, math.Abs(v))
	}
	return size
}

func (a *assembly) numbers() (x []float64) {
	for _, i := range a.unknowns {
		x = append(x, a.x[i])
	}
	return x
}

// units are the changes of the unknowns that count alike. The typical lever is the root mean square of the effects of
// angles on constraints by the effects of lengths, over the constraints that have both.
func (a *assembly) units() []float64 {
	j := mat.NewDense(len(a.phi)/2, max(1, len(a.unknowns)), nil)
	a.Differentiate(nil, j)
	sum, count := 0.0, 0
	for i := range len(a.phi) / 2 {
		angles, lengths := 0.0, 0.0
		for k, state := range a.unknowns {
			if a.sys.program.States[state].Unit == "rad" {
				angles += j.At(i, k) * j.At(i, k)
			} else {
				lengths += j.At(i, k) * j.At(i, k)
			}
		}
		if angles > 0 && lengths > 0 {
			sum, count = sum+angles/lengths, count+1
		}
	}
	lever := 1.0
	if count > 0 {
		lever = math.Sqrt(sum / float64(count))
	}
	var units []float64
	for _, state := range a.unknowns {
		unit := 1.0
		if a.sys.program.States[state].Unit == "rad" {
			unit = 1 / lever
		}
		units = append(units, unit)
	}
	a.lever = lever
	return units
}

// Evaluate implements search.Equations.
func (a *assembly) Evaluate(x, f []float64) {
	for k, i := range a.unknowns {
		a.x[i] = x[k]
	}
	copy(f, problem{a.Instance}.Residuals(0, a.x)[:len(f)])
}

// Differentiate implements search.Equations.
func (a *assembly) Differentiate(_ []float64, j *mat.Dense) {
	a.gradients.Evaluate(a.x[:len(a.sys.program.States)], a.continued, nil)
	width := 2 * a.sys.program.Speeds
	for i := range len(a.phi) / 2 {
		for k, state := range a.unknowns {
			j.Set(i, k, a.gradients.Value(i*width+state))
		}
	}
}

// matchSpeeds changes the speeds.
func (a *assembly) matchSpeeds() error {
	p := problem{a.Instance}
	speeds, m := a.sys.program.Speeds, len(a.phi)/2
	free, held := make([]float64, len(a.x)), make([]float64, len(a.x))
	none := make([]float64, m)
	defer p.SetConstraintDemand(none)
	at := slices.Clone(a.x)
	size, last := 1.0, math.Inf(1)
	for range speedCorrection {
		copy(a.phi, p.Residuals(0, a.x))
		violation := 0.0
		for _, v := range a.phi[m:] {
			violation = max(violation, math.Abs(v))
		}
		for _, v := range a.x[:speeds] {
			size = max(size, math.Abs(v))
		}
		if violation <= closed/10*size || !(violation < last) {
			break
		}
		last = violation
		p.SetConstraintDemand(none)
		a.rates(0, at, free)
		p.SetConstraintDemand(a.phi[m:])
		a.rates(0, at, held)
		for k := range speeds {
			a.x[k] += held[k] - free[k]
		}
	}
	if _, rate := a.Violation(); !(rate <= max(closed*size, a.settings[toleranceSetting])) {
		return fmt.Errorf("the rates of constraints are violated by %.3g at the start, and no change of the speeds corrects "+
			"them: the rates of drivers contradict each other, or %s", rate, "the loops are in a singular position")
	}
	return nil
}

// report describes the change of the start: the part that has moved farthest.
func (a *assembly) report(before []float64) string {
	speeds := a.sys.program.Speeds
	most, part := 0.0, ""
	moved := map[string]float64{}
	for i := speeds; i < 2*speeds; i++ {
		v := a.sys.program.States[i]
		by := a.x[i] - before[i]
		if v.Unit == "rad" {
			by *= a.lever
		}
		name := component(v.Name)
		moved[name] = math.Hypot(moved[name], by)
		if moved[name] > most {
			most, part = moved[name], name
		}
	}
	fastest, faster := 0.0, ""
	for i := range speeds {
		if by := math.Abs(a.x[i] - before[i]); by > fastest {
			fastest, faster = by, a.sys.program.States[i].Name
		}
	}
	switch {
	case most > 0 && fastest > 0:
		return fmt.Sprintf("assembled: %s moved by %.3g mm, and %s changed by %.3g %s", part, 1e3*most, faster, fastest,
			a.unitOf(faster))
	case most > 0:
		return fmt.Sprintf("assembled: %s moved by %.3g mm", part, 1e3*most)
	case fastest > 0:
		return fmt.Sprintf("assembled: %s changed by %.3g %s", faster, fastest, a.unitOf(faster))
	}
	return ""
}

func (a *assembly) unitOf(state string) string {
	for _, v := range a.sys.program.States {
		if v.Name == state {
			return v.Unit
		}
	}
	return ""
}

// assembledRows is the notice that the start was changed, none for "".
func assembledRows(change string) []notice {
	if change == "" {
		return nil
	}
	return []notice{{assembledRule, change}}
}
