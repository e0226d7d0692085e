package rig

// Body is a body in the design position, in axes of the chassis.
type Body struct {
	Component string
	Mass      float64       // kg
	Place     [3]float64    // centre of mass from the origin of the chassis [m]
	Inertia   [3][3]float64 // about the centre of mass [kg m2]
	Moves     [3]float64    // change of Place per travel of both wheels
	Turns     [3]float64    // rotation per travel [rad/m]
}

// Bounce is the mass that resists the travel of both wheels [kg].
func (b *Body) Bounce() float64 {
	turning := 0.0
	for i := range 3 {
		turning += b.Turns[i] * dot(b.Inertia[i], b.Turns)
	}
	return b.Mass*dot(b.Moves, b.Moves) + turning
}

// bodyProbe is the travel to both sides for the motion of bodies [m].
const bodyProbe = 1e-4

// Bodies are all bodies of the model, for rigs with Options.Bodies.
func (r *Rig) Bodies() ([]Body, error) {
	design, err := r.Solve(Given{}, nil)
	if err != nil {
		return nil, err
	}
	var y [3][]float64 // down, design, up
	for i := range y {
		travel := bodyProbe * float64(i-1)
		if _, err := r.Solve(Given{Travel: [2]float64{travel, travel}}, design); err != nil {
			return nil, err
		}
		y[i] = append([]float64(nil), r.y...)
	}
	var list []Body
	for _, of := range r.equations.Bodies {
		vector := func(i, at int) [3]float64 { return [3]float64(y[i][at : at+3]) }
		slope := func(at int) (v [3]float64) {
			for k := range v {
				v[k] = (y[2][at+k] - y[0][at+k]) / (2 * bodyProbe)
			}
			return v
		}
		b := Body{Component: of.Component, Mass: y[1][of.Mass], Place: vector(1, of.Place), Moves: slope(of.Place)}
		var axes [3][3]float64
		for i := range axes { // the sum of e x e' is twice the rotation
			e, de := vector(1, of.Axes+3*i), slope(of.Axes+3*i)
			axes[i] = e
			for k := range 3 {
				l, m := (k+1)%3, (k+2)%3
				b.Turns[k] += (e[l]*de[m] - e[m]*de[l]) / 2
			}
		}
		for i := range 3 {
			for k := range 3 {
				if of.Inertia < 0 {
					continue
				}
				for row := range 3 {
					for column := range 3 {
						b.Inertia[i][k] += axes[row][i] * y[1][of.Inertia+3*row+column] * axes[column][k]
					}
				}
			}
		}
		list = append(list, b)
	}
	return list, nil
}

// Ends are the ends of a spring between points in the design position, in axes of the chassis, for rigs with
// Options.Bodies.
func (r *Rig) Ends(spring string) (ends [2][3]float64, found bool, err error) {
	at, found := r.equations.Lines[spring]
	if !found {
		return ends, false, nil
	}
	if _, err = r.Solve(Given{}, nil); err != nil {
		return ends, true, err
	}
	return [2][3]float64{[3]float64(r.y[at : at+3]), [3]float64(r.y[at+3 : at+6])}, true, nil
}
