package suspension_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/files/hardpoints"
	"skidpad/model/rig"
)

// imported makes an axle of a file of another program.
func imported(t *testing.T, name string) (*hardpoints.Import, *hardpoints.Axle) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	in, err := hardpoints.Read(text, hardpoints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	axle, err := in.Axle("axle", name)
	if err != nil {
		t.Fatal(err)
	}
	return in, axle
}

// Two printed listings of another program have two decimals. The figures of their points differ by their rounding; the
// roll centre also by the rounding of the points, 0.05 mm.
func TestPrintedListings(t *testing.T) {
	for name, radius := range map[string]float64{"listing_v4.txt": 0.2794, "listing_v5.txt": 0.225} {
		in, axle := imported(t, name)
		r, err := suspension.Measure(axle.Model, axle.Model.Roles, suspension.Options{Options: rig.Options{Axle: 1}})
		if err != nil {
			t.Fatal(err)
		}
		figures := map[string]rig.Figure{}
		for _, f := range r.Figures {
			figures[f.Key] = f
		}
		if len(in.Printed) != 7 || in.Radius != radius {
			t.Errorf("%s: %d printed figures, radius %g m", name, len(in.Printed), in.Radius)
		}
		for _, p := range in.Printed {
			f := figures[p.Figure]
			bar := map[string]float64{"rad": 0.0051 * math.Pi / 180, "m": 0.0051e-3}[f.Unit]
			if p.Figure == "roll_centre_one_wheel" {
				bar = 0.05e-3
			}
			if !(math.Abs(f.Left.V-p.Value) < bar) || !(math.Abs(f.Right.V-p.Value) < bar) {
				t.Errorf("%s: %s is %g and %g %s, printed %s: %g", name, p.Figure, f.Left.V, f.Right.V, f.Unit, p.From, p.Value)
			}
		}
	}
}

// The generic suspensions of Project Chrono move as an independent program computes it: Newton's method for the pose of
// the carrier with constant lengths of links, and the top of the strut on a line of the carrier.
func TestChronoSuspensionsMove(t *testing.T) {
	// toe, camber [rad], x and y of the wheel centre from the design position [m], at -40 and 40 mm of travel
	for template, want := range map[string][2][4]float64{
		"DoubleWishbone": {
			{0.02687184327654357, 0.006943802201145295, 0.005391766994069593, -0.006609611150169298},
			{-0.017436793571989087, -0.011015018361253784, -0.0036326808249575403, 0.0014688929838039652}},
		"MacPhersonStrut": {
			{0.0217296610484771, 0.011996021974834185, 0.0038981989751864735, -0.0020585839081900034},
			{-0.024449260727286003, -0.008171835459707509, -0.004461889821520025, -0.0010867945584220736}},
		"MultiLink": {
			{-0.0016053679399502102, 0.017570643946741092, 0.003891596087152093, 0.003188178124105702},
			{0.0017124461224963124, -0.024842999358362212, -0.0028101242678801952, -0.006696344605159364}},
	} {
		_, axle := imported(t, "chrono_"+template+".json")
		r, err := rig.New(axle.Model, rig.Options{Axle: 1, Roles: axle.Model.Roles})
		if err != nil {
			t.Fatal(err)
		}
		design, err := r.Solve(rig.Given{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range []float64{-0.04, 0.04} {
			s, err := r.Solve(rig.Given{Travel: [2]float64{z, z}}, design)
			if err != nil {
				t.Fatal(err)
			}
			for side := range s.Wheels {
				w, at := &s.Wheels[side], &design.Wheels[side]
				got := [4]float64{w.Toe().V, w.Camber().V, w.Centre[0].V - at.Centre[0].V, w.Centre[1].V - at.Centre[1].V}
				for k, name := range []string{"toe", "camber", "x", "y"} {
					if math.Abs(got[k]-want[i][k]) > 1e-9 {
						t.Errorf("%s, wheel %d at %g m: %s is %.12g, want %.12g", template, side, z, name, got[k], want[i][k])
					}
				}
			}
		}
	}
}

// Springs, dampers and masses of a Chrono file are those of the corner; the spring has its force in the design
// position.
func TestValuesOfChronoSuspensions(t *testing.T) {
	_, axle := imported(t, "chrono_DoubleWishbone.json")
	for _, want := range []string{`stiffness = "369149 N/m"`, `damping = "22459 N.s/m"`, `arm_mass = "23.965 kg"`,
		`carrier_mass = "19.45 kg"`, `spring_on = "lower"`, `travel_per_turn = -50`} {
		if !strings.Contains(axle.Text, want) {
			t.Errorf("the axle has no %s:\n%s", want, axle.Text)
		}
	}
	length := math.Sqrt(0.024*0.024 + 0.059*0.059 + 0.3*0.3)
	for _, p := range axle.Model.Parameters {
		if force := 369149 * (0.339 - length); p.Name == "load_F" && math.Abs(p.Value.Value-force) > 1e-6 {
			t.Errorf("the spring pushes with %g N, want %g N", p.Value.Value, force)
		}
	}
	in, axle := imported(t, "chrono_MacPhersonStrut.json")
	if notes := strings.Join(in.Notes, "\n"); !strings.Contains(notes, "the spring pulls with 1.2") {
		t.Errorf("notes: %s", notes)
	}
	if unused := strings.Join(axle.Unused, "\n"); unused != "" {
		t.Errorf("unused: %s", unused)
	}
}
