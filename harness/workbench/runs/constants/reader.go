// Package constants reads files whose numbers can be formulas of constants that they, or others before them, give. It
// knows the units of constants, and of numbers for what a file alone does not tell the unit of.
package constants

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"

	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/unit"
)

// Reader reads a file by its keys.
type Reader struct {
	*keys.Reader
	Constants map[string]float64
	Units     map[string]string // SI units of constants that were given with a unit
	Compared  map[string]bool   // constants with a unit that are used where the unit is known, or is when the run begins
	Where     string            // where a constant that is missing is to be given; "" for [constants]

	early  error // faults found up to the constants
	absent []absentConstant
}

// NewReader is a reader of a file without constants.
func NewReader(file string, root *document.Node) *Reader {
	r := &Reader{Reader: keys.NewReader(file, root, nil), Constants: map[string]float64{}, Units: map[string]string{},
		Compared: map[string]bool{}}
	r.Values = r
	return r
}

// absentConstant is a constant that a formula uses and that is not there.
type absentConstant struct {
	name string
	at   *document.Node // the formula
}

// Err is the error of everything that is wrong. If constants are missing, it names each missing constant once, with the
// errors found up to the constants and nothing else: errors of values made without them would only hide the cause.
func (r *Reader) Err() error {
	if len(r.absent) == 0 {
		return r.Faults.Err()
	}
	uses := map[string]int{}
	for _, a := range r.absent {
		uses[a.name]++
	}
	all := []error{r.early}
	for _, a := range r.absent {
		n := uses[a.name]
		if n == 0 {
			continue // reported
		}
		uses[a.name] = 0
		also := ""
		if n > 1 {
			also = fmt.Sprintf(" (and %d more)", n-1)
		}
		faults := document.Faults{File: a.at.File}
		faults.At(a.at,
			"there is no constant %q, which the formula %q%s needs (it must be a number or a formula of constants); "+
				"give it in %s", a.name, a.at.Text, also, cmp.Or(r.Where, "[constants]"))
		all = append(all, faults.Err())
	}
	return errors.Join(all...)
}

// ErrAfter is Err with the errors of another file that was read before with the same constants.
func (r *Reader) ErrAfter(before *Reader) error {
	if len(before.absent) > 0 { // some constants are missing in both
		r.absent = append(before.absent, r.absent...)
	}
	if len(r.absent) > 0 {
		return r.Err()
	}
	return errors.Join(before.Faults.Err(), r.Faults.Err())
}

// ConstantsRead marks the end of the constants: errors up to here are reported together with missing constants.
func (r *Reader) ConstantsRead() { r.early = r.Faults.Err() }

// Absent are the names of constants that are missing.
func (r *Reader) Absent() (names []string) {
	for _, a := range r.absent {
		names = append(names, a.name)
	}
	return names
}

// Value returns the number of a formula of constants, and notes constants that are missing.
func (r *Reader) Value(n *document.Node, path string, k *keys.Key) (x float64, ok bool) {
	f, err := signal.ParseLaw(n.Text, r.Constants)
	switch {
	case err != nil && unit.HoldsUnit(n.Text):
		r.At(n, "%s is %s; a unit stands behind a number alone, such as \"5 mm\", not in a formula: make the number a "+
			"constant", path, n)
		return 0, false
	case err != nil:
		r.At(n, "%s is %s; it must be a number or a formula of constants: %v", path, n, err)
		return 0, false
	case len(f.Reads) > 0:
		for _, name := range f.Reads {
			r.absent = append(r.absent, absentConstant{name, n})
		}
		return 0, false
	}
	r.Fits(n, path, k.Unit)
	return f.Value(nil), true
}

// UnitOf is the SI unit of a number written with a unit, or of a constant given with a unit; "" for others.
func (r *Reader) UnitOf(n *document.Node) string {
	if n == nil || n.Kind != document.Text {
		return ""
	}
	if number, is, err := unit.ParseNumber(n.Text); is && err == nil {
		if u, err := unit.Parse(number.Unit); err == nil {
			return u.Base(number.Unit)
		}
		return ""
	}
	return r.Units[n.Text]
}

// Fits notes a number whose unit is known and not one for what is kept in si.
func (r *Reader) Fits(n *document.Node, path, si string) {
	if !isKnown(si) {
		return
	}
	if err := r.Written(n, path).Fits(si); err != nil {
		r.At(n, "%s is %s: %v", path, n, errors.Unwrap(err))
	}
}

// isKnown reports whether a unit can be compared with others.
func isKnown(si string) bool {
	if si == "" || si == keys.AnyUnit {
		return false
	}
	_, err := unit.Declared(si)
	return err == nil
}

// Written is a number that is given with a unit, for what its file does not tell the unit of.
type Written struct{ position, key, text, unit string }

// WrittenAt is the unit of a column of a file, at the position of its header, which the caller compares.
func WrittenAt(position, key, text, unit string) Written { return Written{position, key, text, unit} }

// Written is the number n, whose unit the caller compares; the zero value where it has no unit.
func (r *Reader) Written(n *document.Node, key string) Written {
	if u := r.UnitOf(n); u != "" {
		if r.Units[n.Text] != "" {
			r.Compared[n.Text] = true
		}
		return Written{fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column), key, n.Text, u}
	}
	return Written{}
}

// ParseWritten is the SI value of a string that is a number with a unit, for a key at a position such as a flag; is is
// false for other strings. The error reports an unknown unit.
func ParseWritten(position, key, text string) (value float64, w Written, is bool, err error) {
	number, is, err := unit.ParseNumber(text)
	if !is && err == nil {
		return 0, Written{}, false, nil
	}
	var u unit.Unit
	if err == nil {
		u, err = unit.Parse(number.Unit)
	}
	if value = u.Of(number.Value); err == nil && math.IsInf(value, 0) {
		err = errors.New("it must be finite")
	}
	if err != nil {
		return 0, Written{}, true, fmt.Errorf("%s: %q is %q: %w", position, key, text, err)
	}
	return value, Written{position, key, text, u.Base(number.Unit)}, true, nil
}

// InUnit is a number in an SI unit that is known otherwise than from what was written; "" for none.
func InUnit(si string) Written {
	if si == "" || si == "1" {
		return Written{}
	}
	return Written{text: "1 " + si, unit: si}
}

// SI is the SI unit of the number; "" where it was given without one.
func (w Written) SI() string { return w.unit }

// Show formats a number, given in SI units, with four digits and in the unit of w.
func (w Written) Show(x float64) string {
	written := ""
	if number, is, err := unit.ParseNumber(w.text); is && err == nil {
		if u, err := unit.Parse(number.Unit); err == nil {
			x, written = x/u.Of(1), " "+number.Unit
		}
	}
	return strconv.FormatFloat(x, 'g', 4, 64) + written
}

// Fits is the error of a number with a unit that does not match the unit si, with its position. Units that nobody knows
// are not compared.
func (w Written) Fits(si string) error {
	if w.unit == "" || !isKnown(si) {
		return nil
	}
	written := w.unit
	if number, is, err := unit.ParseNumber(w.text); is && err == nil {
		written = number.Unit
	}
	if _, err := unit.Fit(written, si); err != nil {
		return fmt.Errorf("%s: %q is %q: %w", w.position, w.key, w.text, err)
	}
	return nil
}

// Unknown is the error of a number with a unit for a constant whose unit nothing tells.
func (w Written) Unknown() error {
	return fmt.Errorf("%s: %q is %q: the constant is given without a unit, and no use tells it; give a number without a "+
		"unit, in SI units, or write the unit behind the constant's number in its file", w.position, w.key, w.text)
}

// OneUnit is the first of several numbers that has a unit, the zero value for none. It reports numbers with a unit of
// another quantity; nil nodes are skipped.
func (r *Reader) OneUnit(key string, numbers ...*document.Node) (first Written) {
	for _, n := range numbers {
		written := r.Written(n, key)
		if r.Fits(n, key, first.unit); first == (Written{}) {
			first = written
		}
	}
	return first
}
