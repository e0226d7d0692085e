// Package bench measures how fast Skidpad is: side by side in one run, by medians, next to
// plain C of the same equations.
package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
)

// Suite configures the measurements.
type Suite struct {
	Library   *library.Library
	FMUs      string // folder with the packed FMUs
	Resources string
	Header    string   // folder of skidpad.h
	Models    []string // further model files
	Rounds    int      // of every comparison
	Steps     int      // number of steps that are timed one by one
	Paced     int      // number of steps at 1 kHz; 0: none
	Progress  output.Progress
}

// Report has the results of a run.
type Report struct {
	Machine  string
	Sections []Section
}

// Section is a table: one kind of measurement.
type Section struct {
	Title, Note string
	Unit        string
	Base        string // name of the reference measurement; "": none
	List        []Measurement
}

// Measurement has one quantity, measured several times.
type Measurement struct {
	Name    string
	Values  []float64
	Remarks string // further observations, printed after the median
}

// Median of the values.
func (m *Measurement) Median() float64 {
	v := slices.Sorted(slices.Values(m.Values))
	if len(v) == 0 {
		return 0
	}
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}

// Do measures everything.
func (s *Suite) Do() (*Report, error) {
	r := &Report{Machine: machine()}
	parts := []func() ([]Section, error){s.rightHandSides, s.wholeSteps, s.stiff, s.recording, s.tires, s.runs,
		s.constancy, s.distribution, s.scaling, s.fleets, s.use, s.linear, s.memory}
	for i, part := range parts {
		if s.Progress != nil {
			s.Progress.At("measuring", float64(i), float64(len(parts)))
		}
		sections, err := part()
		if err != nil {
			return nil, err
		}
		r.Sections = append(r.Sections, sections...)
	}
	if s.Progress != nil {
		s.Progress.At("measuring", float64(len(parts)), float64(len(parts)))
	}
	return r, nil
}

// machine describes the machine of the measurements.
func machine() string {
	return fmt.Sprintf("%s, %s, %d processors, %s", processor(), runtime.GOOS+"/"+runtime.GOARCH, runtime.NumCPU(),
		runtime.Version())
}

// Print writes the tables.
func (r *Report) Print(to io.Writer) {
	fmt.Fprintln(to, r.Machine)
	for i := range r.Sections {
		s := &r.Sections[i]
		fmt.Fprintf(to, "\n%s\n", s.Title)
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		base := 0.0
		for k := range s.List {
			if s.List[k].Name == s.Base {
				base = s.List[k].Median()
			}
		}
		for k := range s.List {
			m := &s.List[k]
			fmt.Fprintf(w, "  %s\t%.4g %s", m.Name, m.Median(), s.Unit)
			if base > 0 {
				fmt.Fprintf(w, "\t%.2f times %s", m.Median()/base, s.Base)
			}
			if m.Remarks != "" {
				fmt.Fprintf(w, "\t%s", m.Remarks)
			}
			fmt.Fprintln(w)
		}
		w.Flush()
		if s.Note != "" {
			fmt.Fprintf(to, "  %s\n", s.Note)
		}
	}
}

// JSON writes everything.
func (r *Report) JSON(to io.Writer) error {
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Benchmarks writes all values in the format that benchstat compares.
func (r *Report) Benchmarks(to io.Writer) error {
	name := strings.NewReplacer(" ", "_", ",", "", ":", "", "=", "_", "(", "", ")", "")
	for i := range r.Sections {
		s := &r.Sections[i]
		for _, m := range s.List {
			for _, v := range m.Values {
				_, err := fmt.Fprintf(to, "Benchmark%s/%s 1 %.6g %s\n", name.Replace(s.Title), name.Replace(m.Name), v,
					strings.ReplaceAll(s.Unit, " ", "-"))
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}
