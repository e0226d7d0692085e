package linear

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/graph"
)

// Reaction is a force [N] and a moment [N m] along x, y and z of ground, from a component's tail side on its head, at
// the origin of the head.
type Reaction struct {
	Name, Tail, Head string
	Force, Moment    [3]float64
}

// Reactions lists the reactions of all joints, arms, rods and contacts in the steady motion s, which l.At has returned.
func (l *Model) Reactions(s *System) ([]Reaction, error) {
	if l.asking == nil {
		p, err := formulate.Program(l.source, formulate.Options{Tree: l.tree, Reactions: graph.GroundFrame})
		if err != nil {
			return nil, err
		}
		if l.asking, err = of(l.source, l.tree, p); err != nil {
			return nil, err
		}
	}
	a := l.asking
	if err := a.takeFunctions(l); err != nil {
		return nil, err
	}
	a.takeMotion(l, s)
	a.machine.Derivatives(0, a.x, a.u, a.dx)
	y := make([]float64, len(a.program.Outputs))
	a.machine.Outputs(y)
	at := names(a.program.Outputs)
	var list []Reaction
	for _, c := range component.All[component.Holding](l.source.Scope()) {
		r := Reaction{Name: c.Head().Name}
		r.Tail, r.Head = c.Holds()
		for i, axis := range []string{"x", "y", "z"} {
			r.Force[i] = y[slices.Index(at, r.Name+".F"+axis)]
			r.Moment[i] = y[slices.Index(at, r.Name+".M"+axis)]
		}
		list = append(list, r)
	}
	return list, nil
}

// takeMotion copies the parameters of another model of the same vehicle, and its steady motion s.
func (l *Model) takeMotion(from *Model, s *System) {
	for i, v := range l.program.Parameters {
		if value, known := from.Start(v.Name); known {
			l.parameters[i] = value
		}
	}
	l.machine.SetParameters(l.parameters)
	copy(l.u, l.start)
	for i, name := range l.inputs() {
		if k := slices.Index(s.Inputs, name); k >= 0 {
			l.u[i] = s.U[k]
		}
	}
	copy(l.x, s.X)
}
