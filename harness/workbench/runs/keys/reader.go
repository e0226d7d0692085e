// Package keys reads the tables of TOML files that say what is done to a vehicle: numbers, also as formulas of
// constants, texts and lists. Everything wrong with a file is reported together, with its place.
package keys

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/unit"
)

// Reader gathers faults while it reads. Its zero value knows no constants.
type Reader struct {
	document.Faults
	Constants map[string]float64
	Units     map[string]string // SI units of constants that were given with a unit
	Compared  map[string]bool   // constants with a unit that are used where the unit is known, or is when the run begins
	Where     string            // where a constant that is missing is to be given; "" for [constants]

	tables map[*document.Node][]document.Key
	early  error // faults found up to the constants
	absent []absentConstant
}

// absentConstant is a constant that a formula uses and that is not there.
type absentConstant struct {
	name string
	at   *document.Node // the formula
}

// Err is the error of everything that is wrong. Where constants are missing it names each of them once, with the faults
// found up to the constants and nothing else: faults of the values that were made without them would only hide the
// cause.
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

// ErrAfter is Err with what is wrong with another file that was read before with the same constants.
func (r *Reader) ErrAfter(before *Reader) error {
	if len(before.absent) > 0 { // some constants are missing in both
		r.absent = append(before.absent, r.absent...)
	}
	if len(r.absent) > 0 {
		return r.Err()
	}
	return errors.Join(before.Faults.Err(), r.Faults.Err())
}

// ConstantsRead says that what was read up to now are the constants, whose faults count where some are missing.
func (r *Reader) ConstantsRead() { r.early = r.Faults.Err() }

// Absent are the names of constants that are missing.
func (r *Reader) Absent() (names []string) {
	for _, a := range r.absent {
		names = append(names, a.name)
	}
	return names
}

// Keys notes every key of n that is not allowed.
func (r *Reader) Keys(n *document.Node, allowed ...string) {
	for _, key := range n.Keys {
		if !slices.Contains(allowed, key) {
			hint := ""
			if near := document.Nearest(key, allowed); near != "" {
				hint = fmt.Sprintf("did you mean %q? ", near)
			}
			r.At(n.Field(key), "unknown key %q; %sallowed here are %q", key, hint, allowed)
		}
	}
}

// Table notes every key of n that is not one of a list, which also has the units of numbers in n.
func (r *Reader) Table(n *document.Node, list []document.Key) {
	r.Keys(n, document.Names(list)...)
	if r.tables == nil {
		r.tables = map[*document.Node][]document.Key{}
	}
	r.tables[n] = list
}

// unit is that of a key of n; "" where numbers have none.
func (r *Reader) unit(n *document.Node, key string) string {
	if k := document.Find(r.tables[n], key); k != nil {
		return k.Unit
	}
	return ""
}

// Is notes when n, the value of key, is not of the kind.
func (r *Reader) Is(n *document.Node, key string, kind document.Kind) bool {
	if n.Kind != kind {
		r.At(n, "%q holds %v; it must be %v", key, n, kind)
	}
	return n.Kind == kind
}

// Field returns the value of a key that must be there and of the kind; nil
// when it is not.
func (r *Reader) Field(n *document.Node, key string, kind document.Kind) *document.Node {
	value := n.Field(key)
	if value == nil {
		r.At(n, "key %q is missing; it is %v", key, kind)
		return nil
	}
	if !r.Is(value, key, kind) {
		return nil
	}
	return value
}

// Text reads a text that is not empty.
func (r *Reader) Text(n *document.Node, key string) string {
	value := r.Field(n, key, document.Text)
	if value == nil {
		return ""
	}
	if value.Text == "" {
		r.At(value, "%q is empty", key)
	}
	return value.Text
}

// OptionalText reads a text that need not be given.
func (r *Reader) OptionalText(n *document.Node, key string) string {
	if n.Field(key) == nil {
		return ""
	}
	return r.Text(n, key)
}

// Number reads a finite number, in the unit of its key.
func (r *Reader) Number(n *document.Node, key string) float64 {
	return r.NumberIn(n, key, r.unit(n, key))
}

// NumberIn reads a finite number whose SI unit is si.
func (r *Reader) NumberIn(n *document.Node, key, si string) float64 {
	if value := n.Field(key); value != nil && value.Kind == document.Text {
		return r.Quantity(value, key, si)
	}
	if value := r.Field(n, key, document.Number); value != nil {
		return r.Quantity(value, key, si)
	}
	return 0
}

// Finite is Quantity for a number without a unit.
func (r *Reader) Finite(n *document.Node, key string) float64 { return r.Quantity(n, key, "") }

// Quantity is the value in SI units of a number, of a text of a number and its unit, or of a formula of constants; 1
// where that is faulty, which nothing else finds fault with. si is the SI unit, "" for none, document.AnyUnit for any.
func (r *Reader) Quantity(n *document.Node, key, si string) float64 {
	x := n.Number
	if n.Kind == document.Text {
		if number, is, err := unit.ParseNumber(n.Text); is || err != nil {
			return r.measured(n, key, si, number, err)
		}
		f, err := signal.ParseLaw(n.Text, r.Constants)
		switch {
		case err != nil && unit.HoldsUnit(n.Text):
			r.At(n, "%q holds %v; a unit stands behind a number alone, such as \"5 mm\", not in a formula: make the "+
				"number a constant", key, n)
			return 1
		case err != nil:
			r.At(n, "%q holds %v; it must be a number or a formula of constants: %v", key, n, err)
			return 1
		case len(f.Reads) > 0:
			for _, name := range f.Reads {
				r.absent = append(r.absent, absentConstant{name, n})
			}
			return 1
		}
		r.Fits(n, key, si)
		x = f.Value(nil)
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.At(n, "%q is %v; it must be finite", key, n)
	}
	return x
}

// measured is the value of a number with a unit; err says what is wrong with it as text.
func (r *Reader) measured(n *document.Node, key, si string, number unit.Number, err error) float64 {
	var u unit.Unit
	switch {
	case err != nil:
	case si == "":
		err = errors.New("it takes a number without a unit, in SI units")
	case si == document.AnyUnit:
		u, err = unit.Parse(number.Unit)
	default:
		u, err = unit.Fit(number.Unit, si)
	}
	if err != nil {
		r.At(n, "%q is %v: %v", key, n, err)
		return 1
	}
	x := u.Of(number.Value)
	if math.IsInf(x, 0) {
		r.At(n, "%q is %v; it must be finite", key, n)
		return 1
	}
	return x
}

// UnitOf is the SI unit of a number that is written with one, or that is a constant given with one; "" for others.
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
func (r *Reader) Fits(n *document.Node, key, si string) {
	if !isKnown(si) {
		return
	}
	if err := r.Written(n, key).Fits(si); err != nil {
		r.At(n, "%q is %v: %v", key, n, errors.Unwrap(err))
	}
}

// isKnown reports whether a unit can be compared with others.
func isKnown(si string) bool {
	if si == "" || si == document.AnyUnit {
		return false
	}
	_, err := unit.Parse(si)
	return err == nil
}

// Written is a number that is given with a unit, for what its file does not tell the unit of.
type Written struct{ place, key, text, unit string }

// Written is the number n, whose unit the caller compares; the zero value where it has no unit.
func (r *Reader) Written(n *document.Node, key string) Written {
	if u := r.UnitOf(n); u != "" {
		if r.Units[n.Text] != "" {
			if r.Compared == nil {
				r.Compared = map[string]bool{}
			}
			r.Compared[n.Text] = true
		}
		return Written{fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column), key, n.Text, u}
	}
	return Written{}
}

// ParseWritten is the value in SI units of a text that is a number with a unit, of a key at a place such as a flag; is
// is false for other texts. The error is that of a unit that is not known.
func ParseWritten(place, key, text string) (value float64, w Written, is bool, err error) {
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
		return 0, Written{}, true, fmt.Errorf("%s: %q is %q: %w", place, key, text, err)
	}
	return value, Written{place, key, text, u.Base(number.Unit)}, true, nil
}

// SI is the SI unit of the number; "" where it was given without one.
func (w Written) SI() string { return w.unit }

// Show is a number like this one, given in SI units, with four digits and in the unit of this one.
func (w Written) Show(x float64) string {
	written := ""
	if number, is, err := unit.ParseNumber(w.text); is && err == nil {
		if u, err := unit.Parse(number.Unit); err == nil {
			x, written = x/u.Of(1), " "+number.Unit
		}
	}
	return strconv.FormatFloat(x, 'g', 4, 64) + written
}

// Fits is the error of a number whose unit is not one for what is kept in si, with its place. Units that nobody knows
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
		return fmt.Errorf("%s: %q is %q: %w", w.place, w.key, w.text, err)
	}
	return nil
}

// Unknown is the error of a number with a unit for a constant whose unit nothing tells.
func (w Written) Unknown() error {
	return fmt.Errorf("%s: %q is %q: the constant is given without a unit, and no use tells it; give a number without a "+
		"unit, in SI units, or write the unit behind the constant's number in its file", w.place, w.key, w.text)
}

// OneUnit is the first of several numbers that has a unit, the zero value for none. It notes others whose unit is for
// something else; what is not there is nil.
func (r *Reader) OneUnit(key string, numbers ...*document.Node) (first Written) {
	for _, n := range numbers {
		written := r.Written(n, key)
		if r.Fits(n, key, first.unit); first == (Written{}) {
			first = written
		}
	}
	return first
}

// Positive reads a finite number above zero.
func (r *Reader) Positive(n *document.Node, key string) float64 {
	x := r.Number(n, key)
	if value := n.Field(key); x <= 0 && value != nil && (value.Kind == document.Number || value.Kind == document.Text) {
		r.At(value, "%q is %v; it must be above 0", key, value)
	}
	return x
}

// NotNegative reads a finite number that is not below zero.
func (r *Reader) NotNegative(n *document.Node, key string) float64 {
	x := r.Number(n, key)
	if x < 0 {
		r.At(n.Field(key), "%q is %v; it must not be below 0", key, n.Field(key))
	}
	return x
}

// List reads a list that is not empty and whose elements are of the kind.
func (r *Reader) List(n *document.Node, key string, kind document.Kind) []*document.Node {
	value := r.Field(n, key, document.List)
	if value == nil {
		return nil
	}
	if len(value.Items) == 0 {
		r.At(value, "%q needs at least one element", key)
	}
	good := true
	for _, item := range value.Items {
		good = r.Is(item, key, kind) && good
	}
	if !good {
		return nil
	}
	return value.Items
}

// Texts reads a list of texts, which is not empty.
func (r *Reader) Texts(n *document.Node, key string) []string {
	var texts []string
	for _, item := range r.List(n, key, document.Text) {
		texts = append(texts, item.Text)
	}
	return texts
}

// Numbers reads a list of numbers, which is not empty, in the unit of its key.
func (r *Reader) Numbers(n *document.Node, key string) []float64 {
	return r.NumbersIn(n, key, r.unit(n, key))
}

// NumbersIn reads a list of numbers whose SI unit is si.
func (r *Reader) NumbersIn(n *document.Node, key, si string) []float64 {
	value := r.Field(n, key, document.List)
	if value == nil {
		return nil
	}
	if len(value.Items) == 0 {
		r.At(value, "%q needs at least one element", key)
	}
	var numbers []float64
	good := true
	for _, item := range value.Items {
		if item.Kind == document.Text || r.Is(item, key, document.Number) {
			numbers = append(numbers, r.Quantity(item, key, si))
		} else {
			good = false
		}
	}
	if !good {
		return nil
	}
	return numbers
}

// RelativeTo is the path of a file that the file at path names: relative to its folder, unless it is absolute.
func RelativeTo(path, file string) string {
	if file = filepath.FromSlash(file); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(path), file)
}
