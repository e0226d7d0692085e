package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The first page, that of the live view and the menus of all pages lead to vehicles to drive, if there are any.
func TestPagesLeadToVehiclesToDrive(t *testing.T) {
	root := repositoryOf(t, map[string]string{"README.md": "# R\n\n[v](docs/view.md) [f](docs/fmi.md)\n",
		"docs/view.md": "# V\n", "docs/fmi.md": "# F\n"})
	two := []drive{{"first car", "drive.html", []byte("one")}, {"<other>", "drive_2.html", []byte("two")}}
	for _, drives := range [][]drive{nil, two} {
		out := t.TempDir()
		if err := build(root, out, "", t.Output(), drives...); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"index.html": `</h1>` + "\n" + `<p class="drive">Drive a vehicle in the browser, with nothing to install: ` +
				`<a href="drive.html">first car</a>, <a href="drive_2.html">&lt;other&gt;</a></p>`,
			"docs/view.html": `<a href="../drive.html">first car</a>, <a href="../drive_2.html">`,
			"docs/fmi.html":  `<li><a href="../drive.html">Drive in the browser</a></li>`,
		} {
			data, err := os.ReadFile(filepath.Join(out, "site", name))
			if err != nil {
				t.Fatal(err)
			}
			if has := strings.Contains(string(data), want); has != (drives != nil) {
				t.Errorf("%s with %d vehicles has the links: %t", name, len(drives), has)
			}
			if strings.Contains(string(data), "drive.html") != (drives != nil) {
				t.Errorf("%s with %d vehicles leads to one", name, len(drives))
			}
		}
		for _, d := range drives {
			if data, err := os.ReadFile(filepath.Join(out, "site", d.address)); string(data) != string(d.page) {
				t.Errorf("%s is %q (%v)", d.address, data, err)
			}
		}
	}
}

// Without a compiler there are no vehicles to drive, and the log says why.
func TestWithoutACompilerThereAreNoVehicles(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var log strings.Builder
	list, err := makeDrives(repository, t.TempDir(), &log)
	if len(list) > 0 || err != nil || !strings.Contains(log.String(), "clang") {
		t.Errorf("%v, %v, %q", list, err, log.String())
	}
}
