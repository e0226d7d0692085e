package bench

import (
	"math"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// A quantile is a value of the list: the median of five is the third, and a share of 1 the largest.
func TestQuantiles(t *testing.T) {
	list := []float64{5, 1, 4, 2, 3}
	for share, want := range map[float64]float64{0: 1, 0.5: 3, 0.8: 5, 1: 5} {
		if got := quantile(list, share); got != want {
			t.Errorf("%g: %g, not %g", share, got, want)
		}
	}
	if !math.IsNaN(quantile(nil, 0.5)) || list[0] != 5 {
		t.Error("of none, or the list is another one")
	}
}

// The live view is measured from outside: all sections are there, the vehicle drives in real time, and states have what
// was sent. A command that serves nothing is an error with its own words.
func TestTheLiveViewIsMeasured(t *testing.T) {
	testrun.OnlyAll(t)
	v := View{Seconds: 1, Command: []string{built.Command(t), "view", built.Model("passenger_car"), "--driver", "socket",
		"--library", built.Library(t)}}
	r, err := v.Do(t.Context())
	if err != nil && strings.Contains(err.Error(), "less load") {
		r, err = v.Do(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for i := range r.Sections {
		for k := range r.Sections[i].List {
			m := &r.Sections[i].List[k]
			values[r.Sections[i].Title+": "+m.Name] = m.Median()
		}
	}
	const of = "Time of the vehicle: "
	if driven := values[of+"driven, idle"] + values[of+"shown as dropped, idle"]; driven < 90 || driven > 106 {
		t.Errorf("%g %% of the time is driven or dropped", driven)
	}
	if echo := values["From an input to the state that has it: p50"]; !(echo > 0.2 && echo < 200) {
		t.Errorf("an input takes %g ms", echo)
	}
	if size := values["Files of the page: scripts, styles and page"]; size < 100 || size > 900 {
		t.Errorf("the page has %g kB", size)
	}
	share, known := values["Processor time of the server, by one core: without viewers"]
	if known && !(share > 0 && share < 150) {
		t.Errorf("the server takes %g %%", share)
	}
	v.Command = []string{built.Command(t), "view", "nothing_of_this_name"}
	if _, err := v.Do(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing_of_this_name") {
		t.Error(err)
	}
}
