package keys

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"skidpad/model/document"
	"skidpad/model/expr"
)

// Matrix returns a matrix of a given size, nil where it is not given.
func (f *Fields) Matrix(name string, rows, columns int) [][]Scalar {
	return f.MatrixIn(name, rows, columns, func(int, int) string { return f.find(name).Unit })
}

// MatrixIn is Matrix for elements whose SI units differ.
func (f *Fields) MatrixIn(name string, rows, columns int, unit func(i, j int) string) [][]Scalar {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List || len(n.Items) != rows {
		f.Reader.At(n, "%s is %s; it must be a list of %d rows", f.PathOf(name), n, rows)
		return nil
	}
	m := make([][]Scalar, rows)
	for i, row := range n.Items {
		if row.Kind != document.List || len(row.Items) != columns {
			f.Reader.At(row, "%s[%d] is %s; it must be a list of %d numbers or formulas", f.PathOf(name), i, row,
				columns)
			return nil
		}
		for j, item := range row.Items {
			one := *k
			one.Unit = unit(i, j)
			m[i] = append(m[i], f.Reader.Scalar(item, fmt.Sprintf("%s[%d][%d]", f.PathOf(name), i, j), &one))
		}
	}
	return m
}

// Scalar returns a number within the bounds of its key, or the default if the key is not given.
func (f *Fields) Scalar(name string) Scalar {
	k, n := f.get(name)
	if n == nil {
		if k.Default == "" {
			return Scalar{Text: "0", Default: true}
		}
		r, _ := expr.ParseRational(k.Default)
		s := Scalar{Value: r.Float(), Text: k.Default, Nonnegative: k.Nonnegative, Positive: k.Positive,
			AtMostOne: k.AtMostOne, Default: true}
		if f.Table != nil {
			s.Pos = f.Reader.Position(f.Table)
		}
		return s
	}
	if f.Turning && k.Turning != "" {
		on := *k
		on.Unit = k.Turning
		k = &on
	}
	if n.Kind == document.Table && k.FromFile != "" {
		f.Reader.Fields(n, f.PathOf(name), fromKeys).Text("from")
		return Scalar{FromFile: k.FromFile, Pos: f.Reader.Position(n), Nonnegative: k.Nonnegative, Positive: k.Positive,
			AtMostOne: k.AtMostOne}
	}
	return f.Reader.bounded(n, f.PathOf(name), k)
}

// fromKeys are the keys of a number from a tire's property file.
var fromKeys = []Key{{Name: "from", Shape: WordShape, Choices: []string{"file"}, Text: "where the number is"}}

// ScalarIn is Scalar for a key whose SI unit another key tells.
func (f *Fields) ScalarIn(name, unit string) Scalar {
	k, n := f.get(name)
	if n == nil {
		return f.Scalar(name)
	}
	on := *k
	on.Unit = unit
	return f.Reader.bounded(n, f.PathOf(name), &on)
}

// Scalars returns the numbers of a list.
func (f *Fields) Scalars(name string) []Scalar {
	k, n := f.get(name)
	switch {
	case n == nil:
		return nil
	case n.Kind != document.List:
		f.reportInvalid(n, k)
	case len(n.Items) == 0:
		f.Reader.At(n, "%s is empty; it needs at least one number", f.PathOf(name))
	}
	one := *k
	one.Shape = ScalarShape
	var list []Scalar
	for i, item := range n.Items {
		list = append(list, f.Reader.bounded(item, fmt.Sprintf("%s[%d]", f.PathOf(name), i), &one))
	}
	return list
}

// Number returns the value of a number, or its default. A wrong number is 1, which passes other checks.
func (f *Fields) Number(name string) float64 { return f.Scalar(name).orOne() }

// orOne is the value, 1 for one that is wrong.
func (s Scalar) orOne() float64 {
	if math.IsNaN(s.Value) {
		return 1
	}
	return s.Value
}

// Numbers are the values of a list; nil where one of them is neither a number nor a text.
func (f *Fields) Numbers(name string) []float64 {
	n := f.Node(name)
	if n == nil {
		return nil
	}
	var values []float64
	scalars := f.Scalars(name)
	for i, item := range n.Items {
		if item.Kind != document.Number && item.Kind != document.Text {
			return nil
		}
		values = append(values, scalars[i].orOne())
	}
	return values
}

// Vector returns three numbers, zeros where they are not given.
func (f *Fields) Vector(name string) Vector {
	k, n := f.get(name)
	zero := Scalar{Text: "0"}
	v := Vector{zero, zero, zero}
	if n == nil {
		return v
	}
	if n.Kind != document.List || len(n.Items) != 3 {
		f.reportInvalid(n, k)
		return v
	}
	for i, item := range n.Items {
		if i > 0 && v[i-1].Formula && math.IsNaN(v[i-1].Value) && n.Items[i-1].Line == item.Line &&
			n.Items[i-1].Column == item.Column {
			v[i] = v[i-1] // of one formula of vectors, which has been reported
			continue
		}
		v[i] = f.Reader.Scalar(item, fmt.Sprintf("%s[%d]", f.PathOf(name), i), k)
		if v[i].Nonnegative = k.Nonnegative; k.Nonnegative && v[i].Value < 0 {
			f.Reader.At(item, "%s[%d] is %s; it must not be negative", f.PathOf(name), i, item)
		}
	}
	return v
}

// Axis returns a unit vector; where it is not given, the default of the key or else x.
func (f *Fields) Axis(name string) [3]float64 {
	k, n := f.get(name)
	if n == nil {
		n = &document.Node{Kind: document.Text, Text: cmp.Or(k.Default, "x")}
	}
	return f.axis(n, k)
}

// FormulaAxis is Axis for an axis whose numbers may be formulas: also the vector of any length where they are.
func (f *Fields) FormulaAxis(name string) (unit [3]float64, along *Vector) {
	k, n := f.get(name)
	if n == nil || n.Kind != document.List || len(n.Items) != 3 ||
		!slices.ContainsFunc(n.Items, func(item *document.Node) bool { return item.Kind == document.Text }) {
		return f.Axis(name), nil
	}
	before := f.Reader.Len()
	along = &Vector{}
	length := 0.0
	for i, item := range n.Items {
		if f.Reader.Len() > before {
			return [3]float64{}, nil // of one formula of vectors
		}
		along[i] = f.Reader.Scalar(item, fmt.Sprintf("%s[%d]", f.PathOf(k.Name), i), &Key{Unit: AnyUnit})
		unit[i] = along[i].Value
		length = math.Hypot(length, unit[i])
	}
	const least = 1e-6
	switch {
	case f.Reader.Len() > before || math.IsNaN(length):
		return [3]float64{}, nil
	case length < least:
		f.Reader.At(n, "%s has no direction: its formulas give a length of %.3g at the start", f.PathOf(k.Name), length)
		return [3]float64{}, nil
	}
	for i := range unit {
		unit[i] /= length
	}
	return unit, along
}

// Axes returns the unit vectors of a list of a given length, nil where it is not given.
func (f *Fields) Axes(name string, count int) [][3]float64 {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List || len(n.Items) != count {
		f.Reader.At(n, "%s is %s; it must be a list of %d axes", f.PathOf(name), n, count)
		return nil
	}
	var list [][3]float64
	for i, item := range n.Items {
		one := *k.Value
		one.Name = fmt.Sprintf("%s[%d]", name, i)
		list = append(list, f.axis(item, &one))
	}
	return list
}

// axis is a unit vector, zeros where it is wrong.
func (f *Fields) axis(n *document.Node, k *Key) [3]float64 {
	if n.Kind == document.Text {
		switch n.Text {
		case "x":
			return [3]float64{1, 0, 0}
		case "y":
			return [3]float64{0, 1, 0}
		case "z":
			return [3]float64{0, 0, 1}
		}
	}
	var u [3]float64
	if n.Kind != document.List || len(n.Items) != 3 {
		f.reportInvalid(n, k)
		return u
	}
	length := 0.0
	for i, item := range n.Items {
		if item.Kind != document.Number || math.IsNaN(item.Number) || math.IsInf(item.Number, 0) {
			f.reportInvalid(item, k)
			return u
		}
		u[i] = item.Number
		length = math.Hypot(length, u[i])
	}
	if length == 0 {
		f.Reader.At(n, "%s has no direction: all three components are 0", f.PathOf(k.Name))
		return u
	}
	for i := range u {
		u[i] /= length
	}
	return u
}
