package linearise

import (
	"fmt"
	"io"
	"math"
	"math/cmplx"
	"slices"
	"strconv"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// Reaction is a force [N] and a couple [N m] of a connection on the body that it names first, along x, y, z of ground.
type Reaction struct {
	Name          string
	First, Second string // bodies
	Force, Couple [3]float64
}

// Linearised are the linear equations of a vehicle about a steady motion, made by another method.
type Linearised interface {
	Eigenvalues() (values []complex128, zeros int, err error) // zeros: how many were left out
	Response(input, output string, omega []float64) ([]complex128, error)
}

// SteadyVehicle is a vehicle in a steady motion, as another method sees it.
type SteadyVehicle struct {
	Reactions []Reaction
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
	Err      error // why there are none
}

// BySecondMethod makes the vehicles of a result again, with the same settings.
func BySecondMethod(result *Result, m *vehicle.Model, settings []manoeuvre.Setting, method Method) *SecondMethod {
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
			return &SecondMethod{Err: err}
		}
		w.vehicles = append(w.vehicles, v)
	}
	return w
}

// Forces is the table of the steady forces; nil where there are none.
func (w *SecondMethod) Forces() *trace.Table {
	if w.Err != nil {
		return nil
	}
	return steadyForces(w.result.Varied, w.vehicles)
}

// Print prints the forces of a single value, and warnings, if there are any.
func (w *SecondMethod) Print(to io.Writer) {
	if len(w.vehicles) == 1 {
		fmt.Fprintln(to, "forces of connections on the body named first, along x, y, z of ground, N and N m:")
		for _, r := range w.vehicles[0].Reactions {
			fmt.Fprintf(to, "%24s %-28s", r.Name, r.First+" from "+r.Second)
			for _, x := range slices.Concat(r.Force[:], r.Couple[:]) {
				fmt.Fprintf(to, " %12.6f", math.Round(x*1e6)/1e6+0) // without -0
			}
			fmt.Fprintln(to)
		}
	}
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

// Check compares eigenvalues, and responses if there are some, with those by tangent stiffness.
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
		if d, err = w.apart(i, s); err != nil {
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
	return nil
}

// at names a value.
func (w *SecondMethod) at(i int) string {
	return fmt.Sprintf("%s = %g", w.result.Varied.Name, w.result.Varied.Values[i])
}

// apart is the largest difference of the responses at a value, relative to the largest response.
func (w *SecondMethod) apart(i int, s Linearised) (float64, error) {
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
