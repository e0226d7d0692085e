package manoeuvre

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/signal"
)

// phased has every key of drivers, phases, tracks, searches and figures, each with a value of its own.
const phased = `name = "test"
title = "Test"
models = ["M"]
step = 0.001
record = ["body.*"]
end_at = ["fallen"]
[constants]
turn = 4
[steering]
drivers = ["steer"]
ratio = 16
[speed_control]
variable = "body.vx"
torques = ["drive.torque"]
proportional = 11
integral = 12
limit = 13
[path_follower]
body = "body"
preview = 0.8
proportional = 21
integral = 22
lag = 0.1
rate = 23
limit = 24
[track]
start = 5
[[track.section]]
length = 3
left = 2
right = 1
[[track.section]]
length = 4
[[stop]]
verdict = "far"
when = { formula = "body.x", above = 7 }
[[phase]]
name = "one"
duration = 1.5
steering = { kind = "constant", value = "turn" }
speed = { kind = "sine", amplitude = 2, period = 3 }
[[phase]]
name = "track"
until = { formula = "body.x", crosses = 9 }
timeout = 2.5
path = { kind = "track", into = 1 }
[search]
constant = "turn"
unit = "rad"
from = 31
to = 32
tolerance = 0.5
figure = "pass"
[figures]
kind = "lane-change"
body = "body"
front = ["tire_1"]
rear = ["tire_2"]
body_front = 41
body_rear = 42
body_width = 43
`

func TestAManoeuvreOfPhasesMeansWhatItSays(t *testing.T) {
	m, err := Parse("test.toml", []byte(phased))
	if err != nil {
		t.Fatal(err)
	}
	stop, until := m.Stops[0], m.Phases[1].Until
	nan := math.IsNaN(m.Track[1].Left) && math.IsNaN(m.Track[1].Right)
	if stop.When.Variable != "body.x" || stop.When.Kind != Above || stop.When.Bound != 7 || stop.Verdict != "far" ||
		until.Kind != Crosses || until.Bound != 9 || !nan {
		t.Errorf("%+v, %+v, %+v", stop, until, m.Track)
	}
	for _, pair := range [][2]any{
		{m.Duration, 4.0}, {m.Record, []string{"body.*"}}, {m.EndAt, []EndCondition{{Name: "fallen"}}},
		{m.Steering, &Steering{Drivers: []string{"steer"}, Ratio: 16}},
		{m.SpeedControl, &SpeedControl{"body.vx", []string{"drive.torque"}, 11, 12, -13, 13}},
		{m.PathFollower, &PathFollower{"body", 0.8, 21, 22, 0.1, 23, 24, 0, 0, 0}},
		{m.Track[0], figures.Section{From: 5, To: 8, Right: 1, Left: 2, Aim: 1.5}}, {m.Track[1].To, 12.0},
		{m.Phases[0].Name, "one"}, {m.Phases[0].Duration, 1.5}, {m.Phases[1].Duration, 2.5},
		{m.Phases[0].Inputs, []InputSignal{{Drivers: []string{"steer"}, HandWheel: true, Signal: signal.Constant(4)}}},
		{m.Phases[0].Speed, signal.Sine{Amplitude: 2, Period: 3}}, {m.Phases[1].Path, alongTrack(m.Track, 1)},
		{m.Search, &Search{"turn", "rad", 31, 32, 0.5, "pass", "", nil}},
		{m.KeyFigures.Options, &figures.LaneOptions{Outline: figures.Outline{Front: 41, Rear: 42, Width: 43}}},
		{m.KeyFigures.Front, []string{"tire_1"}}, {m.KeyFigures.Rear, []string{"tire_2"}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("read %+v, want %+v", pair[0], pair[1])
		}
	}
	for _, c := range []struct{ old, by, says string }{
		{"timeout = 2.5\n", "", `phase[1] lacks the key "timeout"`},
		{"duration = 1.5\n", "", `phase[0] lacks the key "duration"`},
		{`variable = "body.vx"`, "", `speed_control lacks the key "variable"`},
		{`torques = ["drive.torque"]`, "", `speed_control lacks the key "torques"`},
		{"left = 2\n", "", `track.section[0] lacks the key "left"`},
		{"body_width = 43", "body_wide = 43", `unknown key "body_wide" in figures; did you mean "body_width"?`},
	} {
		if _, err := Parse("test.toml", []byte(strings.Replace(phased, c.old, c.by, 1))); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %v\nwant %s", c.by, c.old, err, c.says)
		}
	}
}
