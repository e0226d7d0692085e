package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// try runs one command line.
func try(args ...string) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	status = command(args, &out, &errs)
	return status, out.String(), errs.String()
}

func TestAWrongCommandLineEndsWithStatusTwoAndSaysWhy(t *testing.T) {
	for _, test := range []struct{ line, says string }{
		{"", "usage: skidpad VERB"},
		{"drive", `unknown verb "drive"`},
		{"simulate", "0 arguments"},
		{"simulate a.toml b.toml --manoeuvre m.toml", "2 arguments"},
		{"simulate a.toml", "--manoeuvre is missing"},
		{"simulate a.toml --speed 3", "-speed"},
		{"simulate a.toml --manoeuvre m.toml --step fast", `"fast"`},
		{"run now", "1 arguments"},
		{"run --resources", "-resources"},
	} {
		status, stdout, stderr := try(strings.Fields(test.line)...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("skidpad %s: status %d, stdout %q, stderr %q; want 2 and %q", test.line, status, stdout, stderr, test.says)
		}
	}
}

func TestWorkThatFailsEndsWithStatusOneAndSaysWhy(t *testing.T) {
	folder := t.TempDir()
	bad := filepath.Join(folder, "bad.toml")
	if err := os.WriteFile(bad, []byte("name = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	good := filepath.Join("..", "..", "..", "resources", "manoeuvres", "skidder_sine.toml")
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"simulate", "a.toml", "--manoeuvre", filepath.Join(folder, "none.toml")}, "none.toml"},
		{[]string{"simulate", "--manoeuvre", bad, "a.toml"}, "bad.toml:1:1"},
		{[]string{"simulate", "a.toml", "--manoeuvre", good, "--library", filepath.Join(folder, "none.so")}, "--library"},
		{[]string{"simulate", "a.toml", "--manoeuvre", good, "--library", bad}, "cannot load the library"},
		{[]string{"run", "--library", filepath.Join(folder, "none.so")}, "none.so"},
	} {
		status, stdout, stderr := try(test.args...)
		if status != 1 || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("skidpad %q: status %d, stdout %q, stderr %q; want 1 and %q", test.args, status, stdout, stderr, test.says)
		}
	}
}

func TestEveryVerbExplainsItselfWithAnExample(t *testing.T) {
	status, overview, stderr := try("--help")
	if status != 0 || stderr != "" {
		t.Errorf("--help: status %d, stderr %q", status, stderr)
	}
	for _, v := range verbs {
		if !strings.Contains(overview, v.name) {
			t.Errorf("the overview lacks %s", v.name)
		}
		status, help, stderr := try(v.name, "--help")
		if status != 0 || stderr != "" || !strings.HasPrefix(help, "usage: skidpad "+v.name) || !strings.Contains(help, "example:") {
			t.Errorf("%s --help: status %d, stderr %q, help %q", v.name, status, stderr, help)
		}
	}
}
