package fmu

import (
	"slices"
	"strings"

	"skidpad/cosim"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Describe makes the table of a system. Value references are the indices of the
// system's variables: the same for every instance of a model and tree.
func Describe(s *cosim.System) *Table {
	t := describe(s)
	if names := exposed(s); len(names) > 0 {
		t.addCoefficients(s, func(name string) bool { return names[name] })
		t.addPeaks(s, names)
	}
	return t
}

// describe lists the variables without coefficients of tires.
func describe(s *cosim.System) *Table {
	m := s.Model()
	t := &Table{
		Name: m.Name, Title: m.Title, Source: m.Source, Tree: s.OtherTree(),
		StopTime: m.StopTime, Step: m.Solver.Step, HasDiscreteContacts: s.HasDiscreteContacts(),
		byName: map[string]uint32{},
	}
	for _, c := range m.Components {
		name := c.Head().Name
		if o := m.Origins[name]; o != nil {
			t.Origins = append(t.Origins, Origin{name, o.Chain()})
		}
	}
	states := map[int]uint32{}
	for i, v := range s.Variables() {
		if v.State >= 0 && v.Kind != cosim.Rate {
			states[v.State] = uint32(i)
		}
	}
	for i, v := range s.Variables() {
		e := Variable{
			Reference: uint32(i), Name: v.Name, Description: v.Text, Unit: v.Unit, Display: v.Display, Start: v.Start,
			Variability: Continuous, Initial: Calculated, Kind: v.Kind, index: i,
		}
		if v.Initial && !v.Follows {
			e.Initial = Exact
		}
		e.AtLeastZero, e.AtMostOne = v.Nonnegative || v.Positive, v.AtMostOne
		if v.State >= 0 && v.Kind != cosim.Rate {
			e.Nominal = nominal(v.Unit)
		}
		switch v.Kind {
		case cosim.Parameter:
			e.Causality, e.Variability, e.Initial = Parameter, Fixed, Exact
		case cosim.Input:
			e.Causality, e.Initial = Input, None
		case cosim.Output, cosim.Ended:
			e.Causality = Output
			if v.Driver != "" {
				e.Causality = Local
			}
			if v.Discrete {
				e.Variability = Discrete
			}
		case cosim.Contact:
			e.Causality, e.Type, e.Variability = Output, Boolean, Discrete
		case cosim.Energy:
			e.Causality = Local
		case cosim.Rate:
			e.Causality, e.Derivative, e.State = Local, true, states[v.State]
		case cosim.Indicator:
			e.Causality = Local
			t.Indicators = append(t.Indicators, e.Reference)
		case cosim.State:
			e.Causality = Local
		case cosim.Time:
			e.Causality, e.Initial = Independent, None
		case cosim.Text:
			e.Causality, e.Type, e.Variability, e.Initial, e.StartText = Parameter, String, Fixed, Exact, v.StartText
		}
		t.Variables = append(t.Variables, e)
		t.byName[v.Name] = e.Reference
	}
	t.structure(s, states)
	t.Terminals = terminals(t, m)
	return t
}

// nominal is the size of a significant change of a state; importers scale absolute tolerances by it. A millimetre of a
// tire's deflection carries hundreds of newtons, a slip of 1e-4 some ten.
func nominal(unit string) float64 {
	switch unit {
	case "m/s", "rad/s":
		return 1e-2
	case "m", "rad":
		return 1e-3
	}
	return 1e-4
}

// structure fills in what depends on what. states holds the references of the
// states by their index.
func (t *Table) structure(s *cosim.System, states map[int]uint32) {
	of, starts := s.Dependencies()
	for i := range t.Variables {
		v := &t.Variables[i]
		d := of[i]
		running := references(d.Others)
		for _, k := range d.States {
			running = append(running, states[k])
		}
		state := s.Variables()[i].State
		running = slices.DeleteFunc(running, func(r uint32) bool { return t.Variables[r].Causality == Parameter })
		switch {
		case v.Causality == Output:
			t.Outputs = append(t.Outputs, unknown(v, running))
		case v.Derivative:
			t.Derivatives = append(t.Derivatives, unknown(v, running))
		}
		if v.Initial == Calculated && (v.Causality == Output || v.Derivative || state >= 0) {
			t.Initial = append(t.Initial, unknown(v, references(t.atStart(s, i, of, starts).Others)))
		}
	}
}

// atStart returns the dependence of a variable at the start, where states have their start values.
func (t *Table) atStart(s *cosim.System, i int, of map[int]cosim.Dependence,
	starts []cosim.Dependence) (d cosim.Dependence) {
	v, state := &t.Variables[i], s.Variables()[i].State
	if v.Causality == Local && state >= 0 && !v.Derivative {
		return starts[state]
	}
	d.Others, d.Calls = slices.Clone(of[i].Others), slices.Clone(of[i].Calls)
	for _, k := range of[i].States {
		d.Others, d.Calls = append(d.Others, starts[k].Others...), append(d.Calls, starts[k].Calls...)
	}
	return d
}

func references(indices []int) []uint32 {
	var list []uint32
	for _, i := range indices {
		list = append(list, uint32(i))
	}
	return list
}

func unknown(v *Variable, dependencies []uint32) Unknown {
	slices.Sort(dependencies)
	return Unknown{Reference: v.Reference, Dependencies: slices.Compact(dependencies)}
}

// terminals makes one terminal for the driver's controls, one per wheel hub, one per tire, and one per source whose
// value is an input.
func terminals(t *Table, m *vehicle.Model) []Terminal {
	driver := Terminal{Name: "driver", Kind: "org.skidpad.driver", Text: "what a driver controls"}
	var hubs, own []Terminal
	scope := m.Scope()
	hubOf := map[string]int{} // by frame of the wheel
	for _, a := range scope.Axles() {
		hubOf[a.Wheel.Frame] = len(hubs)
		hubs = append(hubs, Terminal{
			Name: a.Joint, Kind: "org.skidpad.wheel-hub", Text: "spin of the wheel and torque of the drive",
			Members: t.members(a.Joint, "phi", "omega"),
		})
	}
	for _, c := range component.All[component.Terminated](scope) {
		name, at := c.Head().Name, c.Terminal()
		hub, onHub := hubOf[at.Hub]
		switch {
		case at.Flow != "":
			members := t.members(name, at.Variables...)
			if len(members) < len(at.Variables) {
				continue // the model itself drives the input
			}
			for i := range members {
				members[i].Inflow = members[i].Name == at.Flow
			}
			own = append(own, Terminal{Name: name, Kind: at.Kind, Text: at.Text, Members: members})
		case at.Kind != "":
			own = append(own, Terminal{
				Name: name, Kind: at.Kind, Text: at.Text, Members: t.members(name, at.Variables...),
			})
		case onHub:
			for _, member := range t.members(name, "torque") {
				if slices.ContainsFunc(hubs[hub].Members, func(m Member) bool { return m.Name == member.Name }) {
					member.Name = name + "_torque" // a second torque on the hub; names are unique
				}
				hubs[hub].Members = append(hubs[hub].Members, member)
			}
		default:
			driver.Members = append(driver.Members, t.controls(name)...)
		}
	}
	hubs = append(hubs, own...)
	if len(driver.Members) > 0 {
		hubs = append(hubs, driver)
	}
	return hubs
}

// members lists those quantities of a component that an importer can connect. A local variable, such as a torque that
// equations drive, is not among them: the standard does not allow it in a terminal.
func (t *Table) members(component string, quantities ...string) []Member {
	var list []Member
	for _, q := range quantities {
		name := component + "." + q
		if r, ok := t.byName[name]; ok && t.Variables[r].Causality != Local {
			list = append(list, Member{Name: q, Variable: name})
		}
	}
	return list
}

// controls lists the inputs of a component under names of their own.
func (t *Table) controls(component string) []Member {
	var list []Member
	for _, v := range t.Variables {
		if quantity, ok := strings.CutPrefix(v.Name, component+"."); ok && v.Causality == Input {
			list = append(list, Member{Name: component + "_" + quantity, Variable: v.Name})
		}
	}
	return list
}
