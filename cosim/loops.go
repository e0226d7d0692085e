package cosim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	parts "skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/program"
	"skidpad/model/search"
)

// open is the error of loops that did not close from the start. A loop with a driver beyond its reach is named first,
// then the constraints that no change of coordinates balances. Some loops close only if the driver moves to its value
// step by step; such loops are closed here.
func (a *assembly) open(r search.Result) error {
	var names []string
	for _, i := range append([]int{r.Worst}, r.Unbalanced...) {
		names = append(names, formulate.Constrainer(a.sys.program.ConstraintNames[i]))
	}
	worst := len(names)
	for _, name := range a.sys.program.ConstraintNames {
		names = append(names, formulate.Constrainer(name))
	}
	chassis := ""
	if r := a.sys.model.Roles; r != nil {
		chassis = r.Chassis
	}
	l, nearest := graph.NewLinkage(a.sys.model.Graph(), chassis), slices.Clone(a.x)
	var first *graph.Loop // of the worst constraints
	known := map[string]bool{}
	for k, name := range names {
		of, is := l.Through(name)
		if known[name] || !is {
			continue
		}
		if known[name] = true; first == nil && k < worst {
			first = &of
		}
		input := slices.IndexFunc(a.sys.program.Inputs, func(v program.Variable) bool { return v.Name == of.Driver })
		if input < 0 || known[of.Driver] {
			continue
		}
		known[of.Driver] = true
		reach, closed := a.reach(input, of.Unit)
		if closed {
			return nil
		}
		if copy(a.x, nearest); reach != "" {
			gap, closed := a.gap(of.Of)
			if closed {
				return nil
			}
			return fmt.Errorf("%s cannot close: %s at %s %.3g %s; %s", of, gap, component(of.Driver), a.u[input], of.Unit, reach)
		}
	}
	if first == nil {
		return fmt.Errorf("%s cannot close: the nearest position misses by %.3g", names[0], r.Largest)
	}
	gap, closed := a.gap(first.Of)
	if closed {
		return nil
	}
	return fmt.Errorf("%s cannot close: %s", first, gap)
}

// lightness is the weight of the constraints of one component. All others have 1, and close to its square.
const lightness = 1e-4

// lightened are the constraints with small weights for the ones of a component.
type lightened struct {
	*assembly
	of string
}

// Evaluate implements search.Equations.
func (a lightened) Evaluate(x, f []float64) {
	a.assembly.Evaluate(x, f)
	for i := range f {
		if a.light(i) {
			f[i] *= lightness
		}
	}
}

// Differentiate implements search.Equations.
func (a lightened) Differentiate(x []float64, j *mat.Dense) {
	a.assembly.Differentiate(x, j)
	for i := range len(a.phi) / 2 {
		if a.light(i) {
			for k := range a.unknowns {
				j.Set(i, k, lightness*j.At(i, k))
			}
		}
	}
}

func (a lightened) light(row int) bool {
	return formulate.Constrainer(a.sys.program.ConstraintNames[row]) == a.of
}

// gap describes the component where all others close, from the nearest position on. It may find that all close.
func (a *assembly) gap(of string) (text string, closed bool) {
	light := lightened{a, of}
	(&search.Search{Of: light, Equations: len(a.phi) / 2, Steps: assemblySteps, Units: a.units()}).Run(a.numbers())
	at := slices.Clone(a.x)
	if a.approach(a.fixed, false, assemblySteps).Largest <= a.enough {
		return "", true
	}
	copy(a.x, at)
	phi := problem{a.Instance}.Residuals(0, a.x)[:len(a.phi)/2]
	if rod, is := parts.Named[*parts.Rod](a.sys.model.Scope(), of); is {
		return a.gapOfRod(rod, phi[slices.Index(a.sys.program.ConstraintNames, of)]), false
	}
	apart, askew, other := 0.0, 0.0, 0.0
	for i, v := range phi {
		if !light.light(i) {
			continue
		}
		switch _, edge, _ := strings.Cut(a.sys.program.ConstraintNames[i], "."); {
		case strings.HasPrefix(edge, graph.Translation.Letter()):
			apart = math.Hypot(apart, v)
		case strings.HasPrefix(edge, graph.Rotation.Letter()):
			askew = math.Hypot(askew, v)
		default:
			other = math.Hypot(other, v)
		}
	}
	switch {
	case apart > a.enough:
		return fmt.Sprintf("its ends stay %.3g mm apart at %s", 1e3*apart, of), false
	case askew > a.enough:
		return fmt.Sprintf("its ends stay %.3g deg askew at %s", math.Asin(min(1, askew))*180/math.Pi, of), false
	}
	return fmt.Sprintf("%s misses by %.3g", of, other), false
}

// gapOfRod describes a rod by its violation: a distance, or a difference of squares.
func (a *assembly) gapOfRod(rod *parts.Rod, violation float64) string {
	length := math.NaN() // of a formula
	for i, v := range a.sys.program.Parameters {
		if v.Name == rod.Name+".length" {
			length = a.p[i]
		}
	}
	name := rod.Name
	if length == length {
		name = fmt.Sprintf("%s (%.4g m)", rod.Name, length)
	}
	if rod.Square {
		if length != length {
			return fmt.Sprintf("%s misses by %.3g m2", rod.Name, violation)
		}
		violation = math.Sqrt(max(0, violation+length*length)) - length
	}
	is := "short"
	if violation < 0 {
		is = "long"
	}
	return fmt.Sprintf("%s is %.3g mm too %s", name, 1e3*math.Abs(violation), is)
}

const (
	reachBases   = 16   // values on the way from 0 to the present one that are tried as bases, and as many beyond
	reachFirst   = 0.02 // first step, as a share of the way from the base to the present value
	reachShare   = 1e-5 // shortest step
	reachLimit   = 20   // a reach beyond this number of ways is unlimited
	reachedSteps = 8    // of a search from a neighbour; a longer one can end in another position than the next one
)

var errOpen = errors.New("the loops are open")

// reach describes the values of an input at which all loops close, "" where none is found. If the way from a base leads
// to the present value, then the loops are closed.
func (a *assembly) reach(input int, unit string) (text string, closed bool) {
	wanted := a.u[input]
	set := func(v float64) {
		a.u[input] = v
		a.inputsAt(0)
	}
	defer set(wanted)
	closeAt := func(v float64) error {
		if set(v); !(a.approach(a.fixed, false, reachedSteps).Largest <= a.enough) {
			return errOpen
		}
		return nil
	}
	bases := []float64{a.sys.program.Inputs[input].Start}
	for k := range 2 * reachBases {
		bases = append(bases, float64(k)/reachBases*wanted)
	}
	for _, base := range bases {
		if copy(a.x, a.start); base == wanted || closeAt(base) != nil {
			continue
		}
		found, way := slices.Clone(a.x), wanted-base
		ways := func(limit float64) float64 {
			copy(a.x, found)
			share, _ := search.Continue(reachFirst/math.Abs(limit), reachShare/math.Abs(limit), func(share float64) error {
				return closeAt(base + share*limit*way)
			}, a.x)
			return share * limit
		}
		near := ways(1)
		if near == 1 {
			return "", true
		}
		far := ways(-reachLimit)
		low, high := min(base+near*way, base+far*way), max(base+near*way, base+far*way)
		switch {
		case far > -reachLimit:
			return fmt.Sprintf("it closes from %.3g to %.3g %s", low, high, unit), false
		case way > 0:
			return fmt.Sprintf("it closes up to %.3g %s", high, unit), false
		}
		return fmt.Sprintf("it closes from %.3g %s on", low, unit), false
	}
	return "", false
}
