package tirefit

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/workbench/analyses/leastsquares"
	"skidpad/tire"
)

// Setup says what is fitted.
type Setup struct {
	Kind     *tire.Kind
	Values   []float64 // complete parameters to start with
	Combined string    // what combines slips, as tire.Kind.Make takes it
	Outputs  []string  // results to fit; nil: all results of the function that the data have
	Fit      []string  // names or patterns of coefficients; nil: those that the outputs and slips of the data concern
	Hold     []string  // names or patterns of coefficients that are not fitted
	Progress func(iterations int, sum float64) bool
}

// Estimate is a fitted coefficient.
type Estimate struct {
	Name      string  `json:"name"`
	Text      string  `json:"text"`
	Start     float64 `json:"start"`
	Value     float64 `json:"value"`
	Deviation float64 `json:"deviation"` // standard deviation
}

// Quality is how well an output is fitted.
type Quality struct {
	Name     string  `json:"name"`
	Unit     string  `json:"unit"`
	Residual float64 `json:"residual_rms"`
	Largest  float64 `json:"residual_largest"`
	Before   float64 `json:"residual_rms_before"`
	Share    float64 `json:"explained"` // 1 - (residual/deviation from the mean)^2
}

// Fitted is the result of a fit.
type Fitted struct {
	Function     string     `json:"function"`
	Points       int        `json:"points"`
	Coefficients []Estimate `json:"coefficients"`
	Outputs      []Quality  `json:"outputs"`
	Idle         []string   `json:"nothing_responds_to"`
	Undetermined []string   `json:"undetermined"`
	Iterations   int        `json:"iterations"`
	End          string     `json:"end"`
	Values       []float64  `json:"-"` // complete parameters

	Measured, Before, After [][]float64 `json:"-"` // by output
}

// fit is a fit under way.
type fit struct {
	*Setup
	data      *Data
	outputs   []int // among the results of the function
	places    []int // of the coefficients, in the complete parameters
	inputs    [][]float64
	pressures []float64 // that the points have, NaN for the one of the file
	group     []int     // by point: which of them
	deviation []float64 // by output, of a residual
	exact     []*tire.Sensitivity
}

// Limits of what is told.
const (
	closeCorrelation = 0.95
	uncertain        = 0.25 // deviation of a combination by the sizes of its coefficients
	passes           = 3    // of weighting the outputs
	leastDeviation   = 1e-9 // of an output by its size, for data without noise
)

// Run fits coefficients to data. The outputs are weighted by the deviations of their residuals, in some passes.
func (s *Setup) Run(data *Data) (*Fitted, error) {
	f := &fit{Setup: s, data: data}
	if data.Rows == 0 {
		return nil, fmt.Errorf("the data have no points with a load; %d are left out", data.Left)
	}
	if err := f.arrange(); err != nil {
		return nil, err
	}
	if err := f.choose(); err != nil {
		return nil, err
	}
	before, err := f.results(s.Values)
	if err != nil {
		return nil, fmt.Errorf("at the start: %w", err)
	}
	idle, err := f.leaveOutIdle()
	if err != nil {
		return nil, err
	}
	values := slices.Clone(s.Values)
	out := &Fitted{Function: s.Kind.Name, Points: data.Rows, Idle: idle, Before: before}
	var result *leastsquares.Result
	for pass := range passes {
		if result, err = f.solve(values); err != nil {
			return nil, err
		}
		for i, place := range f.places {
			values[place] = result.Parameters[i]
		}
		out.Iterations += result.Iterations
		if pass < passes-1 && !f.weigh(result.Residuals) {
			break
		}
	}
	out.End, out.Values = result.End, values
	if out.After, err = f.results(values); err != nil {
		return nil, err
	}
	covariance, err := result.Covariance(0)
	if err != nil {
		return nil, err
	}
	var names []string
	for i, place := range f.places {
		c := f.coefficient(place)
		names = append(names, c.Name)
		out.Coefficients = append(out.Coefficients, Estimate{c.Name, c.Text, s.Values[place], values[place],
			covariance.Deviations[i]})
	}
	out.Undetermined = covariance.Undetermined(names, closeCorrelation, uncertain)
	for _, k := range f.outputs {
		out.Measured = append(out.Measured, data.values[s.Kind.Outputs[k]])
	}
	out.judge(f)
	return out, nil
}

// arrange finds the outputs and the inputs of all points.
func (f *fit) arrange() error {
	wanted := f.Outputs
	for _, name := range wanted {
		if !slices.Contains(f.Kind.Outputs, name) {
			return fmt.Errorf("%s has no output %s; it has %s", f.Kind.Name, name, strings.Join(f.Kind.Outputs, ", "))
		}
		if f.data.values[name] == nil {
			return fmt.Errorf("the data have no column %s; they have %s", name, strings.Join(f.data.Columns, ", "))
		}
	}
	for k, name := range f.Kind.Outputs {
		if f.data.values[name] != nil && (wanted == nil || slices.Contains(wanted, name)) {
			f.outputs = append(f.outputs, k)
			f.deviation = append(f.deviation, max(rms(f.data.values[name]), 1e-300))
		}
	}
	if len(f.outputs) == 0 {
		return fmt.Errorf("the data have no output of %s: %s; they have %s", f.Kind.Name,
			strings.Join(f.Kind.Outputs, ", "), strings.Join(f.data.Columns, ", "))
	}
	parameter := func(name string, otherwise float64) float64 {
		for i, p := range f.Kind.Parameters {
			if p.Name == name {
				return f.Values[i]
			}
		}
		return otherwise
	}
	speed, radius := parameter("V0", 16.7), parameter("R0", 0.3)
	for n := range f.data.Rows {
		value := func(name string, otherwise float64) float64 {
			if list := f.data.values[name]; list != nil {
				return list[n]
			}
			return otherwise
		}
		in := make([]float64, len(f.Kind.Inputs))
		for i, name := range f.Kind.Inputs {
			switch v := value("VCx", speed); name {
			case "Fz", "S", "alpha", "gamma", "wn":
				in[i] = value(name, 0)
			case "mu", "direction":
				in[i] = value(name, 1)
			case "VCx":
				in[i] = v
			case "Reff":
				in[i] = radius
			case "Omega":
				in[i] = value(name, v*(1+value("S", 0))/radius)
			default:
				return fmt.Errorf("%s takes %s, which points of a rig do not have", f.Kind.Name, name)
			}
		}
		f.inputs = append(f.inputs, in)
		p := value(pressure, math.NaN())
		if math.IsNaN(p) || f.pressurePlace() < 0 {
			p = 0
		}
		p = math.Round(p/1000) * 1000 // gauges tell no more
		at := slices.Index(f.pressures, p)
		if at < 0 {
			if at = len(f.pressures); at == mostPressures {
				return fmt.Errorf("the data have more than %d inflation pressures; leave out the column, or round it",
					mostPressures)
			}
			f.pressures = append(f.pressures, p)
		}
		f.group = append(f.group, at)
	}
	return nil
}

const mostPressures = 50

// pressurePlace is the place of the inflation pressure among the parameters, -1 for none.
func (f *fit) pressurePlace() int {
	return slices.IndexFunc(f.Kind.Parameters, func(p tire.ParameterInfo) bool { return p.Name == "Pressure" })
}

// at returns the parameters with the pressure of a group.
func (f *fit) at(values []float64, group int) []float64 {
	if f.pressures[group] == 0 {
		return values
	}
	changed := slices.Clone(values)
	changed[f.pressurePlace()] = f.pressures[group]
	return changed
}

// concerned are the beginnings of the coefficients of Magic Formula tires that an output concerns, without and with
// combined slip.
var concerned = map[string][2][]string{
	"Fx": {{"PCX", "PDX", "PEX", "PKX", "PHX", "PVX", "PPX"}, {"RBX", "RCX", "REX", "RHX"}},
	"Fy": {{"PCY", "PDY", "PEY", "PKY", "PHY", "PVY", "PPY"}, {"RBY", "RCY", "REY", "RHY", "RVY"}},
	"Mx": {{"QSX", "PPMX"}, nil},
	"My": {{"QSY"}, nil},
	"Mz": {{"QBZ", "QCZ", "QDZ", "QEZ", "QHZ", "PPZ"}, {"SSZ"}},
}

// choose finds the coefficients to fit.
func (f *fit) choose() error {
	all := f.Kind.Coefficients()
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	matching := func(patterns []string) (map[string]bool, error) {
		found := map[string]bool{}
		for _, p := range patterns {
			before := len(found)
			for _, name := range names {
				if is, err := path.Match(p, name); err != nil {
					return nil, fmt.Errorf("the pattern %s: %w", p, err)
				} else if is {
					found[name] = true
				}
			}
			if len(found) == before && !found[p] {
				return nil, fmt.Errorf("%s has no coefficient %s%s", f.Kind.Name, p, nearest(p, names))
			}
		}
		return found, nil
	}
	chosen, err := matching(f.Fit)
	if err != nil {
		return err
	}
	held, err := matching(f.Hold)
	if err != nil {
		return err
	}
	if f.Fit == nil {
		combined := varies(f.data.values["S"]) && varies(f.data.values["alpha"])
		for _, k := range f.outputs {
			of := concerned[f.Kind.Outputs[k]]
			prefixes := of[0]
			if combined {
				prefixes = slices.Concat(prefixes, of[1])
			}
			for _, name := range names {
				if slices.Contains(prefixes, strings.TrimRight(name, "0123456789")) {
					chosen[name] = true
				}
			}
		}
		if len(chosen) == 0 {
			return fmt.Errorf("name the coefficients of %s to fit by --fit; it has %s", f.Kind.Name, strings.Join(names, ", "))
		}
	}
	for _, c := range all {
		if chosen[c.Name] && !held[c.Name] && c.Place < len(f.Kind.Parameters) {
			f.places = append(f.places, c.Place)
		}
	}
	if len(f.places) == 0 {
		return fmt.Errorf("all coefficients to fit are held")
	}
	return nil
}

func varies(list []float64) bool {
	return list != nil && slices.Max(list)-slices.Min(list) > 1e-3
}

func (f *fit) coefficient(place int) tire.Coefficient {
	list := f.Kind.Coefficients()
	return list[slices.IndexFunc(list, func(c tire.Coefficient) bool { return c.Place == place })]
}

// results are the outputs of all points.
func (f *fit) results(values []float64) ([][]float64, error) {
	var functions []tire.Function
	for g := range f.pressures {
		of, err := f.Kind.Make(f.at(values, g), f.Combined)
		if err != nil {
			return nil, err
		}
		functions = append(functions, of)
	}
	list, out := make([][]float64, len(f.outputs)), make([]float64, len(f.Kind.Outputs))
	for n, in := range f.inputs {
		functions[f.group[n]].Eval(in, out)
		for i, k := range f.outputs {
			list[i] = append(list[i], out[k])
		}
	}
	return list, nil
}

// evaluate writes residuals and their derivatives for coefficients.
func (f *fit) evaluate(start, p, residuals []float64, jacobian *mat.Dense) error {
	values := slices.Clone(start)
	for i, place := range f.places {
		values[place] = p[i]
	}
	n := f.data.Rows
	if jacobian == nil {
		list, err := f.results(values)
		if err != nil {
			return err
		}
		for i, k := range f.outputs {
			measured := f.data.values[f.Kind.Outputs[k]]
			for row, y := range list[i] {
				residuals[i*n+row] = (y - measured[row]) / f.deviation[i]
			}
		}
		return finite(residuals)
	}
	for g := range f.pressures {
		at := f.at(values, g)
		if len(f.exact) <= g {
			s, err := tire.NewSensitivity(f.Kind, at, f.Combined, f.places)
			if err != nil {
				return err
			}
			f.exact = append(f.exact, s)
		} else if err := f.exact[g].Set(at); err != nil {
			return err
		}
	}
	out, slopes := make([]float64, len(f.Kind.Outputs)), make([]float64, len(f.Kind.Outputs)*len(f.places))
	for row, in := range f.inputs {
		f.exact[f.group[row]].Eval(in, out, slopes)
		for i, k := range f.outputs {
			residuals[i*n+row] = (out[k] - f.data.values[f.Kind.Outputs[k]][row]) / f.deviation[i]
			for j := range f.places {
				jacobian.Set(i*n+row, j, slopes[k*len(f.places)+j]/f.deviation[i])
			}
		}
	}
	return finite(residuals)
}

func finite(list []float64) error {
	if slices.ContainsFunc(list, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
		return fmt.Errorf("a result is not a finite number")
	}
	return nil
}

// leaveOutIdle leaves out the coefficients that the points do not depend on.
func (f *fit) leaveOutIdle() (idle []string, err error) {
	p := f.present(f.Values)
	jacobian := mat.NewDense(len(f.outputs)*f.data.Rows, len(p), nil)
	if err := f.evaluate(f.Values, p, make([]float64, len(f.outputs)*f.data.Rows), jacobian); err != nil {
		return nil, fmt.Errorf("at the start: %w", err)
	}
	var left []int
	for j, place := range f.places {
		if rms(mat.Col(nil, j, jacobian)) == 0 {
			idle = append(idle, f.coefficient(place).Name)
			continue
		}
		left = append(left, place)
	}
	if f.places, f.exact = left, nil; len(left) == 0 {
		return nil, fmt.Errorf("the points do not depend on any of the coefficients %s", strings.Join(idle, ", "))
	}
	return idle, nil
}

func (f *fit) present(values []float64) []float64 {
	p := make([]float64, len(f.places))
	for i, place := range f.places {
		p[i] = values[place]
	}
	return p
}

func (f *fit) solve(values []float64) (*leastsquares.Result, error) {
	return leastsquares.Solve(&leastsquares.Problem{Start: f.present(values), Residuals: len(f.outputs) * f.data.Rows,
		Evaluate: func(p, residuals []float64, jacobian *mat.Dense) error {
			return f.evaluate(values, p, residuals, jacobian)
		}, Progress: f.Progress})
}

// weigh takes the deviations of the outputs from their residuals, and reports whether that changes their weights by
// more than 5 %.
func (f *fit) weigh(residuals []float64) bool {
	if len(f.outputs) == 1 {
		return false
	}
	n, changed := f.data.Rows, false
	for i, k := range f.outputs {
		least := leastDeviation * rms(f.data.values[f.Kind.Outputs[k]])
		now := max(f.deviation[i]*rms(residuals[i*n:(i+1)*n]), least, 1e-300)
		changed = changed || math.Abs(now/f.deviation[i]-1) > 0.05
		f.deviation[i] = now
	}
	return changed
}

func rms(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x * x
	}
	return math.Sqrt(sum / float64(max(len(list), 1)))
}

// judge computes the qualities.
func (r *Fitted) judge(f *fit) {
	for i, k := range f.outputs {
		name := f.Kind.Outputs[k]
		q := Quality{Name: name, Unit: find(name).unit}
		mean := 0.0
		for _, y := range r.Measured[i] {
			mean += y / float64(len(r.Measured[i]))
		}
		var rest, start, about []float64
		for row, y := range r.Measured[i] {
			rest, start, about = append(rest, r.After[i][row]-y), append(start, r.Before[i][row]-y), append(about, y-mean)
			q.Largest = max(q.Largest, math.Abs(rest[row]))
		}
		q.Residual, q.Before = rms(rest), rms(start)
		q.Share = 1 - math.Pow(q.Residual/max(rms(about), 1e-300), 2)
		r.Outputs = append(r.Outputs, q)
	}
}
