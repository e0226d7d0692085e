package formulate

import (
	"math"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// nearlySingular is the sine of the angle between the first and the last axis of a sequence below which rates of the
// angles are no speeds.
const nearlySingular = 1e-6

// rejectSingularStart rejects rates of angles as speeds if they start in a singular position, where they cannot
// represent every angular velocity.
func (f *Formulation) rejectSingularStart() {
	for i := range f.Forest.Graph.Edges {
		e := &f.Forest.Graph.Edges[i]
		speeds, free := f.speedIndex[i], e.Space.Free
		if e.Domain != graph.Rotation || len(speeds) == 0 || free == nil || free.Speeds.Along != graph.OfCoordinates {
			continue
		}
		middle := &f.Coordinates[speeds[1]]
		angle := expr.NewEvaluator(f.startValues()).Value(middle.Start)
		between := math.Cos(angle)
		if free.Sequence[0] == free.Sequence[2] {
			between = math.Sin(angle)
		}
		if math.Abs(between) < nearlySingular {
			at := e.Owner.Pos
			if given, is := startsOf(e)[1]; is {
				at = given.Start.Pos
			}
			f.reject(at, "%s starts with %s = %.9g rad, where the first and the last axis of its sequence %q coincide "+
				"and speeds = \"rates\" are not defined; choose another sequence", e.Owner.Name, middle.Name,
				angle, free.Sequence)
			return
		}
	}
}

// startValues are the values of the file of parameters and inputs.
func (f *Formulation) startValues() map[*expr.Expr]float64 {
	values := map[*expr.Expr]float64{}
	for _, q := range f.Parameters {
		values[q.Symbol] = q.Value
	}
	for _, in := range slices.Concat(f.Inputs, f.Controls) {
		values[in.Symbol] = in.Start
	}
	return values
}
