package verify

import (
	"path/filepath"
	"time"

	"skidpad/cosim"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// variantTimes are the times of the sine steer and of braking of a vehicle whose equations had other passes than those
// of the library.
func variantTimes(resources, name string, m *vehicle.Model, o formulate.Options) (map[string]time.Duration, error) {
	system, err := cosim.New(m, cosim.Options{Equations: o.Equations, Intermediates: o.Intermediates})
	if err != nil {
		return nil, err
	}
	times := map[string]time.Duration{}
	for _, driven := range []string{"sine", "braking"} {
		path := filepath.Join(resources, "manoeuvres", name+"_"+driven+".toml")
		var list []time.Duration
		for range timedRuns {
			t, err := variantTime(system, path)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
		times[driven] = middle(list)
	}
	return times, nil
}

// drivenInput is a signal, and the inputs that have its value, rate and acceleration.
type drivenInput struct {
	signal signal.Signal
	inputs []int
}

// variantTime simulates a manoeuvre with explicit Euler at 1 ms.
func variantTime(system *cosim.System, path string) (time.Duration, error) {
	m, err := manoeuvre.Read(path)
	if err != nil {
		return 0, err
	}
	in, err := system.Instantiate()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := in.SetText("solver.method", "euler"); err != nil {
		return 0, err
	}
	var inputs []drivenInput
	for _, i := range m.Inputs {
		for _, name := range i.Variables {
			at, _ := system.Find(name)
			inputs = append(inputs, drivenInput{i.Signal, []int{at}})
		}
		for _, name := range i.Drivers {
			var all []int
			for _, quantity := range []string{"angle", "rate", "acceleration"} {
				at, _ := system.Find(name + "." + quantity)
				all = append(all, at)
			}
			inputs = append(inputs, drivenInput{i.Signal, all})
		}
	}
	for _, start := range m.Start {
		at, _ := system.Find(start.Variable)
		if err := in.Set(at, start.Value); err != nil {
			return 0, err
		}
	}
	if err := in.Initialise(); err != nil {
		return 0, err
	}
	const step = 0.001
	begin := time.Now()
	for n := range int(m.Duration/step + 0.5) {
		for _, d := range inputs {
			value, rate, acceleration := d.signal.At(float64(n) * step)
			for k, x := range []float64{value, rate, acceleration}[:len(d.inputs)] {
				if err := in.Set(d.inputs[k], x); err != nil {
					return 0, err
				}
			}
		}
		if err := in.Step(step); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}
