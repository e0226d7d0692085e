package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// No command replaces a file that it reads. The command line names such a file by its path, by another path or by
// --set, or another file names it. The error comes before the work, and the file does not change.
func TestNoResultReplacesASource(t *testing.T) {
	w := newWorkshop(t)
	shippedText := func(parts ...string) string {
		text, err := os.ReadFile(shippedFile(parts...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	w.file("tire.tir", shippedText("tires", "pacejka2002.tir"))
	w.file("tire.toml", shippedText("tires", "fiala_generic4w.toml"))
	w.file("table.csv", "time,Fz\n0,1\n1,2\n")
	w.file("figures.csv", "tire.mass\n20\n")
	w.file("by.html", "x\n")
	w.file("variant.toml", "base = \"car.toml\"\nname = \"Variant\"\n")
	w.file("roll.toml", oneTireManoeuvre)
	w.file("recorded.toml", strings.Replace(oneTireManoeuvre, `title = "It rolls"`, `title = "table.csv"`, 1))
	if err := os.Symlink(w.path("table.csv"), w.path("link.csv")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(w.path("other"), 0o755); err != nil {
		t.Fatal(err)
	}
	manoeuvre := []string{w.path("car.toml"), "--manoeuvre", w.path("roll.toml")}
	for name, args := range map[string][]string{
		"table.csv":           {"tire", w.path("tire.toml"), "--in", w.path("table.csv"), "--out", w.path("table.csv")},
		"table.csv as a link": {"tire", w.path("tire.toml"), "--in", w.path("table.csv"), "--out", w.path("link.csv")},
		"table.csv by another path": {"tire", w.path("tire.toml"), "--in", w.path("table.csv"), "-o",
			w.path("other") + "/../table.csv"},
		"tire.tir":                      {"tire", "convert", w.path("tire.tir"), w.path("tire.tir")},
		"tire.toml":                     {"tire", "convert", w.path("tire.toml"), w.path("tire.toml")},
		"car.toml by expand":            {"expand", w.path("car.toml"), "--out", w.path("car.toml")},
		"car.toml, a base":              {"expand", w.path("variant.toml"), "--out", w.path("car.toml")},
		"car.toml by trim":              {"trim", w.path("car.toml"), "--out", w.path("car.toml")},
		"variant.toml by trim":          {"trim", w.path("variant.toml"), "--out", w.path("variant.toml")},
		"car.toml by trim of a variant": {"trim", w.path("variant.toml"), "--out", w.path("car.toml")},
		"car.toml by linearize": {"linearize", w.path("car.toml"), "--at", "tire.mass=20", "--toml",
			w.path("car.toml")},
		"table.csv by simulate": append([]string{"simulate", "--set", "tire.file=table.csv", "--out", w.path("table.csv")},
			manoeuvre...),
		"table.csv of a manoeuvre": {"simulate", w.path("car.toml"), "--manoeuvre", w.path("recorded.toml"), "--inputs",
			w.path("table.csv")},
		"table.csv of the manoeuvre of a sweep": {"sweep", w.path("car.toml"), "--manoeuvre", w.path("recorded.toml"),
			"--param", "tire.mass=1,2", "--out", w.path("table.csv")},
		"figures.csv in a folder": append([]string{"manoeuvre", "--design", w.path("figures.csv"), "--out", w.folder},
			manoeuvre...),
		"by.html": {"compare", w.path("table.csv"), w.path("figures.csv"), "--by", w.path("by.html"), "--out",
			w.path("by.html")},
		"by.html of an animation": {"animate", w.path("table.csv"), "--model", w.path("car.toml"), "--manoeuvre",
			w.path("by.html"), "--out", w.path("by.html")},
	} {
		file, _, _ := strings.Cut(name, ",")
		file, _, _ = strings.Cut(file, " ")
		before, err := os.ReadFile(w.path(file))
		if err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := try(args...)
		if status != 2 || !strings.Contains(stderr, file) || stdout != "" || !strings.Contains(stderr, "are both") {
			t.Errorf("%s: skidpad %q: status %d, %s%s", name, args, status, stdout, stderr)
		}
		if after, err := os.ReadFile(w.path(file)); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: skidpad %q has changed the file; %v", name, args, err)
		}
	}
	// files beside the sources, and existing files that are not read, may be written
	w.file("beside.csv", "old\n")
	status, _, stderr := try("tire", w.path("tire.toml"), "--in", w.path("table.csv"), "--out", w.path("beside.csv"))
	if status == 2 && strings.Contains(stderr, "are both") {
		t.Error(stderr)
	}
	if status, _, stderr := try("tire", "convert", w.path("tire.tir"), w.path("tire2.tir")); status != 0 {
		t.Error(stderr)
	}
}

// Every flag for results is marked, so that checkOverwrites knows it.
func TestFlagsOfResultsAreMarked(t *testing.T) {
	folders := []string{"skidpad linearize", "skidpad run", "skidpad reference", "skidpad bench"} // without names of files
	begun := false
	marked := 0
	everyCommand(newRoot(&begun), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			writes := f.Value.Type() == "string" && (f.Name == "out" || f.Name == "plot" || f.Name == "html")
			_, is := f.Annotations[results]
			if is {
				marked++
			}
			if writes && !is && !slices.Contains(folders, c.CommandPath()) {
				t.Errorf("%s --%s is not marked by writesTo or writesInto", c.CommandPath(), f.Name)
			}
		})
	})
	if marked < 15 {
		t.Errorf("%d flags are marked", marked)
	}
}
