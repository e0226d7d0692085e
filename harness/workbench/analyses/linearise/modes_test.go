package linearise

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/cmplx"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// crossing is two damped oscillators in mixed states. Their eigenvalues cross as p goes from 0 to 1: the first goes
// down from 3 rad/s to 1, the second goes up.
func crossing(p float64) *linear.System {
	a := mat.NewDense(4, 4, nil)
	for i, w := range []float64{3 - 2*p, 1 + 2*p} {
		a.Set(2*i, 2*i+1, 1)
		a.Set(2*i+1, 2*i, -w*w)
		a.Set(2*i+1, 2*i+1, -0.02*w)
	}
	mix := mat.NewDense(4, 4, []float64{1, 0, 0.4, 0, 0, 1, 0, 0.4, -0.3, 0, 1, 0, 0, -0.3, 0, 1})
	var inverse, mixed mat.Dense
	if err := inverse.Inverse(mix); err != nil {
		panic(err)
	}
	mixed.Product(mix, a, &inverse)
	return &linear.System{
		A: &mixed, B: mat.NewDense(4, 1, []float64{0, 1, 0, 1}), C: mat.NewDense(1, 4, []float64{1, 0, 0, 0}),
		D:      mat.NewDense(1, 1, nil),
		States: []string{"a", "a'", "b", "b'"}, StateUnits: []string{"m", "m/s", "m", "m/s"},
		Groups: []string{"a", "a", "b", "b"},
		Inputs: []string{"u"}, InputUnits: []string{"N"}, Outputs: []string{"y"}, OutputUnits: []string{"m"},
		X: make([]float64, 4), Rates: make([]float64, 4), U: []float64{0}, Y: []float64{0},
	}
}

// From standstill on, one choice of independent states serves all speeds. In these states the bicycle has the same
// eigenvalues as in all of its states (by Modes, compared with the benchmark), and each mode is followed. At rest the
// linearised rolling constraints do not depend on coordinates.
func TestBicycleIsFollowedFromStandstill(t *testing.T) {
	m, err := vehicle.Read(built.Model("bicycle_rolling"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	l := &Result{Varied: manoeuvre.Variation{Name: "speed"}}
	for v := 0.0; v <= 20; v++ {
		if err := vehicle.Set("speed", v); err != nil {
			t.Fatal(err)
		}
		s, err := vehicle.At()
		if err != nil {
			t.Fatal(err)
		}
		l.Varied.Values, l.Systems = append(l.Varied.Values, v), append(l.Systems, s)
	}
	if err := l.Follow(); err != nil {
		t.Fatal(err)
	}
	for i, followed := range l.Followed {
		modes, err := l.Systems[i].Modes()
		if err != nil || len(modes) != 4 || len(followed) != 4 {
			t.Fatalf("%g m/s: %v, %d modes, %d followed", l.Varied.Values[i], err, len(modes), len(followed))
		}
		for k, f := range followed {
			if cmplx.Abs(f.Value-modes[k].Value) > 1e-8*cmplx.Abs(modes[0].Value) || f.Branch > 4 {
				t.Errorf("%g m/s: mode %d is %v, and %v in all states", l.Varied.Values[i], f.Branch, f.Value,
					modes[k].Value)
			}
		}
	}
	for _, write := range []func(io.Writer) error{l.WriteMAT, l.WriteJSON, l.WriteShapes} {
		if err := write(io.Discard); err != nil {
			t.Error(err)
		}
	}
}

// A followed mode keeps its identity and its name through a crossing.
func TestModesAreFollowedThroughACrossing(t *testing.T) {
	l := &Result{Varied: manoeuvre.Variation{Name: "p"}}
	for i := range 12 {
		p := float64(i) / 11
		l.Varied.Values, l.Systems = append(l.Varied.Values, p), append(l.Systems, crossing(p))
	}
	if err := l.Follow(); err != nil {
		t.Fatal(err)
	}
	of := map[int]string{}
	for i, modes := range l.Followed {
		p := l.Varied.Values[i]
		for _, m := range modes {
			w := 3 - 2*p
			if m.Name() == "b" {
				w = 1 + 2*p
			}
			if math.Abs(m.Frequency()-w) > 1e-9 {
				t.Errorf("p = %g: mode %d of %s has %g rad/s, want %g", p, m.Branch, m.Name(), m.Frequency(), w)
			}
			key := fmt.Sprint(m.Name(), imag(m.Value) > 0)
			if of[m.Branch] == "" {
				of[m.Branch] = key
			}
			if of[m.Branch] != key {
				t.Errorf("p = %g: mode %d is %s and was %s", p, m.Branch, key, of[m.Branch])
			}
		}
	}
	if len(of) != 4 {
		t.Errorf("modes %v", of)
	}
	var b bytes.Buffer
	l.Modes = make([][]linear.Mode, len(l.Systems))
	if err := l.PlotEigenvalues(&b, ".png"); err != nil || b.Len() < 1000 {
		t.Errorf("plot of %d bytes: %v", b.Len(), err)
	}
}

// From standstill to 10 m/s the benchmark bicycle has four modes: at no speed does one begin or end, also where two
// real ones become weave.
func TestModesOfTheBicycleAreFollowed(t *testing.T) {
	m, err := vehicle.Read(built.Model("bicycle_rolling"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	l := &Result{Title: m.Title, Varied: manoeuvre.Variation{Name: "speed"}, From: "steer.torque", To: "rear_frame.wz"}
	for i := range 41 {
		v := 0.25 * float64(i)
		if err := vehicle.Set("speed", v); err != nil {
			t.Fatal(err)
		}
		s, err := vehicle.At()
		if err != nil {
			t.Fatal(err)
		}
		l.Varied.Values, l.Systems = append(l.Varied.Values, v), append(l.Systems, s)
		h, err := s.Transfer(l.From, l.To)
		if err != nil {
			t.Fatal(err)
		}
		l.Transfers = append(l.Transfers, h)
	}
	if err := l.Follow(); err != nil {
		t.Fatal(err)
	}
	before := map[int]complex128{}
	for i, modes := range l.Followed {
		if len(modes) != 4 {
			t.Fatalf("%g m/s: %d modes", l.Varied.Values[i], len(modes))
		}
		for _, m := range modes {
			if was, ok := before[m.Branch]; i > 0 && (!ok || cmplx.Abs(was-m.Value) > 2.5) {
				t.Errorf("%g m/s: mode %d goes from %v to %v", l.Varied.Values[i], m.Branch, was, m.Value)
			}
			before[m.Branch] = m.Value
		}
	}
	// castering is the fastest at all speeds, and one mode
	last := l.Followed[40]
	if fastest := last[3]; fastest.Branch != l.Followed[4][3].Branch ||
		math.Abs(real(fastest.Value)+24.62459635017404) > 1e-9 {
		t.Errorf("castering %v is mode %d", fastest.Value, fastest.Branch)
	}
	if c := last[0]; math.Abs(c.TimeConstant()*0.16105338653172+1) > 1e-9 || c.Hertz() != 0 || c.Damping() != -1 ||
		c.Name() != "capsize" || c.Likeness < 0.9 {
		t.Errorf("capsize %v: time constant %g s, %g Hz, damping %g, name %s", c.Value, c.TimeConstant(), c.Hertz(),
			c.Damping(), c.Name())
	}
	for i, modes := range l.Followed {
		names := map[string]int{}
		for _, m := range modes {
			names[m.Named]++
			if m.Likeness < leastLikeness || m.Likeness > 1 {
				t.Errorf("%g m/s: %s is near its name by %g", l.Varied.Values[i], m.Named, m.Likeness)
			}
		}
		if !maps.Equal(names, map[string]int{weave: 2, capsize: 1, castering: 1}) {
			t.Errorf("%g m/s: the modes are %v", l.Varied.Values[i], names)
		}
	}
	if w := last[1]; math.Abs(w.Hertz()*2*math.Pi-cmplx.Abs(w.Value)) > 1e-12 {
		t.Errorf("weave %v: %g Hz", w.Value, w.Hertz())
	}
	var text bytes.Buffer
	l.PrintModes(&text)
	l.PrintTransfer(&text)
	for _, want := range []string{"-24.62459635", "steer 1.00",
		"controllability from steer.torque and the observability in rear_frame.wz", "-62.50000000",
		"speed = 5: steady-state gain -2.1219337"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no %q in\n%s", want, text.String())
		}
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"modes":    func(b *bytes.Buffer) error { return l.WriteModes(b) },
		"shapes":   func(b *bytes.Buffer) error { return l.WriteShapes(b) },
		"transfer": func(b *bytes.Buffer) error { return l.WriteTransfer(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		number := func(row []string, column string) float64 {
			x, err := strconv.ParseFloat(row[slices.Index(rows[0], column)], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		sums := map[string]float64{}
		for _, row := range rows[1:] {
			switch name {
			case "modes":
				sum := 0.0
				for _, group := range []string{"longitudinal", "roll", "steer", "wheel spin", "yaw/slip"} {
					sum += number(row, group)
				}
				if math.Abs(sum-1) > 1e-9 {
					t.Errorf("shares of %v sum to %g", row, sum)
				}
			case "shapes":
				sums[row[0]+" "+row[1]] += number(row, "participation_real")
			case "transfer":
				if row[0] == "5" && row[1] == "gain" && math.Abs(number(row, "real")+2.121934) > 1e-6 {
					t.Errorf("gain %v", row)
				}
			}
		}
		for mode, sum := range sums {
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("participations in %s sum to %g", mode, sum)
			}
		}
		if want := map[string]int{"modes": 41*4 + 1, "shapes": 41*40 + 1,
			"transfer": 41*8 + 1}[name]; len(rows) != want {
			t.Errorf("%s has %d rows, want %d", name, len(rows), want)
		}
	}
}

// linear.json reads as what the systems are, bit by bit.
func TestJSONHoldsLinearEquations(t *testing.T) {
	l := &Result{Title: "Fahrrad Ω", Varied: manoeuvre.Variation{Name: "p", Values: []float64{0.1, 0.2}},
		Systems: []*linear.System{crossing(0.1), crossing(0.2)}}
	var b bytes.Buffer
	if err := l.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Title, Parameter        string
		States, Inputs, Outputs []struct{ Name, Unit, Group string }
		Systems                 []struct {
			Value      float64
			A, B, C, D [][]float64
			X, U, Y    []float64
			Rates      []float64 `json:"x_rate"`
		}
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		t.Fatal(err)
	}
	if read.Title != l.Title || read.Parameter != "p" || len(read.Systems) != 2 || len(read.States) != 4 ||
		read.States[1].Name != "a'" || read.States[1].Unit != "m/s" || read.States[3].Group != "b" ||
		read.Inputs[0].Unit != "N" || read.Outputs[0].Name != "y" {
		t.Errorf("%+v", read)
	}
	for i, got := range read.Systems {
		s := l.Systems[i]
		for name, pair := range map[string]struct {
			got  [][]float64
			want *mat.Dense
		}{"A": {got.A, s.A}, "B": {got.B, s.B}, "C": {got.C, s.C}, "D": {got.D, s.D}} {
			rows, _ := pair.want.Dims()
			if len(pair.got) != rows {
				t.Fatalf("%s has %d rows", name, len(pair.got))
			}
			for k := range rows {
				if !slices.Equal(pair.got[k], pair.want.RawRowView(k)) {
					t.Errorf("row %d of %s is %v, not %v", k, name, pair.got[k], pair.want.RawRowView(k))
				}
			}
		}
		if got.Value != l.Varied.Values[i] || len(got.X) != 4 || len(got.Rates) != 4 || len(got.U) != 1 ||
			len(got.Y) != 1 {
			t.Errorf("%+v", got)
		}
	}
}

// The page of the passenger car has its modes and handling; -update writes them. Heave, pitch and what swings of roll
// are between 1.3 and 1.5 Hz, and wheels hop at 12.8 to 13.6 Hz.
func TestDocumentedModesOfThePassengerCar(t *testing.T) {
	testrun.Slow(t)
	l, car := passengerCar(t)
	path := built.Path("docs", "passenger-car.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	var table strings.Builder
	table.WriteString("| mode | frequency, Hz | damping | time constant, s | participating states |\n| --- | --- | " +
		"--- | --- | --- |\n")
	names := map[string]int{}
	for _, m := range l.Followed[0] {
		if imag(m.Value) < 0 || cmplx.Abs(m.Value) > 100 {
			continue
		}
		names[m.Name()]++
		hertz := ""
		if f := m.Hertz(); f > 0 {
			hertz = fmt.Sprintf("%.2f", f)
			switch m.Name() {
			case "heave", "pitch":
				if f < 1.4 || f > 1.5 {
					t.Errorf("%s at %g Hz", m.Name(), f)
				}
			case "wheel hop":
				if f < 12.8 || f > 13.6 {
					t.Errorf("%s at %g Hz", m.Name(), f)
				}
			}
		}
		var shares []string
		for _, s := range m.Shares[:2] {
			if s.Value >= leastShare {
				shares = append(shares, fmt.Sprintf("%s %.2f", s.Group, s.Value))
			}
		}
		fmt.Fprintf(&table, "| %s | %s | %.2f | %.3g | %s |\n", m.Name(), hertz, m.Damping(), m.TimeConstant(),
			strings.Join(shares, ", "))
	}
	if names["heave"] != 1 || names["pitch"] != 1 || names["wheel hop"] != 4 || names["roll"] < 1 ||
		names["yaw/slip"] < 1 || names["longitudinal"] != 1 {
		t.Errorf("modes are %v", names)
	}
	var handling strings.Builder
	h := l.Handling[0]
	fmt.Fprintf(&handling,
		"| understeer gradient | %.3g deg/(m/s2), %.3g deg/g |\n| characteristic speed | %.3g m/s |\n| static margin "+
			"| %.3g of the wheelbase |\n| yaw rate by the angle of the road wheels | %.3g 1/s |\n",
		h.UndersteerGradient*180/math.Pi, perG(h.UndersteerGradient), h.CharacteristicSpeed, h.StaticMargin, h.YawGain)
	if k := 1/h.LateralGain - car.Wheelbase/h.Speed/h.Speed; math.Abs(k-h.UndersteerGradient) > 1e-15 ||
		h.StaticMargin < 0.05 || h.StaticMargin > 0.15 {
		t.Errorf("%+v", h)
	}
	for name, want := range map[string]string{"modes": table.String(), "handling": "| figure | |\n| --- | --- |\n" +
		handling.String()} {
		before, rest, found := strings.Cut(text, "<!-- begin "+name+" -->\n")
		documented, after, ended := strings.Cut(rest, "<!-- end "+name+" -->")
		if !found || !ended {
			t.Fatalf("%s has no place for %s", path, name)
		}
		if documented != want && !*built.Update {
			t.Errorf("%s: %s are\n%s\nnot\n%s\n-update writes them", path, name, want, documented)
		}
		text = before + "<!-- begin " + name + " -->\n" + want + "<!-- end " + name + " -->" + after
	}
	if *built.Update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// passengerCar is the car with a free steering wheel at 100 km/h.
func passengerCar(t *testing.T) (*Result, *Car) {
	t.Helper()
	m, err := vehicle.Read(built.Model("passenger_car_free"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := vehicle.Free("engine.throttle"); err != nil {
		t.Fatal(err)
	}
	if err := vehicle.Set("body.vx", 100/3.6); err != nil {
		t.Fatal(err)
	}
	s, err := vehicle.At()
	if err != nil {
		t.Fatal(err)
	}
	car, err := HandlingCar(manoeuvre.Target{Model: m.Name, Roles: m.Roles.Table})
	if err != nil {
		t.Fatal(err)
	}
	h, err := vehicle.Handling(s, car.Car)
	if err != nil {
		t.Fatal(err)
	}
	l := &Result{Title: m.Title, Varied: manoeuvre.Variation{Name: "body.vx", Values: []float64{100 / 3.6}},
		Systems: []*linear.System{s}, Handling: []*linear.Handling{h}}
	if err := l.Follow(); err != nil {
		t.Fatal(err)
	}
	return l, car
}

// An interrupt keeps the values before it, and the first one in any case.
func TestAnInterruptKeepsTheValuesBefore(t *testing.T) {
	m, err := vehicle.Read(built.Model("bicycle_rolling"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	close(closed)
	l := &Result{Varied: manoeuvre.Variation{Name: "speed", Values: []float64{4, 5, 6}}}
	if err := l.AddAll(vehicle, nil, closed); !errors.Is(err, output.ErrInterrupted) || len(l.Systems) != 1 ||
		len(l.Varied.Values) != 1 || l.Varied.Values[0] != 4 {
		t.Errorf("%v, %d systems of %v", err, len(l.Systems), l.Varied.Values)
	}
	panels, err := l.eigenPlots()
	if err != nil {
		t.Fatal(err)
	}
	if got := panels[0].Plot.X.Label.Text; got != "speed [m/s]" {
		t.Errorf("the axis says %q", got)
	}
}

// A phase that passes half a turn breaks there; a magnitude that falls as far does not.
func TestPhasesBreakAtHalfATurn(t *testing.T) {
	points := plotter.XYs{{X: 0, Y: -170}, {X: 1, Y: -179}, {X: 2, Y: 175}, {X: 3, Y: 160}, {X: 4, Y: -165}}
	var lengths []int
	for _, part := range unbroken(points, true) {
		lengths = append(lengths, len(part))
	}
	if !slices.Equal(lengths, []int{2, 2, 1}) {
		t.Errorf("parts of %v points; want 2, 2 and 1", lengths)
	}
	if parts := unbroken(points, false); len(parts) != 1 || len(parts[0]) != 5 {
		t.Errorf("a curve that is no angle has %d parts", len(parts))
	}
}

// A participation above 1 is printed with the ones below 0 that make up for it, however small, and explained.
func TestParticipationAboveOneIsShownWithTheNegativeOnes(t *testing.T) {
	mode := func(steer, roll float64) FollowedMode {
		return FollowedMode{Mode: linear.Mode{Value: -1}, Shares: []linear.Share{{Group: linear.Steering, Value: steer},
			{Group: linear.Yaw, Value: 0.02}, {Group: linear.Roll, Value: roll}}}
	}
	for _, c := range []struct {
		mode      FollowedMode
		want      string
		explained bool
	}{{mode(1.01, -0.03), "steer 1.01, roll -0.03\n", true}, {mode(1.0, -0.02), "steer 1.00\n", false}} {
		l := &Result{Varied: manoeuvre.Variation{Name: "speed", Values: []float64{5}}, Systems: []*linear.System{{}},
			Followed: [][]FollowedMode{{c.mode}}}
		var table bytes.Buffer
		l.PrintModes(&table)
		if !strings.Contains(table.String(), c.want) || c.explained != strings.Contains(table.String(),
			"participation above 1: ") {
			t.Errorf("it is printed as\n%s", table.String())
		}
	}
}
