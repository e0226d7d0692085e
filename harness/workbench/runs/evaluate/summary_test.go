package evaluate

import (
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// firstLines is how many lines of a terminal a reader sees at once without looking for them.
const firstLines = 15

// The number after which a test is named stands in the first lines, with its unit, as the figure has it.
func TestTheAnswerIsPrintedFirst(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	loaded, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		model, manoeuvre, figure string
		constants                []manoeuvre.ConstantValue
	}{
		{"generic4w", "brake", "distance", nil},
		{"generic4w", "circle_speed", "K_u_mean", nil},
		{"passenger_car", "plank", "load_max", nil},
		{"passenger_car", "crosswind", "deviation", nil},
		{"passenger_car", "step_steer", "yaw_rate_response_time", []manoeuvre.ConstantValue{{Name: "delta", Value: 0.2}}},
		{"passenger_car", "slowly_increasing_steer", "A", nil},
		{"passenger_car", "circle_radius", "K_u_mean", nil},
		{"passenger_car", "sine_steer", "yaw_rate_lag_1", []manoeuvre.ConstantValue{{Name: "delta", Value: 0.2}}},
		{"passenger_car", "frequency_response", "yaw_bandwidth", nil},
		{"passenger_car", "sine_with_dwell", "passed", []manoeuvre.ConstantValue{{Name: "A", Value: 0.25}}},
		{"passenger_car", "double_lane_change", "highest_speed", nil},
		{"passenger_car", "brake_in_turn", "yaw_ratio_extreme_1", nil},
		{"passenger_car_free", "weave", "a_y_gain", nil},
		{"passenger_car", "straight_running", "drift", nil},
		{"passenger_car", "rough_road", "a_v", nil},
		{"passenger_car", "acceleration", "time", nil},
		{"passenger_car", "coast_down", "a0", nil},
		{"passenger_car", "maximum_speed", "speed_max", nil},
		{"passenger_car", "standing", "drift", nil},
		{"passenger_car_free", "steering_release", "yaw_rate_half", nil},
		{"passenger_car_manual", "acceleration_from_rest", "time", nil},
		{"generic4w_fourpost", "four_post", "heave_frequency", nil},
		{"generic4w", "fishhook", "lift_speed", []manoeuvre.ConstantValue{{Name: "A", Value: 0.4}}},
		{"tractor_semitrailer", "tractor_semitrailer_lane_change", "yaw_rate_amplification", nil},
		{"tractor_semitrailer", "tractor_semitrailer_turn", "off_tracking", nil},
		{"tractor_semitrailer", "tractor_semitrailer_brake_in_turn", "articulation_max", nil},
		{"car_trailer", "car_trailer_snaking", "damping_read", nil},
		{"halfcar", "halfcar_550", "v_end", nil},
	}
	shownOf := map[string]bool{}
	for _, c := range cases[:testrun.Either(2, len(cases))] {
		e := evaluator(loaded, built.Model(c.model))
		e.Replaced = c.constants
		result, err := e.Evaluate(built.Manoeuvre(c.manoeuvre))
		if err != nil {
			t.Errorf("%s in %s: %v", c.model, c.manoeuvre, err)
			continue
		}
		shownOf[result.Manoeuvre.KeyFigures.Kind] = true
		var text strings.Builder
		if err := result.WriteSummary(&text); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text.String(), "\n")
		row := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, c.figure+" ") })
		if row < 0 || row >= firstLines {
			t.Errorf("%s in %s: %s stands in line %d:\n%s", c.model, c.manoeuvre, c.figure, row+1, text.String())
			continue
		}
		holds := func(f figures.Figure) bool {
			value, unit := shown(f)
			return f.ID == c.figure && strings.Contains(lines[row], " "+value) && strings.Contains(lines[row], " "+unit+" ")
		}
		all := slices.Clone(result.Figures)
		for _, run := range result.Runs {
			all = append(all, run.Figures...)
		}
		for _, id := range figures.Find(result.Manoeuvre.KeyFigures.Kind).Answer {
			if !slices.ContainsFunc(all, func(f figures.Figure) bool { return f.ID == id }) {
				t.Errorf("%s in %s: no run has the figure %q, which the kind names", c.model, c.manoeuvre, id)
			}
		}
		if !slices.ContainsFunc(all, holds) {
			t.Errorf("%s in %s: %q is none of the values of the runs", c.model, c.manoeuvre, lines[row])
		}
	}
	for _, name := range figures.Names() {
		if testrun.All() && !shownOf[name] {
			t.Errorf("no case has the kind %q", name)
		}
	}
}

// Of several runs a figure is from the least to the largest, with the runs that have it; without any it is missing,
// with the reason.
func TestAnswersOverRuns(t *testing.T) {
	of := func(value float64, missing string) Run {
		return Run{Figures: []figures.Figure{{ID: "x", Definition: "way", Unit: "m", Value: value, Missing: missing}}}
	}
	for _, c := range []struct {
		runs         []Run
		value, words string
	}{
		{[]Run{of(3, ""), of(-1, ""), of(2, "")}, "-1 to 3", "way"},
		{[]Run{of(2, ""), of(2, "")}, "2", "way"},
		{[]Run{of(0, "too short"), of(4, ""), {}}, "4", "in 1 of 3 runs: way"},
		{[]Run{of(0, "too short"), of(0, "too long")}, "missing", "too short"},
	} {
		got, has := (&Result{Runs: c.runs}).overRuns("x")
		if want := (answer{"x", c.value, "m", c.words}); !has || got != want {
			t.Errorf("%+v; want %+v", got, want)
		}
	}
	if _, has := (&Result{Runs: []Run{of(1, "")}}).overRuns("y"); has {
		t.Error("a figure that no run has")
	}
}
