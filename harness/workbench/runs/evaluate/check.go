package evaluate

import (
	"fmt"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
)

// Check says what keeps the vehicle from a manoeuvre, and from those that run before it: roles that it lacks, as a
// manoeuvre.LackingRoles, or variables. It makes one step of each; what happens in a run is not known.
func (e *Evaluator) Check(path string) error { return e.check(path, e.Replaced, 0) }

func (e *Evaluator) check(path string, replaced []manoeuvre.ConstantValue, before int) error {
	file, err := manoeuvre.Open(e.Target, path)
	if err != nil {
		return err
	}
	m, err := file.With(replaced...)
	if err != nil {
		return err
	}
	if p := m.Prerun; p != nil && before < 3 { // more are an error of the run
		if err := e.check(bounded.Beside(path, p.File), p.Replaced, before+1); err != nil {
			return fmt.Errorf("%s: prerun: %w", path, err)
		}
	}
	subject, done, err := e.Open()
	if err != nil {
		return err
	}
	defer done()
	var names []string
	if m.KeyFigures != nil {
		record, err := bind(m, subject)
		if err != nil {
			return err
		}
		names = record.names()
	}
	_, err = drive.Simulate(subject, drive.Plan{Manoeuvre: m, Method: e.Method, Settings: e.Settings, Record: names,
		Duration: m.Step, AllowPlugins: e.AllowPlugins})
	return err
}
