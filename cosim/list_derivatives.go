package cosim

import "skidpad/model/program"

// Differentiated says for which values a listing has derivatives: for all rates, followed by the outputs with these
// variable indices.
type Differentiated struct {
	Outputs []int
	Fixed   bool // there are none by parameters
	Start   bool // also of the states at the start
}

// Derivatives are derivatives of rates and outputs by parameters, states and inputs, in this order. Directions and the
// results of Against also contain the inputs that the engine sets. The height of the plane under a tire follows the
// input added to the height, and the plane follows parameters by differences, as in Directional.
type Derivatives struct {
	*program.Sweeps
	Shaping   []int     // parameters that shape grounds
	Wheels    *Straight // as of the listing, also where all grounds are level; nil where there is no ground
	Carcasses []int     // states of carcasses, whose derivatives at the start are differences
}

// listDerivatives lists derivatives, or gives the reason why there are none.
func (in planner) listDerivatives(of *Differentiated, l *Listing, to *program.Listed) (d *Derivatives, why string) {
	p := in.sys.program
	outputs := make([]int, len(of.Outputs))
	for k, i := range of.Outputs {
		outputs[k] = in.sys.variables[i].source
	}
	d = &Derivatives{}
	if d.Sweeps, why = in.machine.Sweeps(to, outputs, of.Fixed, of.Start); why != "" {
		return nil, why
	}
	d.Wheels = l.Wheels
	if of.Fixed {
		return d, ""
	}
	var constants []int
	for i := range p.Uneven {
		t := &p.Terrains[p.Uneven[i].Terrain]
		constants = append(constants, t.Height, t.SlopeX, t.SlopeY, t.FrictionLeft, t.FrictionRight)
	}
	d.Shaping = p.Shaping(constants)
	d.Carcasses = in.sys.statesOfCarcasses()
	if d.Wheels == nil && in.sides.wheels != nil {
		if d.Wheels = in.sides.wheels.Straight(to); d.Wheels == nil {
			return nil, noCode
		}
	}
	return d, ""
}
