package cosim

import (
	"math"
	"slices"
	"testing"
)

// testGrounds are terrains of the tests, some sampled everywhere and some not.
var testGrounds = map[string]string{
	"level":    "kind = \"flat\"\n",
	"two ices": "kind = \"flat\"\nfriction = { left = 0.3, right = 0.8 }\n",
	"moving":   "kind = \"formula\"\nformula = \"0.01*sin(30*t + x)\"\n",
	"rough":    "kind = \"iso8608\"\nclass = \"C\"\n",
}

// Vehicles on terrain step in lanes as they do alone: to the last bit, whatever the ground is.
func TestFleetsOnTerrainStepLikeSingleInstances(t *testing.T) {
	for name, ground := range testGrounds {
		for _, method := range []string{"heun", "linearly-implicit"} {
			sys := onRoad(t, ground, nil, nil).sys
			var alone, together [5]*ride
			var list []*Instance
			for i := range alone {
				for _, r := range []**ride{&alone[i], &together[i]} {
					in, err := sys.Instantiate()
					if err != nil {
						t.Fatal(err)
					}
					*r = &ride{in, t}
					if err := in.SetText(MethodVariable, method); err != nil {
						t.Fatal(err)
					}
					(*r).set("body.mass", 2000+20*float64(i))
					(*r).set("body.vx", 20-0.5*float64(i))
					if err := in.Initialise(); err != nil {
						t.Fatal(err)
					}
				}
				list = append(list, together[i].Instance)
			}
			f, err := NewFleet(list)
			if err != nil {
				t.Fatal(err)
			}
			steps := 40
			if name == "rough" && testing.Short() {
				steps = 10 // of waves by the thousand
			}
			for k := range steps {
				steering := 0.01 * float64((40-k)/20) // at last, no input changes within a step
				for i := range alone {
					for _, r := range []*ride{alone[i], together[i]} {
						r.steer(steering*float64(i), 2)
						r.set("tire_FL.terrain_z", 0.001*float64(i*(k%3)))
					}
					if err := alone[i].Step(0.005); err != nil {
						t.Fatal(err)
					}
				}
				for _, err := range f.Step(0.005, 2) {
					if err != nil {
						t.Fatal(err)
					}
				}
				if k == 0 && len(f.groups) != 1 {
					t.Fatalf("%s: %d of 5 vehicles are in lanes", name, 4*len(f.groups))
				}
			}
			for i := range alone {
				for k, x := range alone[i].x {
					if y := together[i].x[k]; math.Float64bits(x) != math.Float64bits(y) {
						t.Fatalf("%s, %s: %s of vehicle %d is %g in lanes, alone %g", name, method, alone[i].stateName(k), i, y, x)
					}
				}
				for k, x := range alone[i].along {
					if y := together[i].along[k]; math.Float64bits(x) != math.Float64bits(y) && !(math.IsNaN(x) && math.IsNaN(y)) {
						t.Fatalf("%s, %s: place %d of vehicle %d is %g in lanes, alone %g", name, method, k, i, y, x)
					}
				}
			}
		}
	}
}

// Ground that moves is where it is at the time of an evaluation, however long the communication steps are.
func TestMovingGroundKnowsTheTimeWithinCommunicationSteps(t *testing.T) {
	var want *ride
	for _, h := range []float64{0.001, 0.01, 0.05} {
		r := onRoad(t, testGrounds["moving"], nil, nil)
		for range int(math.Round(0.5 / h)) {
			if err := r.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		if want == nil {
			want = r
		}
		for _, name := range []string{"body.z", "body.roll", "tire_FL.Fz"} {
			r.near(name, r.get(name), want.get(name), 1e-9*(1+math.Abs(want.get(name))))
		}
	}
}

// Vehicles with different times share lanes, also on moving ground. They do so, too, where rounding errors of their
// times make them divide a step differently.
func TestFleetsOfDifferentTimesStepLikeSingleInstances(t *testing.T) {
	sys := onRoad(t, testGrounds["moving"], nil, nil).sys
	for _, h := range []float64{0.004, 0.001 + 5e-10} {
		var alone, together [4]*ride
		var list []*Instance
		for i := range alone {
			for _, r := range []**ride{&alone[i], &together[i]} {
				in, err := sys.Instantiate()
				if err != nil {
					t.Fatal(err)
				}
				*r = &ride{in, t}
				if err := in.Initialise(); err != nil {
					t.Fatal(err)
				}
				in.CorrectTime([]float64{0, 0.125, 3, 1e6}[i])
			}
			list = append(list, together[i].Instance)
		}
		f, err := NewFleet(list)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			for _, err := range f.Step(h, 1) {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, r := range alone {
				if err := r.Step(h); err != nil {
					t.Fatal(err)
				}
			}
		}
		if len(f.groups) != 1 {
			t.Errorf("vehicles of different times are in %d lane groups", len(f.groups))
		}
		for i := range alone {
			if alone[i].Time() != together[i].Time() {
				t.Errorf("vehicle %d is at %g s in lanes, alone at %g s", i, together[i].Time(), alone[i].Time())
			}
			for k, x := range alone[i].x {
				if y := together[i].x[k]; math.Float64bits(x) != math.Float64bits(y) {
					t.Fatalf("steps of %g s: %s of vehicle %d is %g in lanes, alone %g", h, alone[i].stateName(k), i, y, x)
				}
			}
		}
	}
}

// Vehicles left out by a mask do not move, and the active vehicles step as alone: on terrain, with steering that
// moves within steps, and where a vehicle divides a step differently. A step writes the values that each instance
// gives alone, after the step or before it; a coefficient of a tire among its inputs decides these values.
func TestMaskedVehiclesOnTerrainStayWhereTheyAre(t *testing.T) {
	for name, ground := range testGrounds {
		sys := onRoad(t, ground, nil, nil).sys
		var alone, together [4]*ride
		var list []*Instance
		for i := range alone {
			for _, r := range []**ride{&alone[i], &together[i]} {
				in, err := sys.Instantiate()
				if err != nil {
					t.Fatal(err)
				}
				*r = &ride{in, t}
				(*r).set("body.mass", 2000+20*float64(i))
				if err := in.Initialise(); err != nil {
					t.Fatal(err)
				}
				in.CorrectTime([]float64{0, 0.125, 3, 1e6}[i])
			}
			list = append(list, together[i].Instance)
		}
		f, err := NewFleet(list)
		if err != nil {
			t.Fatal(err)
		}
		load, _ := sys.Find("tire_FL.Fz")
		angle, _ := sys.Find("steer_FL.angle")
		side, _ := sys.Find("tire_FL.Fy")
		all := alone[0].Coefficients()
		friction := all[slices.IndexFunc(all, func(v TireVariable) bool { return v.Name == "tire_FL.LMUY" })].Index
		for k := range 24 {
			var only [4]bool
			for i := range only {
				only[i] = (k*7+3*i)%5 < 3
				alone[i].steer(0.01*float64(i+1), 2)
				together[i].steer(0.01*float64(i+1), 2)
			}
			var given [4][1]float64
			for i := range given {
				given[i][0] = 1 - 0.1*float64((k+i)%5)
			}
			var rows [4][3]float64
			h, first := []float64{0.004, 0.001 + 5e-10}[k/12], k%3 == 0
			for _, err := range f.StepSome(&FleetStep{H: h, Threads: 1, Only: only[:], ReadFirst: first,
				Inputs:  Rows{[]int{friction}, func(i int) []float64 { return given[i][:] }},
				Outputs: Rows{[]int{load, angle, side}, func(i int) []float64 { return rows[i][:] }}}) {
				if err != nil {
					t.Fatal(err)
				}
			}
			for i, r := range alone {
				if !only[i] {
					continue
				}
				err := r.Set(friction, given[i][0])
				if err == nil && !first {
					err = r.Step(h)
				}
				if err != nil {
					t.Fatal(err)
				}
				for j, v := range []int{load, angle, side} {
					if want, _ := r.Get(v); math.Float64bits(want) != math.Float64bits(rows[i][j]) {
						t.Fatalf("%s, step %d: value %d of vehicle %d is %g, alone %g", name, k, j, i, rows[i][j], want)
					}
				}
				if first {
					err = r.Step(h)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for i, r := range alone {
				own := together[i]
				for j, pair := range [][2][]float64{{r.x, own.x}, {r.along, own.along}, {r.reached, own.reached},
					{r.u, own.u}, {{r.Time()}, {own.Time()}}} {
					if !sameBits(pair[0], pair[1]) {
						t.Fatalf("%s, step %d: numbers %d of vehicle %d are %v, alone %v", name, k, j, i, pair[1], pair[0])
					}
				}
			}
		}
	}
}
