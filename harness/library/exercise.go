package library

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// exerciseSteps is how many steps Exercise makes at most, a second of most models.
const exerciseSteps = 100

// Level is how much a finding weighs.
type Level uint8

// The levels.
const (
	Fault   Level = iota // against the standard, so that importers fail
	Caution              // against the standard, or doubtful, and importers can live with it
	Hint                 // what should be known
)

func (l Level) String() string { return [...]string{"error", "warning", "hint"}[l] }

// Finding is a result of Exercise.
type Finding struct {
	Level Level
	Text  string
}

// Exercise loads an FMU in a child process and runs it there within the capabilities of its description. It checks
// the list of functions, a wrong token, a run, the same run after a reset, and a saved state. An error is the reason
// why the exercise stopped early. An FMU without a library for this platform is not run, which is a finding unless it
// has sources only.
func Exercise(path string) ([]Finding, error) {
	f, err := unpackFMU(path)
	missing := (*noLibrary)(nil)
	if errors.As(err, &missing) && missing.onlySources() {
		return nil, nil
	}
	if missing != nil {
		return []Finding{{Hint, "it was not run: " + missing.Error()}}, nil
	}
	if err != nil {
		return nil, err
	}
	found, err := inChild(f.task("exercise FMU"))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return found, errors.Join(err, f.Close())
}

// exercise reports what Exercise returns.
func (f *FMU) exercise(r *reporter) error {
	r.begin("loading the library")
	if err := f.load(); err != nil {
		if f.library == 0 && f.mayNeed(err) {
			r.find(Caution, "%v; the FMU does not bring what it needs, so it was not run", err)
			return nil
		}
		return err
	}
	for _, name := range f.Missing() {
		r.find(Caution, "the library has no function %s, which FMI %d.0 prescribes", name, f.Version)
	}
	if !f.Alone {
		r.begin("instantiating the FMU with a wrong token")
		if c, err := f.Instantiate("stranger", "not the token"); err == nil {
			r.find(map[int]Level{2: Caution, 3: Hint}[f.Version], "it takes a wrong token") // FMI 3.0 leaves the check open
			c.Close()
		}
	}
	r.begin("instantiating the FMU")
	c, err := f.Instantiate("exercise", f.Token)
	if err != nil && f.NeedsTool {
		r.find(Hint, "%v; so it was not run", err)
		return nil
	}
	if err != nil {
		return err
	}
	outputs, err := c.References(c.Outputs()...)
	if err != nil {
		return err
	}
	x := &exercised{Instance: c, reporter: r, outputs: outputs}
	x.step, x.steps = f.exerciseStep()
	r.begin("initialising the FMU")
	if err := c.Initialise(); err != nil {
		return err
	}
	if note := f.untickedNote(); note != "" {
		r.find(Hint, "%s", note)
	}
	if f.Interface == ScheduledExecution {
		r.find(Hint, "it is for scheduled execution alone: it was initialised, and no part of it was activated")
		x.end()
		return c.Close()
	}
	if err := x.runAll(); err != nil {
		return err
	}
	r.begin("freeing the instance")
	return c.Close()
}

// missingElsewhere are words of the loaders of Linux, macOS and Windows for what a library needs and does not find.
var missingElsewhere = regexp.MustCompile(`: cannot open shared object file|undefined symbol: |version .* not found|` +
	`Library not loaded: |Symbol not found: |The specified (?:module|procedure) could not be found`)

// mayNeed reports whether the library was refused for something outside of the FMU, as that may be: FMI 2.0 recommends
// that nothing outside is needed, FMI 3.0 demands that it is documented.
func (f *FMU) mayNeed(err error) bool {
	if !missingElsewhere.MatchString(err.Error()) {
		return false
	}
	documented := slices.ContainsFunc([]string{"txt", "html"}, func(ending string) bool {
		_, err := os.Stat(filepath.Join(f.Folder, "documentation", "externalDependencies."+ending))
		return err == nil
	})
	return f.Version == 2 || documented
}

// exerciseStep is a communication step [s], and how many of them are made, an even number.
func (f *FMU) exerciseStep() (step float64, n int) {
	step = f.Step
	if !(step > 0) || math.IsInf(step, 0) {
		step = 0.01
		if f.InternalStep > 0 {
			step = f.InternalStep
		}
	}
	if own := f.InternalStep; own > 0 {
		step = own * max(1, math.Round(step/own))
	}
	n = exerciseSteps
	if most := math.Floor(f.StopTime/step + 1e-6); f.StopTime > 0 && most < exerciseSteps {
		n = 2 * max(1, int(most/2))
	}
	return step, n
}

// exercised is an instance that is exercised.
type exercised struct {
	*Instance
	*reporter
	outputs []uint32
	step    float64 // s
	steps   int     // of the whole exercise
}

// runAll runs the FMU, from a saved state too, and again after a reset.
func (x *exercised) runAll() error {
	ended := (*Ended)(nil)
	_, err := x.run(x.steps / 2)
	var first []float64
	if err == nil {
		first, err = x.savedAndRun()
	}
	if errors.As(err, &ended) {
		x.find(Hint, "%v, before the exercise was complete", err)
		x.end()
		return nil
	}
	if err != nil {
		return err
	}
	if slices.Contains(x.warned, inexact) {
		x.find(Caution, "%s", inexact)
	}
	x.repeat(first) // before the end: some FMUs free twice what they freed at an end before a reset
	x.end()
	if x.fmu.SerializesState && x.fmu.common.deserialize != nil {
		x.begin("restoring bytes that are not a state")
		if broken := bytes.Repeat([]byte{1}, 100); x.Restore(broken, 0) == nil {
			x.find(Hint, "it takes bytes that are no state")
		}
	}
	return nil
}

// run makes n steps and returns the outputs at their end.
func (x *exercised) run(n int) ([]float64, error) {
	values := make([]float64, len(x.outputs))
	for range n {
		x.begin("a step of the FMU")
		if err := x.Step(x.step); err != nil {
			return nil, err
		}
	}
	x.begin("reading outputs")
	return values, x.Get(x.outputs, values)
}

// savedAndRun saves the state in the middle, makes the second half of the steps, and once more from the saved state.
func (x *exercised) savedAndRun() ([]float64, error) {
	restore, release := x.saved()
	first, err := x.run(x.steps / 2)
	if err != nil {
		return nil, err
	}
	for i, v := range first {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			x.find(Hint, "%s = %v after %d steps", x.Outputs()[i], v, x.steps)
		}
	}
	if restore != nil {
		x.begin("restoring the state")
		if err := restore(float64(x.steps/2) * x.step); err != nil {
			x.find(Fault, "its state cannot be restored: %v", err)
		} else if again, err := x.run(x.steps / 2); err != nil {
			x.find(Fault, "it cannot go on after its state was restored: %v", err)
		} else {
			x.compare(first, again, "it goes on differently after its state was restored")
		}
		if err := release(); err != nil {
			x.find(Fault, "its saved state cannot be freed: %v", err)
		}
	}
	return first, nil
}

// saved saves the state as the FMU's capabilities allow; restore is nil where it is not saved.
func (x *exercised) saved() (restore func(time float64) error, release func() error) {
	if x.integrator != nil { // whose own state would have to be saved, too
		return nil, nil
	}
	switch {
	case x.fmu.SerializesState:
		x.begin("saving the state")
		state, err := x.Save()
		if err != nil {
			x.find(Fault, "its state cannot be saved: %v", err)
			return nil, nil
		}
		return func(time float64) error { return x.Restore(state, time) }, func() error { return nil }
	case x.fmu.SavesState:
		x.begin("saving the state")
		state, err := x.keep()
		if err != nil {
			x.find(Fault, "its state cannot be saved: %v", err)
			return nil, nil
		}
		return func(time float64) error { return x.bringBack(state, time) }, func() error { return x.drop(state) }
	}
	return nil, nil
}

func (x *exercised) end() {
	x.begin("terminating the FMU")
	if err := x.Terminate(); err != nil {
		x.find(Fault, "it cannot be terminated: %v", err)
	}
}

// repeat resets the instance, and makes all steps again, which end as first.
func (x *exercised) repeat(first []float64) {
	if x.fmu.common.reset == nil {
		return
	}
	x.begin("resetting the FMU")
	if err := x.Reset(); err != nil {
		x.find(Fault, "it cannot be reset: %v", err)
	} else if err := x.Initialise(); err != nil {
		x.find(Fault, "it cannot be initialised after a reset: %v", err)
	} else if again, err := x.run(x.steps); err != nil {
		x.find(Fault, "it cannot run after a reset: %v", err)
	} else {
		x.compare(first, again, "it runs differently after a reset")
	}
}

// compare finds the output that differs most between two runs. Integrators inside of FMUs start again after a reset, so
// small differences are a hint only.
func (x *exercised) compare(first, again []float64, what string) {
	const small = 1e-3
	worst, most := -1, 0.0
	for i, a := range first {
		if math.Float64bits(a) == math.Float64bits(again[i]) {
			continue
		}
		share := math.Abs(again[i]-a) / max(math.Abs(a), math.Abs(again[i]), small)
		if !(share <= most) || worst < 0 {
			worst, most = i, share
		}
	}
	if worst < 0 {
		return
	}
	level := Caution
	if most <= small {
		level = Hint
	}
	x.find(level, "%s: %s is %v, it was %v", what, x.Outputs()[worst], again[worst], first[worst])
}
