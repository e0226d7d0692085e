// Package suspension measures kinematics and compliance of an axle on the rig, and writes the figures and curves.
//
//	model -> model/rig -> Result -> table, figures.json, kc.csv
package suspension

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/harness/workbench/files/animation"
	"skidpad/model/rig"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// Options choose what is measured.
type Options struct {
	rig.Options
	Tests         []string // of curves, of Tests
	ByPads        bool     // the pads keep their forces under loads
	Curves        bool     // curves are wanted
	Sensitivities bool     // likewise
	Shares        bool     // contributions of yielding components are wanted
	Cases         []Case   // whose joint forces are wanted
	Targets       []Target // of figures
}

// Result is what was measured on one axle.
type Result struct {
	Model         string
	Axle          int
	Tires         [2]string
	Rack          string // joint or driver of the rack or the steering wheel, "" for none
	Figures       []rig.Figure
	Curves        []*rig.Curve
	Missing       map[string]string // by test: why it has no curve
	Matrix        *rig.Matrix       // of compliance
	Sensitivities []rig.Sensitivity // by all parameters that act on the axle
	Shares        *Shares           // nil if they are not wanted
	Forced        []Forced          // load cases
	Targets       []Target          // of figures
	Loose         []string          // components that can move while nothing resists
	Drawing       *animation.Scene  // of the axle; nil without curves
}

// groups are tests by the words of --test.
var groups = map[string][]string{
	"lateral": {"lateral_parallel", "lateral_opposed"}, "aligning": {"aligning_parallel", "aligning_opposed"},
	"longitudinal": {"braking", "driving"},
}

// ParseTests reads a list of tests; "" stands for all.
func ParseTests(list string) (tests []string, err error) {
	if list == "" {
		return rig.Tests, nil
	}
	for _, word := range strings.Split(list, ",") {
		word = strings.TrimSpace(word)
		switch named, is := groups[word]; {
		case is:
			tests = append(tests, named...)
		case slices.Contains(rig.Tests, word):
			tests = append(tests, word)
		default:
			return nil, fmt.Errorf("there is no test %q; there are %s, lateral, aligning and longitudinal", word,
				strings.Join(rig.Tests, ", "))
		}
	}
	return tests, nil
}

// Measure puts an axle on the rig.
func Measure(m *vehicle.Model, of *roles.Roles, o Options) (*Result, error) {
	o.Roles, o.Forces = of, len(o.Cases) > 0
	r, err := rig.New(m, o.Options)
	if err != nil {
		return nil, err
	}
	result := &Result{Model: m.Name, Axle: o.Axle, Tires: r.Tires, Rack: r.Rack, Missing: map[string]string{}}
	if result.Figures, err = r.Figures(); err != nil {
		return nil, err
	}
	result.Loose = r.Loose
	if err := result.check(o.Targets); err != nil {
		return nil, err
	}
	if result.Forced, err = forced(r, o.Cases); err != nil {
		return nil, err
	}
	if result.Matrix, err = r.ComplianceMatrix(); err != nil {
		return nil, err
	}
	if o.Sensitivities {
		if result.Sensitivities, err = r.Sensitivities(nil); err != nil {
			return nil, err
		}
	}
	if o.Shares {
		if result.Shares, err = sharesOf(m, o.Options); err != nil {
			return nil, err
		}
	}
	if !o.Curves {
		return result, nil
	}
	if result.Drawing, err = draw(m, o.Options); err != nil {
		return nil, err
	}
	for _, test := range o.Tests {
		c, missing, err := r.Curve(test, o.ByPads)
		if err != nil {
			return nil, err
		}
		if missing != "" {
			result.Missing[test] = missing
			continue
		}
		result.Curves = append(result.Curves, c)
	}
	return result, nil
}
