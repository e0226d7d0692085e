package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// hostile is a string that ends every element, comment and attribute, begins others, and acts on terminals.
const hostile = "*/ </script></title></text>--><script>alert(1)</script><img src=x onerror=alert(1)>\"'&;\x1b[31m\n" +
	"*/ #error\n\u202e/*"

// quotedTOML writes a basic string of TOML.
func quotedTOML(text string) string {
	q, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has a JSON form
	}
	return string(q)
}

// hostileModel is a model whose every free text is hostile, or harmless.
func hostileModel(text string) string {
	q := quotedTOML(text)
	return strings.NewReplacer(`title = "One tire that rolls"`, "title = "+q+"\nsource = "+q, "[component.road]",
		`[parameters]
k = { value = 20, unit = "kg", text = `+q+` }

[quantities]
"tire.twice" = { value = "2*tire.Fz", unit = "N", text = `+q+
			` }

[component.road]
text = `+q,
		"mass = 20", "text = "+q+"\nmass = \"k\"").Replace(oneTire)
}

// TestPagesShowTextsOfFilesAsTexts: pages about models and manoeuvres, which browsers open.
func TestPagesShowTextsOfFilesAsTexts(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	w.file("car.toml", hostileModel(hostile))
	w.file("roll.toml", strings.Replace(oneTireManoeuvre, `title = "It rolls"`, "title = "+quotedTOML(hostile), 1))
	run := func(args ...string) {
		t.Helper()
		status, stdout, stderr := try(args...)
		if status != 0 || strings.ContainsAny(stdout+stderr, "\x1b\u202e\r") {
			t.Errorf("skidpad %q: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
	page := func(name, text string) {
		t.Helper()
		for _, bad := range []string{"<script>alert", "<img src=x", "</script></title>", "--><script"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s holds %s", name, bad)
			}
		}
		if !strings.Contains(text, "alert(1)") {
			t.Errorf("%s does not show the text at all", name)
		}
	}
	run("equations", w.path("car.toml"), "--text")
	run(w.simulate()...)
	run("animate", w.path("run.csv"), "--model", w.path("car.toml"), "--manoeuvre", w.path("roll.toml"),
		"-o", w.path("page.html"))
	text, err := os.ReadFile(w.path("page.html"))
	if err != nil {
		t.Fatal(err)
	}
	page("page.html", string(text))
	for _, version := range []int{2, 3} {
		w.pack(version)
		run("check", w.path("car.fmu"))
		files := w.unpacked("car.fmu")
		page("documentation/index.html", string(files["documentation/index.html"]))
		for _, name := range []string{"modelDescription.xml", "terminalsAndIcons/terminalsAndIcons.xml"} {
			decoder := xml.NewDecoder(bytes.NewReader(files[name]))
			for err = nil; err == nil; {
				var at xml.Token
				at, err = decoder.Token()
				if e, ok := at.(xml.StartElement); ok && (e.Name.Local == "script" || e.Name.Local == "img") {
					t.Errorf("%s has an element %s", name, e.Name.Local)
				}
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("%s of FMI %d: %v", name, version, err)
			}
		}
	}
}

// TestHostileUnitsAreRejected: a unit is one that is known, so that none reaches a page, a program or a terminal.
func TestHostileUnitsAreRejected(t *testing.T) {
	w := newWorkshop(t)
	w.file("car.toml", strings.Replace(hostileModel("k"), `unit = "kg"`, "unit = "+quotedTOML(hostile), 1))
	status, stdout, stderr := try("equations", w.path("car.toml"))
	if status != 1 || !strings.Contains(stderr, "parameter k.unit: the name of a unit has 108 characters") ||
		strings.ContainsAny(stdout+stderr, "\x1b\u202e\r") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}

// TestTextsOfAModelBecomeNoCode: models that differ in texts give the same generated code, except for comments and
// strings.
func TestTextsOfAModelBecomeNoCode(t *testing.T) {
	folder := t.TempDir()
	base, err := filepath.Abs(shippedFile("models", "pendulum.toml"))
	if err != nil {
		t.Fatal(err)
	}
	texts := regexp.MustCompile(`(?s)/\*.*?\*/|"(?:[^"\\]|\\.)*"|_PROGRAM UINT64_C\(0x[0-9a-f]+\)`)
	generate := func(text string) string {
		path := filepath.Join(folder, "car.toml")
		model := strings.NewReplacer("BASE", quotedTOML(base), "TEXT", quotedTOML(text)).Replace(`base = BASE
name = "Swings"
title = TEXT
source = TEXT
[parameters]
k = { value = 20, unit = "kg", text = TEXT }
[quantities]
"swing.k" = { value = "2*k", unit = "kg", text = TEXT }
`)
		if err := os.WriteFile(path, []byte(model), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := try("generate", path, "--target", "c", "--name", "car", "--out", folder); status != 0 {
			t.Fatal(stderr)
		}
		var all string
		for _, name := range []string{"car.c", "car.h", "README.txt"} {
			code, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if strings.IndexFunc(string(code), func(r rune) bool { return r != '\n' && r < ' ' || r > '~' }) >= 0 {
				t.Errorf("%s has characters beyond ASCII", name)
			}
			if name != "README.txt" {
				all += string(code)
			}
		}
		return texts.ReplaceAllString(all, "")
	}
	want := generate("N.m")
	for _, text := range []string{hostile, "/*/ #error", "**/ #error", "\u2028int x = 1;", "\nint x = 1; //", "\r*/",
		`\" + system("`, `??/" x`} {
		if got := generate(text); got != want {
			t.Errorf("with %q the code is another", text)
		}
	}
}

// TestMessagesDoNotActOnTerminals: errors quote files, but with control characters made visible.
func TestMessagesDoNotActOnTerminals(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	q := quotedTOML(hostile)
	model := file("car.toml", oneTire)
	for _, args := range [][]string{
		{"equations", file("a.toml", fmt.Sprintf(`name = %s
%s = %s
[component.%s]
type = %s
`, q, q, q, q, q))},
		{"equations", file("b.toml", "name = \"B\"\nbase = "+q)},
		{"simulate", model, "--manoeuvre", file("m.toml",
			fmt.Sprintf(`name = %s
title = %s
models = [%s]
duration = %s
step = 1
%s = 1
`, q, q, q, q, q))},
		{"compare", "x", "y", "--by", file("by.toml", q+" = 1\n")},
		{"sweep", "--study", file("study.toml", fmt.Sprintf("name = %s\nmodel = %s\n", q, q))},
		{"pack", file("s.toml", fmt.Sprintf(`name = %s
[component.%s]
model = %s
`, q, q, q)),
			"-o", filepath.Join(folder, "s.ssp")},
		{"tire", file("t.toml", "function = "+q), "--in", "-"},
		{"tire", file("t.tir", "[MODEL]\nFITTYP = '"+strings.ReplaceAll(hostile, "\n", "")+"'\n"), "--in", "-"},
		{"tire", file("u.tir", hostile), "--in", "-"},
		{"check", file("x.fmu", hostile)},
		{"manoeuvre", "\x1b[2J.toml", "--manoeuvre", model},
	} {
		status, stdout, stderr := try(args...)
		if status == 0 || stderr == "" || strings.ContainsAny(stdout+stderr, "\x1b\u202e\r\x07") {
			t.Errorf("skidpad %q: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
}

// TestTextsOfAModelBecomeNoEquations: apart from comments, exported equations are the same whatever the texts.
func TestTextsOfAModelBecomeNoEquations(t *testing.T) {
	w := newWorkshop(t)
	for language, comment := range map[string]*regexp.Regexp{
		"sympy": regexp.MustCompile(`(?m)  #.*$|^#.*$`), "matlab": regexp.MustCompile(`(?m)%.*$`),
	} {
		export := func(text string) string {
			w.file("car.toml", hostileModel(text))
			status, code, stderr := try("equations", w.path("car.toml"), "--export", language, "--out", "-")
			if status != 0 {
				t.Fatal(stderr)
			}
			if strings.ContainsAny(code, "\x1b\u2028\u202e") {
				t.Errorf("equations for %s act on terminals", language)
			}
			return comment.ReplaceAllString(code, "")
		}
		want := export("N.m")
		for _, text := range []string{hostile, "\nimport os", "\r%}", `"""`, "'"} {
			if export(text) != want {
				t.Errorf("with %q the equations for %s are others", text, language)
			}
		}
	}
}
