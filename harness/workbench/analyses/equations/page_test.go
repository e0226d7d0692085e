package equations

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// The block of m-code on the page finds the weave of the bicycle, as the page prints it.
func TestOctaveRunsThePage(t *testing.T) {
	testrun.Slow(t)
	testrun.InStage(t, "bindings")
	testrun.Requires(t, "octave-cli")
	page, err := os.ReadFile(built.Path("docs", "equations.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```matlab file=eigenvalues.m\n(.*?)```.*?```text\n(.*?)\n```").FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/equations.md has no block eigenvalues.m")
	}
	folder := t.TempDir()
	write(t, folder, "rolling_bicycle.m", model(t, "bicycle_rolling"), "", "matlab")
	script := "addpath('" + folder + "');\n" + string(block[1])
	path := filepath.Join(folder, "eigenvalues.m")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(said(t, "octave-cli", "--no-init-file", "--quiet", path)); got != string(block[2]) {
		t.Errorf("the block prints %s; the page has %s", got, block[2])
	}
}
