package sti

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/tire"
)

const resources = "../../resources/tires/"

// absolute returns the absolute path of a file of the resources.
func absolute(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(resources + name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// written writes a temporary file and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// upright are the arguments of a wheel on the plane z = 0.
func upright(m Motion) (a Arguments) {
	p := tire.Pose{Centre: [3]float64{0, 0, m.Depth}, Heading: [3]float64{1, 0, 0}, Normal: [3]float64{0, 0, 1}}
	m.Put(&a, &p, 1)
	return a
}

// arraysOf returns arrays of given sizes.
func arraysOf(s Sizes) *Arrays {
	return &Arrays{
		States: make([]float64, s.States), Initial: make([]float64, s.States), Rates: make([]float64, s.States),
		Parameters: make([]float64, s.Parameters),
		Road:       make([]float64, s.Road), Outputs: make([]float64, s.Outputs), Work: make([]float64, s.Work),
		Integers: make([]int32, s.Integers),
	}
}

// started runs the jobs before evaluations, Inquire and Initialise, and sets the job Evaluate.
func started(t testing.TB, s *Server, file string, a *Arguments) *Arrays {
	t.Helper()
	a.Job = int32(Inquire)
	s.Serve(a, &Arrays{}, func() string { return file })
	r := arraysOf(a.Sizes)
	if a.Error == Fine {
		a.Job = int32(Initialise)
		s.Serve(a, r, func() string { return file })
	}
	if a.Error > Warning {
		t.Fatal(text(a.Model[:]))
	}
	a.Job = int32(Evaluate)
	return r
}

// steady copies a property file of the resources, without relaxation (USE_MODE 4), and returns the path of the copy.
func steady(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(resources + name)
	if err != nil {
		t.Fatal(err)
	}
	return written(t, name, regexp.MustCompile(`(?m)^USE_MODE.*$`).ReplaceAllString(string(data), "USE_MODE = 4"))
}

// A property file has all data of a tire: its load follows from stiffness and damping, its slips from the effective
// radius, its forces from the function of its version.
func TestPropertyFilesMakeTires(t *testing.T) {
	for file, function := range map[string]string{"pacejka2002.tir": "Pacejka02", "mf61_205_60R15.tir": "MF61",
		"mf62_205_60R15.tir": "MF62"} {
		path := steady(t, file)
		d, err := readFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if function != "Pacejka02" && (d.damping != 50 || d.width != 0.205 ||
			d.rolling != rolling{"load-dependent", d.rolling.fz0, 8.4, 0.27, d.rolling.f}) {
			t.Errorf("%s: %+v differs from the values of the file", file, d.carcass)
		}
		m := Motion{VCx: 20, VCy: 0.7, VCz: -0.01, Omega: 66, Depth: d.radius - 0.015}
		a := upright(m)
		var s Server
		r := started(t, &s, path, &a)
		if said := text(a.Model[:]); a.Error != Fine || !strings.HasPrefix(said, d.title[:10]) {
			t.Errorf("%s: IERR %d, %q", file, a.Error, said)
		}
		s.Serve(&a, r, nil)
		load := d.stiffness*0.015 + d.damping*0.01
		effective := d.effective(m.Depth)
		near(t, file+" load", a.Force[2], load, 1e-12)
		near(t, file+" kappa", r.Outputs[6], (66*effective-20)/20, 1e-12)
		near(t, file+" tan alpha", r.Outputs[7], 0.034985720, 1e-8) // arctan(0.7/20)
		if !(effective > m.Depth && effective <= d.radius) {        // the loaded and the unloaded radius
			t.Errorf("%s: the effective radius is %g m", file, effective)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := tire.ReadFile(data, path, tire.ReadOptions{})
		if err != nil || p.Function != function {
			t.Fatal(p, err)
		}
		k, err := tire.Lookup(function)
		if err != nil {
			t.Fatal(err)
		}
		f, err := k.New(p.Values)
		if err != nil {
			t.Fatal(err)
		}
		given := map[string]float64{"Fz": load, "S": r.Outputs[6], "alpha": r.Outputs[7], "Omega": 66,
			"Reff": effective, "Rl": m.Depth, "VCx": 20, "mu": 1, "direction": 1, "gamma": 0, "wn": 0}
		in, out := make([]float64, len(k.Inputs)), make([]float64, 5)
		for i, name := range k.Inputs {
			v, ok := given[name]
			if !ok {
				t.Fatalf("%s asks for %s", function, name)
			}
			in[i] = v
		}
		f.Eval(in, out)
		// arm (0, 0, -Rl)
		want := [6]float64{out[0], out[1], load, out[2] - m.Depth*-out[1], out[3] - m.Depth*out[0], out[4]}
		for i, x := range [...]float64{a.Force[0], a.Force[1], a.Force[2], a.Torque[0], a.Torque[1], a.Torque[2]} {
			near(t, fmt.Sprint(file, " wrench ", i), x, want[i], 1e-12)
		}
	}
}

// With the digit of USE_MODE for relaxation the tire has states, which decay with the distance rolled, divided by the
// relaxation length.
func TestRelaxationOfAPropertyFileHasStates(t *testing.T) {
	data, err := os.ReadFile(resources + "mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^USE_MODE.*$`).ReplaceAllString(string(data), "USE_MODE = 14")
	a := upright(Motion{VCx: 20, VCy: 1, Omega: 60, Depth: 0.3})
	var s Server
	r := started(t, &s, written(t, "lag.tir", text), &a)
	if a.Sizes.States != 2 {
		t.Fatalf("%d states", a.Sizes.States)
	}
	s.Serve(&a, r, nil)
	if fy := a.Force[1]; !(fy > -100 && fy < 100) || !(r.Rates[1] > 0) {
		t.Errorf("without deflection the side force is %g N, and the deflection grows by %g 1/s", fy, r.Rates[1])
	}
	length := (1 - 0) / r.Rates[1] // the rate is VPy/Blat at q2 = 0, VPy = 1 m/s
	r.States[1] = 1. / 20
	s.Serve(&a, r, nil)
	near(t, "rate at the steady deflection", r.Rates[1]*length, 0, 1e-12)
}

// A file that requests relaxation and has no relaxation lengths is read with a warning.
func TestRelaxationWithoutLengthsGivesAWarning(t *testing.T) {
	a := upright(Motion{VCx: 20, Omega: 60, Depth: 0.335})
	var s Server
	started(t, &s, absolute(t, "pacejka2002.tir"), &a)
	if said := text(a.Model[:]); a.Error != Warning || a.Sizes.States != 0 ||
		!strings.Contains(said, "needs PTX1, PTY1, PTY2") {
		t.Errorf("IERR %d, %q, %d states", a.Error, said, a.Sizes.States)
	}
}

func TestWheelsInTheAirHaveNoForce(t *testing.T) {
	path := absolute(t, "mf61_205_60R15.tir")
	for name, change := range map[string]func(*Arguments){
		"high":      func(a *Arguments) { a.Centre[2] += 1 },
		"no ground": func(a *Arguments) { a.Plane.Ground = 0 },
	} {
		a := upright(Motion{VCx: 20, VCy: 1, Omega: 60, Depth: 0.3})
		var s Server
		r := started(t, &s, path, &a)
		change(&a)
		s.Serve(&a, r, nil)
		if a.Error != Fine || a.Force != [3]float64{} || a.Torque != [3]float64{} {
			t.Errorf("%s: FORCES are %v, TORQUE is %v, %s", name, a.Force, a.Torque, text(a.Model[:]))
		}
	}
}

func TestHostsReceiveErrors(t *testing.T) {
	path := steady(t, "mf61_205_60R15.tir")
	var s Server
	a := upright(Motion{VCx: 20, Omega: 60, Depth: 0.3})
	r := started(t, &s, path, &a)
	expect := func(job Job, r *Arrays, file, want string) {
		t.Helper()
		a.Job = int32(job)
		s.Serve(&a, r, func() string { return file })
		if said := text(a.Model[:]); want != "" && (a.Error != Fatal || !strings.Contains(said, want)) || want == "" &&
			a.Error != Fine {
			t.Errorf("JOBFLG %d: IERR %d, %q, want %q", job, a.Error, said, want)
		}
	}
	expect(Inquire, r, "", "names no tire file")
	expect(Inquire, r, "nowhere.tir", "nowhere.tir")
	expect(Initialise, &Arrays{}, path, "NVARS is 0; this tire needs 11")
	expect(Evaluate, &Arrays{Integers: r.Integers}, "", "NVARS is 0")
	expect(Evaluate, &Arrays{Integers: []int32{7}}, "", "ended or never initialised")
	expect(Evaluate, &Arrays{Integers: []int32{-1}}, "", "ended or never initialised")
	expect(Evaluate, &Arrays{}, "", "ended or never initialised")
	expect(Accept, r, "", "")
	expect(5, r, "", "")
	number := r.Integers[0]
	expect(Again, r, path, "")
	if r.Integers[0] != number {
		t.Errorf("a tire that was read again has the number %d, not %d", r.Integers[0], number)
	}
	other := arraysOf(a.Sizes)
	expect(Initialise, other, path, "")
	if other.Integers[0] == number {
		t.Error("two tires have the same number")
	}
	expect(End, r, "", "")
	expect(Evaluate, r, "", "ended or never initialised")
	expect(End, r, "", "ended or never initialised")
	expect(Evaluate, other, "", "")
}

func TestErrorsInTireFilesNameTheirPlaces(t *testing.T) {
	good := fmt.Sprintf(`force = { function = "Fiala", file = %q }
unloaded_radius = 0.3
vertical_stiffness = 2e5
`, absolute(t, "fiala_generic4w.toml"))
	d, err := readFile(written(t, "good.toml", good+`rolling_radius = { method = "unloaded" }
width = "200 mm"
vertical_damping = 500
ropar = ["Fz"]
`))
	if err != nil || d.width != 0.2 || d.damping != 500 || d.radius != 0.3 || d.stiffness != 2e5 ||
		d.minimumSpeed != 0.005 || d.rolling.method != "unloaded" || len(d.ropar) != 1 || d.title != "Fiala" {
		t.Fatalf("%+v, %v", d, err)
	}
	_, err = readFile(written(t, "bad.toml", "force = { function = \"Fiala\" }\n"+good[strings.Index(good, "\n")+1:]))
	if err == nil || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(), `bad.toml:1:9: force lacks the key "file"`) {
		t.Errorf("without a parameter file: %v", err)
	}
	for text, want := range map[string]string{
		"unloaded_radius = 0.3\nvertical_stiffness = 2e5": `the tire file lacks the key "force"`,
		strings.Replace(good, "0.3", "-1",
			1): "bad.toml:2:19: unloaded_radius is -1; it must be above 0",
		strings.Replace(good, "0.3", "nan",
			1): "unloaded_radius is nan, which is not a finite number",
		strings.Replace(good, "2e5", `"hard"`,
			1): `vertical_stiffness is "hard"; it must be a number, or a text of a number and its unit [N/m]`,
		strings.Replace(good, "vertical_stiff", "x", 1): `unknown key "xness"`,
		strings.Replace(good, "unloaded_radius = 0.3", "",
			1): `the tire file lacks the key "unloaded_radius"`,
		good + "vertical_damping = -1":                  "must not be negative",
		good + "side = \"top\"":                         "it must be one of the words left, right",
		good + "rolling_radius = { method = \"free\" }": "it must be one of the words loaded, unloaded, load-dependent",
		good + "rolling_radius = { method = \"load-dependent\", B = 8, D = 0.2, F = 0 }": `lacks the key "Fz0"`,
		good + "ropar = [\"weather\"]":                                  `ropar[0] names "weather"`,
		strings.Replace(good, "Fiala\"", "Brush\"", 1):                  "holds parameters of Fiala, not of Brush",
		strings.Replace(good, "fiala_generic4w", "nothing", 1):          "nothing.toml",
		strings.Replace(good, "fiala_generic4w", "stretched_string", 1): "StretchedString",
		good + "[relaxation":                                            "not valid TOML",
	} {
		_, err := readFile(written(t, "bad.toml", text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
}

// For all arguments of a host, Serve returns finite forces or an error with a message.
func FuzzServe(f *testing.F) {
	d := absolute(f, "mf61_205_60R15.tir")
	fuzzinputs.Add(f, int32(0), 20.0, 1.0, 0.3, 1.0, 0.0, 60.0, int32(1), uint8(11))
	fuzzinputs.Add(f, int32(0), math.NaN(), 1e300, 0.0, 0.0, 1.0, math.Inf(1), int32(-5), uint8(0))
	var s Server
	begin := upright(Motion{Depth: 0.3})
	arrays := started(f, &s, d, &begin)
	f.Fuzz(func(t *testing.T, job int32, vx, vy, height, cosine, sine, spin float64, number int32, size uint8) {
		a, r := begin, *arrays
		r.Integers = slices.Clone(arrays.Integers)
		a.Job, a.Velocity, a.Centre[2], a.Spin = job, [3]float64{vx, vy, 0}, height, spin
		a.Axes[4], a.Axes[5], a.Axes[7], a.Axes[8] = cosine, sine, -sine, cosine
		if number != 1 {
			r.Integers[0] = number
		}
		r.Outputs = r.Outputs[:min(int(size), len(r.Outputs))]
		s.Serve(&a, &r, func() string { return "" })
		if Job(job) == End && a.Error == Fine {
			started(t, &s, d, &a) // initialises the tire again, with the number that is free
		}
		if a.Error < Fine || a.Error > Fatal || a.Error == Fatal && text(a.Model[:]) == "" {
			t.Errorf("IERR %d, %q", a.Error, a.Model)
		}
		if a.Error == Fine && job == int32(Evaluate) && (slices.ContainsFunc(a.Force[:], unusable) ||
			slices.ContainsFunc(a.Torque[:], unusable)) {
			t.Errorf("FORCES are %v, TORQUE is %v", a.Force, a.Torque)
		}
	})
}

// A property file without the vertical stiffness and the unloaded radius is not a tire by itself, but a tire file that
// gives both can name it for the forces.
func TestPropertyFilesWithoutSizes(t *testing.T) {
	data, err := os.ReadFile(resources + "pacejka2002.tir")
	if err != nil {
		t.Fatal(err)
	}
	without := func(keys ...string) string {
		text := string(data)
		for _, key := range keys {
			from := strings.Index(text, key)
			if from < 0 {
				t.Fatalf("%s is not in the file", key)
			}
			text = text[:from] + text[from+strings.IndexByte(text[from:], '\n'):]
		}
		return written(t, "without.tir", text)
	}
	if _, err := readFile(without("VERTICAL_STIFFNESS")); err == nil ||
		!strings.Contains(err.Error(), "[VERTICAL] VERTICAL_STIFFNESS is missing") {
		t.Errorf("a property file without the vertical stiffness: %v", err)
	}
	description := fmt.Sprintf(`force = { function = "Pacejka02", file = %q }
unloaded_radius = 0.344
vertical_stiffness = 2e5
`, without("VERTICAL_STIFFNESS", "UNLOADED_RADIUS"))
	if _, err := readFile(written(t, "t.toml", description)); err != nil {
		t.Errorf("a tire file that gives both: %v", err)
	}
	if _, err := readFile(written(t, "t.tir", "**HEADER\n")); err == nil || !strings.Contains(err.Error(), "TYDEX") {
		t.Errorf("a file of measurements: %v", err)
	}
}
