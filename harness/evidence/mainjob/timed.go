package mainjob

import (
	"fmt"
	"time"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/workbench/runs/drive"
)

// timedRuns is how often a run is timed.
const timedRuns = 5

// timed makes the checks T1, T2 and T5, with explicit Euler at 1 ms, from the FMUs. T1 and T2: simulations take less
// time than Morency (2007) states in 5.3.3 and 5.4.3. T5: a step takes less time than it simulates.
func (j *Job) timed(host *statements.Host) ([]Checked, error) {
	const step = time.Millisecond
	var checks []Checked
	for _, vehicle := range []struct {
		model, name string
		least       float64 // simulated time over the time that it takes
	}{{"generic4w", "T1", 20}, {"skidder", "T2", 30}} {
		var factors, slowest []statements.Part
		for i := range statements.Morency {
			s := &statements.Morency[i]
			if s.Model != vehicle.model {
				continue
			}
			var factor []float64
			var late []time.Duration
			for range timedRuns {
				run, err := j.simulate(s, 3, drive.Plan{Method: "euler", Step: step.Seconds(), Record: []string{}})
				if err != nil {
					return nil, err
				}
				host.Look()
				factor, late = append(factor, run.Timing.RealTime), append(late, run.Timing.P999)
			}
			factors = append(factors, statements.MedianAtLeast(s.Manoeuvre, factor, vehicle.least))
			slowest = append(slowest, statements.MedianBelow(s.Manoeuvre, late, step))
		}
		run := fmt.Sprintf("%s, euler, times", vehicle.model)
		checks = append(checks,
			Checked{run, statements.Timed(host, vehicle.name, fmt.Sprintf("a simulation is at least %g times as fast as "+
				"the vehicle", vehicle.least), factors...)},
			Checked{run, statements.Timed(host, "T5", "99.9 % of the steps take less time than they simulate", slowest...)})
	}
	return checks, nil
}
