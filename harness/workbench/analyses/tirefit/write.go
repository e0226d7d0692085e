package tirefit

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"skidpad/tire"
	"skidpad/tire/tir"
)

// Write writes the tire file with the fitted coefficients, in the form of the start. All other entries of a property
// file stay. A missing coefficient is added behind the last coefficient with the same first letters, or of its output.
func (r *Fitted) Write(start []byte, name string) ([]byte, error) {
	if !strings.HasSuffix(strings.ToLower(name), ".tir") {
		p, err := tire.ParseFile(start, name)
		if err != nil {
			return nil, err
		}
		copy(p.Values, r.Values)
		return tire.WriteTOML(p)
	}
	file, err := tir.Parse(start, name)
	if err != nil {
		return nil, err
	}
	for _, c := range r.Coefficients {
		if !set(file, c.Name, strconv.FormatFloat(c.Value, 'g', -1, 64)) {
			return nil, fmt.Errorf("%s has no section for %s; add a line %s = 0 where it belongs", name, c.Name, c.Name)
		}
	}
	return file.Format(), nil
}

// set sets an entry, or adds it behind the last entry whose key begins with the same three letters.
func set(file *tir.File, key, value string) bool {
	for _, s := range file.Sections {
		if e := s.Entry(key); e != nil {
			e.Text = value
			return true
		}
	}
	for _, like := range []func(other string) bool{
		func(other string) bool { return other[:3] == key[:3] },
		func(other string) bool { return other[0] == key[0] && other[2] == key[2] }, // P.Y: lateral
	} {
		for _, s := range file.Sections {
			for i := len(s.Entries) - 1; i >= 0; i-- {
				if e := s.Entries[i]; len(e.Key) >= 3 && len(key) >= 3 && like(e.Key) {
					s.Entries = slices.Insert(s.Entries, i+1, &tir.Entry{Key: key, Text: value})
					return true
				}
			}
		}
	}
	return false
}

// Print prints coefficients with their standard deviations, the residuals of each output, and what the data do not
// tell.
func (r *Fitted) Print(to io.Writer) {
	fmt.Fprintf(to, "%s, %d points: %s after %d steps\n\n", r.Function, r.Points, r.End, r.Iterations)
	fmt.Fprintf(to, "%-8s  %11s  %11s  %10s  %s\n", "", "start", "fitted", "deviation", "meaning")
	for _, c := range r.Coefficients {
		fmt.Fprintf(to, "%-8s  %11.5g  %11.5g  %10.2g  %s\n", c.Name, c.Start, c.Value, c.Deviation, c.Text)
	}
	fmt.Fprintf(to, "\n%-8s  %11s  %11s  %10s  %9s  unit\n", "residual", "rms before", "rms", "largest", "explained")
	for _, q := range r.Outputs {
		fmt.Fprintf(to, "%-8s  %11.4g  %11.4g  %10.4g  %7.3f %%  %s\n", q.Name, q.Before, q.Residual, q.Largest, 100*q.Share,
			q.Unit)
	}
	if len(r.Idle) > 0 {
		fmt.Fprintf(to, "\nno point depends on %s; they stay\n", strings.Join(r.Idle, ", "))
	}
	if len(r.Undetermined) > 0 {
		fmt.Fprintln(to, "\nwhat the points do not tell:")
		for _, text := range r.Undetermined {
			fmt.Fprintln(to, "  "+text)
		}
	}
}
