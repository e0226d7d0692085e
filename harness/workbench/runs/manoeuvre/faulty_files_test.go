package manoeuvre

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"skidpad/harness/tests/built"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/vehicle"
)

// hostile are values that readers may not expect where they stand.
var hostile = []string{"0", "-0.0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "9223372036854775807",
	`""`,
	`" "`, `"x"`, `"1 kg"`, `"-3 mm"`, `"5 lbs"`, `"1,5 m"`, `"1e999 m"`, `"3 deg"`, `"100 km/h"`, `"20 degC"`,
	`"1/0"`, `"((((x"`, `"x^x^x"`, `"sqrt(-1)"`, `"@wheel[1L].Fz"`, `"@"`, `"@axle[99999999999999999999].load"`,
	`"@wheel[*].*"`, `"body"`, `"ground"`, `"../x.toml"`, `"\u0000"`, `"ä€😀"`, `"a.b.c"`, "true", "false",
	"1979-05-27",
	"[]", "[[]]", "[[[[]]]]", "{}", "[1]", "[1, 2, 3]", `["a", 1]`, "[nan, nan, nan]", `["x", "x"]`, "[[0, 0], [0, 0]]",
	"[[1, 2], [0, 1]]", "{ x = 1 }", `{ file = "x.csv" }`, `{ value = 1 }`, `{ unit = "m" }`, `{ kind = "formula" }`,
	`{ input = "a.b", inputs = ["c.d"] }`, "[{}]", `"L"`, `["L", "R"]`, `["R", "R"]`, "1000000", `"opposite"`}

// seedFiles are the files that faulty ones are made of.
type seedFiles struct {
	kind  string
	texts []string
}

// shippedSeeds are shipped files of every kind with its own reader; only quickly read models are included.
func shippedSeeds(t *testing.T) []seedFiles {
	t.Helper()
	texts := func(pattern string) (list []string) {
		files, err := filepath.Glob(built.Path("resources", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files of %s: %v", len(files), pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(data) < 12_000 {
				list = append(list, string(data))
			}
		}
		return list
	}
	cars := []string{toyCarFile}
	for _, text := range texts("models/*.toml") {
		if i := strings.Index(text, "\n[roles]"); i >= 0 {
			roles, _, _ := strings.Cut(text[i+1:], "\n[component")
			roles, _, _ = strings.Cut(roles, "\n[use")
			cars = append(cars, roles+"\n")
		}
	}
	return []seedFiles{{"model", texts("models/*.toml")}, {"subsystem", texts("subsystems/*.toml")},
		{"manoeuvre", texts("manoeuvres/*.toml")}, {"car", cars}}
}

var (
	valueOfLine = regexp.MustCompile(`^(\s*[\w."'-]+\s*=\s*)(.*)$`)
	keyInBraces = regexp.MustCompile(`[\w."]+ = ("[^"]*"|[^,{}\[\]]+),? ?`)
)

// spoiled returns a file with one to four faults; most faults leave valid TOML.
func spoiled(r *rand.Rand, from seedFiles) string {
	pick := func() string { return from.texts[r.IntN(len(from.texts))] }
	lines := strings.Split(pick(), "\n")
	near := r.IntN(2) == 0 // what is read together often stands together
	i := r.IntN(len(lines))
	for k := range 1 + r.IntN(4) {
		if k > 0 && near {
			i = min(max(i+r.IntN(21)-10, 0), len(lines)-1)
		} else {
			i = r.IntN(len(lines))
		}
		value := hostile[r.IntN(len(hostile))]
		switch r.IntN(11) {
		case 0, 1, 2: // the value of a key
			if m := valueOfLine.FindStringSubmatch(lines[i]); m != nil {
				lines[i] = m[1] + value
			}
		case 3: // one number or text within a line
			if places := regexp.MustCompile(`"[^"]*"|-?[0-9.]+`).FindAllStringIndex(lines[i], -1); places != nil {
				p := places[r.IntN(len(places))]
				lines[i] = lines[i][:p[0]] + value + lines[i][p[1]:]
			}
		case 9: // a key of a table in braces goes
			if places := keyInBraces.FindAllStringIndex(lines[i], -1); places != nil {
				p := places[r.IntN(len(places))]
				lines[i] = lines[i][:p[0]] + lines[i][p[1]:]
			}
		case 10: // a number has the other sign
			if places := regexp.MustCompile(`-?[0-9][0-9.]*`).FindAllStringIndex(lines[i], -1); places != nil {
				p := places[r.IntN(len(places))]
				number := "-" + lines[i][p[0]:p[1]]
				lines[i] = lines[i][:p[0]] + strings.TrimPrefix(number, "--") + lines[i][p[1]:]
			}
		case 4:
			lines = slices.Delete(lines, i, i+1)
			lines = append(lines, "")
		case 5: // a line of another file
			other := strings.Split(pick(), "\n")
			lines = slices.Insert(lines, i, other[r.IntN(len(other))])
		case 6:
			lines[i], lines[r.IntN(len(lines))] = lines[r.IntN(len(lines))], lines[i]
		case 7: // the rest of another file
			other := strings.Split(pick(), "\n")
			lines = append(lines[:i:i], other[r.IntN(len(other)):]...)
			lines = append(lines, "")
		case 8: // bytes
			if text := []byte(lines[i]); len(text) > 0 {
				text[r.IntN(len(text))] ^= byte(1 << r.IntN(8))
				lines[i] = string(text)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// useOf returns a model that uses a subsystem file. It connects the frames road, chassis and axle, named as in shipped
// files, to the road and the body, and other frames to a hub. Every parameter without a value gets 0.7.
func useOf(part string) string {
	const begin = `name = "Car"
gravity = 9.81
[component]
road = { type = "terrain", kind = "plane" }
body = { type = "rigid-body", mass = 1000, inertia = { xx = 300, yy = 1500, zz = 1600 } }
wheel = { type = "rigid-body", mass = 20, inertia = { xx = 1, yy = 1, zz = 1 } }
hub = { type = "revolute", from = "body", to = "wheel", axis = "y" }
[use.F]
file = "part.toml"
`
	frames := ""
	if m := listOfFrames.FindStringSubmatch(part); m != nil {
		for _, name := range strings.Split(m[1], ",") {
			name = strings.Trim(name, ` "`)
			by := map[string]string{"road": "road", "chassis": "body", "axle": "body"}[name]
			frames += fmt.Sprintf("%s = %q, ", name, cmp.Or(by, "hub"))
		}
	}
	parameters := ""
	for _, m := range withoutValue.FindAllStringSubmatch(part, -1) {
		parameters += m[1] + " = 0.7, "
	}
	at := ""
	if strings.Contains(part, `sides = "left"`) {
		at = "at = [\"L\", \"R\"]\n"
	}
	return fmt.Sprintf("%s%sframes = { %s }\nparameters = { %s }\n", begin, at, strings.TrimSuffix(frames, ", "),
		strings.TrimSuffix(parameters, ", "))
}

var (
	listOfFrames = regexp.MustCompile(`(?m)^frames = \[([a-z_", ]*)\]`)
	withoutValue = regexp.MustCompile(`(?m)^(\w+) = \{ unit`)
)

// readFaulty reads a faulty file and returns what is wrong with it.
func readFaulty(kind, text string, files map[string]string, target Target) error {
	const name = "faulty.toml"
	open := func(_ bounded.Kind, file string) ([]byte, error) {
		if file == "part.toml" {
			return []byte(text), nil
		}
		for known, content := range files {
			if path.Base(filepath.ToSlash(file)) == known {
				return []byte(content), nil
			}
		}
		return nil, os.ErrNotExist
	}
	var err error
	switch kind {
	case "model":
		_, err = vehicle.Parse([]byte(text), name, open)
	case "subsystem":
		_, err = vehicle.Parse([]byte(useOf(text)), name, open)
	default:
		root, wrong := document.Parse([]byte(text), name)
		if wrong != nil {
			return wrong
		}
		c := &car{target: target}
		manoeuvre := root
		if kind == "car" {
			c.file, c.root = name, root
			if manoeuvre, err = document.Parse([]byte(anyCar), "manoeuvre.toml"); err != nil {
				return err
			}
		}
		find := func(string) (*car, error) { return c, c.readRoles() }
		var m *Manoeuvre
		if m, err = build("manoeuvre.toml", manoeuvre, nil, nil, find, nil); m != nil {
			for _, input := range m.Inputs {
				input.Signal.At(m.Duration / 3)
			}
		}
	}
	return err
}

// anyCar is a manoeuvre that needs most of what a car file can give.
const anyCar = `name = "any"
title = "Any"
cars = "cars"
step = 0.01
duration = 1
record = ["@chassis.vx", "@wheel[*].Fz"]
[constants]
speed = 20
[[input]]
variables = ["@brake"]
signal = { kind = "constant", value = 3 }
[[stop]]
verdict = "spun"
when = { formula = "@axle[1].load", below = "body_width*wheelbase/steering_ratio" }
`

// For any file of a model, a subsystem, a manoeuvre or a car, the reader returns a valid result or errors with their
// positions, and never panics. SKIDPAD_FAULTY_FILES is the number of files, set by the stage faulty-files of build.sh.
// Each file has a number that reproduces it.
func TestFaultyFiles(t *testing.T) {
	number := func(name string, otherwise uint64) uint64 {
		if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
			return n
		}
		return otherwise
	}
	first, count := number("SKIDPAD_FAULTY_FIRST", 0), number("SKIDPAD_FAULTY_FILES", 1000)
	seeds, files := shippedSeeds(t), map[string]string{}
	for _, folder := range []string{"models", "subsystems", "tires"} {
		list, err := filepath.Glob(built.Path("resources", folder, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range list {
			if data, err := os.ReadFile(file); err == nil {
				files[filepath.Base(file)] = string(data)
			}
		}
	}
	target := shipped(t, "generic4w")
	target.Find = nil
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // what is read is thrown away
	var next atomic.Uint64
	var accepted [4]atomic.Uint64 // files without a fault, by kind
	next.Store(first)
	begin := time.Now()
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for n := next.Add(1) - 1; n < first+count && !t.Failed(); n = next.Add(1) - 1 {
				kind := n % uint64(len(seeds))
				if one(t, n, seeds[kind], files, target) {
					accepted[kind].Add(1)
				}
				if done := n - first + 1; done%100_000 == 0 {
					t.Logf("%d files read, %.0f in a second", done, float64(done)/time.Since(begin).Seconds())
				}
			}
		})
	}
	all.Wait()
	read := min(next.Load()-first, count) // fewer where one of them failed
	t.Logf("%d files read; without a fault were %d models, %d subsystems, %d manoeuvres, %d cars", read,
		accepted[0].Load(), accepted[1].Load(), accepted[2].Load(), accepted[3].Load())
	for i, kind := range seeds {
		if accepted[i].Load() == 0 {
			t.Errorf("no %s file was without a fault: its reader was not reached", kind.kind)
		}
	}
}

var hasPlaceOf = regexp.MustCompile(`\.toml:[0-9]+:[0-9]+: |(lacks|uses) roles that `)

// one reads the faulty file of a number and reports whether it is none.
func one(t *testing.T, n uint64, seed seedFiles, files map[string]string, target Target) bool {
	text := spoiled(rand.New(rand.NewPCG(n, 1)), seed)
	defer func() {
		if wrong := recover(); wrong != nil {
			stack := make([]byte, 4000)
			t.Errorf("%s file %d: panic: %v\n%s\n%s", seed.kind, n, wrong, stack[:runtime.Stack(stack, false)], text)
		}
	}()
	err := readFaulty(seed.kind, text, files, target)
	if err != nil && !hasPlaceOf.MatchString(fmt.Sprint(err)) {
		t.Errorf("%s file %d: no place in %q:\n%s", seed.kind, n, err, text)
	}
	return err == nil
}
