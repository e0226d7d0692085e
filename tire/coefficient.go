package tire

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Coefficient is a number of a parameter set that can be given another value for one tire.
type Coefficient struct {
	Name, Unit, Text string // Name is the key of property files (PKY1), or of TOML files for functions that have none
	Place            int    // in the complete parameters, see Kind.Complete
	Scale            bool   // a scale factor: it can also change between two steps
}

// coefficients holds what Coefficients returns, by kind.
var coefficients sync.Map

// Coefficients lists the numbers of a built-in or registered function: its parameters, then their ranges of validity.
// The mounting side and the combination of slips are no coefficients.
func (k *Kind) Coefficients() []Coefficient {
	if list, ok := coefficients.Load(k); ok {
		return list.([]Coefficient)
	}
	all := k.Parameters
	for _, o := range k.Optional {
		all = append(all[:len(all):len(all)], o.ParameterInfo)
	}
	var list []Coefficient
	for i, p := range all {
		if p.Name == sideParameter || p.Name == combinedParameter {
			continue
		}
		c := Coefficient{Name: p.Name, Unit: p.Unit, Text: p.Text, Place: i}
		if k.keys {
			c.Name = propertyKey(p.Name)
			if section := sectionOf(c.Name); c.Unit == "1" && section != "" {
				c.Text = fmt.Sprintf("%s [%s]", p.Text, section)
			}
			c.Scale = strings.HasPrefix(p.Name, "L") && i < len(k.Parameters)
		}
		list = append(list, c)
	}
	stored, _ := coefficients.LoadOrStore(k, list)
	return stored.([]Coefficient)
}

// Coefficient finds a number by its name.
func (k *Kind) Coefficient(name string) (Coefficient, bool) {
	list := k.Coefficients()
	i := slices.IndexFunc(list, func(c Coefficient) bool { return c.Name == name })
	if i < 0 {
		return Coefficient{}, false
	}
	return list[i], true
}

// CoefficientNames lists the names of the numbers of all functions, those of built-in functions first, in a fixed
// order.
func CoefficientNames() []string {
	registry.RLock()
	kinds := slices.Clone(registry.kinds)
	registry.RUnlock()
	var names []string
	seen := map[string]bool{}
	for _, k := range kinds {
		for _, c := range k.Coefficients() {
			if !seen[c.Name] {
				names, seen[c.Name] = append(names, c.Name), true
			}
		}
	}
	return names
}

// Complete returns a copy of parameters with the optional ones, which have their defaults where they are not given.
func (k *Kind) Complete(values []float64) []float64 {
	complete := slices.Clone(values)
	if len(values) == len(k.Parameters) {
		for _, o := range k.Optional {
			complete = append(complete, o.Default)
		}
	}
	return complete
}

// Blames reports whether an error of New is about this number, whatever the others are. Ends of ranges are checked
// in pairs, so that none of them is.
func (k *Kind) Blames(err error, c Coefficient) bool {
	if c.Place >= len(k.Parameters) {
		return false
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.ContainsFunc(several.Unwrap(), func(one error) bool { return k.Blames(one, c) })
	}
	p := (*parameterError)(nil)
	return errors.As(err, &p) && p.parameter == k.Parameters[c.Place].Name
}

// Replace gives a built-in function the parameters of another one of its kind. Who has copied them must copy them
// again.
func Replace(f, by Function) {
	of, written := f.(interface{ written() *formulas })
	if !written {
		reflect.ValueOf(f).Elem().Set(reflect.ValueOf(by).Elem())
		return
	}
	portable := of.written().portable
	reflect.ValueOf(f).Elem().Set(reflect.ValueOf(by).Elem())
	of.written().setPortable(portable)
	of.written().makeReady() // now, so that steps allocate nothing
}
