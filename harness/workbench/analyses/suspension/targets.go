package suspension

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/rig"
)

// Target is a wanted value of a figure, of both wheels or of the axle.
type Target struct {
	Figure           string  // key
	Value, Tolerance float64 // SI
	position         string  // of the figure in the file
	written          []constants.Written
}

// TargetKeys are the keys of files of targets.
var TargetKeys = []keys.Key{
	{Name: "target", Shape: keys.TablesShape, Text: "wanted figures", Keys: []keys.Key{
		{Name: "figure", Shape: keys.TextShape, Text: "key of the figure, as in `figures.json`"},
		{Name: "value", Unit: keys.AnyUnit, Text: "wanted value, SI or with a unit"},
		{Name: "tolerance", Unit: keys.AnyUnit, Text: "largest difference from the value, not negative"},
	}},
}

// ReadTargets reads a file of targets.
func ReadTargets(path string) ([]Target, error) {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return nil, err
	}
	return ParseTargets(path, data)
}

// ParseTargets is ReadTargets for the bytes of a file.
func ParseTargets(file string, data []byte) (list []Target, err error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := constants.NewReader(file, root)
	f := r.Fields(root, "the file", TargetKeys)
	for _, t := range f.NonEmptyList("target") {
		at := t.Position("figure")
		to := Target{Figure: t.Text("figure"), Value: t.Number("value"), Tolerance: t.Number("tolerance"),
			position: fmt.Sprintf("%s:%d:%d", file, at.Line, at.Column)}
		for _, key := range []string{"value", "tolerance"} {
			to.written = append(to.written, r.Written(t.Node(key), key))
		}
		if to.Tolerance < 0 {
			t.Fault("tolerance", "tolerance of %q is %g; it must not be negative", to.Figure, to.Tolerance)
		}
		if slices.ContainsFunc(list, func(o Target) bool { return o.Figure == to.Figure }) {
			t.Fault("figure", "figure %q has two targets; keep one of them", to.Figure)
		}
		list = append(list, to)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return list, nil
}

// check compares targets with the figures of the axle: all of them must exist and have the units of the targets.
func (r *Result) check(targets []Target) error {
	var names []string
	for i := range r.Figures {
		names = append(names, r.Figures[i].Key)
	}
	for _, t := range targets {
		i := slices.Index(names, t.Figure)
		if i < 0 {
			hint := ""
			if near := document.Nearest(t.Figure, names); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("%s: axle %d has no figure %q%s", t.position, r.Axle, t.Figure, hint)
		}
		for _, w := range t.written {
			if err := w.Fits(r.Figures[i].Unit); err != nil {
				return err
			}
		}
	}
	r.Targets = targets
	return nil
}

// target is the target of a figure; nil for none.
func (r *Result) target(f *rig.Figure) *Target {
	i := slices.IndexFunc(r.Targets, func(t Target) bool { return t.Figure == f.Key })
	if i < 0 {
		return nil
	}
	return &r.Targets[i]
}

// met reports whether a figure is within the tolerance, on both sides. A missing figure is not.
func (t *Target) met(f *rig.Figure) bool {
	within := func(x float64) bool { return math.Abs(x-t.Value) <= t.Tolerance }
	return f.Missing == "" && within(f.Left.V) && within(f.Right.V)
}

// text is the target in units of engineers.
func (t *Target) text(f *rig.Figure) string {
	_, si := Shown(f)
	return Number(t.Value/si) + " +- " + Number(t.Tolerance/si)
}
