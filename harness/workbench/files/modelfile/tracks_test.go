package modelfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
)

const manoeuvreOnTrack = `name = "drive"
title = "Drive"
models = ["Car"]
step = 0.001
[steering]
drivers = ["steer"]
[speed_control]
variable = "body.vx"
torques = ["throttle"]
proportional = 1
integral = 0
limit = 1
[path_follower]
body = "body"
preview = 0.8
proportional = 1
integral = 0
lag = 0.1
rate = 10
limit = 5
[[phase]]
name = "lap"
duration = 1.0
path = { kind = "course", file = "TRACK" }
speed = { kind = "constant", value = 10 }
`

// A manoeuvre drives along a track beside the manoeuvre, beside the model, or in a folder called resources above the
// current one. The tracks are straight lines of other lengths.
func TestTracksOfManoeuvres(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) string {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	straight := func(last string) string {
		return "x [m],y [m],width [m]\n0,0,4\n10,0,4\n20,0,4\n30,0,4\n" + last + ",0,4\n"
	}
	write("a/beside.csv", straight("41"))
	write("b/model.csv", straight("42"))
	write("resources/tracks/mine.csv", straight("43"))
	write("b/grid.crg", "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 11\n$KD_DEFINITION\n#:LRFI\nD:long section at v = -2,m\n"+
		"D:long section at v = 2,m\n$$$$\n"+strings.Repeat("       0.0       0.0\n", 5))
	model := write("b/car.toml", "name = \"Car\"\n")
	t.Chdir(filepath.Join(root, "b"))
	target, err := Target(model, "")
	if err != nil {
		t.Fatal(err)
	}
	for track, length := range map[string]float64{"beside.csv": 41, "model.csv": 42, "mine": 43, "grid.crg": 44} {
		text := strings.Replace(manoeuvreOnTrack, "TRACK", track, 1)
		m, err := manoeuvre.ReadFor(target, write("a/drive.toml", text))
		if err != nil {
			t.Errorf("%s: %v", track, err)
			continue
		}
		p := m.Phases[0].Path
		if last := p.X[len(p.X)-1]; !(last > length-0.001 && last < length+0.001) {
			t.Errorf("%s: %g m", track, last)
		}
	}
}
