package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOperationsAreWhatTheFunctionsSay: the generated file belongs to the present source.
func TestOperationsAreWhatTheFunctionsSay(t *testing.T) {
	want, err := os.ReadFile("../operations_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	got, err := run("../../../tire")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("operations_gen.go is not what the functions say now; run go generate ./model/lanes")
	}
}

// TestWhatCannotBeFollowedIsNamed with its place.
func TestWhatCannotBeFollowedIsNamed(t *testing.T) {
	for body, want := range map[string]string{
		"for out[0] < 1 { out[0]++ }":                             "only loops with a beginning",
		"for i := 0; in[0] < 1; i++ { out[i] = 1 }":               "how often the loop runs depends on numbers",
		"out[0] = math.Gamma(in[0])":                              "math.Gamma cannot be followed",
		"go func() {}()":                                          "*ast.GoStmt is not understood",
		"switch in[0] { case 1: out[0] = 2 }":                     "only switches without a tag",
		"clear(out[:2]); for range 3 { if in[0] > 0 { return } }": "none",
		"for i := range 3 { out[i] = 1; return }":                 "a loop that returns",
		"var x = 3.0; out[0] = x":                                 "only variables without values",
		"f := func() {}; f()":                                     "not understood",
		"out[0] = other":                                          "other is no variable of the function",
		"out[0] = float64(int(in[0]) % 2)":                        "",
		"out[int(in[0])] = 1":                                     "",
		"out[1] = 0; if in[0] == 1 && in[1] != 2 { out[0] = 1 }":  "none",
	} {
		_, err := traceText(t, "package tire\n\nimport \"math\"\n\nvar other = math.Pi\n\ntype T struct{ a float64 "+
			"}\n\n"+
			"func (t *T) bounded(in []float64, b *[2]float64) { b[0], b[1] = in[0], in[1] }\n\n"+
			"func (t *T) Eval(in, out []float64) {\n\t"+body+"\n}\n\n"+
			"func (t *T) Jacobian(in, jac []float64) { clear(jac[:4]) }\n")
		switch {
		case want == "none":
			if err != nil {
				t.Errorf("%s: %v", body, err)
			}
		case err == nil:
			t.Errorf("%s: no error", body)
		case !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "t.go:12"):
			t.Errorf("%s: %v; it should hold %q and the place", body, err, want)
		}
	}
}

func traceText(t *testing.T, text string) (string, error) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "t.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	written, err := run(folder)
	return string(written), err
}

// TestWhatIsNoFunctionOfNumbersIsNamed: types that go generate cannot make operations of.
func TestWhatIsNoFunctionOfNumbersIsNamed(t *testing.T) {
	const methods = "func (t *T) Eval(in, out []float64) { out[0], out[1] = in[0], 1 }\n" +
		"func (t *T) Jacobian(in, jac []float64) { clear(jac[:4]) }\n"
	const bounded = "func (t *T) bounded(in []float64, b *[2]float64) { b[0], b[1] = in[0], in[1] }\n"
	for text, want := range map[string]string{
		"type T struct{ a float64; c bool }\n" + methods + bounded: "",
		"type T struct{ a int }\n" + methods +
			bounded: "field a is neither a number nor a Boolean",
		"type T int\n" + methods + bounded: "not a struct of numbers",
		"type T struct{}\n" + methods +
			"func (t *T) bounded(in []float64) (a, b float64) { return in[0], in[1] }": "",
		"type T struct{}\n" + methods + "func (t *T) bounded(in, b []float64) float64 {}": "must return as many numbers",
		"type T struct{}\n" + strings.Replace(methods, ":4", ":3",
			1) + bounded: "Eval writes 2 results, Jacobian 3 derivatives by 2 inputs",
	} {
		written, err := traceText(t, "package tire\n\n"+text)
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), "T: ") ||
			!strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v; it should hold %q", text, err, want)
		case want == "" && (err != nil ||
			!strings.Contains(written, `"T": {inputs: 2, outputs: 2, eval: TEval, jacobian: TJacobian`)):
			t.Errorf("%s: error %v and\n%s", text, err, written)
		}
	}
	written, err := traceText(t, "package tire\n\ntype T struct{}\n"+methods) // without bounded it is left alone
	if err != nil || strings.Contains(written, "TEval") {
		t.Errorf("error %v and\n%s", err, written)
	}
}
