package schema_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/analyses/optimise"
	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/results/validation"
	"skidpad/harness/workbench/runs/assess"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/sweep"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

var update = flag.Bool("update", false, "write the tables of keys into the pages of the documentation")

// pages are the tables of keys in the pages of the documentation, by page and part.
func pages() map[string]map[string]string {
	kinds := func(list []keys.Key, key string) []keys.Kind {
		return list[slices.IndexFunc(list, func(k keys.Key) bool { return k.Name == key })].Kinds
	}
	phase := keysOf(manoeuvre.FileKeys, "phase")
	return map[string]map[string]string{
		"manoeuvres": {
			"manoeuvre": keys.TopPage(manoeuvre.FileKeys),
			"input":     keys.Page(some(manoeuvre.FileKeys, "input", "feedback")),
			"signal":    keys.KindsPage(kinds(phase, "steering")),
			"phase":     keys.Page(without(phase, "input")),
			"drivers":   keys.Page(some(manoeuvre.FileKeys, "steering", "speed_control", "path_follower")),
			"ends":      keys.Page(some(manoeuvre.FileKeys, "stop", "end_at")),
			"path":      keys.KindsPage(kinds(phase, "path")),
			"track":     keys.Page(some(manoeuvre.FileKeys, "track", "sweep", "search", "prerun")),
			"figures":   keys.KindsPage(kinds(manoeuvre.FileKeys, "figures"), "body", "front", "rear"),
		},
		"drivers": {"driver": keys.Page(some(manoeuvre.FileKeys, "driver")),
			"pedals":    keys.Page(some(manoeuvre.FileKeys, "pedals")),
			"knowledge": keys.Page(drive.KnowledgeKeys)},
		"cars":        {"roles": keys.Page(roles.FileKeys), "car": keys.TopPage(manoeuvre.CarKeys)},
		"assessments": {"assessment": keys.Page(assess.FileKeys)},
		"studies":     {"study": keys.Page(sweep.FileKeys)},
		"compare":     {"comparison": keys.Page(compare.FileKeys)},
		"validation":  {"test": keys.Page(some(validation.FileKeys, "test"))},
		"kc":          {"loads": keys.Page(suspension.FileKeys), "targets": keys.Page(suspension.TargetKeys)},
		"linear":      {"linear": keys.Page(linearise.FileKeys), "optimise": keys.Page(optimise.FileKeys)},
	}
}

// keysOf returns the keys of a table of a list.
func keysOf(list []keys.Key, name string) []keys.Key {
	return list[slices.IndexFunc(list, func(k keys.Key) bool { return k.Name == name })].Keys
}

// some are the keys of a list with some names.
func some(list []keys.Key, names ...string) []keys.Key {
	return slices.DeleteFunc(slices.Clone(list), func(k keys.Key) bool { return !slices.Contains(names, k.Name) })
}

// without are the keys of a list except for one.
func without(list []keys.Key, name string) []keys.Key {
	return slices.DeleteFunc(slices.Clone(list), func(k keys.Key) bool { return k.Name == name })
}

// The pages have the same tables of keys as the readers of files.
func TestPagesHoldTheTablesOfKeys(t *testing.T) {
	for page, parts := range pages() {
		path := "../../../../docs/" + page + ".md"
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for name, want := range parts {
			begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
			before, after, begins := strings.Cut(text, begin)
			old, rest, ends := strings.Cut(after, end)
			if !begins || !ends {
				t.Errorf("docs/%s.md has no part %q", page, name)
				continue
			}
			if old != want && !*update {
				t.Errorf("docs/%s.md: the part %q is not what the keys say; run go test ./harness/workbench/analyses/schema "+
					"-run Pages -update", page, name)
			}
			text = before + begin + want + end + rest
		}
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
