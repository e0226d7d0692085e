package bench

import (
	"errors"
	"path/filepath"
	"time"
)

// stiffModels are the models whose steps by linearly-implicit are compared with steps by euler.
var stiffModels = []string{"generic4w", "passenger_car", "tractor_semitrailer", "formula_student", "road_car"}

// stiff measures steps of the method linearly-implicit with both matrices next to steps of euler. The cost of a step
// does not depend on its length. All methods are stable with the length chosen.
func (s *Suite) stiff() ([]Section, error) {
	var sections []Section
	for _, model := range stiffModels {
		list, err := s.stiffOf(filepath.Join(s.Resources, "models", model+".toml"))
		if err != nil {
			return nil, err
		}
		sections = append(sections, Section{Title: "One step by linearly-implicit, " + model, Unit: "ns", Base: "euler",
			List: list, Note: "In turn, through the C interface from Go, 500 steps in each call; the names are the values of " +
				"solver.jacobian."})
	}
	return sections, nil
}

func (s *Suite) stiffOf(file string) ([]Measurement, error) {
	const step, steps = 5e-5, 500
	first, err := s.Library.Load(file, "")
	if err != nil {
		return nil, err
	}
	defer first.Close()
	var list []candidate
	for _, name := range []string{"euler", "tangent", "exact"} {
		v, err := first.Copy()
		if err != nil {
			return nil, err
		}
		defer v.Close()
		err = v.SetNamed("solver.step", step)
		if name == "euler" {
			err = errors.Join(err, v.SetText("solver.method", name))
		} else {
			err = errors.Join(err, v.SetText("solver.method", "linearly-implicit"), v.SetText("solver.jacobian", name))
		}
		if err = errors.Join(err, v.Initialise()); err != nil {
			return nil, err
		}
		list = append(list, candidate{name: name, ask: func() (float64, error) {
			begin := time.Now()
			err := v.Step(steps * step)
			return float64(time.Since(begin).Nanoseconds()) / steps, err
		}})
	}
	return s.compare(list)
}
