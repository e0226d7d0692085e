package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// What a checker in the page finds is reported with page, scheme and place; the real one comes from npm.
func TestViolationsAreReportedInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, Names...)
	folder := t.TempDir()
	writePage(t, folder, "good.html", `<p>text</p>`)
	axe := filepath.Join(t.TempDir(), "axe.min.js")
	checker := `window.axe = { run: async () => ({ violations: document.querySelector('b')
		? [{ id: 'bold', help: 'Bold shouts', nodes: [{ html: '<b>', any: [{ message: matchMedia(
			'(prefers-color-scheme: dark)').matches ? 'at night' : 'by day' }], all: [], none: [] }] }]
		: [{ id: 'empty-table-header', help: 'h', nodes: [{ html: '<th><math>', any: [], all: [], none: [] }] }] }) };`
	if err := os.WriteFile(axe, []byte(checker), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := CheckAccess(folder, axe); err != nil {
		t.Errorf("a good site: %v", err)
	}
	writePage(t, folder, "bold.html", `<b>text</b>`)
	err := CheckAccess(folder, axe)
	if err == nil {
		t.Fatal("violations are not seen")
	}
	for _, want := range []string{
		"bold.html, light at 1280 pixels: Bold shouts (bold), at 1 places: <b>: by day",
		"bold.html, dark at 360 pixels: Bold shouts (bold), at 1 places: <b>: at night"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "good.html") {
		t.Errorf("faults where there are none: %v", err)
	}
}
