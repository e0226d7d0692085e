package rig

import "fmt"

// Frame is a frame of the model in the design position, in axes of the chassis.
type Frame struct {
	Name  string
	Place [3]float64    // m
	Axes  [3][3]float64 // unit vectors of its axes
	Moves bool          // the wheels or the rack move it
}

// Frames are all frames of the model in the design position. The rig must have Options.Frames.
func (r *Rig) Frames() (list []Frame, err error) {
	if !r.options.Frames {
		return nil, fmt.Errorf("the places of frames are not formulated")
	}
	copy(r.u, r.design)
	r.evaluate()
	var inputs []int // that move frames of the axle
	for _, k := range r.coordinates {
		inputs = append(inputs, r.equations.Coordinates[k].Input)
	}
	if r.rack >= 0 && r.rackActs() {
		inputs = append(inputs, r.rack)
	}
	for _, f := range r.equations.Frames {
		of := Frame{Name: f.Name, Moves: r.depends(f.Place, 3, inputs) || r.depends(f.Axes, 9, inputs)}
		copy(of.Place[:], r.y[f.Place:])
		for axis := range of.Axes {
			copy(of.Axes[axis][:], r.y[f.Axes+3*axis:])
		}
		list = append(list, of)
	}
	return list, nil
}

// rackActs reports whether the rack moves the wheels by itself, or through constraints and loads of the axle.
func (r *Rig) rackActs() bool {
	by := []int{r.rack}
	for _, k := range r.coordinates {
		if r.depends(r.equations.Coordinates[k].Balance, 1, by) {
			return true
		}
	}
	for _, k := range r.constraints {
		if r.depends(r.equations.Constraints[k].Gap, 1, by) {
			return true
		}
	}
	for _, w := range r.equations.Wheels {
		if r.depends(w.Centre, 3, by) || r.depends(w.Spin, 3, by) {
			return true
		}
	}
	return false
}
