package cosim

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkWatching measures the time of steps with the table of warnings relative to steps without it: alone, and
// together in lanes. The result is the median of many short rounds that alternate.
func BenchmarkWatching(b *testing.B) {
	for _, name := range []string{"generic4w", "generic4w_carcass", "passenger_car", "skidder", "tractor_semitrailer",
		"truck3"} {
		for _, method := range []string{"euler", "rk4"} {
			for _, count := range []int{1, 4} {
				title := map[int]string{1: "alone", 4: "lanes"}[count]
				b.Run(name+"/"+method+"/"+title, func(b *testing.B) { watching(b, name, method, count) })
			}
		}
	}
}

func watching(b *testing.B, name, method string, count int) {
	sys, err := SharedModel(name, "")
	if err != nil {
		b.Fatal(err)
	}
	var list []*Instance
	for range count {
		in, err := sys.Instantiate()
		if err == nil {
			err = in.SetText(MethodVariable, method)
		}
		if err == nil {
			err = in.Initialise()
		}
		if err != nil {
			b.Fatal(err)
		}
		defer in.Close()
		list = append(list, in)
	}
	fleet, err := NewFleet(list)
	if err != nil {
		b.Fatal(err)
	}
	const steps = 50
	round := func() float64 {
		begin := time.Now()
		if count == 1 {
			for range steps {
				err = list[0].Step(list[0].settings[stepSetting])
			}
		} else {
			for _, e := range fleet.Step(steps*list[0].settings[stepSetting], 1) {
				err = e
			}
		}
		if err != nil {
			b.Fatal(err)
		}
		return float64(time.Since(begin))
	}
	round()
	var ratios []float64
	for b.Loop() {
		state := make([]byte, list[0].StateSize())
		if err := list[0].Save(state); err != nil {
			b.Fatal(err)
		}
		var took [2]float64
		for k := range took {
			for _, in := range list {
				if err := in.Restore(state); err != nil {
					b.Fatal(err)
				}
			}
			gates := list[0].watch.gates
			var lanes []laneGate
			if len(fleet.groups) > 0 {
				lanes = fleet.groups[0].watch.gates
			}
			if (k+len(ratios))%2 == 0 { // without the table, alternately before and after the round with it
				list[0].watch.gates = nil
				if lanes != nil {
					fleet.groups[0].watch.gates = []laneGate{}
				}
			}
			took[(k+len(ratios))%2] = round()
			list[0].watch.gates = gates
			if lanes != nil {
				fleet.groups[0].watch.gates = lanes
			}
		}
		ratios = append(ratios, took[1]/took[0])
		if err := list[0].Restore(state); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}
