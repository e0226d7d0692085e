package trim

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/keys"
	"skidpad/model/unit"
	"skidpad/model/vehicle"
)

// Change is a key with start values, some of which differ from the file.
type Change struct {
	startKey
	now []float64 // SI
}

// Find trims a vehicle of a model, after settings of inputs, parameters and start values, and returns the start values
// that are others than those of the file.
func Find(m *vehicle.Model, v *library.Vehicle, settings []manoeuvre.Setting) ([]Change, error) {
	for _, s := range settings {
		x, err := strconv.ParseFloat(s.Value, 64)
		if err != nil {
			return nil, fmt.Errorf("--set %s=%s is not a number", s.Name, s.Value)
		}
		if about, err := v.Find(s.Name); err == nil {
			if err := s.Written.Fits(about.Unit); err != nil {
				return nil, err
			}
		}
		references, err := v.References(s.Name)
		if err != nil {
			return nil, err
		}
		if err := v.Set(references, []float64{x}); err != nil {
			return nil, err
		}
	}
	if err := v.Trim(); err != nil {
		return nil, err
	}
	if err := dropResidues(v, places(m)); err != nil {
		return nil, err
	}
	var changes []Change
	for _, p := range places(m) {
		c, changed := Change{startKey: p}, false
		for i, name := range p.names {
			value := p.values[i].Value
			if references, err := v.References(name); err == nil && !p.values[i].Formula {
				var x [1]float64
				if v.Get(references, x[:]) == nil { // else it is no start value in this tree
					value = x[0]
				}
			}
			c.now = append(c.now, value)
			changed = changed || c.differs(i)
		}
		if !changed {
			continue
		}
		if n := len(changes); c.allRelative && !c.saysRelative && (n == 0 || changes[n-1].component != c.component) {
			changes = append(changes, Change{startKey: startKey{component: c.component, path: []string{"start", "relative"},
				raw: "true"}})
		}
		changes = append(changes, c)
	}
	return changes, placeInDesign(v, changes)
}

// placeInDesign replaces differences from the design position by start values in ground where the file has some.
func placeInDesign(v *library.Vehicle, changes []Change) error {
	initialised := false
	for _, c := range changes {
		if !c.relative || c.allRelative {
			continue
		}
		if !initialised {
			if err := v.Initialise(); err != nil {
				return err
			}
			initialised = true
		}
		references, err := v.References(c.names...)
		if err != nil {
			return err
		}
		if err := v.Get(references, c.now); err != nil {
			return err
		}
	}
	return nil
}

// Unwritten are the settings that a model file does not get with the start values: inputs and parameters, and start
// values that are formulas.
func Unwritten(m *vehicle.Model, settings []manoeuvre.Setting) (list []manoeuvre.Setting) {
	written := map[string]bool{}
	for _, p := range places(m) {
		for i, name := range p.names {
			written[name] = !p.values[i].Formula
		}
	}
	for _, s := range settings {
		if !written[s.Name] {
			list = append(list, s)
		}
	}
	return list
}

// condition begins the comment in a file whose start values hold with settings that it does not have.
const condition = "# The start values are those of skidpad trim with "

// Conditioned is the text of a model file with a comment at its end. The comment lists the settings for which its start
// values are steady and replaces an earlier comment; without settings the earlier comment is removed.
func Conditioned(data []byte, settings []manoeuvre.Setting) []byte {
	var kept []byte
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte(condition)) {
			kept = append(kept, line...)
		}
	}
	if len(settings) == 0 {
		return kept
	}
	if len(kept) > 0 && kept[len(kept)-1] != '\n' {
		kept = append(kept, '\n')
	}
	return append(kept, condition+Listed(settings)+", which this file does not have.\n"...)
}

// Listed writes settings in SI units.
func Listed(settings []manoeuvre.Setting) string {
	var list []string
	for _, s := range settings {
		list = append(list, strings.TrimSpace(s.Name+" = "+s.Value+" "+s.Written.SI()))
	}
	return strings.Join(list, ", ")
}

// A search for steady start values ends beside 0 by at most firstResidue where 0 is right, one that begins at 0 by at
// most secondResidue [m, rad and their rates].
const (
	firstResidue  = 1e-10
	secondResidue = 2e-12
)

// dropResidues sets to 0 what the search has left beside 0, where a second search, from there, comes back to 0.
// Otherwise all stays as it was found.
func dropResidues(v *library.Vehicle, list []startKey) error {
	var all []uint32
	for _, p := range list {
		for i, name := range p.names {
			var x [1]float64
			reference, err := v.References(name)
			if err == nil && !p.values[i].Formula && v.Get(reference, x[:]) == nil && v.Set(reference, x[:]) == nil {
				all = append(all, reference[0])
			}
		}
	}
	found, now := make([]float64, len(all)), make([]float64, len(all))
	if err := v.Get(all, found); err != nil {
		return err
	}
	if err := v.Set(all, zeroBelow(firstResidue, found)); err != nil {
		return err
	}
	if v.Trim() != nil || v.Get(all, now) != nil {
		return v.Set(all, found)
	}
	now = zeroBelow(secondResidue, now)
	for i, x := range found {
		if math.Abs(x) < firstResidue && now[i] != 0 {
			return v.Set(all, found)
		}
	}
	return v.Set(all, now)
}

// zeroBelow are the values with 0 in place of those closer to it than the bound.
func zeroBelow(bound float64, values []float64) []float64 {
	kept := slices.Clone(values)
	for i, x := range kept {
		if math.Abs(x) < bound {
			kept[i] = 0
		}
	}
	return kept
}

// noise is the size of rounding differences.
const noise = 1e-13

func (c *Change) differs(i int) bool {
	return math.Abs(c.now[i]-c.values[i].Value) > noise*max(1, math.Abs(c.now[i]))
}

// number writes value i, in the unit of the file where that holds it.
func (c *Change) number(i int) string {
	s := c.values[i]
	if s.Formula || !c.differs(i) && s.Unit == "" {
		return written(s)
	}
	if s.Unit != "" {
		if u, err := unit.Parse(s.Unit); err == nil {
			text := strconv.FormatFloat(c.now[i]/u.Of(1), 'g', -1, 64)
			if x, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(u.Of(x)-c.now[i]) <= 4e-16*math.Abs(c.now[i]) {
				return strconv.Quote(text + " " + s.Unit)
			}
		}
	}
	return strconv.FormatFloat(c.now[i], 'g', -1, 64)
}

// written is a number of the file as TOML.
func written(s keys.Scalar) string {
	if s.Formula {
		return strconv.Quote(s.Text)
	}
	return s.Text
}

// value is the value of the key as TOML.
func (c *Change) value() string {
	if c.raw != "" {
		return c.raw
	}
	var list []string
	for i := range c.now {
		list = append(list, c.number(i))
	}
	if c.list {
		return "[" + strings.Join(list, ", ") + "]"
	}
	return list[0]
}

// WriteSummary prints what was written into a file: how many start values, and a line for each of them.
func WriteSummary(to io.Writer, file string, changes []Change) error {
	_, err := fmt.Fprintf(to, "%s: %d start values changed\n", file, len(changes))
	for _, c := range changes {
		if err == nil {
			_, err = fmt.Fprintf(to, "  %s.%s = %s\n", c.component, strings.Join(c.path, "."), c.value())
		}
	}
	return err
}

// WriteTables prints the changes as tables of a model file, or of a variant.
func WriteTables(to io.Writer, changes []Change) error {
	last := ""
	for _, c := range changes {
		heading := "[component." + c.component + "." + c.path[0] + "]"
		if heading != last {
			gap := "\n"
			if last == "" {
				gap = ""
			}
			if _, err := fmt.Fprintf(to, "%s%s\n", gap, heading); err != nil {
				return err
			}
			last = heading
		}
		if _, err := fmt.Fprintf(to, "%s = %s\n", c.path[1], c.value()); err != nil {
			return err
		}
	}
	return nil
}
