package cosim_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// load returns a shipped model, or the generic vehicle with Fiala tires, shared by all tests.
func load(t testing.TB, name, tree string) *cosim.System {
	t.Helper()
	if name == "generic4w_fiala" {
		return made(t, name+"\n"+tree, func() (*cosim.System, error) {
			return cosim.New(withFiala(t), cosim.Options{Tree: tree})
		})
	}
	s, err := cosim.SharedModel(name, tree)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// made returns a system that several tests share, by its key.
func made(t testing.TB, key string, make func() (*cosim.System, error)) *cosim.System {
	t.Helper()
	s, err := cosim.Shared(key, make)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fresh returns a shipped model that nothing has used before.
func fresh(t testing.TB, name, tree string) *cosim.System {
	t.Helper()
	s, err := cosim.Load("../resources/models/"+name+".toml", cosim.Options{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// withFiala is the generic vehicle with Fiala tires.
func withFiala(t testing.TB) *vehicle.Model {
	t.Helper()
	const folder = "../resources/models/"
	text, err := os.ReadFile(folder + "generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	const pacejka, fiala = "function = \"Pacejka02\"\nfile = \"../tires/pacejka2002.toml\"",
		"function = \"Fiala\"\nfile = \"../tires/fiala_generic4w.toml\""
	if n := bytes.Count(text, []byte(pacejka)); n != 4 {
		t.Fatalf("the generic vehicle has %d Pacejka tires", n)
	}
	m, err := vehicle.Parse(bytes.ReplaceAll(text, []byte(pacejka), []byte(fiala)), "generic4w.toml",
		func(_ bounded.Kind, name string) ([]byte, error) {
			return os.ReadFile(folder + name)
		})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func instance(t testing.TB, s *cosim.System, method string, step float64) *run {
	t.Helper()
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t, s, in}
	if err := in.SetText("solver.method", method); err != nil {
		t.Fatal(err)
	}
	r.set(cosim.StepVariable, step)
	return r
}

type run struct {
	testing.TB
	sys *cosim.System
	in  *cosim.Instance
}

func (r *run) variable(name string) int {
	i, ok := r.sys.Find(name)
	if !ok {
		i, ok = r.sys.FindCoefficient(name)
	}
	if !ok {
		r.Helper()
		r.Fatalf("no variable %s", name)
	}
	return i
}

func (r *run) set(name string, v float64) {
	r.Helper()
	if err := r.in.Set(r.variable(name), v); err != nil {
		r.Fatal(err)
	}
}

func (r *run) get(name string) float64 {
	r.Helper()
	v, err := r.in.Get(r.variable(name))
	if err != nil {
		r.Fatal(err)
	}
	return v
}

// input sets the inputs of a manoeuvre as functions of time.
type input func(r *run, t float64)

var corners = []string{"FL", "FR", "RL", "RR"}

func sine(amplitude float64, drivers ...string) input {
	return func(r *run, t float64) {
		w := 2 * math.Pi / 10
		for _, d := range drivers {
			r.set(d+".angle", amplitude*math.Sin(w*t))
			r.set(d+".rate", amplitude*w*math.Cos(w*t))
			r.set(d+".acceleration", -amplitude*w*w*math.Sin(w*t))
			// held accelerations would shift constraints on the steered frames by
			// half a step of jerk over beta^2
			if err := r.in.SetRate(r.variable(d+".acceleration"), -amplitude*w*w*w*math.Cos(w*t)); err != nil {
				r.Fatal(err)
			}
		}
	}
}

// brake is piecewise linear; the rate makes it exact between communication points.
func brake(times, torques []float64) input {
	return func(r *run, t float64) {
		for i := 1; i < len(times); i++ {
			if t < times[i]-1e-9 {
				slope := (torques[i] - torques[i-1]) / (times[i] - times[i-1])
				for _, c := range corners {
					name := "brake_" + c + ".torque"
					r.set(name, torques[i-1]+slope*(t-times[i-1]))
					if err := r.in.SetRate(r.variable(name), slope); err != nil {
						r.Fatal(err)
					}
				}
				return
			}
		}
	}
}

var (
	genericSine        = sine(math.Pi/180, "steer_FL", "steer_FR")
	genericBrake       = brake([]float64{0, 2, 2.5, 4.5, 5, 10}, []float64{0, 0, 1000, 1000, 0, 0})
	skidderSine        = sine(5*math.Pi/180, "articulation")
	skidderBrake       = brake([]float64{0, 2, 2.5, 3.5, 4, 10}, []float64{0, 0, 20000, 20000, 0, 0})
	noInput      input = func(*run, float64) {}
)

func (r *run) start(u input) {
	r.Helper()
	u(r, 0)
	if err := r.in.Initialise(); err != nil {
		r.Fatal(err)
	}
}

// drive steps to time `to` with the manoeuvre's inputs at every step.
func (r *run) drive(u input, h, to float64) {
	r.Helper()
	for n := math.Round(r.in.Time() / h); n < math.Round(to/h); n++ {
		u(r, n*h)
		if err := r.in.Step(h); err != nil {
			r.Fatal(err)
		}
	}
}

// Independent trajectories at 0.5 s, from two formulations that share nothing with this engine; tolerances of the
// vehicle-models specification, section 5.
func TestTrajectoriesAgreeWithIndependentReferences(t *testing.T) {
	names := map[string]map[string]string{
		"generic4w": {"omega3": "body.wz", "d_phi1": "wheel_FL.omega", "d_phi3": "wheel_RL.omega", "s1": "susp_FL.s"},
		"skidder":   {"omega3": "front.wz", "d_phi1": "wheel_FL.omega", "d_phi3": "wheel_RL.omega"},
	}
	for _, c := range []struct {
		model, body, file, tree string
		u                       input
		start                   map[string]float64
	}{
		{"generic4w", "body", "generic4w_sine_pacejka.csv", "default", genericSine, nil},
		{"generic4w", "body", "generic4w_sine_pacejka.csv", "tire", genericSine, nil},
		{"skidder", "front", "skidder_brake.csv", "default", skidderBrake, map[string]float64{"front.wz": 0}},
		{"skidder", "front", "skidder_brake.csv", "tire", skidderBrake, map[string]float64{"front.wz": 0}},
	} {
		f, err := os.Open("../resources/references/vehicles/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		r := instance(t, load(t, c.model, c.tree), "rk4", 0.001)
		for name, v := range c.start {
			r.set(name, v)
		}
		r.start(c.u)
		worst := map[string]float64{}
		for _, row := range rows[1:] {
			at, _ := strconv.ParseFloat(row[0], 64)
			r.drive(c.u, 0.001, at)
			for k, column := range rows[0][1:] {
				want, _ := strconv.ParseFloat(row[k+1], 64)
				name, tolerance := c.body+"."+column, 1e-6
				switch {
				case names[c.model][column] != "":
					name = names[c.model][column]
				case column[0] == 'F' || column[0] == 'M':
					name = "tire_" + column[len(column)-2:] + "." + column[:2]
					tolerance = 1e-2 // N, N m: stiffness times the tolerance of positions
				}
				switch column {
				case "yaw", "pitch", "roll", "omega3":
					tolerance = 1e-7
				case "d_phi1", "d_phi3":
					tolerance = 1e-4
				}
				e := math.Abs(r.get(name) - want)
				worst[column] = max(worst[column], e)
				if !(e <= tolerance) {
					t.Errorf("%s, tree %s, t = %g: %s = %.12g, reference %.12g, off by %.2g", c.model, c.tree, at, name,
						r.get(name), want, e)
				}
			}
		}
		t.Logf("%s, tree %s: largest deviations %v", c.model, c.tree, worst)
	}
}
