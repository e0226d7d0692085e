package linearise

import (
	"fmt"
	"io"
	"math/cmplx"
	"slices"
	"strconv"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// Linearised are the linear equations of a vehicle about a steady motion, made by another method.
type Linearised interface {
	Eigenvalues() (values []complex128, zeros int, err error) // zeros: how many were left out
	Response(input, output string, omega []float64) ([]complex128, error)
}

// SteadyVehicle is a vehicle in a steady motion, as another method sees it.
type SteadyVehicle struct {
	Warnings  []string
	Linearise func() (Linearised, error)
}

// Method makes a vehicle in the steady motion of its linear equations another time, without these equations; values
// are the parameters, start values and inputs that were set.
type Method func(m *vehicle.Model, values map[string]float64, s *linear.System) (*SteadyVehicle, error)

// SecondMethod are the vehicles of a linearisation by another method, by value.
type SecondMethod struct {
	result   *Result
	vehicles []*SteadyVehicle
}

// BySecondMethod makes the vehicles of a result again, with the same settings.
func BySecondMethod(
	result *Result, m *vehicle.Model, settings []manoeuvre.Setting, method Method,
) (*SecondMethod, error) {
	w := &SecondMethod{result: result}
	values := map[string]float64{}
	for _, s := range settings {
		// texts are of tires, which this method does not know
		if v, err := strconv.ParseFloat(s.Value, 64); err == nil {
			values[s.Name] = v
		}
	}
	for i, s := range result.Systems {
		values[result.Varied.Name] = result.Varied.Values[i]
		v, err := method(m, values, s)
		if err != nil {
			return nil, err
		}
		w.vehicles = append(w.vehicles, v)
	}
	return w, nil
}

// warn prints the warnings, each once.
func (w *SecondMethod) warn(to io.Writer) {
	var said []string
	for _, s := range w.vehicles {
		for _, warning := range s.Warnings {
			if !slices.Contains(said, warning) {
				said = append(said, warning)
				fmt.Fprintln(to, "warning: "+warning)
			}
		}
	}
}

// Check compares eigenvalues, and responses if there are some, with those by tangent stiffness, and prints by how much
// they differ, and warnings.
func (w *SecondMethod) Check(to io.Writer) error {
	eigen, response := 0.0, 0.0
	for i, v := range w.vehicles {
		s, err := v.Linearise()
		if err != nil {
			return fmt.Errorf("%s: %w", w.at(i), err)
		}
		var own []complex128
		for _, m := range w.result.Modes[i] {
			own = append(own, m.Value)
		}
		values, err := SecondEigenvalues(s, len(own))
		if err != nil {
			return fmt.Errorf("%s: %w", w.at(i), err)
		}
		d := Disagreement(own, values)
		if eigen = max(eigen, d); d > LinearAgreement {
			return fmt.Errorf("%s: eigenvalues %v and, by tangent stiffness, %v differ by %.2g of the largest, %g "+
				"allowed", w.at(i), own, values, d, LinearAgreement)
		}
		if w.result.Output == "" {
			continue
		}
		if d, err = w.responseDifference(i, s); err != nil {
			return fmt.Errorf("%s: %w", w.at(i), err)
		}
		if response = max(response, d); d > LinearAgreement {
			return fmt.Errorf("%s: responses of %s to %s differ by %.2g of the largest, %g allowed", w.at(i),
				w.result.Output, w.result.Input, d, LinearAgreement)
		}
	}
	fmt.Fprintf(to, "by tangent stiffness eigenvalues differ by at most %.2g of the largest", eigen)
	if w.result.Output != "" {
		fmt.Fprintf(to, ", responses by %.2g", response)
	}
	fmt.Fprintln(to)
	w.warn(to)
	return nil
}

// at names a value.
func (w *SecondMethod) at(i int) string {
	return fmt.Sprintf("%s = %g", w.result.Varied.Name, w.result.Varied.Values[i])
}

// responseDifference is the largest difference of the responses at a value, relative to the largest response.
func (w *SecondMethod) responseDifference(i int, s Linearised) (float64, error) {
	r := w.result
	input := r.Input
	for _, name := range r.Systems[i].Inputs {
		if r.Systems[i].Motion(name) == input { // which the second method names by its angle or position
			input = name
		}
	}
	own, err := PrescribedResponse(r.Systems[i], input, r.Output, r.Frequencies)
	if err != nil {
		return 0, err
	}
	other, err := s.Response(input, r.Output, r.Frequencies)
	if err != nil {
		return 0, err
	}
	size, most := 0.0, 0.0
	for k := range own {
		size, most = max(size, cmplx.Abs(own[k])), max(most, cmplx.Abs(own[k]-other[k]))
	}
	if most == 0 {
		return 0, nil
	}
	return most / size, nil
}
