package rig

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/kc"
)

// Share is the contribution of a yielding component to the figures of compliance: how much less a figure is with the
// component rigid, in the unit of the figure.
type Share struct {
	Component string // of the left wheel, or of both
	Mirrored  string // of the right wheel, which is rigid, too; "" for none
	Of        []float64
}

// yielding is a component with deformations. Forces keep the deformations of a bushing; other components have a
// coordinate of their own.
type yielding struct {
	name    string
	outputs []int
	forces  []int // inputs, nil without
}

// yields lists bushings with their displacements, columns of steerings, and springs on joints. The springs of the
// wheels are not among them, and rotations of bushings are motions of the links.
func (r *Rig) yields(design *State) (list []yielding) {
	values := r.equations.Values
	for _, c := range r.Model.Components {
		h := c.Head()
		if s, is := c.(*component.Steering); is && s.Column != nil {
			list = append(list, yielding{h.Name, []int{values[h.Name+".column_torque"]}, nil}) // as the twist
		}
		if first, has := values[h.Name+".dx"]; has && h.Type == bushing && r.onAxle(first, 1) {
			b := yielding{name: h.Name}
			for i, key := range []string{"dx", "dy", "dz"} {
				b.outputs = append(b.outputs, values[h.Name+"."+key])
				b.forces = append(b.forces, r.equations.Stays[h.Name]+i)
			}
			list = append(list, b)
		}
	}
	joint := func(s *spring) string {
		c, _ := component.Named[component.Sprung](r.Model.Scope(), s.component)
		return c.Sprung()
	}
	travels := map[string]bool{}
	for _, first := range r.firstSprings(design) {
		if first >= 0 {
			travels[joint(&r.springs[first])] = true
		}
	}
	for i := range r.springs {
		s := &r.springs[i]
		if s.joint && s.stiff(design.Values[i].V) && !travels[joint(s)] && r.onAxle(s.output, 1) {
			list = append(list, yielding{s.component, []int{s.output}, nil})
		}
	}
	return list
}

// Shares finds the figures of compliance of the left wheel, as derivatives in the design position, and the
// contributions of yielding components. One component at a time is rigid, on both sides. The rig must have
// Options.Yields.
//
// A rigid component keeps its deformations d(x) by forces l, which have the generalised loads B l. A load f changes
// the unknowns by
//
//	J x' + B l = -f,  dd/dx x' = 0
//
// where J are the derivatives of the equations.
func (r *Rig) Shares() (figures []Figure, shares []Share, err error) {
	if !r.options.Yields {
		return nil, nil, fmt.Errorf("the deformations of bushings are not formulated")
	}
	design, err := r.Solve(Given{}, nil)
	if err != nil {
		return nil, nil, err
	}
	t := r.tangent(design, nil)
	all := t.compliances(design, nil)
	for _, test := range loadings {
		for _, v := range test.values {
			x := kc.Of(all[len(figures)])
			figures = append(figures, Figure{Key: test.key + "_" + v.key, Unit: v.unit + "/" + test.unit, Left: x, Right: x})
		}
	}
	left, right := sideWords(r.Tires)
	list := r.yields(design)
	taken := map[string]bool{}
	for _, c := range list {
		if taken[c.name] {
			continue
		}
		s, rigid := Share{Component: c.name}, []yielding{c}
		if other, is := mirroredName(c.name, left, right); is {
			for _, o := range list {
				if o.name == other {
					s.Mirrored, taken[other] = other, true
					rigid = append(rigid, o)
				}
			}
		}
		for i, x := range t.compliances(design, rigid) {
			s.Of = append(s.Of, all[i]-x)
		}
		shares = append(shares, s)
	}
	return figures, shares, nil
}

// compliances are the derivatives of the values of all tests under loads, of the left wheel, with rigid components.
func (t *tangent) compliances(design *State, rigid []yielding) (list []float64) {
	var kept, forces []int
	for _, c := range rigid {
		kept = append(kept, c.outputs...)
		if forces = append(forces, c.forces...); c.forces == nil {
			forces = append(forces, -1)
		}
	}
	n, m, width := len(t.x), len(kept), len(t.u)
	system := mat.NewDense(n+m, n+m, nil)
	t.Differentiate(nil, system.Slice(0, n, 0, n).(*mat.Dense))
	inputs, wide := t.columns()
	outputs, high := t.rows()
	for i, output := range kept {
		for k, by := range inputs[:len(t.coordinates)] {
			x := scale * wide[k] * t.j[output*width+by]
			system.Set(n+i, k, x)
			if forces[i] >= 0 {
				x = scale * high[k] * t.j[outputs[k]*width+forces[i]]
			}
			system.Set(k, n+i, x)
		}
	}
	var inverse mat.SVD
	inverse.Factorize(system, mat.SVDThin)
	rank := inverse.Rank(resolved)
	for _, test := range loadings {
		given := test.given(1)
		per := map[int]float64{} // inputs of the loads
		for side := range 2 {
			w, l := &t.equations.Wheels[side], &given.Loads[side]
			for i := range 3 {
				per[w.Contact+i], per[w.AtCentre+i], per[w.Moment+i] = l.Contact[i], l.Centre[i], l.Moment[i]
			}
		}
		change := func(output int) (sum float64) {
			for input, load := range per {
				sum += load * t.j[output*width+input]
			}
			return sum
		}
		right := make([]float64, n+m)
		for i, of := range outputs {
			right[i] = -high[i] * change(of)
		}
		var x mat.VecDense
		inverse.SolveVecTo(&x, mat.NewVecDense(n+m, right), rank)
		moved := *design
		t.read(&moved, func(output int) kc.Number {
			return kc.Number{V: t.y[output], D: change(output) + t.change(output, x.RawVector().Data[:n], -1)}
		})
		for _, v := range test.values {
			list = append(list, v.of(&moved.Wheels[Left]).D)
		}
	}
	return list
}
