package formulate

import "skidpad/model/expr"

// nonholonomic adds a constraint on a velocity, and on a position unless it is nil. Its row and the rest of its
// derivative come from the velocity, which is linear in the speeds.
func (f *Formulation) nonholonomic(name string, position, velocity *expr.Expr) *expr.Expr {
	p := f.Pool
	velocity = f.define("Phi_dot_"+name, velocity)
	row := f.zeroRow()
	for k := range f.Speeds {
		row[k] = f.towards(f.Speeds[k].Symbol).Of(velocity)
	}
	bias := p.NewDerivative("t", f.ratesOfMotion()).Of(velocity)
	c := Constraint{Name: name, Position: position, Velocity: velocity, Row: row, Bias: bias}
	f.Constraints = append(f.Constraints, c)
	return velocity
}

// ratesOfMotion are the rates of coordinates, and of prescribed motions and their rates.
func (f *Formulation) ratesOfMotion() map[*expr.Expr]*expr.Expr {
	rates := map[*expr.Expr]*expr.Expr{}
	for k := range f.Coordinates {
		rates[f.Coordinates[k].Symbol] = f.Coordinates[k].Rate
	}
	for _, m := range f.Motions { // prescribed: position, rate, acceleration
		rates[f.Inputs[m[0]].Symbol] = f.Inputs[m[1]].Symbol
		if m[2] >= 0 {
			rates[f.Inputs[m[1]].Symbol] = f.Inputs[m[2]].Symbol
		}
	}
	return rates
}
