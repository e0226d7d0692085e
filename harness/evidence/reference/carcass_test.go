package reference

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// The law of the carcass, written twice, gives the same slips and rates: at any speeds, loads, frictions and
// deflections of the generic vehicle, standing, rolling, sliding and locked. So does kinematic slip, which has a
// carcass below 1 m/s; its relaxation length is longer where wheels are light.
func TestCarcassesAgree(t *testing.T) {
	delayed := "method = \"delayed\"\nrelaxation = { function = \"StretchedString\", " +
		"file = \"../tires/stretched_string.toml\" }"
	for _, c := range []struct {
		name     string
		replaced []string
	}{
		{"carcass", []string{`method = "delayed"`, `method = "carcass"`}},
		{"kinematic", []string{delayed, `method = "kinematic"`}},
		{"kinematic, light wheels", []string{delayed, `method = "kinematic"`, "axial = 1.56, transverse = 0.78",
			"axial = 0.5, transverse = 0.4"}},
	} {
		t.Run(c.name, func(t *testing.T) { carcassesAgree(t, c.replaced) })
	}
}

func carcassesAgree(t *testing.T, replaced []string) {
	text, err := os.ReadFile(resources + "models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	edited := string(text)
	for k := 0; k < len(replaced); k += 2 {
		if strings.Count(edited, replaced[k]) != 4 {
			t.Fatalf("the generic vehicle does not hold four times %s", replaced[k])
		}
		edited = strings.ReplaceAll(edited, replaced[k], replaced[k+1])
	}
	m, err := vehicle.Parse([]byte(edited), "carcass.toml", func(_ bounded.Kind, name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(resources, "models", name))
	})
	if err != nil {
		t.Fatal(err)
	}
	reference := newSystem(t, m)
	engine, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(24, 3))
	compared := 0
	for k := range 300 {
		in, err := engine.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		speed := math.Pow(10, -3+5*random.Float64())
		start := map[string]float64{
			"body.vx": speed * random.NormFloat64(), "body.vy": 0.3 * speed * random.NormFloat64(),
			"body.wz": 0.2 * speed * random.NormFloat64(), "body.z": 0.87 + 0.03*random.Float64(),
			"body.roll": 0.02 * random.NormFloat64(),
		}
		for _, corner := range []string{"FL", "FR", "RL", "RR"} {
			start["tire_"+corner+".q1"], start["tire_"+corner+".q2"] = 0.03*random.NormFloat64(), 0.03*random.NormFloat64()
			if spin := "wheel_" + corner + ".omega"; k%3 == 0 {
				start[spin] = 0
			} else {
				start[spin] = start["body.vx"]/0.35 + speed*random.NormFloat64()*0.2
			}
		}
		mu := 0.3 + random.Float64()
		set := func(name string, v float64) {
			i, ok := in.System().Find(name)
			if !ok {
				t.Fatalf("there is no variable %s", name)
			}
			if err := in.Set(i, v); err != nil {
				t.Fatal(err)
			}
		}
		for name, v := range start {
			set(name, v)
		}
		set("road.mu", mu)
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		values, derivatives, err := reference.Evaluate(start, Inputs{Variables: map[string]Signal{"road.mu": constant{mu}}})
		if err != nil {
			t.Fatal(err)
		}
		get := func(name string) float64 {
			i, ok := in.System().Find(name)
			if !ok {
				t.Fatalf("there is no variable %s", name)
			}
			v, err := in.Get(i)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for _, corner := range []string{"FL", "FR", "RL", "RR"} {
			for _, name := range []string{"kappa", "alpha", "u1", "u2", "q1", "q2", "Fx", "Fy", "Mz"} {
				name = "tire_" + corner + "." + name
				if a, b := get(name), values[name]; math.Abs(a-b) > 1e-8*math.Max(1, math.Abs(b)) {
					t.Errorf("case %d: %s = %.12g, the reference has %.12g", k, name, a, b)
				}
				compared++
			}
			for _, name := range []string{"p1", "p2"} {
				name = "tire_" + corner + "." + name
				if a, b := get("der("+name+")"), derivatives[name]; math.Abs(a-b) > 1e-8*math.Max(1, math.Abs(b)) {
					t.Errorf("case %d: der(%s) = %.12g, the reference has %.12g", k, name, a, b)
				}
				compared++
			}
		}
		in.Close()
		if t.Failed() {
			t.Fatalf("start %v, mu %g", start, mu)
		}
	}
	t.Logf("%d values", compared)
}
