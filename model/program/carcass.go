package program

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/lanes"
	"skidpad/tire"
)

// Callee describes how machines call the function of a call.
type Callee struct {
	Inside  bool          // only a carcass calls it
	Inputs  []string      // names of its arguments
	Results int           // number of results used by the program, without a carcass
	Carcass *tire.Carcass // nil for none
}

// Callees puts carcasses around the functions of calls with a carcass. euler is true for the forward Euler method.
func Callees(calls []Call, kinds []*tire.Kind, functions []tire.Function, euler bool) ([]Callee, error) {
	list := make([]Callee, len(calls))
	for i := range calls {
		c := &calls[i]
		switch {
		case c.Inside:
			list[i] = Callee{Inside: true}
		case c.Carcass != nil:
			parts := tire.CarcassParts{Force: functions[i], ForceKind: kinds[i], Euler: euler}
			if k := c.relaxation(func(name string) int {
				return slices.IndexFunc(calls, func(other Call) bool { return other.Name == name })
			}); k >= 0 {
				parts.Relaxation, parts.RelaxationKind = functions[k], kinds[k]
			}
			made, err := tire.NewCarcass(parts, *c.Carcass)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", strings.TrimSuffix(c.Name, ".force"), err)
			}
			list[i] = Callee{Inputs: made.Inputs(), Carcass: made}
		default:
			list[i] = Callee{Inputs: kinds[i].Inputs, Results: len(c.Outputs)}
		}
	}
	return list, nil
}

// relaxation returns the index of the relaxation call inside the carcass of this call, -1 for none; at finds calls by
// name.
func (c *Call) relaxation(at func(name string) int) int {
	if c.Carcass == nil {
		return -1
	}
	return at(strings.TrimSuffix(c.Name, "force") + "relaxation")
}

// silent replaces a function that only a carcass calls.
type silent struct{}

func (silent) Eval(in, out []float64)     {}
func (silent) Jacobian(in, jac []float64) {}

// Joined returns the functions of callees in the form that machines call: machine code, groups, or Go functions.
func Joined(list []Callee, kinds []*tire.Kind, functions []tire.Function, native bool) []tire.Function {
	joined := slices.Clone(functions)
	var carcasses []*tire.Carcass
	var around, others []int
	var alone []tire.Function
	for i := range list {
		switch c := &list[i]; {
		case c.Carcass != nil:
			carcasses, around = append(carcasses, c.Carcass), append(around, i)
		case c.Inside:
			joined[i] = silent{}
		case tire.Trimmed(functions[i], kinds[i], c.Results) != functions[i]:
			joined[i] = tire.Trimmed(functions[i], kinds[i], c.Results)
		default:
			others, alone = append(others, i), append(alone, functions[i])
		}
	}
	if !native {
		withoutCode(functions, carcasses)
	}
	together := tire.GroupCarcasses(carcasses)
	if native {
		together = lanes.BatchCarcasses(carcasses, together)
		for k, f := range lanes.BatchFunctions(alone) {
			joined[others[k]] = f
		}
	}
	for k, f := range together {
		joined[around[k]] = f
	}
	return joined
}

// withoutCode prepares functions for evaluation without machine code.
func withoutCode(functions []tire.Function, carcasses []*tire.Carcass) {
	for _, c := range carcasses {
		functions = append(functions[:len(functions):len(functions)], c)
	}
	for _, f := range functions {
		tire.SetPortable(f, true)
		tire.Prepare(f)
	}
}
