package suspension

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/kc"
	"skidpad/model/rig"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

func passengerCar(t *testing.T, o Options) *Result {
	t.Helper()
	m, err := vehicle.Read("../../../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Measure(m, m.Roles, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The terminal has units of engineers, the files SI units. Every figure has words of its own.
func TestFiguresAreWritten(t *testing.T) {
	r := passengerCar(t, Options{Options: rig.Options{Axle: 2}})
	var table, text bytes.Buffer
	if err := r.Print(&table); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Axle    int
		Figures []struct {
			Key, Text, Unit, Missing string
			Left, Right, Value       *float64
		}
	}
	if err := json.Unmarshal(text.Bytes(), &read); err != nil || read.Axle != 2 || len(read.Figures) != len(r.Figures) {
		t.Fatalf("%v: %s", err, text.String())
	}
	lines := strings.Split(table.String(), "\n")
	words := map[string]string{}
	for i, f := range read.Figures {
		of := &r.Figures[i]
		if other := words[f.Text]; other != "" || strings.Contains(f.Text, "_per_") || f.Text == f.Key && f.Key != "castor" {
			t.Errorf("%s has the words %q, of %q", f.Key, f.Text, other)
		}
		words[f.Text] = f.Key
		row := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(lines[i+1], f.Text), "(100 N.m)", "(100_N.m)"))
		unit, si := Shown(of)
		switch {
		case f.Missing != "":
			if f.Left != nil || f.Value != nil || !strings.HasSuffix(lines[i+1], f.Missing) {
				t.Errorf("%+v, %q", f, lines[i+1])
			}
			continue
		case of.Axle:
			if f.Value == nil || *f.Value != of.Left.V || f.Left != nil || len(row) != 2 {
				t.Errorf("%+v, %q", f, row)
			}
		default:
			if f.Left == nil || *f.Left != of.Left.V || *f.Right != of.Right.V || len(row) != 3 {
				t.Errorf("%+v, %q", f, row)
			}
		}
		if x, err := strconv.ParseFloat(row[0], 64); err != nil || math.Abs(x*si-of.Left.V) > 1e-4*math.Abs(of.Left.V)+1e-9 ||
			strings.ReplaceAll(row[len(row)-1], "_", " ") != unit {
			t.Errorf("%s is %q, not %v %s", f.Key, row, of.Left.V/si, unit)
		}
	}
}

func TestUnitsOfEngineers(t *testing.T) {
	for _, c := range []struct {
		f    rig.Figure
		unit string
		want float64 // of 1 in SI units
	}{
		{rig.Figure{Unit: "rad/m"}, "deg/m", 180 / math.Pi}, {rig.Figure{Unit: "m"}, "mm", 1000},
		{rig.Figure{Unit: "N/m"}, "N/mm", 1e-3}, {rig.Figure{Unit: "N.m/rad"}, "N.m/deg", math.Pi / 180},
		{rig.Figure{Unit: "rad/N"}, "deg/kN", 180e3 / math.Pi}, {rig.Figure{Unit: "m/N"}, "mm/kN", 1e6},
		{rig.Figure{Unit: "rad/N.m"}, "deg/(100 N.m)", 18e3 / math.Pi}, {rig.Figure{Unit: "m/N.m"}, "mm/(100 N.m)", 1e5},
		{rig.Figure{Unit: "m/rad"}, "mm/rev", 2000 * math.Pi},
		{rig.Figure{Key: "anti_dive", Unit: "1"}, "%", 100}, {rig.Figure{Key: "roll_steer", Unit: "1"}, "1", 1},
	} {
		if unit, si := Shown(&c.f); unit != c.unit || math.Abs(1/si/c.want-1) > 1e-14 {
			t.Errorf("%+v is shown in %s of %v", c.f, unit, si)
		}
	}
}

// The curves have the range of their tests, rising, and one row of the table for each state.
func TestCurves(t *testing.T) {
	tests, err := ParseTests("bounce, lateral,steer")
	want := []string{"bounce", "lateral_parallel", "lateral_opposed", "steer"}
	if err != nil || !slices.Equal(tests, want) {
		t.Fatalf("%v, %v", tests, err)
	}
	if _, err := ParseTests("bounce,rolling"); err == nil || !strings.Contains(err.Error(), "longitudinal") {
		t.Errorf("%v", err)
	}
	r := passengerCar(t, Options{Options: rig.Options{Axle: 1}, Tests: tests, Curves: true, ByPads: true})
	var text bytes.Buffer
	if err := r.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	count := 1
	for i, c := range r.Curves {
		if c.Test != tests[i] || len(c.Ends) > 0 || !slices.IsSorted(c.At) || c.At[0] != -c.At[len(c.At)-1] {
			t.Errorf("%s over %v: %v", c.Test, c.At, c.Ends)
		}
		for k, s := range c.States {
			row := rows[count+k]
			for j, want := range map[int]float64{2: c.At[k], 3: s.Travel[0], 4: s.Wheels[0].Toe().V, 11: s.Pads[0].V,
				13: s.Wheels[1].Toe().V, 20: s.Pads[1].V} {
				if got, err := strconv.ParseFloat(row[j], 64); err != nil || got != want {
					t.Errorf("%s, %s is %s, not %v", c.Test, rows[0][j], row[j], want)
				}
			}
			if strings.HasPrefix(c.Test, "lateral") && s.Pads != c.States[len(c.States)/2].Pads {
				t.Errorf("the pads of %s have %v", c.Test, s.Pads)
			}
		}
		count += len(c.States)
	}
	if count != len(rows) {
		t.Errorf("%d rows of %d", len(rows), count)
	}
	var page bytes.Buffer
	if err := r.WriteReport(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"bump steer", "Bounce: equal travel", "Lateral forces to the left",
		"steering wheel, deg", "Compliance matrix", "Drawing", "kingpin_FL, FR</text>", "points.csv"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if strings.Contains(page.String(), "Aligning moments") {
		t.Error("the report has a test that was not made")
	}
	var points bytes.Buffer
	if err := r.WritePoints(&points); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name,x [mm],y [mm],z [mm]\n", "corner_FR,1156.200,-693.400,-314.300\n"} {
		if !strings.Contains(points.String(), want) {
			t.Errorf("%q is missing: %s", want, points.String())
		}
	}
	if strings.Contains(points.String(), "_RL") {
		t.Error("points of another axle")
	}
	last := r.Curves[0].States[len(r.Curves[0].States)-1]
	if math.Abs(last.Travel[0]-0.08) > 1e-12 || !(last.Wheels[0].Camber().V < -0.03) {
		t.Errorf("at 80 mm: %+v", last)
	}
	left := r.Curves[3].States[len(r.Curves[3].States)-1]
	axle := kc.Axle{Wheels: left.Wheels}
	if !(axle.Steer().V > 0.4) {
		t.Errorf("the steering wheel at %v turns the wheels to %v", left.Rack, axle.Steer().V)
	}
}

// Roles of a car file replace the roles of the model: here the axles are the other way round.
func TestRolesOfAnotherFile(t *testing.T) {
	m, err := vehicle.Read("../../../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	other := *m.Roles
	other.Axles = []roles.Axle{m.Roles.Axles[1], m.Roles.Axles[0]}
	r, err := Measure(m, &other, Options{Options: rig.Options{Axle: 1}})
	if err != nil || r.Tires != [2]string{"tire_RL", "tire_RR"} {
		t.Errorf("%v, %v", r, err)
	}
}

// An axle that is not steered has no curve of steering, and says so.
func TestMissingCurve(t *testing.T) {
	r := passengerCar(t, Options{Options: rig.Options{Axle: 2}, Tests: []string{"steer"}, Curves: true})
	if len(r.Curves) != 0 || !strings.Contains(r.Missing["steer"], "does not turn") {
		t.Errorf("%v, %v", r.Curves, r.Missing)
	}
}
