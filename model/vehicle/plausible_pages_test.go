package vehicle_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// documented returns the names of the model and subsystem files on a page, in its order, and the texts by name.
// Vehicles that the page makes from templates are among the texts.
func documented(t *testing.T, page string) (order []string, files map[string]string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	block := regexp.MustCompile("(?ms)^```toml (file|more)=(\\S+)\n(.*?)^```")
	for _, b := range block.FindAllStringSubmatch(string(text), -1) {
		if b[1] == "more" {
			files[b[2]] += "\n" + b[3]
			continue
		}
		order, files[b[2]] = append(order, b[2]), b[3]
	}
	made := regexp.MustCompile(`(?m)^skidpad new (\S+) --from (\S+)$`)
	for _, m := range made.FindAllStringSubmatch(string(text), -1) {
		const file = "vehicle.toml"
		template, err := os.ReadFile(filepath.Join("../../resources/templates", m[2], file))
		if err != nil {
			t.Fatal(err)
		}
		files[m[1]+"/"+file] = string(template)
	}
	return order, files
}

// parseDocumented reads a model of a page, which can use others of the page.
func parseDocumented(files map[string]string, file string) (*vehicle.Model, error) {
	shipped := vehicle.Opener("../../" + file)
	return vehicle.Parse([]byte(files[file]), filepath.Base(file), func(kind bounded.Kind, name string) ([]byte, error) {
		if own, is := files[path.Join(path.Dir(file), filepath.ToSlash(name))]; is {
			return []byte(own), nil
		}
		return shipped(kind, name)
	})
}

// isModel matches model files: a subsystem has no name, and a manoeuvre no components.
var isModel = regexp.MustCompile(`(?ms)^name = .*^\[(component|use)\b`)

// Models on pages are plausible. The car of the first page has no start speed of its wheels; trimming finds it.
func TestDocumentedModelsGiveNoWarnings(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 30 {
		t.Fatal(pages, err)
	}
	checked := 0
	for _, page := range pages {
		order, files := documented(t, page)
		for _, file := range order {
			if !isModel.MatchString(files[file]) {
				continue
			}
			m, err := parseDocumented(files, file)
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			checked++
			for _, w := range m.Warnings {
				if !strings.Contains(page, "first-vehicle") || !strings.Contains(w, "its wheels turn at 0 rad/s") {
					t.Errorf("%s: %s", page, w)
				}
			}
		}
	}
	if checked < 4 {
		t.Errorf("only %d models of pages were read", checked)
	}
}

// The first page lists errors in its car with their messages.
func TestMistakesOfTheFirstPage(t *testing.T) {
	const page, car = "../../docs/first-vehicle.md", "formula_student.toml"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"220 kg", "220 lbs", `unit "lbs" is not known; lb is mass, lbf is force`},
		{`"30 N/mm"`, `"30N/mm"`, "between number and unit stands a blank"},
		{"30 N/mm", "30 N/m", "their corner swings at 0.1 Hz"},
		{"12 N/mm", "12 kN/mm", "a corner of 71 kg swings at 93 Hz"},
		{`half_track = "track", stiffness`, `half_trak = "track", stiffness`, `did you mean "half_track"?`},
		{`x = "front", `, "", "use F lacks parameters that have no value"},
		{"sprung*g*front", "sprung*front", "the formula has the unit kg; it must have N"},
		{`"-rear"`, `"rear"`, "axle 2 with tire_RL stands at x = 0.77 m, not behind axle 1"},
		{`"tire_FL", "tire_FR"`, `"tire_FR", "tire_FL"`, "axle 1 lists tire_FR at the left"},
		{`left = "steer_FL", right = "steer_FR"`, `left = "steer_FR", right = "steer_FL"`,
			"has its kingpin on the other side"},
		{`{ chassis = "body", left`, `{ chassis = "road", left`, `is carried by "road", which is the road`},
		{"engine_D.throttle", "engine.throttle", `there is no component "engine"; did you mean "engine_D"?`},
		{"susp.start = { s = \"32 mm\" }\n", "", "the tire tire_FL is 0.03 m above the road"},
		{"260 mm", "26 mm", "the tire tire_FL is 0.236 m into the road"},
		{`"50 mm"`, `"-50 mm"`, "pulls the wheel up at the start"},
		{"title =", "gravity = -9.81\ntitle =", "a single number g stands for [0, 0, -g]"},
		{"title =", "title =", "its wheels turn at 0 rad/s"},
	} {
		_, files := documented(t, page)
		if !strings.Contains(files[car], c[0]) {
			t.Fatalf("the car lacks %s", c[0])
		}
		files[car] = strings.Replace(files[car], c[0], c[1], 1)
		m, err := parseDocumented(files, car)
		said := ""
		if err != nil {
			said = err.Error()
		} else {
			said = strings.Join(m.Warnings, "\n")
		}
		if !strings.Contains(said, c[2]) {
			t.Errorf("%s: %s; want %s", c[1], said, c[2])
		}
		if !strings.Contains(string(text), "`"+c[2]+"`") {
			t.Errorf("the page does not show %s", c[2])
		}
	}
	_, files := documented(t, page)
	if lines := strings.Count(files[car], "\n"); lines >= 90 {
		t.Errorf("the car has %d lines", lines)
	}
}

// The tilt joint of an axle oscillates with the stiffness of the anti-roll bar.
func TestStiffnessAgainstTilting(t *testing.T) {
	_, files := documented(t, "../../docs/subsystems.md")
	const van = "van.toml"
	text := files[van]
	if files[van] = strings.Replace(text, "bar = 20000", "bar = 1e9", 1); files[van] == text {
		t.Fatal("the van has no bar")
	}
	files[van] += "\n[component.tilt_springs_R]\ndamping = 0\n"
	if m, err := parseDocumented(files, van); err != nil || len(m.Warnings) > 0 {
		t.Error(err, m)
	}
}
