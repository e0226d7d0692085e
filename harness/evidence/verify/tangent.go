package verify

import (
	"fmt"
	"maps"
	"math"

	"skidpad/harness/evidence/tangent"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// ByTangentStiffness makes the linear equations of a model another time, body by body: the linearise.Method of
// linearize --check.
func ByTangentStiffness(
	m *vehicle.Model, values map[string]float64, s *linear.System,
) (*linearise.SteadyVehicle, error) {
	v, err := tangentVehicle(m, values, s)
	if err != nil {
		return nil, err
	}
	steady, err := v.Steady()
	if err != nil {
		return nil, err
	}
	return &linearise.SteadyVehicle{Warnings: steady.Warnings,
		Linearise: func() (linearise.Linearised, error) { return v.Linearise() }}, nil
}

// tangentVehicle is a model as bodies and connections in the steady motion of its linear equations;
// values are the parameters, start values and inputs that were set.
func tangentVehicle(m *vehicle.Model, values map[string]float64, s *linear.System) (*tangent.Vehicle, error) {
	all := maps.Clone(values)
	if all == nil {
		all = map[string]float64{}
	}
	for i, name := range s.States {
		all[name] = s.X[i]
	}
	for _, name := range s.Inputs {
		delete(all, name)
	}
	v, err := tangent.Translate(m, all)
	if err != nil {
		return nil, err
	}
	for i, name := range s.Inputs {
		if math.Abs(s.U[i]) > 1e-12 {
			return nil, fmt.Errorf("the input %s is %.6g in the steady state; tangent stiffness requires a motion with zero "+
				"inputs", name, s.U[i])
		}
	}
	return v, nil
}
