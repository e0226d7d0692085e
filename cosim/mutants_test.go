package cosim_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/BurntSushi/toml"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

var mutants = flag.Int("mutants", testrun.Either(150, 1500), "structural mutants of the shipped models")

// table is a table of a model file, as TOML reads it.
type table = map[string]any

// mutant is a model file with a changed structure.
type mutant struct {
	*rand.Rand
	file    table
	names   []string // of the edges of its graph
	changes []string
}

func (m *mutant) note(format string, arguments ...any) {
	m.changes = append(m.changes, fmt.Sprintf(format, arguments...))
}

func (m *mutant) components() table {
	list, _ := m.file["component"].(table)
	return list
}

// pick returns a random component.
func (m *mutant) pick() (name string, c table) {
	all := m.components()
	names := slices.Sorted(maps.Keys(all))
	if len(names) == 0 {
		return "", table{}
	}
	name = names[m.IntN(len(names))]
	if c, _ = all[name].(table); c == nil { // an earlier change has put another value there
		c = table{}
	}
	return name, c
}

// text picks a key with a string value, of a component or of a table in it: a frame, a name or a choice.
func (m *mutant) text() (where string, at table, key string) {
	for range 100 {
		name, c := m.pick()
		for range m.IntN(2) {
			for _, k := range slices.Sorted(maps.Keys(c)) {
				if below, is := c[k].(table); is && m.IntN(2) == 0 {
					name, c = name+"."+k, below
					break
				}
			}
		}
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(c)), func(k string) bool { _, is := c[k].(string); return !is })
		if len(keys) > 0 {
			return name, c, keys[m.IntN(len(keys))]
		}
	}
	return "", table{"": ""}, ""
}

// edges returns names that trees can prefer and forbid.
func (m *mutant) edges() (list []any) {
	for range min(1+m.IntN(3), len(m.names)) {
		list = append(list, m.names[m.IntN(len(m.names))])
	}
	return list
}

func copied(v any) any {
	switch v := v.(type) {
	case table:
		c := table{}
		for k, e := range v {
			c[k] = copied(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = copied(v[i])
		}
		return c
	case []table:
		c := make([]table, len(v))
		for i := range v {
			c[i] = copied(v[i]).(table)
		}
		return c
	}
	return v
}

// change makes one change.
func (m *mutant) change() {
	all := m.components()
	name, c := m.pick()
	switch m.IntN(12) {
	case 0, 1:
		where, at, key := m.text()
		where2, at2, key2 := m.text()
		m.note("%s.%s and %s.%s exchanged", where, key, where2, key2)
		at[key], at2[key2] = at2[key2], at[key]
	case 2, 3:
		where, at, key := m.text()
		_, from, key2 := m.text()
		if m.IntN(8) == 0 {
			from, key2 = table{"": []any{"ground", "nowhere", "", name}[m.IntN(4)]}, ""
		}
		m.note("%s.%s = %q", where, key, from[key2])
		at[key] = from[key2]
	case 4:
		m.note("%s removed", name)
		delete(all, name)
	case 5:
		m.note("%s doubled", name)
		again := copied(c).(table)
		all[name+"_2"] = again
		if _, framed := again["frame"]; framed && m.IntN(2) == 0 {
			delete(again, "frame")
		}
	case 6:
		_, other := m.pick()
		m.note("%s of type %v", name, other["type"])
		c["type"] = other["type"]
		for k, v := range other {
			if _, given := c[k]; !given && m.IntN(2) == 0 {
				c[k] = copied(v)
			}
		}
	case 7:
		other, _ := m.pick()
		m.note("%s and %s exchanged", name, other)
		all[name], all[other] = all[other], all[name]
	case 8, 9:
		trees, _ := m.file["tree"].([]table)
		tree := table{"name": fmt.Sprint("mutant", len(trees)), "prefer": m.edges(), "forbid": m.edges()}
		if m.IntN(3) == 0 {
			tree["formulation"] = "udwadia-kalaba"
		}
		if m.IntN(3) > 0 {
			delete(tree, "forbid")
		}
		m.note("tree %v", tree)
		m.file["tree"] = append([]table{tree}, trees...)
	case 10:
		keys := slices.Sorted(maps.Keys(c))
		if len(keys) > 0 {
			k := keys[m.IntN(len(keys))]
			m.note("%s.%s removed", name, k)
			delete(c, k)
		}
	case 11:
		keys := slices.Sorted(maps.Keys(c))
		if len(keys) > 0 {
			k := keys[m.IntN(len(keys))]
			values := []any{0.0, -1.0, 1e300, "x", "y", "z", []any{0.0, 0.0, 1.0}, []any{}, true, table{},
				[]any{"body"}, "0*1"}
			c[k] = values[m.IntN(len(values))]
			m.note("%s.%s = %v", name, k, c[k])
		}
	}
}

// run reads a mutant, formulates its equations and makes some steps. It returns the first error, or the panic that
// ended it.
func (m *mutant) run(text []byte) (panicked string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			panicked = fmt.Sprintf("%v\n%s", cause, debug.Stack())
		}
	}()
	read, err := vehicle.Parse(text, "mutant.toml", func(k bounded.Kind, name string) ([]byte, error) {
		return k.Read(filepath.Join("../resources/models", name))
	})
	if err != nil {
		return "", err
	}
	var o cosim.Options
	if len(read.Trees) > 0 {
		o.Tree = read.Trees[m.IntN(len(read.Trees))].Name
	}
	s, err := cosim.New(read, o)
	if err != nil {
		return "", err
	}
	in, err := s.Instantiate()
	if err != nil {
		return "", err
	}
	defer in.Close()
	if m.IntN(4) > 0 {
		if err := in.SetText("solver.code", "portable"); err != nil {
			return "", err
		}
	}
	if err := in.Initialise(); err != nil {
		return "", err
	}
	for range 3 {
		if err := in.Step(0.001); err != nil {
			return "", err
		}
	}
	return "", nil
}

// Model files with mutated structure give equations or an error, never a panic. Mutations exchange frames and names,
// remove or double components, change their types, and replace the trees.
func TestStructuralMutants(t *testing.T) {
	testrun.Slow(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(err, len(files))
	}
	var all atomic.Int64 // number of mutants that run
	t.Cleanup(func() {
		if all.Load() == 0 {
			t.Error("no mutant runs")
		}
	})
	const parts = 8 // groups of mutants that run at the same time
	for part := range parts {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			ran, panics := 0, map[string]int{}
			for n := part; n < *mutants; n += parts {
				file := files[n%len(files)]
				m := &mutant{Rand: rand.New(rand.NewPCG(91, uint64(n))), names: edgesOf(t, file)}
				var flat bytes.Buffer
				if err := modelfile.Expand(&flat, file, "../resources/models"); err != nil {
					t.Fatal(err)
				}
				if err := toml.Unmarshal(flat.Bytes(), &m.file); err != nil {
					t.Fatal(err)
				}
				for range 1 + m.IntN(5)/2 {
					m.change()
				}
				var text bytes.Buffer
				if err := toml.NewEncoder(&text).Encode(m.file); err != nil {
					continue // TOML has no form for the value
				}
				panicked, err := m.run(text.Bytes())
				switch {
				case panicked != "":
					line := firstLineOf(panicked)
					if panics[line]++; panics[line] == 1 {
						kept := filepath.Join(os.TempDir(), fmt.Sprintf("mutant%d.toml", n))
						_ = os.WriteFile(kept, text.Bytes(), 0o600)
						t.Errorf("mutant %d of %s, %s (%s):\n%s", n, filepath.Base(file), strings.Join(m.changes, "; "), kept,
							panicked)
					}
				case err == nil:
					ran++
				case err.Error() == "":
					t.Errorf("mutant %d of %s: an error without text", n, filepath.Base(file))
				}
			}
			all.Add(int64(ran))
			t.Logf("%d run; %v", ran, panics)
		})
	}
}

// edgesOf lists the names of the edges of a model's graph, as trees use them.
func edgesOf(t *testing.T, file string) (names []string) {
	t.Helper()
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	g := m.Scope().Graph()
	for i := range g.Edges {
		names = append(names, g.Edges[i].Name)
	}
	return names
}

// firstLineOf returns the first line of this repository in a stack behind the panic.
func firstLineOf(stack string) string {
	_, behind, _ := strings.Cut(stack, "panic(")
	for line := range strings.Lines(behind) {
		if at := strings.Index(line, "/model/"); at >= 0 {
			return strings.Fields(line[at:])[0]
		}
		if at := strings.Index(line, "/cosim/"); at >= 0 {
			return strings.Fields(line[at:])[0]
		}
	}
	return stack
}
