package formulate

import (
	"regexp"
	"slices"
	"strings"

	"skidpad/model/expr"
)

// Names returns identifiers of all symbols, and of all definitions below rates, outputs, external calls and matrices.
func (f *Formulation) Names() *expr.Names {
	names := expr.NewNames(reserved...)
	for _, list := range [...][]*expr.Expr{f.allSymbols(), Statements(f.all())} {
		for _, e := range list {
			names.Add(e)
		}
	}
	return names
}

// reserved lists keywords and functions of C, Python and m-code, and the names of exported files.
var reserved = strings.Fields(`v M CT b e h Phi Phi_dot rates calls parameters states inputs x u p time
	auto break case char const continue default do double else enum extern float for goto if inline int long register
	restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
	and as assert async await class def del elif except finally from global import in is lambda nonlocal not or pass
	raise try with yield None True False
	catch classdef end endfunction endif endwhile endfor function otherwise parfor persistent spmd elseif
	sin cos tan asin atan atan2 sqrt exp log tanh abs sign max min math sympy casadi list dict sum zip len range float
	zeros eye i j pi inf Inf nan NaN eps ans m slack internal weighted solved called clamp step where result values returned
	solution mass directions asked speeds coordinates constraints reactions numpy casadi bisect functools`)

var axisNames = [3]string{"x", "y", "z"}

var withAxis = regexp.MustCompile(`^([FM])([xyz])((?:_.*)?)$`)

// nameOf names a quantity of a component. The axis of a force or moment comes last: Fz becomes F_tire_FL_z.
func nameOf(quantity, owner string) string {
	if m := withAxis.FindStringSubmatch(quantity); m != nil {
		return m[1] + m[3] + "_" + owner + "_" + m[2]
	}
	return quantity + "_" + owner
}

// named makes atoms of the components of a resolved vector. Their names keep the quantity of the given vector:
// v_hub_in_body_x.
func (f *Formulation) named(given, resolved expr.Vector) expr.Vector {
	return f.Pool.DefineV(resolvedName(f.quantity(given), resolved.Frame), resolved)
}

// resolvedName adds the frame to the name of a quantity.
func resolvedName(name string, frame expr.Frame) string {
	name, _, _ = strings.Cut(name, "_in_")
	return name + "_in_" + string(frame)
}

// span names the part between two nodes.
func (f *Formulation) span(from, to int) string {
	return f.Forest.Graph.Nodes[from] + "_to_" + f.Forest.Graph.Nodes[to]
}

// quantity derives the name of a vector from the name of a component: v_hub from v_hub_x, v_body from body.vx.
func (f *Formulation) quantity(v expr.Vector) string {
	numbers := 0
	for i, e := range v.X {
		if e == nil {
			break
		}
		_, body := f.Pool.Content(e)
		switch body.Kind() {
		case expr.Number:
			numbers++
		case expr.Symbol, expr.Definition:
			if name, is := strings.CutSuffix(body.Name(), "_"+axisNames[i]); is {
				return name
			}
			owner, key, _ := strings.Cut(body.Name(), ".")
			if at := slices.Index([]string{axisNames[i], "v" + axisNames[i], "w" + axisNames[i]}, key); at >= 0 {
				return [...]string{"r_", "v_", "w_"}[at] + owner
			}
		}
	}
	switch {
	case f.called != "":
		return f.called
	case numbers == 3:
		return "e"
	}
	return "vector"
}

// resolveAs resolves a vector under a name, which counts unless the components have a name in common.
func (f *Formulation) resolveAs(name string, v expr.Vector, to expr.Frame) expr.Vector {
	f.called = name
	defer func() { f.called = "" }()
	return f.resolve(v, to)
}

// speedDirection resolves the axis about which a speed turns.
func (f *Formulation) speedDirection(k int, v expr.Vector, to expr.Frame) expr.Vector {
	return f.resolveAs("axis_"+f.Speeds[k].Name, v, to)
}
