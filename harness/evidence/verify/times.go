package verify

import (
	"slices"
	"time"

	"skidpad/harness/evidence/references"
	"skidpad/harness/evidence/statements"
	"skidpad/harness/workbench/runs/drive"
)

// SolverTimes are the times of the engine and of the reference solver for one run.
type SolverTimes struct {
	Run       string
	Vehicle   string
	Reference time.Duration            // at the tolerance of the source, 1e-3
	Engine    map[string]time.Duration // all steps, by solver and tree
}

// EngineRuns name what is timed, in the order of the tables: method, tree, step in s.
var EngineRuns = []EngineRun{
	{"Euler 1 ms", "euler", "default", 0.001},
	{"Euler 1 ms, tire tree", "euler", "tire", 0.001},
	{"RK4 1 ms", "rk4", "default", 0.001},
	{"linearly implicit 1 ms", "linearly-implicit", "default", 0.001},
}

// EngineRun is a way to run the engine.
type EngineRun struct {
	Name, Method, Tree string
	Step               float64
}

// sourceTolerance is the tolerance of the ADAMS runs in the source.
const sourceTolerance = 1e-3

// timedRuns is how often a run is timed where its time is judged.
const timedRuns = 5

// times measures the runs of the tables of Morency (2007): the reference solver at the published tolerance and the
// engine, one after the other; medians, where times are judged.
func (v *Verification) times(result *Verified) error {
	host := statements.NewHost()
	for _, c := range references.Cases {
		if v.Model != "" && v.Model != c.Model || v.Manoeuvre != "" && v.Manoeuvre != c.Manoeuvre ||
			c.Model != "generic4w" && c.Model != "skidder" {
			continue
		}
		repeated := 1
		if v.JudgeTimes {
			repeated = timedRuns
		}
		t := SolverTimes{Run: c.Name, Vehicle: c.Model, Engine: map[string]time.Duration{}}
		var reference []time.Duration
		var ratios []float64 // of the reference solver to explicit Euler
		engine := map[string][]time.Duration{}
		for range repeated {
			before := time.Now()
			if _, _, err := c.Solve(v.Resources, sourceTolerance, nil); err != nil {
				return err
			}
			reference = append(reference, time.Since(before))
			for _, e := range EngineRuns {
				run, err := v.simulate(c, e.Tree, drive.Plan{Method: e.Method, Step: e.Step, Record: []string{}})
				if err != nil {
					return err
				}
				engine[e.Name] = append(engine[e.Name], run.Timing.Total)
			}
			host.Look()
			euler := engine[EngineRuns[0].Name]
			ratios = append(ratios, reference[len(reference)-1].Seconds()/euler[len(euler)-1].Seconds())
		}
		t.Reference = middle(reference)
		for name, list := range engine {
			t.Engine[name] = middle(list)
		}
		result.Times = append(result.Times, t)
		if v.JudgeTimes && !t.fiala() {
			judge(result, &t, host, ratios)
		}
	}
	if !v.JudgeTimes {
		return nil
	}
	return v.countEvaluations(result)
}

// judge makes the check T3: the reference solver takes longer than explicit Euler by at least the factor between ADAMS
// and the code of the source.
func judge(result *Verified, t *SolverTimes, host *statements.Host, ratios []float64) {
	adams, own := t.of(result.Source.Adams, ""), t.of(result.Source.Costs, "no tire edge in the tree")
	if adams == 0 || own == 0 {
		return
	}
	result.Statements = append(result.Statements, VerifiedStatement{t.Run, statements.Timed(host, "T3",
		"explicit Euler at 1 ms is faster than the reference solver at 1e-3 by at least the source's factor",
		statements.MedianAtLeast("factor", ratios, adams/own))})
}

func middle(list []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
