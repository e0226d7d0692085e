package rig

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/component"
)

// bushing is the type of bushings.
const bushing = "bushing"

// JointForce is the load of a joint, a bushing or a spring in a state: the force and the moment on the head, at the
// origin of the head. Rods, springs and dampers have a tension.
type JointForce struct {
	Component, Type string
	On              string     // frame of the head, "" for springs
	Force, Moment   [3]float64 // [N, N m], in axes of the chassis with y to the left, of a bushing in axes of the bushing
	Tension         float64    // [N], positive where it pulls; NaN for others
	Loads           bool       // Force and Moment are known
}

// Forces are the loads of all joints, bushings and springs of the axle in a state. The rig must have Options.Forces.
func (r *Rig) Forces(at *State) (list []JointForce, err error) {
	if !r.options.Forces {
		return nil, fmt.Errorf("the forces of joints are not formulated")
	}
	s := &statics{Rig: r, given: at.Given}
	s.put(at.x)
	s.evaluate()
	e := r.equations
	vector := func(output int) [3]float64 { return [3]float64(r.y[output : output+3]) }
	for _, f := range e.Forces {
		if !r.onAxle(f.Output, 6) {
			continue
		}
		j := JointForce{Component: f.Component, Type: f.Type, On: f.Head, Force: vector(f.Output),
			Moment: vector(f.Output + 3), Tension: math.NaN(), Loads: true}
		if f.Tension >= 0 {
			j.Tension = r.y[f.Tension]
		}
		list = append(list, j)
	}
	for _, c := range r.Model.Components {
		h := c.Head()
		switch _, sprung := c.(component.Sprung); {
		case h.Type == bushing:
			j := JointForce{Component: h.Name, Type: h.Type, Tension: math.NaN(), Loads: true}
			j.On = c.Frames().Uses[1]
			first := e.Values[h.Name+".Fx"]
			if !r.onAxle(first, 1) {
				continue
			}
			for i, axis := range []string{"x", "y", "z"} {
				j.Force[i], j.Moment[i] = r.y[e.Values[h.Name+".F"+axis]], r.y[e.Values[h.Name+".M"+axis]]
			}
			list = append(list, j)
		case sprung:
			if output, has := e.Values[h.Name+".force"]; has && r.onAxle(output, 1) {
				list = append(list, JointForce{Component: h.Name, Type: h.Type, Tension: r.y[output]})
			}
		}
	}
	return list, nil
}

// onAxle reports whether outputs depend on the coordinates or the loads of the axle.
func (r *Rig) onAxle(first, n int) bool {
	var inputs []int
	for _, k := range r.coordinates {
		inputs = append(inputs, r.equations.Coordinates[k].Input)
	}
	for _, k := range r.constraints {
		inputs = append(inputs, r.equations.Constraints[k].Input)
	}
	return r.depends(first, n, inputs)
}

// depends reports whether some of n outputs depend on inputs.
func (r *Rig) depends(first, n int, inputs []int) bool {
	width := len(r.u)
	for i := first; i < first+n; i++ {
		if slices.ContainsFunc(inputs, func(k int) bool { return r.derivatives.Pattern[i*width+k] }) {
			return true
		}
	}
	return false
}
