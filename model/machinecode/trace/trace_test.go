package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOperationsAreWhatTheFunctionsSay: the generated file belongs to the present source.
func TestOperationsAreWhatTheFunctionsSay(t *testing.T) {
	want, err := os.ReadFile("../../../tire/operations_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../../tire/batch.go")
	if err != nil {
		t.Fatal(err)
	}
	_, types, found := strings.Cut(string(source), "//go:generate go run ../model/machinecode/trace operations_gen.go ")
	if !found {
		t.Fatal("tire/batch.go does not say of which functions")
	}
	types, _, _ = strings.Cut(types, "\n")
	got, err := run("../../../tire", "operations_gen.go", strings.Fields(types))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("tire/operations_gen.go is not what the functions say now; run go generate ./tire")
	}
}

// TestWhatCannotBeFollowedIsNamed with its place.
func TestWhatCannotBeFollowedIsNamed(t *testing.T) {
	for body, want := range map[string]string{
		"for out[0] < 1 { out[0]++ }":                "only loops with a beginning",
		"for i := 0; in[0] < 1; i++ { out[i] = 1 }":  "how often the loop runs depends on numbers",
		"out[0] = math.Gamma(in[0])":                 "math.Gamma cannot be followed",
		"go func() {}()":                             "*ast.GoStmt is not understood",
		"switch in[0] { case 1: out[0] = 2 }":        "only switches without a tag",
		"for range 3 { if in[0] > 0 { return } }":    "none",
		"for i := range 3 { out[i] = 1; return }":    "a loop that returns",
		"var x = 3.0; out[0] = x":                    "only variables without values",
		"f := func() {}; f()":                        "not understood",
		"out[0] = other":                             "other is no variable of the function",
		"out[0] = float64(int(in[0]) % 2)":           "",
		"out[int(in[0])] = 1":                        "",
		"if in[0] == 1 && in[1] != 2 { out[0] = 1 }": "none",
	} {
		folder := t.TempDir()
		text := "package tire\n\nimport \"math\"\n\nvar other = math.Pi\n\ntype T struct{ a float64 }\n\nfunc (t *T) bounded(in []float64) [2]float64 { return [2]float64{in[0], in[1]} }\n\n" +
			"func (t *T) Eval(in, out []float64) {\n\t" + body + "\n}\n\nfunc (t *T) Jacobian(in, jac []float64) {}\n"
		if err := os.WriteFile(filepath.Join(folder, "t.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := run(folder, "operations_gen.go", []string{"T"})
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
