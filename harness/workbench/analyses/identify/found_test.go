package identify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/files/measured"
)

// axleOf are tables of an axle of the rack in m: camber yields about an axis above the wheel centre, recession is a
// compliance, and the castor is a column.
func axleOf() *measured.Axle {
	const yield, height, recession, castor = 3e-6, 0.1, 2e-7, 0.5
	a := tablesOf(map[string]func(x float64) (float64, float64, float64, float64){
		"lateral_parallel": func(f float64) (float64, float64, float64, float64) {
			return 0, -yield * f, 0, height * yield * f
		},
		"driving": func(f float64) (float64, float64, float64, float64) { return 0, 0, recession * f, 0 },
	})
	b := a.Tests["bounce"]
	roll := &measured.Test{Name: "roll", Unit: "m", Sides: [2]map[string][]float64{{}, {}}}
	steer := &measured.Test{Name: "steer", Unit: "m", Sides: [2]map[string][]float64{{}, {}}}
	for i, z := range b.At {
		b.Sides[0]["castor"] = append(b.Sides[0]["castor"], castor*z)
		roll.At = append(roll.At, z)
		roll.Sides[0]["travel"] = append(roll.Sides[0]["travel"], -z)
		// a bar of 4 kN/m between the wheels that becomes stiffer, and a part that is even in the roll
		roll.Sides[0]["Fz"] = append(roll.Sides[0]["Fz"], b.Sides[0]["Fz"][len(b.At)-1-i]-2*4e3*z-3e6*z*z*z+7)
		s := z / 4
		steer.At = append(steer.At, s)
		for key, value := range map[string]float64{"toe": -4 * s, "camber": 0.3 * s, "x": 0.1 * s, "y": -3 * s * s} {
			steer.Sides[0][key] = append(steer.Sides[0][key], value)
		}
	}
	a.Tests["roll"], a.Tests["steer"] = roll, steer
	return a
}

func options() Options { return Options{Side: "left", Radius: 0.3, Unsprung: 32, Wheel: 17} }

// The rig finds the tables in the corner that they give, with a rack in m.
func TestTablesComeBack(t *testing.T) {
	c, err := Find(axleOf(), options())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range c.Compared {
		limit, unit, si := differs(line.Key)
		if line.Test == "roll" && line.Key == "Fz" {
			limit *= 2 // its even part, 7 N, belongs to no bar
		}
		if line.Worst > 0.1*limit {
			t.Errorf("%s, %s: the largest difference is %g %s", line.Test, line.Key, line.Worst/si, unit)
		}
	}
	near := func(what string, got, want, share float64) {
		t.Helper()
		if math.Abs(got-want) > share*math.Abs(want) {
			t.Errorf("%s is %.9g, want %.9g", what, got, want)
		}
	}
	near("height of the camber axis", c.height, 0.1, 5e-3)
	near("compliance of camber", c.camberLaw.stiffness(), 0.4/3e-6, 1e-2)
	near("recession", c.recession, 2e-7, 1e-3)
	c.recession *= 0.8
	if err := c.correct(); err != nil {
		t.Fatal(err)
	}
	near("corrected recession", c.recession, 2e-7, 1e-3)
	near("castor", c.bounce.castor[0], -0.04, 1e-9)
	near("damping", c.damping(), 0.6*math.Sqrt(25000*(3000-32*9.81)/9.81), 1e-2)
	o := options()
	o.Damping = 1234
	if of := (&Corner{Options: o, rate: c.rate, load: c.load}); of.damping() != 1234 {
		t.Errorf("damping is %g", of.damping())
	}
	if c.Steered() != "m" {
		t.Errorf("the steering has the unit %q", c.Steered())
	}
	// bar and bends: 4 kN/m d + 3e6 (d/2)^3 of the difference of travels d
	bar := c.Bar("F")
	for i, d := range c.barLaw.over {
		near("bar", c.bar*d+c.barLaw.value[i], 4e3*d+3e6/8*d*d*d, 1e-2)
	}
	if !strings.Contains(bar, "force = [[-0.16") {
		t.Errorf("the bar lacks its bends: %s", bar)
	}
	if !strings.Contains(c.text(), "recession_bushing") {
		t.Error("the file lacks the recession")
	}
}

// Tables of both wheels become their mean or one of them, with a note where they differ.
func TestSides(t *testing.T) {
	a := axleOf()
	for name, of := range a.Tests {
		n := len(of.At)
		for key, values := range of.Sides[0] {
			other := slices.Clone(values)
			if slices.Contains(opposite, name) {
				for i := range other {
					other[i] = values[n-1-i]
				}
			}
			if key == "toe" {
				for i := range other {
					other[i] += 0.002
				}
			}
			of.Sides[1][key] = other
		}
	}
	for side, want := range map[string]float64{"left": 0, "right": 0.002, "mean": 0.001} {
		tests, notes := corner(a, side)
		for name, of := range tests {
			toe, first := of.of["toe"], a.Tests[name].Sides[0]["toe"]
			for i := range toe {
				if math.Abs(toe[i]-first[i]-want) > 1e-12 {
					t.Fatalf("%s of %s: toe %g in place of %g", side, name, toe[i], first[i]+want)
				}
			}
		}
		if told := strings.Contains(strings.Join(notes, "\n"), "bounce: toe of left and right differ by up to 0.115 "+
			"deg"); told !=
			(side == "mean") {
			t.Errorf("%s: %q", side, notes)
		}
	}
	roll := a.Tests["roll"]
	tests, _ := corner(a, "left")
	for i, g := range tests["roll"].given {
		if z := roll.At[i]; g.Travel != [2]float64{-z, z} {
			t.Errorf("roll at %g has the travels %v", z, g.Travel)
		}
	}
	for _, g := range tests["lateral_parallel"].given {
		if left, right := g.Loads[0].Contact[1], g.Loads[1].Contact[1]; left != right {
			t.Errorf("parallel loads %g and %g", left, right)
		}
	}
	for _, g := range tests["driving"].given {
		if left, right := g.Loads[0].Centre[0], g.Loads[1].Centre[0]; left != right {
			t.Errorf("driving loads %g and %g", left, right)
		}
	}
	a.Tests["aligning_opposed"] = &measured.Test{Name: "aligning_opposed", Unit: "N.m", At: []float64{-50, 0, 50},
		Sides: [2]map[string][]float64{{"toe": {1, 0, -1}}, {}}}
	a.Tests["roll"].At[0] *= 1.1
	tests, notes := corner(a, "mean")
	for i, g := range tests["roll"].given {
		if z := tests["roll"].of["travel"][i]; g.Travel != [2]float64{z, -z} {
			t.Errorf("roll without a partner has the travels %v", g.Travel)
		}
	}
	for _, g := range tests["aligning_opposed"].given {
		if left, right := g.Loads[0].Moment[2], g.Loads[1].Moment[2]; left != -right {
			t.Errorf("opposed moments %g and %g", left, right)
		}
	}
	if !strings.Contains(strings.Join(notes, "\n"), "roll: the places of the rows are not symmetric about 0") {
		t.Errorf("%q", notes)
	}
}

// Tables that cannot belong to a corner are refused, each with a remedy.
func TestFaultsOfCorners(t *testing.T) {
	for name, c := range map[string]struct {
		change func(a *measured.Axle, o *Options)
		want   string
	}{
		"pads that fall": {func(a *measured.Axle, _ *Options) {
			for i, f := range a.Tests["bounce"].Sides[0]["Fz"] {
				a.Tests["bounce"].Sides[0]["Fz"][i] = -f
			}
		}, `Turn its sign round by [names] of --names: "-Fz_left"`},
		"no radius": {func(_ *measured.Axle, o *Options) { o.Radius = 0 }, "give --radius"},
		"a wrong contact": {func(a *measured.Axle, o *Options) {
			o.Radius = 0
			a.Tests["bounce"].Sides[0]["contact_y"] = make([]float64, len(a.Tests["bounce"].At))
		}, "give --radius"},
		"camber that rises": {func(a *measured.Axle, _ *Options) {
			for i, x := range a.Tests["lateral_parallel"].Sides[0]["camber"] {
				a.Tests["lateral_parallel"].Sides[0]["camber"][i] = x * x * 1e3
			}
		}, ""},
		"camber with a bend back": {func(a *measured.Axle, _ *Options) {
			a.Tests["lateral_parallel"].Sides[0]["camber"][16] = 0
		}, "lateral_parallel: camber does not fall steadily with the load, from 1750 to 2000 N; smooth the rows"},
		"places in another unit": {func(a *measured.Axle, _ *Options) {
			for i := range a.Tests["bounce"].At {
				a.Tests["bounce"].Sides[0]["camber"][i] *= 1e3
			}
		}, "finds no rest on the rig; check units and signs of the columns, or leave a test out"},
		"masses": {func(_ *measured.Axle, o *Options) { o.Wheel = 40 }, "the unsprung mass of 32 kg must be above the mass " +
			"of 40 kg"},
	} {
		a, o := axleOf(), options()
		c.change(a, &o)
		_, err := Find(a, o)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	a := axleOf()
	for i, z := range a.Tests["roll"].At {
		a.Tests["roll"].Sides[0]["Fz"][i] += 16 * 4e3 * z
	}
	c, err := Find(a, options())
	if err != nil || c.Bar("F") != "" || !strings.Contains(strings.Join(c.Notes, "\n"), "it is left out") {
		t.Errorf("a bar with a negative stiffness: %v, %v", err, c)
	}
}

// Slopes belong to the rows that docs/kc.md names, or to all rows where these are fewer than three.
func TestRowsOfSlopes(t *testing.T) {
	for unit, want := range map[string][]int{"m": {1, 2, 3}, "N": {0, 1, 2, 3, 4}, "N.m": {0, 1, 2, 3, 4}} {
		c := &test{name: "a", unit: unit, at: []float64{-0.02, -0.01, 0, 0.01, 0.02}}
		if got := c.within(); !slices.Equal(got, want) {
			t.Errorf("%s: rows %v, want %v", unit, got, want)
		}
	}
	c := &test{name: "a", unit: "N", at: []float64{-1000, -500, 0, 500, 1000}}
	if got := c.within(); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("rows %v", got)
	}
	c.at = []float64{-2000, -1000, 0, 1000, 2000}
	if got := c.within(); len(got) != 5 {
		t.Errorf("rows %v of few", got)
	}
}

// The spin axis of a wheel with toe and camber is the y axis of its carrier.
func TestAxesOfTheCarrier(t *testing.T) {
	c := &Corner{toe: 0.3, camber: -0.2}
	spin := [3]float64{math.Sin(c.toe) * math.Cos(c.camber), math.Cos(c.toe) * math.Cos(c.camber), -math.Sin(c.camber)}
	for i, x := range c.onCarrier(spin) {
		if want := [3]float64{0, 1, 0}[i]; math.Abs(x-want) > 1e-15 {
			t.Errorf("the spin axis has the component %d of %g on the carrier", i, x)
		}
	}
}
