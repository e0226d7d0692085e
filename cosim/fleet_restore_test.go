package cosim_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"skidpad/cosim"
)

// even makes n vehicles that differ in their masses only.
func even(t testing.TB, s *cosim.System, n int) []*run {
	t.Helper()
	var list []*run
	for i := range n {
		r := instance(t, s, "heun", 0.001)
		r.set("body.mass", 2000+float64(i))
		r.start(noInput)
		list = append(list, r)
	}
	return list
}

func (r *run) save() []byte {
	r.Helper()
	state := make([]byte, r.in.StateSize())
	if err := r.in.Save(state); err != nil {
		r.Fatal(err)
	}
	return state
}

func (r *run) restore(state []byte) {
	r.Helper()
	if err := r.in.Restore(state); err != nil {
		r.Fatal(err)
	}
}

func (r *run) steer(angle float64) {
	for _, side := range []string{"FL", "FR"} {
		r.set("steer_"+side+".angle", angle)
	}
}

// Restored vehicles of a fleet continue as they do alone: with the same position, another time and inputs, the
// parameters of another vehicle, or after a reset.
func TestRestoredVehiclesOfAFleetGoOnAsAlone(t *testing.T) {
	s := load(t, "generic4w", "")
	const n = 10 // two lane groups, and two vehicles without
	alone, together := even(t, s, n), even(t, s, n)
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	step := func(what string) {
		t.Helper()
		for range 3 {
			for i, err := range f.Step(0.01, 2) {
				if err != nil {
					t.Fatal(err)
				}
				if err := alone[i].in.Step(0.01); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range alone {
			a, b := alone[i].values(), together[i].values()
			for k := range a {
				if math.Float64bits(a[k]) != math.Float64bits(b[k]) && !(math.IsNaN(a[k]) && math.IsNaN(b[k])) {
					t.Fatalf("%s: %s of vehicle %d is %g, alone %g", what, s.Variables()[k].Name, i, b[k], a[k])
				}
			}
		}
	}
	both := func(i int, do func(r *run)) { do(alone[i]); do(together[i]) }
	start := alone[1].save()
	step("at the start")
	for i := range n {
		both(i, func(r *run) { r.steer(0.01 * float64(i)) })
	}
	step("steered")
	both(1, func(r *run) { r.restore(r.save()) })
	step("restored where it is")
	both(1, func(r *run) { r.restore(start) })
	step("restored to the start")
	other := alone[7].save()
	both(2, func(r *run) { r.restore(other) })
	step("restored to the state of another one")
	both(4, func(r *run) { r.in.Reset(); r.restore(other) })
	step("reset and restored")
	now := alone[5].save()
	both(5, func(r *run) { r.in.Reset(); r.set("body.mass", 3000); r.start(noInput) })
	both(5, func(r *run) { r.restore(now) })
	step("restored after a start with another mass")
	for i := range n {
		both(i, func(r *run) { r.restore(now) })
	}
	step("all restored")
}

// A vehicle that restores a state continues like the vehicle that saved it, in a fleet and alone. The earlier state
// does not matter: other parameters, another tire of the same parameters, or no initialisation.
func TestAVehicleTakesOverTheStateOfAnother(t *testing.T) {
	s := load(t, "generic4w", "")
	giver := func() *run { return even(t, s, 7)[6] }
	worn := fleetOf(t, s, "heun", 2)[1]
	tire, err := worn.in.Text("tire_FL.file")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		giver  func() *run
		before func(r *run)
	}{
		"other parameters": {giver: giver, before: func(r *run) {}},
		"another tire": {
			giver: func() *run {
				r := instance(t, s, "heun", 0.001)
				if err := r.in.SetText("tire_FL.file", tire); err != nil {
					t.Fatal(err)
				}
				r.set("body.mass", 2001)
				r.start(noInput)
				return r
			},
			before: func(r *run) {},
		},
		"not initialised": {giver: giver, before: func(r *run) {
			r.in.Reset()
			if err := r.in.Prepare(); err != nil {
				t.Fatal(err)
			}
			r.set("body.mass", 2006)
		}},
	} {
		list, g := even(t, s, 4), c.giver()
		f, err := cosim.NewFleet(instancesOf(list))
		if err != nil {
			t.Fatal(err)
		}
		f.Step(0.01, 1)
		g.steer(0.03)
		if err := g.in.Step(0.01); err != nil {
			t.Fatal(err)
		}
		single := even(t, s, 2)[1]
		for _, r := range []*run{list[1], single} {
			c.before(r)
			r.restore(g.save())
		}
		for range 20 {
			f.Step(0.01, 1)
			for _, r := range []*run{g, single} {
				if err := r.in.Step(0.01); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := fmt.Sprint(g.values())
		if fmt.Sprint(list[1].values()) != want {
			t.Errorf("%s: a vehicle of a fleet does not go on as the one whose state it has", name)
		}
		if fmt.Sprint(single.values()) != want {
			t.Errorf("%s: a vehicle does not go on as the one whose state it has", name)
		}
	}
}

// allocations counts those of a step after something has happened to the fleet; what others allocate meanwhile does not
// count.
func allocations(f *cosim.Fleet, happens func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 5 {
		happens()
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		f.Step(0.01, 1)
		runtime.ReadMemStats(&to)
		least = min(least, to.Mallocs-from.Mallocs)
	}
	return least
}

// Lanes take over parameters that were set again, for rates, for the matrix of an implicit method, and for energies.
func TestLanesTakeOverOtherParameters(t *testing.T) {
	s := load(t, "generic4w", "")
	var outputs []int
	for _, name := range []string{"energy.kinetic", "energy.potential", "body.ax"} {
		outputs = append(outputs, variable(t, s, name))
	}
	for _, method := range []string{"heun", "linearly-implicit"} {
		for _, n := range []int{4, 3} {
			var alone, together []*run
			for range 4 {
				for _, list := range []*[]*run{&alone, &together} {
					r := instance(t, s, method, 0.001)
					r.start(noInput)
					*list = append(*list, r)
				}
			}
			f, err := cosim.NewFleet(instancesOf(together))
			if err != nil {
				t.Fatal(err)
			}
			only := []bool{true, n == 4, true, true}
			for k := range 4 {
				steer(alone, 0.3)
				steer(together, 0.3)
				var rows [4][3]float64
				failed := f.StepSome(&cosim.FleetStep{H: 0.004, Threads: 1, Only: only,
					Outputs: cosim.Rows{Variables: outputs, Row: func(i int) []float64 { return rows[i][:] }}})
				for i, r := range alone {
					if !only[i] {
						continue
					}
					if err := r.in.Step(0.004); err != nil || failed[i] != nil {
						t.Fatal(err, failed[i])
					}
					for j, v := range outputs {
						want, err := r.in.Get(v)
						if err != nil || math.Float64bits(want) != math.Float64bits(rows[i][j]) {
							t.Fatalf("%s, step %d: %s of vehicle %d is %g, alone %g (%v)", method, k, s.Variables()[v].Name,
								i, rows[i][j], want, err)
						}
					}
				}
				other := instance(t, s, method, 0.001)
				other.set("body.mass", 3000+100*float64(k))
				other.set("spring_FL.stiffness", 40000+1000*float64(k))
				other.start(noInput)
				alone[k].restore(other.save())
				together[k].restore(other.save())
			}
		}
	}
}

// A restored vehicle stays in its lane group, with its own or other parameters: no group is rebuilt. With other texts
// it is its lane group alone, however many there are.
func TestOnlyTheTeamConcernedIsArrangedAnew(t *testing.T) {
	s := load(t, "generic4w", "")
	var changed []uint64
	for _, n := range []int{8, 64} {
		list := even(t, s, n)
		f, err := cosim.NewFleet(instancesOf(list))
		if err != nil {
			t.Fatal(err)
		}
		f.Step(0.01, 1)
		usual := allocations(f, func() {})
		if after := allocations(f, func() { list[3].restore(list[3].save()) }); after > usual {
			t.Errorf("a step after a vehicle was restored allocates %d times, any other %d times", after, usual)
		}
		k := 0
		if after := allocations(f, func() { k++; list[3].restore(list[4+k%2].save()) }); after > usual {
			t.Errorf("a step after a vehicle got other parameters allocates %d times, any other %d times", after, usual)
		}
		changed = append(changed, allocations(f, func() {
			k++
			list[3].in.Reset()
			list[3].text("solver.end_at", []string{"none", "rolled-over"}[k%2])
			list[3].start(noInput)
		}))
	}
	if changed[1] > 2*changed[0] {
		t.Errorf("a step after a vehicle got other texts allocates %d times in a fleet of 8, %d times in one "+
			"of 64", changed[0], changed[1])
	}
}

// BenchmarkFleetRestore is a step of a fleet after no restore or the restore of one vehicle, at the same or another
// time.
func BenchmarkFleetRestore(b *testing.B) {
	s := load(b, "generic4w", "")
	list := even(b, s, 256)
	f, err := cosim.NewFleet(instancesOf(list))
	if err != nil {
		b.Fatal(err)
	}
	start := list[100].save()
	f.Step(0.001, 1)
	for name, restore := range map[string]func(r *run){
		"none": func(*run) {}, "here": func(r *run) { r.restore(r.save()) },
		"to-the-start": func(r *run) { r.restore(start) },
	} {
		b.Run(fmt.Sprintf("%s/%d", name, len(list)), func(b *testing.B) {
			for b.Loop() {
				restore(list[100])
				f.Step(0.001, 1)
			}
		})
	}
}
