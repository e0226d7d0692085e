package harness

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/document"
)

// manoeuvreReader gathers faults while it reads; driven holds what inputs seen so far drive, by name.
type manoeuvreReader struct {
	document.Faults
	driven    map[string]bool
	constants map[string]float64
	early     error // faults found up to the constants
	absent    []absentConstant
	car       *car // nil without
}

// absentConstant is a constant that a formula uses and that is not there.
type absentConstant struct {
	name string
	at   *document.Node // the formula
}

// Err is the error of everything that is wrong. Where constants are missing it names each of them once, with the faults
// found up to the constants and nothing else: faults of the values that were made without them would only hide the cause.
func (r *manoeuvreReader) Err() error {
	if len(r.absent) == 0 {
		return r.Faults.Err()
	}
	uses := map[string]int{}
	for _, a := range r.absent {
		uses[a.name]++
	}
	where := "[constants]"
	if r.car != nil {
		where += " of the manoeuvre or of the car file " + r.car.reader.File
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
		faults.At(a.at, "there is no constant %q, which the formula %q%s needs (it must be a number or a formula of constants); give it in %s", a.name, a.at.Text, also, where)
		all = append(all, faults.Err())
	}
	return errors.Join(all...)
}

// relativeTo is the path of a file that the file at path names: relative to its folder, unless it is absolute.
func relativeTo(path, file string) string {
	if file = filepath.FromSlash(file); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(path), file)
}

// keys notes every key of n that is not allowed.
func (r *manoeuvreReader) keys(n *document.Node, allowed ...string) {
	for _, key := range n.Keys {
		if !slices.Contains(allowed, key) {
			r.At(n.Field(key), "unknown key %q; allowed here are %q", key, allowed)
		}
	}
}

// is notes when n, the value of key, is not of the kind.
func (r *manoeuvreReader) is(n *document.Node, key string, kind document.Kind) bool {
	if n.Kind != kind {
		r.At(n, "%q holds %v; it must be %v", key, n, kind)
	}
	return n.Kind == kind
}

// field returns the value of a key that must be there and of the kind; nil
// when it is not.
func (r *manoeuvreReader) field(n *document.Node, key string, kind document.Kind) *document.Node {
	value := n.Field(key)
	if value == nil {
		r.At(n, "key %q is missing; it is %v", key, kind)
		return nil
	}
	if !r.is(value, key, kind) {
		return nil
	}
	return value
}

// text reads a text that is not empty.
func (r *manoeuvreReader) text(n *document.Node, key string) string {
	value := r.field(n, key, document.Text)
	if value == nil {
		return ""
	}
	if value.Text == "" {
		r.At(value, "%q is empty", key)
	}
	return value.Text
}

// optionalText reads a text that need not be given.
func (r *manoeuvreReader) optionalText(n *document.Node, key string) string {
	if n.Field(key) == nil {
		return ""
	}
	return r.text(n, key)
}

// number reads a finite number.
func (r *manoeuvreReader) number(n *document.Node, key string) float64 {
	if value := n.Field(key); value != nil && value.Kind == document.Text {
		return r.finite(value, key)
	}
	if value := r.field(n, key, document.Number); value != nil {
		return r.finite(value, key)
	}
	return 0
}

// finite is the value of a number, or of a text that is a formula of constants; 1 where that is faulty,
// which nothing else finds fault with.
func (r *manoeuvreReader) finite(n *document.Node, key string) float64 {
	x := n.Number
	if n.Kind == document.Text {
		f, err := ParseLaw(n.Text, r.constants)
		switch {
		case err != nil:
			r.At(n, "%q holds %v; it must be a number or a formula of constants: %v", key, n, err)
			return 1
		case len(f.Reads) > 0:
			for _, name := range f.Reads {
				r.absent = append(r.absent, absentConstant{name, n})
			}
			return 1
		}
		x = f.Value(nil)
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.At(n, "%q is %v; it must be finite", key, n)
	}
	return x
}

// positive reads a finite number above zero.
func (r *manoeuvreReader) positive(n *document.Node, key string) float64 {
	x := r.number(n, key)
	if value := n.Field(key); x <= 0 && value != nil && (value.Kind == document.Number || value.Kind == document.Text) {
		r.At(value, "%q is %v; it must be above 0", key, value)
	}
	return x
}

// notNegative reads a finite number that is not below zero.
func (r *manoeuvreReader) notNegative(n *document.Node, key string) float64 {
	x := r.number(n, key)
	if x < 0 {
		r.At(n.Field(key), "%q is %v; it must not be below 0", key, n.Field(key))
	}
	return x
}

// readConstants reads the table [constants], in which a formula may use those before it and those of list, which it goes
// on and in which it replaces what has the same name; others replace some of them.
func (r *manoeuvreReader) readConstants(root *document.Node, list, others []ConstantValue) []ConstantValue {
	n := root.Field("constants")
	if n == nil || !r.is(n, "constants", document.Table) {
		return list
	}
	for _, name := range n.Keys {
		if !plainName(name) {
			r.At(n.Field(name), "constant %q; a name begins with a letter, goes on with letters, digits and _, and is not time or pi", name)
			continue
		}
		c := ConstantValue{name, r.number(n, name)}
		same := func(other ConstantValue) bool { return other.Name == name }
		if i := slices.IndexFunc(others, same); i >= 0 {
			c.Value = others[i].Value
		}
		r.constants[name] = c.Value
		list = append(slices.DeleteFunc(list, same), c)
	}
	r.early = r.Faults.Err()
	return list
}

// plainName reports whether a formula reads name as one name that means nothing else.
func plainName(name string) bool {
	l, err := ParseLaw(name, nil)
	return err == nil && len(l.Reads) == 1 && l.Reads[0] == name && name != "time" && !strings.Contains(name, ".")
}

// list reads a list that is not empty and whose elements are of the kind.
func (r *manoeuvreReader) list(n *document.Node, key string, kind document.Kind) []*document.Node {
	value := r.field(n, key, document.List)
	if value == nil {
		return nil
	}
	if len(value.Items) == 0 {
		r.At(value, "%q needs at least one element", key)
	}
	good := true
	for _, item := range value.Items {
		good = r.is(item, key, kind) && good
	}
	if !good {
		return nil
	}
	return value.Items
}

func (r *manoeuvreReader) texts(n *document.Node, key string) []string {
	var texts []string
	for _, item := range r.list(n, key, document.Text) {
		texts = append(texts, item.Text)
	}
	return texts
}

// numbers reads a list of numbers, which is not empty.
func (r *manoeuvreReader) numbers(n *document.Node, key string) []float64 {
	value := r.field(n, key, document.List)
	if value == nil {
		return nil
	}
	if len(value.Items) == 0 {
		r.At(value, "%q needs at least one element", key)
	}
	var numbers []float64
	good := true
	for _, item := range value.Items {
		if item.Kind == document.Text || r.is(item, key, document.Number) {
			numbers = append(numbers, r.finite(item, key))
		} else {
			good = false
		}
	}
	if !good {
		return nil
	}
	return numbers
}
