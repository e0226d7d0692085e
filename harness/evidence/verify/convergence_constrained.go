package verify

import (
	"fmt"
	"math"
	"path/filepath"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// ConstrainedOrder is the order of a solver for the constraint of a pendulum in absolute coordinates and for the
// constraints of a motorcycle (van Iwaarden 2003, chapters 3 and 6).
type ConstrainedOrder struct {
	Order
	Multipliers   string
	To1, To10     float64 // largest violation with 10 ms, to 1 s and to 10 s [m2]
	Motorcycle    float64 // largest violation of the rod between the chassis masses with 1 ms [m]
	Stabilisation string
}

// constrainedSolvers are the solvers, with how they treat constraints. They keep their orders, except that dlmm has the
// second with multipliers of the stages.
var constrainedSolvers = []struct {
	method, multipliers, stabilisation string
}{
	{"dlmm", "step", "multipliers, from the violations of the step"},
	{"dlmm", "stage", "multipliers, from the violations of the stages"},
	{"dlmm-euler", "step", "multipliers"},
	{"clmm", "step", "none"},
	{"stabilised-ode", "step", "invariants, gamma = 10/s"},
	{"post-stabilisation", "step", "one Newton step after each step"},
	{"coordinate-projection", "step", "projection after each step"},
	{"half-explicit", "step", "speeds at each stage"},
	{"half-explicit-both", "step", "speeds and positions at each stage, Newton"},
	{"euler", "step", "Baumgarte, alpha = beta = 20/s"},
	{"heun", "step", "Baumgarte"},
	{"rk4", "step", "Baumgarte"},
	{"linearly-implicit", "step", "one correction after each step"},
}

// constrained drives a pendulum and a motorcycle with every solver.
func (s *ConvergenceStudy) constrained() ([]ConstrainedOrder, error) {
	simulated := func(model, driven string, run drive.Plan) (*drive.Result, error) {
		m, err := manoeuvre.Read(filepath.Join(s.Resources, "manoeuvres", driven+".toml"))
		if err != nil {
			return nil, err
		}
		vehicle, err := s.Library.Load(filepath.Join(s.Resources, "models", model+".toml"), "")
		if err != nil {
			return nil, err
		}
		defer vehicle.Close()
		run.Manoeuvre, run.Progress = m, s.Progress
		return drive.Simulate(vehicle, run)
	}
	x, z := statements.PendulumAtOneSecond()
	var list []ConstrainedOrder
	for _, solver := range constrainedSolvers {
		settings := []manoeuvre.Setting{{Name: "solver.multipliers", Value: solver.multipliers}}
		order := promised(solver.method)
		if solver.multipliers == "stage" {
			order = 2
		}
		o := ConstrainedOrder{Order: Order{Run: "point_pendulum_swing", Method: solver.method, Promised: order},
			Multipliers: solver.multipliers, Stabilisation: solver.stabilisation}
		for _, h := range []float64{0.01, 0.005, 0.0025, 0.00125} {
			r, err := simulated("point_pendulum", o.Run,
				drive.Plan{Method: solver.method, Settings: settings, Step: h, Substep: h, Duration: 1})
			if err != nil {
				return nil, err
			}
			o.Steps = append(o.Steps, h)
			o.Errors = append(o.Errors, math.Hypot(r.Trace.At("mass_1.x", 1)-x, r.Trace.At("mass_1.z", 1)-z))
		}
		o.Observed = slopes(o.Errors)
		long, err := simulated("point_pendulum", o.Run,
			drive.Plan{Method: solver.method, Settings: settings, Record: []string{"rod.value"}})
		if err != nil {
			return nil, err
		}
		for n, v := range long.Trace.Column("rod.value") {
			if o.To10 = max(o.To10, math.Abs(v)); long.Trace.Time[n] <= 1+1e-9 {
				o.To1 = o.To10
			}
		}
		ride, err := simulated("motorcycle2d", "motorcycle2_force",
			drive.Plan{Method: solver.method, Settings: settings, Record: []string{"constraint_1.value"}})
		if err != nil {
			return nil, err
		}
		_, o.Motorcycle = trace.Peak(ride.Trace.Time, ride.Trace.Column("constraint_1.value"))
		list = append(list, o)
	}
	return list, nil
}

func constrainedTable(runs []ConstrainedOrder) table {
	t := table{
		title: "Solvers for constraints: order and drift", kinds: "wwnnnnnnnv",
		columns: []string{"solver", "stabilisation", "promised", "steps, ms", "error at 1 s, m", "observed",
			"violation to 1 s, m2", "to 10 s, m2", "motorcycle, m", "verdict"},
		note: "A pendulum in absolute coordinates (10 ms for the violations), against its angle; and the rod of a " +
			"motorcycle on its wheels while a force of 100 N sets in (1 ms).",
	}
	for _, o := range runs {
		method := o.Method
		if method == "dlmm" {
			method += ", " + o.Multipliers
		}
		t.rows = append(t.rows, []string{
			method, o.Stabilisation, fmt.Sprint(o.Promised), list("%.4g", 1e3, o.Steps), list("%.1e", 1, o.Errors),
			list("%.2f", 1, o.Observed),
			fmt.Sprintf("%.1e", o.To1), fmt.Sprintf("%.1e", o.To10), fmt.Sprintf("%.1e", o.Motorcycle),
			report.PassOrFail(o.Reached()),
		})
	}
	return t
}
