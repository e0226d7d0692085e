package keys

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/unit"
)

// Reader reads the tables of one model file.
type Reader struct {
	document.Faults
	Root       *document.Node     // of the file
	Open       bounded.Files      // opens files named by the file
	Parameters map[string]float64 // values at the start; NaN where they are wrong
	CurveFiles []CurveFile        // files already read
	Formulas   []document.Formula // that were read
	Instead    map[string]string  // files that replace the files of curves, by the curve's name
	Values     Formulas           // names for formulas, in place of the parameters; nil in model files
	dimensions dimensions         // of the parameters
	pool       *expr.Pool
}

// Formulas are over names that a file or its user gives numbers.
type Formulas interface {
	// Value returns the number of a formula for a key; path names the number in messages. If the formula has no number,
	// Value notes the error, and ok is false.
	Value(formula *document.Node, path string, k *Key) (x float64, ok bool)
}

// NewReader returns a reader of the file of that name.
func NewReader(name string, root *document.Node, open bounded.Files) *Reader {
	return &Reader{
		Faults: document.Faults{File: name}, Root: root, Open: open,
		Parameters: map[string]float64{}, dimensions: dimensions{}, pool: expr.NewPool(),
	}
}

// Measure gives a parameter a unit.
func (r *Reader) Measure(parameter string, e unit.Exponents) {
	r.dimensions[parameter] = dimensionOf(e)
}

// Naming is the position of a name in a component: the position of the first of the keys that holds the text, otherwise
// the position of the component.
func (r *Reader) Naming(h *Header, text string, keys ...string) Position {
	table := r.Root.Field("component").Field(h.Name)
	for _, k := range keys {
		if n := table.Field(k); n != nil && n.Kind == document.Text && n.Text == text {
			return r.Position(n)
		}
	}
	return h.Pos
}

// AtEach notes every fault of an error that holds one per line.
func (r *Reader) AtEach(n *document.Node, path string, err error) {
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSuffix(line, "\n")
		if errors.Is(err, fs.ErrNotExist) {
			line += "; paths lead from the folder of the file that names them"
		}
		r.At(n, "%s: %s", path, line)
	}
}

// TypeOf returns the type word of a component, "" where there is none.
func (r *Reader) TypeOf(component string) string {
	components := r.Root.Field("component")
	if components == nil || components.Field(component) == nil {
		return ""
	}
	if word := components.Field(component).Field("type"); word != nil {
		return word.Text
	}
	return ""
}

// Slides reports whether the coordinate of a joint or motion driver is a length, not an angle.
func (r *Reader) Slides(component string) bool {
	switch r.TypeOf(component) {
	case "prismatic":
		return true
	case "motion-driver":
		kind := r.Root.Field("component").Field(component).Field("kind")
		return kind != nil && kind.Text == "translation"
	}
	return false
}

// Ends are the frames that a component joins, "" where there are none.
func (r *Reader) Ends(component string) (from, to string) {
	end := func(key string) string {
		if n := r.Root.Field("component").Field(component).Field(key); n != nil {
			return n.Text
		}
		return ""
	}
	return end("from"), end("to")
}

// Turns reports whether springs act on an angle of a component.
func (r *Reader) Turns(component string) bool {
	word := r.TypeOf(component)
	return word == "revolute" || word == "rocker"
}

// Second is the component that the surfaces of a suspension follow, "" for none. turns reports whether its motion is an
// angle.
func (r *Reader) Second(suspension string) (name string, turns bool) {
	table := r.Root.Field("component").Field(suspension)
	if n := table.Field("steer"); n != nil {
		return n.Text, !r.Slides(n.Text)
	}
	if n := table.Field("other"); n != nil {
		name = n.Text
	}
	return name, false
}

// Place notes a fault at a position.
func (r *Reader) Place(p Position, format string, args ...any) {
	r.At(&document.Node{File: cmp.Or(p.File, r.File), Line: max(p.Line, 1), Column: max(p.Column, 1),
		Origin: p.Origin}, format, args...)
}

// Fields checks that a table holds the keys it may and must, and returns it.
func (r *Reader) Fields(n *document.Node, path string, keys []Key) *Fields {
	return r.fields(n, path, keys, "")
}

// fields is Fields of a table; stray is the remedy in messages about an unknown key.
func (r *Reader) fields(n *document.Node, path string, keys []Key, stray string) *Fields {
	f := &Fields{Reader: r, Table: n, keys: keys, Path: path}
	if n == nil {
		return f
	}
	if n.Kind != document.Table {
		r.At(n, "%s is %s; it must be a table", path, n)
		f.Table = nil
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
			if stray != "" && hint == "" {
				hint = "; " + stray + ";"
			}
			r.At(n.Field(name), "unknown key %q in %s%s allowed keys: %s", name, path, HintOrSemicolon(hint),
				strings.Join(allowed, ", "))
		}
	}
	for _, k := range keys {
		if k.Default == "" && !k.Optional {
			f.Require(k.Name)
		}
	}
	return f
}

// Named is Fields of a table with names chosen by the file; each describes the values.
func (r *Reader) Named(n *document.Node, path string, each *Key) *Fields {
	f := &Fields{Reader: r, Table: n, Path: path, each: each}
	if n != nil && n.Kind != document.Table {
		r.At(n, "%s is %s; it must be a table", path, n)
		f.Table = nil
	}
	return f
}

// kind is Fields of a table that is of one of several kinds, with the word of its kind; "" where that is wrong.
func (r *Reader) kind(n *document.Node, path string, kinds []Kind) (string, *Fields) {
	word := Key{Name: "kind", Shape: WordShape, Text: "which of them it is"}
	for _, k := range kinds {
		word.Choices = append(word.Choices, k.Word)
	}
	f := &Fields{Reader: r, Table: n, keys: []Key{word}, Path: path}
	switch {
	case n.Kind != document.Table:
		r.At(n, "%s is %s; it must be a table", path, n)
		return "", f
	case !f.Require("kind"):
		return "", f
	}
	at := f.Node("kind")
	for _, k := range kinds {
		if at.Kind == document.Text && at.Text == k.Word {
			return k.Word, r.Fields(n, path, append([]Key{word}, k.Keys...))
		}
	}
	hint := ""
	if near := document.Nearest(at.Text, word.Choices); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	r.At(at, "%s.kind is %s%s it must be %s", path, at, HintOrSemicolon(hint), word.describe())
	return "", f
}

// HintOrSemicolon is the text after the first half of a message.
func HintOrSemicolon(hint string) string {
	if hint == "" {
		return ";"
	}
	return hint
}

// Position returns the position of a node.
func (r *Reader) Position(n *document.Node) Position {
	if n == nil { // a key that is missing, of a table that is missing
		return Position{File: r.File, Line: 1, Column: 1}
	}
	return Position{n.File, n.Line, n.Column, n.Origin}
}

// bounded reads a scalar within the bounds of its key.
func (r *Reader) bounded(n *document.Node, path string, k *Key) Scalar {
	s := r.Scalar(n, path, k)
	s.Nonnegative, s.Positive, s.AtMostOne = k.Nonnegative, k.Positive, k.AtMostOne
	switch {
	case k.Positive && s.Value <= 0:
		r.At(n, "%s is %s; it must be above 0", path, n)
	case k.Nonnegative && s.Value < 0:
		r.At(n, "%s is %s; it must not be negative", path, n)
	case k.AtMostOne && s.Value > 1:
		r.At(n, "%s is %s; it must not be above 1", path, n)
	case k.Whole != nil && !(s.Value >= float64(k.Whole.Least) && s.Value <= float64(k.Whole.Most) &&
		s.Value == math.Trunc(s.Value)) && !math.IsNaN(s.Value):
		r.At(n, "%s is %s; it must be %s", path, n, k.Range())
		s.Value = math.NaN()
	}
	return s
}

// Number is the value of a number within the bounds of a key; 1 where it is wrong.
func (r *Reader) Number(n *document.Node, path string, k *Key) float64 {
	return r.bounded(n, path, k).orOne()
}

// Scalar reads a number or a formula. A wrong one is NaN, which no bound
// refuses once more; so is a formula over a parameter that is wrong itself.
func (r *Reader) Scalar(n *document.Node, path string, k *Key) Scalar {
	s := Scalar{Value: math.NaN(), Text: n.Text, Pos: r.Position(n)}
	switch n.Kind {
	case document.Number:
		s.Value = n.Number
		s.Text = strings.ReplaceAll(n.Text, "_", "")
	case document.Text:
		if k.Plain {
			r.At(n, "%s is %s; it must be %s", path, n, k.describe())
			return s
		}
		if number, is, err := unit.ParseNumber(n.Text); is || err != nil {
			r.measure(&s, number, n, path, k, err)
			break
		}
		if k.Shape == QuantityShape {
			r.At(n, "%s is %s; it must be %s", path, n, k.describe())
			return s
		}
		s.Formula = true
		value := r.ofParameters
		if r.Values != nil {
			value = r.Values.Value
		}
		x, ok := value(n, path, k)
		if !ok {
			return s
		}
		s.Value = x
	default:
		r.At(n, "%s is %s; it must be %s", path, n, k.describe())
		return s
	}
	if s.wrong {
		return s
	}
	if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
		r.At(n, "%s is %s, which is not a finite number", path, n)
		s.Value = math.NaN()
	}
	return s
}

// ofParameters is the value of a formula over the parameters of the model; there is none where one of them is wrong.
func (r *Reader) ofParameters(n *document.Node, path string, k *Key) (x float64, ok bool) {
	if len(n.Text) > expr.MaxFormula {
		r.At(n, "%s is a formula of %d characters; at most %d are allowed, name parts of it in [parameters]", path,
			len(n.Text), expr.MaxFormula)
		return 0, false
	}
	known := true
	var parameters []string
	e, err := r.pool.Parse(n.Text, func(name string) *expr.Expr {
		if x, ok := r.Parameters[name]; ok {
			known = known && !math.IsNaN(x)
			parameters = append(parameters, name)
			return r.pool.Sym(name, expr.Parameter)
		}
		return nil
	})
	if err != nil && unit.HoldsUnit(n.Text) {
		r.At(n, "%s: %v; a unit stands behind a number alone, such as \"5 mm\", not in a formula: make the number a "+
			"parameter", path, err)
		return 0, false
	}
	if err != nil {
		names := "names are those of [parameters]"
		if r.Root.Field("parameters") == nil {
			names = "there are no [parameters] in the file that it could name"
		}
		r.At(n, "%s: %v; %s", path, err, names)
		return 0, false
	}
	if err := r.dimensions.check(e, k.Unit); err != nil {
		r.At(n, "%s is %s: %v; %s", path, n, err, advice)
		return 0, false
	}
	r.Formulas = append(r.Formulas, document.NewFormula(path, n.Text, parameters))
	values := map[*expr.Expr]float64{}
	for name, x := range r.Parameters {
		values[r.pool.Sym(name, expr.Parameter)] = x
	}
	return expr.NewEvaluator(values).Value(e), known
}

// measure gives a scalar the value of a number with a unit, in SI.
func (r *Reader) measure(s *Scalar, number unit.Number, n *document.Node, path string, k *Key, err error) {
	var u unit.Unit
	switch {
	case err != nil:
	case k.Unit == "":
		err = errors.New("it takes a number without a unit, in SI units")
	case k.Unit == AnyUnit:
		u, err = unit.Parse(number.Unit)
	default:
		u, err = unit.Fit(number.Unit, k.Unit)
	}
	if err != nil {
		r.At(n, "%s is %s: %v", path, n, err)
		s.wrong = true
		return
	}
	s.Value = u.Of(number.Value)
	s.Text = strconv.FormatFloat(s.Value, 'g', -1, 64)
	if u.SI != "" {
		s.Unit = number.Unit
	}
}

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// IsIdentifier reports whether a name is a letter, then letters, digits and _.
func IsIdentifier(name string) bool { return identifier.MatchString(name) }

// CheckIdentifier notes a name that is no identifier.
func (r *Reader) CheckIdentifier(n *document.Node, what, name string) {
	if !IsIdentifier(name) {
		r.At(n, "%s %q is not an identifier: a letter, then letters, digits and _", what, name)
	}
}

// Printable returns a name of the file for messages: a message is one line, for any content of a quoted key.
func Printable(name string) string {
	if group, own, ok := strings.Cut(name, "."); ok && IsIdentifier(group) && IsIdentifier(own) {
		return name
	}
	if IsIdentifier(name) {
		return name
	}
	return strconv.Quote(name)
}

// Reserved names would be shadowed in formulas, would shadow gravity, or are variables
// of every model.
var Reserved = []string{"pi", "gravity_x", "gravity_y", "gravity_z", "time", "solver", "and", "or", "not"}

// CheckFormula returns an error if a formula cannot be read, or has an unknown name.
func CheckFormula(formula string, known func(name string) bool) error {
	pool := expr.NewPool() // of syntax only: formulation resolves names later
	_, err := pool.Parse(formula, func(name string) *expr.Expr {
		if known(name) {
			return pool.Sym(name, expr.Input)
		}
		return nil
	})
	return err
}
