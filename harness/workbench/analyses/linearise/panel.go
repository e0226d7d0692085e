package linearise

import (
	"errors"
	"fmt"
	"io"
	"math"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/plots"
	"skidpad/model/linear"
	"skidpad/model/reduction"
)

// PanelResult is the result of a panel of a study.
type PanelResult struct {
	*Result
	Panel *Panel
}

// Do makes the linear equations of all panels. Where it is interrupted, the list has those before, also a part of a
// panel, and the error is output.ErrInterrupted.
func (s *Study) Do(interrupt <-chan struct{}, progress output.Progress) ([]PanelResult, error) {
	var list []PanelResult
	for i := range s.Panels {
		if progress != nil {
			progress.At(s.Panels[i].Name, float64(i), float64(len(s.Panels)))
		}
		result, err := s.Panels[i].do(interrupt)
		if result != nil {
			list = append(list, *result)
		}
		if err != nil {
			return list, fmt.Errorf("panel %s: %w", s.Panels[i].Name, err)
		}
	}
	if progress != nil {
		progress.At(s.Name, float64(len(s.Panels)), float64(len(s.Panels)))
	}
	return list, nil
}

// do makes the linear equations of a panel.
func (p *Panel) do(interrupt <-chan struct{}) (*PanelResult, error) {
	m, err := reduction.Read(p.Model)
	if err != nil {
		return nil, err
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		return nil, err
	}
	if err := Set(vehicle, p.Settings); err != nil {
		return nil, fmt.Errorf("set: %w", err)
	}
	for _, name := range p.Hold {
		if err := vehicle.Hold(name); err != nil {
			return nil, fmt.Errorf("hold: %w", err)
		}
	}
	for _, name := range p.Free {
		if err := vehicle.Free(name); err != nil {
			return nil, fmt.Errorf("free: %w", err)
		}
	}
	r := &PanelResult{Panel: p, Result: &Result{Title: p.Title, Varied: p.At, Input: p.Bode.Input,
		Output: p.Bode.Output, Frequencies: p.Bode.Frequencies}}
	if err := r.AddAll(vehicle, nil, interrupt); err != nil {
		if errors.Is(err, output.ErrInterrupted) {
			return r, err
		}
		return nil, err
	}
	if r.Output == "" {
		r.Limits, err = r.StabilityLimits(vehicle)
	}
	return r, err
}

// Print prints the stability limits of eigenvalues, and the largest magnitude of a frequency response.
func (r *PanelResult) Print(to io.Writer) {
	fmt.Fprintf(to, "%s: %s\n", r.Panel.Name, r.Title)
	r.PrintStabilityLimits(to)
	if r.Output != "" {
		dB, value, omega := r.Largest(0, math.Inf(1))
		fmt.Fprintf(to, "largest magnitude of %s to %s: %.3f dB at %s = %.6g, %.4g rad/s\n", r.Input, r.Output, dB,
			r.Varied.Name, value, omega)
	}
}

// Largest is the largest magnitude [dB] of the responses between two angular frequencies [rad/s], and where that is.
func (l *Result) Largest(from, to float64) (dB, value, omega float64) {
	dB = math.Inf(-1)
	for i, response := range l.Responses {
		for k, h := range response {
			if w := l.Frequencies[k]; w >= from && w <= to && decibel(h) > dB {
				dB, value, omega = decibel(h), l.Varied.Values[i], w
			}
		}
	}
	return dB, value, omega
}

// StudyFiles are the tables of all panels, each in a folder with its name, as those of a single run.
func StudyFiles(list []PanelResult) []output.File {
	var files []output.File
	for i := range list {
		r := &list[i]
		add := func(name string, write func(io.Writer) error) {
			files = append(files, output.File{Name: r.Panel.Name + "/" + name, Write: write})
		}
		add("steady.csv", r.SteadyTable().WriteCSV)
		add("eigenvalues.csv", r.EigenTable().WriteCSV)
		if r.Output != "" {
			add("bode.csv", r.BodeTable().WriteCSV)
		}
	}
	return files
}

// PlotStudy draws all panels: eigenvalues over what varies beside the root locus, or magnitude beside phase; in
// the format of a file's name.
func PlotStudy(to io.Writer, name string, list []PanelResult) error {
	var f plots.Figure
	for i := range list {
		r := &list[i]
		draw := r.eigenPlots
		if r.Output != "" {
			draw = func() ([]*plots.Panel, error) { return r.bodePlots(r.Panel.Map || len(r.Responses) > mostCurves) }
		}
		row, err := draw()
		if err != nil {
			return fmt.Errorf("panel %s: %w", r.Panel.Name, err)
		}
		row[0].Title.Text = r.Title + ": " + row[0].Title.Text
		f.Rows = append(f.Rows, row)
	}
	return f.Write(to, name, "screen")
}
