package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/sweep"
)

// use measures the waiting time of users beyond the steps.
func (s *Suite) use() ([]Section, error) {
	swept, err := s.sweepBySteps(1000, 1000)
	if err != nil {
		return nil, err
	}
	recorded, err := s.recordBySteps(5000)
	if err != nil {
		return nil, err
	}
	return []Section{swept, recorded}, nil
}

// sweepBySteps measures the processor time of a sweep of runs with steps of 1 ms. The reference is the time of the same
// steps in lanes.
func (s *Suite) sweepBySteps(runs, steps int) (Section, error) {
	const h = 0.001
	section := Section{Unit: "ns", Base: "steps in lanes", Title: fmt.Sprintf("A vehicle and step of a sweep, %d runs of "+
		"%d steps of the generic vehicle, heun: processor time", runs, steps)}
	model := filepath.Join(s.Resources, "models", "generic4w.toml")
	first, err := s.Library.Load(model, "")
	if err != nil {
		return section, err
	}
	defer first.Close()
	if err := errors.Join(first.SetText("solver.method", "heun"), first.Initialise()); err != nil {
		return section, err
	}
	together := min(runs, 256) // as sweeps do
	fleet, err := first.Fleet(together, 0)
	if err != nil {
		return section, err
	}
	defer fleet.Close()
	all := bytes.Repeat([]byte{1}, together)
	m, err := manoeuvre.Read(filepath.Join(s.Resources, "manoeuvres", "generic4w_sine.toml"))
	if err != nil {
		return section, err
	}
	masses := manoeuvre.Variation{Name: "body.mass"}
	for i := range runs {
		masses.Values = append(masses.Values, 1800+600*float64(i)/float64(runs))
	}
	section.List, err = s.compare([]candidate{
		{name: section.Base, ask: func() (float64, error) {
			took, err := computed(func() error {
				for range steps {
					if _, err := fleet.Step(all, h); err != nil {
						return err
					}
				}
				return nil
			})
			return float64(took.Nanoseconds()) / float64(together*steps), err
		}},
		{name: "sweep", ask: func() (float64, error) {
			study := sweep.Sweep{Library: s.Library, Model: model, Variations: []manoeuvre.Variation{masses},
				Run: drive.Plan{Manoeuvre: m, Method: "heun", Step: h, Duration: h * float64(steps),
					Record: []string{"body.y", "body.ay", "body.wz"}}}
			took, err := computed(func() error {
				_, err := study.Do()
				return err
			})
			return float64(took.Nanoseconds()) / float64(runs*steps), err
		}},
	})
	return section, err
}

// computed returns the processor time of work.
func computed(work func() error) (time.Duration, error) {
	before, err := processorTime()
	if err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	after, err := processorTime()
	return after - before, err
}

// recordBySteps measures the time of a run with steps of 1 ms and all outputs in a CSV file, beyond the time of its
// steps, loading and preparation.
func (s *Suite) recordBySteps(steps int) (Section, error) {
	const h = 0.001
	section := Section{Unit: "ns", Base: "steps alone", Title: fmt.Sprintf("A step of the passenger car in a run of %d "+
		"steps with all outputs in a CSV file, rk4", steps)}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		return section, err
	}
	defer os.RemoveAll(folder)
	m, err := manoeuvre.Read(filepath.Join(s.Resources, "manoeuvres", "passenger_car_sine.toml"))
	if err != nil {
		return section, err
	}
	vehicle, err := s.Library.Load(filepath.Join(s.Resources, "models", "passenger_car.toml"), "")
	if err != nil {
		return section, err
	}
	defer vehicle.Close()
	record := func(steps int) (time.Duration, error) {
		if err := vehicle.Reset(); err != nil {
			return 0, err
		}
		begin := time.Now()
		file := &csvSink{path: filepath.Join(folder, "run.csv")}
		_, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: m, Method: "rk4", Step: h, Duration: h * float64(steps),
			Outputs: file})
		if err == nil {
			err = file.stream.End(nil)
		}
		return time.Since(begin), err
	}
	alone := func() (time.Duration, error) {
		if err := startOf(vehicle, m, h); err != nil {
			return 0, err
		}
		begin := time.Now()
		for range steps {
			if err := vehicle.Step(h); err != nil {
				return 0, err
			}
		}
		return time.Since(begin), nil
	}
	section.List, err = s.compare([]candidate{
		{name: section.Base, ask: func() (float64, error) {
			took, err := alone()
			return float64(took.Nanoseconds()) / float64(steps), err
		}},
		{name: "beyond steps and loading", ask: func() (float64, error) {
			whole, err := record(steps)
			if err != nil {
				return 0, err
			}
			least, err := record(1)
			if err != nil {
				return 0, err
			}
			own, err := alone()
			return float64((whole - least - own).Nanoseconds()) / float64(steps), err
		}},
	})
	return section, err
}

// startOf brings a vehicle to the start of a manoeuvre.
func startOf(vehicle *library.Vehicle, m *manoeuvre.Manoeuvre, h float64) error {
	if err := vehicle.Reset(); err != nil {
		return err
	}
	_, err := (&drive.Plan{Manoeuvre: m, Method: "rk4"}).Prepare(vehicle, h)
	return err
}

// csvSink writes rows into a file.
type csvSink struct {
	path   string
	stream *recording.Stream
}

func (c *csvSink) Begin(channels []trace.Channel) (err error) {
	c.stream, err = recording.NewStream(c.path, nil, &recording.Recording{Trace: trace.New(channels, 0)})
	return err
}

func (c *csvSink) Row(t float64, values []float64) error { return c.stream.Row(t, values) }
