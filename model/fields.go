package model

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/curve"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/unit"
)

// reader reads one model file.
type reader struct {
	document.Faults
	document   *Document
	root       *document.Node // of the document
	open       bounded.Files
	pool       *expr.Pool
	parameters map[string]float64
	dimensions dimensions // of the parameters
	model      *Model
}

// fields is a table of the file read by a list of keys.
type fields struct {
	r    *reader
	node *document.Node // nil for an optional table that is not given
	keys []Key
	path string
	// turning is for components on a revolute joint, whose numbers may have other units.
	turning bool
}

// fields checks that a table holds the keys it may and must, and returns it.
func (r *reader) fields(n *document.Node, path string, keys []Key) *fields {
	f := &fields{r: r, node: n, keys: keys, path: path}
	if n == nil {
		return f
	}
	if n.Kind != document.Table {
		r.At(n, "%s is %s; it must be a table", path, n)
		f.node = nil
		return f
	}
	var allowed []string
	for _, k := range keys {
		allowed = append(allowed, k.Name)
	}
	for _, name := range n.Keys {
		if f.find(name) == nil {
			hint := ""
			if near := document.Nearest(name, allowed); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			r.At(n.Field(name), "unknown key %q in %s%s allowed keys: %s", name, path, hintOrSemicolon(hint), strings.Join(allowed, ", "))
		}
	}
	for _, k := range keys {
		if n.Field(k.Name) == nil && k.Default == "" && !k.Optional {
			r.At(n, "%s lacks the key %q: %s (%s)", path, k.Name, k.Text, k.describe())
		}
	}
	return f
}

func hintOrSemicolon(hint string) string {
	if hint == "" {
		return ";"
	}
	return hint
}

func (k *Key) describe() string {
	s := k.Shape.String()
	if len(k.Choices) > 0 {
		s += " " + strings.Join(k.Choices, ", ")
	}
	if k.Unit != "" {
		s += " [" + k.Unit + "]"
	}
	return s
}

func (f *fields) find(name string) *Key {
	for i := range f.keys {
		if f.keys[i].Name == name {
			return &f.keys[i]
		}
	}
	return nil
}

// get returns key and value; the value is nil where it is not given.
func (f *fields) get(name string) (*Key, *document.Node) {
	k := f.find(name)
	if k == nil {
		panic("model: key " + name + " is not described in " + f.path)
	}
	if f.node == nil {
		return k, nil
	}
	return k, f.node.Field(name)
}

func (f *fields) given(name string) bool {
	_, n := f.get(name)
	return n != nil
}

func (f *fields) reportInvalid(n *document.Node, k *Key) {
	f.r.At(n, "%s is %s; it must be %s", f.name(k.Name), n, k.describe())
}

// name returns the path of a key in messages.
func (f *fields) name(key string) string {
	if f.node == f.r.root {
		return key
	}
	return f.path + "." + key
}

func (f *fields) text(name string) string {
	k, n := f.get(name)
	switch {
	case n == nil:
		return k.Default
	case n.Kind != document.Text || n.Text == "":
		f.reportInvalid(n, k)
		return k.Default
	}
	if len(k.Choices) > 0 {
		for _, c := range k.Choices {
			if n.Text == c {
				return c
			}
		}
		f.reportInvalid(n, k)
		return k.Choices[0]
	}
	if k.Shape == FrameShape {
		f.r.identifier(n, "frame", n.Text)
	}
	return n.Text
}

// unit returns the name of an SI unit.
func (f *fields) unit(name string) string {
	s := f.text(name)
	if s == "" {
		return s
	}
	if _, err := unit.ParseSI(s); err != nil {
		_, n := f.get(name)
		f.r.At(n, "%s: %v", f.name(name), err)
	}
	return s
}

// frame returns an optional frame name.
func (f *fields) frame(name, otherwise string) string {
	if s := f.text(name); s != "" {
		return s
	}
	return otherwise
}

func (f *fields) texts(name string) []string {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List {
		f.reportInvalid(n, k)
		return nil
	}
	var list []string
	for _, item := range n.Items {
		if item.Kind != document.Text || item.Text == "" {
			f.reportInvalid(item, k)
			continue
		}
		list = append(list, item.Text)
	}
	return list
}

func (f *fields) table(name string) *fields {
	k, n := f.get(name)
	return f.r.fields(n, f.name(name), k.Keys)
}

// tables returns what a list of tables holds.
func (f *fields) tables(name string) []*fields {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List {
		f.reportInvalid(n, k)
		return nil
	}
	var list []*fields
	for i, item := range n.Items {
		list = append(list, f.r.fields(item, fmt.Sprintf("%s[%d]", f.name(name), i), k.Keys))
	}
	return list
}

// matrix returns a matrix of a given size, nil where it is not given.
func (f *fields) matrix(name string, rows, columns int) [][]Scalar {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List || len(n.Items) != rows {
		f.r.At(n, "%s is %s; it must be a list of %d rows", f.name(name), n, rows)
		return nil
	}
	m := make([][]Scalar, rows)
	for i, row := range n.Items {
		if row.Kind != document.List || len(row.Items) != columns {
			f.r.At(row, "%s[%d] is %s; it must be a list of %d numbers or formulas", f.name(name), i, row, columns)
			return nil
		}
		for j, item := range row.Items {
			m[i] = append(m[i], f.r.scalar(item, fmt.Sprintf("%s[%d][%d]", f.name(name), i, j), k))
		}
	}
	return m
}

// curve returns a curve, nil where it is not given or wrong.
func (f *fields) curve(name string) *curve.Curve {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List {
		f.reportInvalid(n, k)
		return nil
	}
	var x, y []float64
	for i, point := range n.Items {
		if point.Kind != document.List || len(point.Items) != 2 || point.Items[0].Kind != document.Number || point.Items[1].Kind != document.Number {
			f.r.At(point, "%s[%d] is %s; it must be a point [x, y], two numbers", f.name(name), i, point)
			return nil
		}
		x, y = append(x, point.Items[0].Number), append(y, point.Items[1].Number)
	}
	through := curve.Monotone
	if k.Smooth {
		through = curve.Smooth
	}
	c, err := through(x, y)
	if fault := (*curve.FormError)(nil); errors.As(err, &fault) {
		if i := fault.Point; i >= 0 {
			f.r.At(n.Items[i].Items[0], "%s[%d] %s", f.name(name), i, fault.Problem)
		} else {
			f.r.At(n, "%s %s", f.name(name), fault.Problem)
		}
	}
	return c
}

func (f *fields) scalar(name string) Scalar {
	k, n := f.get(name)
	if n == nil {
		if k.Default == "" {
			return Scalar{Text: "0"}
		}
		r, _ := expr.ParseRational(k.Default)
		s := Scalar{Value: r.Float(), Text: k.Default, Nonnegative: k.Nonnegative, Positive: k.Positive, AtMostOne: k.AtMostOne}
		if f.node != nil {
			s.Pos = f.r.position(f.node)
		}
		return s
	}
	if f.turning && k.Turning != "" {
		on := *k
		on.Unit = k.Turning
		k = &on
	}
	return f.r.bounded(n, f.name(name), k)
}

// isRevolute reports whether the file has a revolute joint of that name.
func (r *reader) isRevolute(name string) bool {
	components := r.root.Field("component")
	if components == nil || components.Field(name) == nil {
		return false
	}
	word := components.Field(name).Field("type")
	return word != nil && word.Text == "revolute"
}

// bounded reads a scalar within the bounds of its key.
func (r *reader) bounded(n *document.Node, path string, k *Key) Scalar {
	s := r.scalar(n, path, k)
	s.Nonnegative, s.Positive, s.AtMostOne = k.Nonnegative, k.Positive, k.AtMostOne
	switch {
	case k.Positive && s.Value <= 0:
		r.At(n, "%s is %s; it must be above 0", path, n)
	case k.Nonnegative && s.Value < 0:
		r.At(n, "%s is %s; it must not be negative", path, n)
	case k.AtMostOne && s.Value > 1:
		r.At(n, "%s is %s; it must not be above 1", path, n)
	}
	return s
}

// scalars returns those of a list.
func (f *fields) scalars(name string) []Scalar {
	k, n := f.get(name)
	switch {
	case n == nil:
		return nil
	case n.Kind != document.List:
		f.reportInvalid(n, k)
	case len(n.Items) == 0:
		f.r.At(n, "%s is empty; it needs at least one number", f.name(name))
	}
	var list []Scalar
	for i, item := range n.Items {
		list = append(list, f.r.bounded(item, fmt.Sprintf("%s[%d]", f.name(name), i), k))
	}
	return list
}

func (f *fields) vector(name string) Vector {
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
		v[i] = f.r.scalar(item, fmt.Sprintf("%s[%d]", f.name(name), i), k)
		if v[i].Nonnegative = k.Nonnegative; k.Nonnegative && v[i].Value < 0 {
			f.r.At(item, "%s[%d] is %s; it must not be negative", f.name(name), i, item)
		}
	}
	return v
}

func (f *fields) axis(name string) [3]float64 {
	k, n := f.get(name)
	if n == nil {
		return [3]float64{1, 0, 0}
	}
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
		f.r.At(n, "%s has no direction: all three components are 0", f.name(name))
		return u
	}
	for i := range u {
		u[i] /= length
	}
	return u
}

func (r *reader) position(n *document.Node) Position {
	return Position{n.File, n.Line, n.Column}
}

// scalar reads a number or a formula. A wrong one is NaN, which no bound
// refuses once more; so is a formula over a parameter that is wrong itself.
func (r *reader) scalar(n *document.Node, path string, k *Key) Scalar {
	s := Scalar{Value: math.NaN(), Text: n.Text, Pos: r.position(n)}
	switch n.Kind {
	case document.Number:
		s.Value = n.Number
		s.Text = strings.ReplaceAll(n.Text, "_", "")
	case document.Text:
		if len(n.Text) > expr.MaxFormula {
			r.At(n, "%s is a formula of %d characters; at most %d are allowed, name parts of it in [parameters]", path, len(n.Text), expr.MaxFormula)
			return s
		}
		s.Formula = true
		known := true
		e, err := r.pool.Parse(n.Text, func(name string) *expr.Expr {
			if x, ok := r.parameters[name]; ok {
				known = known && !math.IsNaN(x)
				return r.pool.Sym(name, expr.Parameter)
			}
			return nil
		})
		if err != nil {
			r.At(n, "%s: %v; names are those of [parameters]", path, err)
			return s
		}
		if err := r.dimensions.check(e, k.Unit); err != nil {
			r.At(n, "%s is %s: %v", path, n, err)
			return s
		}
		if !known {
			return s
		}
		values := map[*expr.Expr]float64{}
		for name, x := range r.parameters {
			values[r.pool.Sym(name, expr.Parameter)] = x
		}
		s.Value = expr.NewEvaluator(values).Value(e)
	default:
		r.At(n, "%s is %s; it must be %s", path, n, k.describe())
		return s
	}
	if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
		r.At(n, "%s is %s, which is not a finite number", path, n)
		s.Value = math.NaN()
	}
	return s
}
