// Package verify compares the library with the stored references, the statements and tables of the publications and the
// independent solver, and linear equations with those by tangent stiffness. It looks into the engine where its
// equations themselves are compared.
package verify

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"skidpad/harness/evidence/references"
	"skidpad/harness/evidence/statements"
	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Verification compares the library with the kept references, with the statements and
// tables of the source, and with the reference solver's time.
type Verification struct {
	Library          *library.Library
	Resources        string
	Model, Manoeuvre string // file names without .toml; "" for all
	Costs            []EngineCost
	JudgeTimes       bool // statements about times, each measured five times
	Report           io.Writer
	Progress         output.Progress
}

// Verified holds the results of a verification.
type Verified struct {
	Source     *Source
	Costs      []EngineCost
	Runs       []VerifiedRun
	Statements []VerifiedStatement
	Linear     []LinearComparison
	Times      []SolverTimes
}

// VerifiedRun is one run of the library next to its reference.
type VerifiedRun struct {
	Reference   *references.Reference
	Tree        string
	Method      string
	Step        float64      // s
	Trace       *trace.Trace // at the samples of the reference
	Comparisons []Comparison
	Energy      *drive.Energy
}

// Name tells the run from others.
func (r *VerifiedRun) Name() string {
	return fmt.Sprintf("%s, tree %s, %s %g ms", r.Reference.Name, r.Tree, r.Method, r.Step*1e3)
}

// Pass reports whether all quantities are within their bounds.
func (r *VerifiedRun) Pass() bool {
	for i := range r.Comparisons {
		if !r.Comparisons[i].Pass() {
			return false
		}
	}
	return len(r.Comparisons) > 0
}

// VerifiedStatement is a statement of the source and the run that was looked at.
type VerifiedStatement struct {
	Run string
	statements.Check
}

// EngineCost is the cost of a vehicle in the engine, in a variant of the tables of Morency (2007).
type EngineCost struct {
	Vehicle, Variant string
	Operations       [4]int                   // additions, multiplications, divisions, functions of the rates
	Times            map[string]time.Duration // of sine and braking, for variants that the library does not have
	Formulation      time.Duration            // from the model file to the optimised program
}

// OK reports whether everything is within its bounds and every statement holds.
func (v *Verified) OK() bool {
	for i := range v.Runs {
		if !v.Runs[i].Pass() {
			return false
		}
	}
	for _, s := range v.Statements {
		if s.Failed() {
			return false
		}
	}
	return true
}

// Do verifies and reports.
func (v *Verification) Do() (*Verified, error) {
	source, err := ReadSource(v.Resources)
	if err != nil {
		return nil, err
	}
	result := &Verified{Source: source, Costs: v.Costs}
	traces := map[string]*trace.Trace{}
	found := false
	for _, c := range references.Cases {
		if v.Model != "" && v.Model != c.Model || v.Manoeuvre != "" && v.Manoeuvre != c.Manoeuvre {
			continue
		}
		found = true
		reference, err := references.Read(c, v.Resources)
		if err != nil {
			return nil, err
		}
		m, err := c.ReadModel(v.Resources)
		if err != nil {
			return nil, err
		}
		for _, tree := range m.Trees {
			run, full, err := v.run(reference, tree.Name, "rk4", trajectoryBound)
			if err != nil {
				return nil, err
			}
			result.Runs = append(result.Runs, *run)
			if tree.Name == m.Trees[0].Name {
				traces[c.Name] = full
			}
		}
		if bounds, ok := implicitBounds[c.Name]; ok {
			run, _, err := v.run(reference, m.Trees[0].Name, "linearly-implicit", bounds.of)
			if err != nil {
				return nil, err
			}
			result.Runs = append(result.Runs, *run)
		}
		if err := v.statements(result, reference, traces); err != nil {
			return nil, err
		}
	}
	if v.Manoeuvre == "" {
		if result.Linear, err = CompareLinear(v.Resources, v.Model); err != nil {
			return nil, err
		}
		result.Statements = append(result.Statements, linearStatements(result.Linear)...)
	}
	if !found && result.Linear == nil {
		return nil, fmt.Errorf("no reference is kept for model %q and manoeuvre %q; skidpad reference --help lists "+
			"the available ones", v.Model, v.Manoeuvre)
	}
	if err := v.times(result); err != nil {
		return nil, err
	}
	v.print(result)
	return result, nil
}

// implicitBounds are the allowed differences of the linearly implicit solver at 1 ms from the reference. They equal the
// errors of explicit Euler at half the step where Euler is unstable at 1 ms, and at 1 ms elsewhere (table of an
// independent simulation, which the convergence checks G12 and S9 double).
var implicitBounds = map[string]tolerances{
	"generic4w_sine":    halved(statements.GenericSineEuler),
	"generic4w_braking": halved(statements.GenericBrakingEuler),
	"generic4w_sine_fiala": {{Variable: "body.vx", Bound: 4e-4}, {Variable: "body.y", Bound: 6e-3},
		{Variable: "body.wz", Bound: 1.3e-4}, {Variable: "body.pitch", Bound: 6e-6},
		{Variable: "body.roll", Bound: 2e-5}, {Variable: "wheel_FL.omega", Bound: 0.08}},
	"generic4w_braking_fiala": {{Variable: "body.vx", Bound: 1.4e-3}, {Variable: "body.pitch", Bound: 2e-5},
		{Variable: "wheel_FL.omega", Bound: 0.19}},
	"skidder_sine":    halved(statements.SkidderSineEuler),
	"skidder_braking": halved(statements.SkidderBrakingEuler),
}

type tolerances []statements.Tolerance

func halved(list []statements.Tolerance) tolerances {
	var half tolerances
	for _, t := range list {
		half = append(half, statements.Tolerance{Variable: t.Variable, Bound: t.Bound / 2})
	}
	return half
}

// of is the bound of a quantity; 0 for those that have none.
func (t tolerances) of(quantity, _ string, _ float64) float64 {
	for _, tolerance := range t {
		if tolerance.Variable == quantity {
			return tolerance.Bound
		}
	}
	return 0
}

// run drives the library through a case at 1 ms and compares. It returns the run at the
// samples of the reference, and in full.
func (v *Verification) run(
	r *references.Reference, tree, method string, bound func(quantity, unit string, signal float64) float64,
) (*VerifiedRun, *trace.Trace, error) {
	const step = 0.001
	result, err := v.simulate(r.Case, tree, drive.Plan{Method: method, Step: step, Energy: true})
	if err != nil {
		return nil, nil, err
	}
	run := &VerifiedRun{Reference: r, Tree: tree, Method: method, Step: step, Energy: result.Energy}
	for _, c := range Compare(result.Trace, r.Trace, bound) {
		if c.Bound > 0 {
			run.Comparisons = append(run.Comparisons, c)
		}
	}
	if missing := unmatchedOutputs(result.Trace, r.Trace); len(missing) > 0 {
		return nil, nil, fmt.Errorf("%s: the reference lacks %q, which the library publishes; regenerate it with: %s",
			r.Name, missing, r.Facts.Command)
	}
	run.Trace = result.Trace.Sampled(r.Trace.Time)
	return run, result.Trace, nil
}

// simulate runs a case with the library.
func (v *Verification) simulate(c references.Case, tree string, run drive.Plan) (*drive.Result, error) {
	fail := func(err error) (*drive.Result, error) {
		return nil, fmt.Errorf("%s, tree %s: %w", c.Name, tree, err)
	}
	m, err := manoeuvre.Read(filepath.Join(v.Resources, "manoeuvres", c.Manoeuvre+".toml"))
	if err != nil {
		return fail(err)
	}
	vehicle, err := v.Library.Load(filepath.Join(v.Resources, "models", c.Model+".toml"), tree)
	if err != nil {
		return fail(err)
	}
	defer vehicle.Close()
	if c.Function != "" {
		file := c.File
		if !filepath.IsAbs(file) {
			if file, err = filepath.Abs(filepath.Join(v.Resources, "tires", file)); err != nil {
				return fail(err)
			}
		}
		run.Settings = statements.FitFourTires(c.Function, file)
	}
	run.Manoeuvre, run.Progress = m, v.Progress
	if run.Substep == 0 {
		run.Substep = run.Step
	}
	result, err := drive.Simulate(vehicle, run)
	if err != nil {
		return fail(err)
	}
	return result, nil
}

// statements checks the statements of the reference publication about a case, with RK4, and the convergence of explicit
// Euler against the reference.
func (v *Verification) statements(result *Verified, r *references.Reference, traces map[string]*trace.Trace) error {
	add := func(run string, checks ...statements.Check) {
		for _, c := range checks {
			result.Statements = append(result.Statements, VerifiedStatement{run, c})
		}
	}
	switch r.Name {
	case "generic4w_sine_fiala":
		if pacejka := traces["generic4w_sine"]; pacejka != nil {
			add(r.Name, statements.FialaSine(pacejka, traces[r.Name]))
		}
		return nil
	case "generic4w_braking_fiala":
		return v.matchedBraking(traces, add)
	case "generic4w_carcass_sine", "generic4w_carcass_braking", "skidder_carcass_sine", "skidder_carcass_braking":
		carcassStatements(r, traces, add)
		return nil
	}
	for i := range statements.Morency {
		s := &statements.Morency[i]
		if s.Manoeuvre != r.Name {
			continue
		}
		add(r.Name, s.Checks(traces[r.Name])...)
		for _, tree := range s.EulerTrees {
			euler, err := v.simulate(r.Case, tree, drive.Plan{Method: "euler", Step: s.EulerStep})
			if err != nil {
				return err
			}
			name := "G12"
			if s.Model == "skidder" {
				name = "S9"
			}
			add(fmt.Sprintf("%s, tree %s", r.Name, tree),
				statements.Converged(name, fmt.Sprintf("explicit Euler at %g ms is converged", s.EulerStep*1e3),
					euler.Trace, r.Trace, s.Euler))
		}
	}
	return nil
}

// carcassStatements checks the statements of the publication about a vehicle that has carcasses, and its difference
// from the published vehicle.
func carcassStatements(
	r *references.Reference, traces map[string]*trace.Trace, add func(run string, checks ...statements.Check),
) {
	compare, body := statements.CarcassSine, "body"
	if strings.HasSuffix(r.Manoeuvre, "_braking") {
		compare = statements.CarcassBraking
	}
	if strings.HasPrefix(r.Manoeuvre, "skidder") {
		body = "front"
	}
	for i := range statements.Morency {
		if s := &statements.Morency[i]; s.Manoeuvre == r.Manoeuvre {
			add(r.Name, s.Checks(traces[r.Name])...)
		}
	}
	if published := traces[r.Manoeuvre]; published != nil { // where it is verified, too
		add(r.Name, compare(body, published, traces[r.Name]))
	}
}

// matchedBraking is check G10, in which the Fiala tires get the rolling resistance of the Pacejka tires.
func (v *Verification) matchedBraking(
	traces map[string]*trace.Trace, add func(run string, checks ...statements.Check),
) error {
	pacejka := traces["generic4w_braking"]
	if pacejka == nil {
		return nil
	}
	file, remove, err := statements.MatchedRolling(filepath.Join(v.Resources, "tires", "fiala_generic4w.toml"))
	if err != nil {
		return err
	}
	defer remove()
	c := references.Case{Name: "generic4w_braking_fiala", Model: "generic4w", Manoeuvre: "generic4w_braking",
		Function: "Fiala", File: file}
	fiala, err := v.simulate(c, "default", drive.Plan{Method: "rk4", Step: 0.001})
	if err != nil {
		return err
	}
	add(c.Name, statements.FialaBraking(pacejka, fiala.Trace))
	return nil
}

// print writes the tables.
func (v *Verification) print(result *Verified) {
	runs := result.comparisonTable(v.Model != "" && v.Manoeuvre != "")
	runs.print(v.Report)
	if energies := result.energyTable(); len(energies.rows) > 0 {
		energies.print(v.Report)
	}
	for _, s := range result.Statements {
		fmt.Fprintf(v.Report, "%s %-4s %s (%s)\n          %s  [%s]\n", s.Verdict(), s.Name, s.Statement,
			s.Run, s.Measured, s.Bound)
	}
	fmt.Fprintln(v.Report)
	for _, t := range []table{result.solverTable(), result.costTable()} {
		if len(t.rows) > 0 {
			t.print(v.Report)
		}
	}
}
