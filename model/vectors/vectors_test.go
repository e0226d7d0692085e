package vectors_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/expr"
	"skidpad/model/vectors"
)

var names = []string{"a", "b", "group.c"}

func is(name string) bool { return slices.Contains(names, name) }

// at are the coordinates of the vectors, and numbers.
var at = map[string]float64{"a_x": 1.5, "a_y": -2, "a_z": 0.25, "b_x": -3, "b_y": 0.5, "b_z": 4, "group.c_x": 7,
	"group.c_y": -8, "group.c_z": 9, "k": 3, "ab": 0.125}

func value(t *testing.T, formula string) float64 {
	t.Helper()
	p := expr.NewPool()
	values := map[*expr.Expr]float64{}
	e, err := p.Parse(formula, func(name string) *expr.Expr {
		s := p.Sym(name, expr.Parameter)
		x, known := at[name]
		if !known {
			return nil
		}
		values[s] = x
		return s
	})
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	return expr.NewEvaluator(values).Value(e)
}

// Formulas of vectors have the values of vector algebra.
func TestValues(t *testing.T) {
	for formula, want := range map[string][]float64{
		"a - b":                                {4.5, -2.5, -3.75},
		"0.5*(a + b)":                          {-0.75, -0.75, 2.125},
		"-a":                                   {-1.5, 2, -0.25},
		"a - (b - group.c)":                    {11.5, -10.5, 5.25},
		"a - -b":                               {-1.5, -1.5, 4.25},
		"k*a/2":                                {2.25, -3, 0.375},
		"a/(2*k)":                              {0.25, -1.0 / 3, 0.25 / 6},
		"(a - b)*k":                            {13.5, -7.5, -11.25},
		"-(a - b)*-k":                          {13.5, -7.5, -11.25},
		"cross(a, b)":                          {-8.125, -6.75, -5.25},
		"cross(a - b, b)":                      {-8.125, -6.75, -5.25},
		"2 - a.y^2":                            {-2},
		"norm(a)":                              {math.Sqrt(2.25 + 4 + 0.0625)},
		"norm(a - b)":                          {math.Sqrt(20.25 + 6.25 + 14.0625)},
		"dot(a, b)":                            {-4.5},
		"2*dot(a, b - group.c)/k":              {2 * (1.5*-10 - 2*8.5 + 0.25*-5) / 3},
		"1 - dot(a, b)":                        {5.5},
		"dot(a, b)^2":                          {20.25},
		"group.c.y + ab":                       {-7.875},
		"atan2(a.y, norm(b))*0 + max(k, 1e-3)": {3},
		"dot(cross(a, b), a)":                  {0},
		"a*dot(b, b)/norm(b)^2":                {1.5, -2, 0.25},
	} {
		texts, err := vectors.Resolve(formula, is, names)
		if err != nil || len(texts) != len(want) {
			t.Errorf("%s: %v, %v; want %d", formula, texts, err, len(want))
			continue
		}
		for i, text := range texts {
			if got := value(t, text); math.Abs(got-want[i]) > 1e-12*(1+math.Abs(want[i])) {
				t.Errorf("%s: coordinate %d, %s, is %g; want %g", formula, i, text, got, want[i])
			}
		}
		if !vectors.Named(formula, is) {
			t.Errorf("%s names vectors", formula)
		}
	}
	for _, formula := range []string{"ab + k", "sin(k)", "2e3", "d.x", "norm", "1e5*ab"} {
		if vectors.Named(formula, is) {
			t.Errorf("%s names no vector", formula)
		}
	}
}

// Each wrong formula is explained.
func TestFaults(t *testing.T) {
	for formula, want := range map[string]string{
		"a + 1":                        "a number is added to a vector",
		"a - bb":                       `bb is a number and is added to a vector; did you mean "b"?`,
		"a*b":                          "write dot(a, b) or cross(a, b)",
		"k/a":                          "divide by its length",
		"a^2":                          "a vector has no powers",
		"2^a":                          "a vector has no powers",
		"sin(a)":                       "sin takes numbers, not a vector",
		"max(k, a)":                    "max takes numbers",
		"norm(k)":                      "norm takes vectors, and k is a number",
		"norm(2)":                      "norm takes vectors, not a number",
		"cross(a)":                     "cross takes 2 argument(s), not 1",
		"dot(a, b, a)":                 "dot takes 2 argument(s), not 3",
		"a.w":                          "a.w is no coordinate of the vector a; they are a.x, a.y and a.z",
		"group.c.w":                    "no coordinate of the vector group.c",
		"(a - b":                       "closing parenthesis missing",
		"cross(a, b":                   "closing parenthesis missing",
		"a -":                          "missing at the end",
		"a b":                          `unexpected "b"`,
		"a - #":                        `unexpected "#"`,
		strings.Repeat("(", 300) + "a": "nested too deeply",
		strings.Repeat("-", 300) + "a": "nested too deeply",
		"cross(cross(cross(cross(cross(cross(a,b),b),b),b),b),b)": "longer than 1000 characters",
		strings.Repeat("a + ", 400) + "a":                         "longer than 1000 characters",
	} {
		if texts, err := vectors.Resolve(formula, is, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %s", formula, texts, err, want)
		}
	}
}

// What is read as a formula of vectors is a formula of numbers, which has the same value after it is read once more.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a - b", "0.5*(a + b)", "cross(a, b)/norm(a)", "a.x^-2 + dot(a, -b)", "sin(a)", "group.c.z",
		"((((", "-a*-k", "a--b", "1e5*a", "a.x.x", "norm(a)^2^2", "max(a.x,b.y)"} {
		fuzzinputs.Add(f, s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 {
			return
		}
		texts, err := vectors.Resolve(s, is, names)
		if (texts == nil) == (err == nil) || len(texts) != 0 && len(texts) != 1 && len(texts) != 3 {
			t.Fatalf("%q: %v, %v", s, texts, err)
		}
		for _, text := range texts {
			if len(text) > expr.MaxFormula {
				t.Fatalf("%q gives %d characters", s, len(text))
			}
			p := expr.NewPool()
			_, of := p.Parse(text, func(name string) *expr.Expr { return p.Sym(name, expr.Parameter) })
			again, err := vectors.Resolve(text, func(string) bool { return false }, nil)
			if of == nil && (err != nil || len(again) != 1) {
				t.Fatalf("%q gives %q, which is read as %v, %v", s, text, again, err)
			}
			if err == nil && !vectors.Named(s, is) { // nothing of vectors: the value stays
				if e, bad := p.Parse(s, func(name string) *expr.Expr { return p.Sym(name, expr.Parameter) }); bad == nil {
					if other, _ := p.Parse(text, func(name string) *expr.Expr { return p.Sym(name, expr.Parameter) }); other != e {
						t.Fatalf("%q gives %q, another formula", s, text)
					}
				}
			}
		}
	})
}
