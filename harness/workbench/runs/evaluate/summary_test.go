package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
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
		{"passenger_car", "brake_distance", "distance", nil},
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

// A summary of three runs has the figures in the order of the kind, missing figures last. Then follow verdicts, the
// number of warnings of each rule, the prerun, changed constants and parameters. Each run has a column, and missing
// figures have reasons.
func TestTheSummaryOfSeveralRuns(t *testing.T) {
	t.Parallel()
	figure := func(id, unit string, value float64, missing string) figures.Figure {
		return figures.Figure{ID: id, Definition: "def of " + id, Unit: unit, Value: value, Missing: missing}
	}
	run := func(speed, distance float64, verdict string, warnings ...library.Warning) Run {
		time, lack := 2*distance, ""
		if verdict != "" {
			time, lack = math.NaN(), "the car still moves"
		}
		return Run{Result: &drive.Result{Verdict: verdict, Warnings: warnings}, file: map[string]float64{"mass": 900},
			Varied: []manoeuvre.ConstantValue{{Name: "speed", Value: speed}},
			Figures: []figures.Figure{figure("time", "s", time, lack), figure("roll", "rad", speed/100, ""),
				figure("distance", "m", distance, "")}}
	}
	warning := func(rule, subject string) library.Warning {
		return library.Warning{Rule: rule, Subject: subject, Quantity: "load", Text: subject}
	}
	constant := func(name string, value float64, origin string) Constant {
		return Constant{manoeuvre.ConstantValue{Name: name, Value: value}, origin}
	}
	e := &Result{Vehicle: "Car", Manoeuvre: &manoeuvre.Manoeuvre{Name: "stop", Title: "Stop"},
		Constants: []Constant{constant("speed", 20, "file"), constant("pedal", 0.5, ranBefore+"x before"),
			constant("grip", 0.9, "--let")},
		Set:    []manoeuvre.Setting{{Name: "mass", Value: "1000"}, {Name: "tire", Value: "Fiala"}},
		Prerun: &Result{Manoeuvre: &manoeuvre.Manoeuvre{Name: "press"}},
		Runs: []Run{run(10, 5, "", warning("tire-load", "a"), warning("tire-load", "b"), warning("spring", "c")),
			run(20, 20, "rolled over"), run(30, 45, "left the road", warning("tire-load", "a"))},
		Figures: []figures.Figure{figure("mean_deceleration", "m/s2", math.NaN(), "no speed"), figure("best", "m", 4, "")},
	}
	e.Manoeuvre.KeyFigures = &manoeuvre.KeyFigures{Kind: "straight-braking"}
	var text strings.Builder
	if err := e.WriteSummary(&text); err != nil {
		t.Fatal(err)
	}
	const want = `Stop (stop), Car

distance           5 to 45  m     def of distance
time               10       s     in 1 of 3 runs: def of time
best               4        m     def of best
mean_deceleration  missing  m/s2  no speed

3 runs; 2 ended early; run 2 ended early: rolled over; 3 warnings: 2 tire-load, 1 spring
run before: press gives pedal = 0.5
changed: grip = 0.9 (--let), mass = 1000 (--set, in the model file 900), tire = Fiala (--set)

run                 1       2       3
speed              10      20      30
time      s        10       -       -
roll      deg  5.7296  11.459  17.189
distance  m         5      20      45

- time: the car still moves (runs 2, 3)

--verbose prints definitions and times of all figures.
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	e.Manoeuvre.Search = &manoeuvre.Search{}
	e.Figures = append(e.Figures, figure("distance", "m", 5, ""))
	if list := e.answers(); len(list) != 3 || list[0].id != "best" || list[2].id != "mean_deceleration" {
		t.Errorf("answers of a search are %+v; want best first, mean_deceleration last, and no figures of runs", list)
	}
	e.Runs = slices.Repeat(e.Runs[1:2], 7) // a figure that all runs lack
	text.Reset()
	if err := e.writeReasons(&text); err != nil || text.String() != "\n- time: the car still moves (all runs)\n" {
		t.Errorf("%v, %q", err, text.String())
	}
	lacking := e.Runs
	e.Runs = append(lacking[:5:5], Run{Result: &drive.Result{}})
	text.Reset()
	if err := e.writeReasons(&text); err != nil || !strings.HasSuffix(text.String(), "(runs 1, 2, 3, 4, 5)\n") {
		t.Errorf("%v, %q", err, text.String())
	}
	e.Runs = append(lacking, Run{Result: &drive.Result{}})
	text.Reset()
	err := e.writeReasons(&text)
	if err != nil || !strings.HasSuffix(text.String(), "(runs 1, 2, 3, 4, 5 and 2 more)\n") {
		t.Errorf("%v, %q", err, text.String())
	}
}

// Tables that are wider than a terminal go on below, behind the same names, without a column twice or left out.
func TestWideTablesAreDivided(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"run", ""}, {"x", "m"}}
	for i := range 30 {
		rows[0], rows[1] = append(rows[0], fmt.Sprint("c", i)), append(rows[1], fmt.Sprint(1000000+i))
	}
	var text strings.Builder
	if err := writeColumns(&text, rows, 2); err != nil {
		t.Fatal(err)
	}
	var columns, numbers []string
	for _, line := range strings.Split(text.String(), "\n") {
		if len(line) > 120 {
			t.Errorf("a line of %d characters", len(line))
		}
		switch fields := strings.Fields(line); {
		case strings.HasPrefix(line, "run"):
			columns = append(columns, fields[1:]...)
		case line != "":
			numbers = append(numbers, fields[2:]...)
		}
	}
	if !slices.Equal(columns, rows[0][2:]) || !slices.Equal(numbers, rows[1][2:]) {
		t.Errorf("columns %q, %q", columns, numbers)
	}
}
