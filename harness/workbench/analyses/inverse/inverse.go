// Package inverse finds the forces and moments that a given motion takes (inverse dynamics; Morency 2007, 1.1 and
// (2.38)): joints take their motion from a run.
package inverse

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Analysis selects the joints with prescribed motion, and the recorded variables.
type Analysis struct {
	Library   *library.Library
	Model     string
	Prescribe []string // patterns of names of revolute and prismatic joints
	Tree      string
	Settings  []manoeuvre.Setting
	Reactions string   // elements of the list of reactions, separated by commas
	Record    []string // patterns of further variables; nil for none
	// Chosen are the names of outputs that are recorded, too, such as those of the reactions; nil for none.
	Chosen    func(outputs []string) []string
	Motion    *trace.Trace
	Progress  output.Progress
	Interrupt <-chan struct{}
}

// Result has the drives, the reactions and what else was recorded, at the times of the motion.
type Result struct {
	Trace   *trace.Trace
	Drivers []modelfile.Driven
	Splined []string // rates and accelerations that follow from splines
	Started []string // states that start as the run does
	Idle    []string // drivers of the file that the run does not move
}

// Do runs the analysis.
func (a *Analysis) Do() (*Result, error) {
	if len(a.Motion.Time) == 0 {
		return nil, errors.New("the motion has no rows; it needs one for each time at which the forces are wanted")
	}
	folder, err := os.MkdirTemp("", "skidpad-inverse")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "model.toml")
	var driven []modelfile.Driven
	if err := output.WriteFile(file, func(w io.Writer) (err error) {
		driven, err = modelfile.Prescribe(w, a.Model, folder, a.Prescribe)
		return err
	}); err != nil {
		return nil, err
	}
	vehicle, err := a.Library.LoadReactions(file, a.Tree, a.Reactions)
	if err != nil {
		return nil, errors.New("with these joints prescribed: " + strings.ReplaceAll(err.Error(), file, a.Model))
	}
	defer vehicle.Close()
	r := &run{Analysis: a, vehicle: vehicle, result: &Result{Drivers: driven}}
	if err := r.connect(driven); err != nil {
		return nil, err
	}
	return r.result, r.do()
}
