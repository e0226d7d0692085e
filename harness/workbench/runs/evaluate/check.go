package evaluate

import (
	"fmt"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
)

// Check returns an error if the vehicle cannot make a manoeuvre or a manoeuvre that runs before it: missing roles as a
// manoeuvre.LackingRoles, missing variables. It makes the first step of each; later steps can still fail.
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
