package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/drive"
)

// The check accepts a manoeuvre that runs; it makes one step of the manoeuvre and one step of its prerun. It rejects a
// missing variable in the manoeuvre and in the prerun, in signals and in figures.
func TestCheckReportsMissingVariables(t *testing.T) {
	file := toyFiles(t, "")
	steps := 0
	e := &Evaluator{Open: func() (drive.Subject, func(), error) {
		return stepCounter{newToyCar(), &steps}, func() {}, nil
	}}
	if err := e.Check(file); err != nil || steps != 2 {
		t.Errorf("%d steps, %v", steps, err)
	}
	for _, c := range []struct{ file, old, new, want string }{
		{"first.toml", `body = "body"`, `body = "cabin"`, "second.toml: prerun: "},
		{"second.toml", `body = "body"`, `body = "cabin"`, "cabin"},
		{"second.toml", "[prerun]", "[parameters]\n\"trunk.mass\" = 1\n[prerun]", "trunk.mass"},
	} {
		folder := filepath.Dir(toyFiles(t, ""))
		path := filepath.Join(folder, c.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		broken := strings.ReplaceAll(string(text), c.old, c.new)
		if broken == string(text) {
			t.Fatalf("%s has no %s", c.file, c.old)
		}
		if err := os.WriteFile(path, []byte(broken), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := e.Check(filepath.Join(folder, "second.toml")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v; want %q", c.file, c.new, err, c.want)
		}
	}
}

// stepCounter counts the steps of a subject.
type stepCounter struct {
	drive.Subject
	steps *int
}

func (c stepCounter) Step(h float64) error {
	*c.steps++
	return c.Subject.Step(h)
}
