package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
)

// Each shipped model is drawn and driven for two seconds, or it is refused with what is missing and what to do. Nothing
// is silent.
func TestShippedModelsInView(t *testing.T) {
	testrun.OnlyAll(t)
	files, err := filepath.Glob(built.Path("resources", "models", "*.toml"))
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	command, library := built.Command(t), built.Library(t)
	drawn := make(chan string, len(files))
	t.Run("models", func(t *testing.T) {
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
				t.Parallel()
				if viewed(t, exec.CommandContext(t.Context(), command, "view", file, "--library", library), false) {
					drawn <- file
				}
			})
		}
	})
	if n := len(drawn); n < 7 || n > len(files)-7 {
		t.Errorf("%d of %d models are drawn", n, len(files))
	}
}

// Manoeuvres of all groups drive shipped vehicles for two seconds while a page draws them, whether somebody could drive
// these vehicles by hand or not. Manoeuvres that a vehicle cannot make are refused.
func TestShippedManoeuvresInView(t *testing.T) {
	testrun.OnlyAll(t)
	command, library := built.Command(t), built.Library(t)
	drawn := make(chan string, 100)
	t.Run("manoeuvres", func(t *testing.T) {
		for model, names := range map[string]string{
			"bicycle":             "bicycle_weave bicycle_lean_push bicycle_turn_slip",
			"bicycle_rolling":     "bicycle_rolling_recovery",
			"redbike_gyroscope":   "redbike_gyroscope_balance",
			"motorcycle2d":        "motorcycle2_rough_ride",
			"motorcycle3d":        "motorcycle3d_hill",
			"tricycle":            "tricycle_circle",
			"fourwheel_pointmass": "fourwheel_drop_slope",
			"halfcar":             "halfcar_150",
			"generic4w":           "generic4w_sine double_lane_change sine_with_dwell coast_down plank",
			"generic4w_fourpost":  "generic4w_fourpost_warp four_post",
			"passenger_car":       "passenger_car_sine frequency_response",
			"road_car":            "step_steer brake_in_turn fishhook reversing acceleration_from_rest",
			"car_trailer":         "car_trailer_snaking",
			"tractor_semitrailer": "tractor_semitrailer_lane_change tractor_semitrailer_turn",
			"truck3":              "truck3_sine",
			"skidder":             "skidder_sine",
		} {
			for _, name := range strings.Fields(names) {
				t.Run(model+" "+name, func(t *testing.T) {
					t.Parallel()
					if viewed(t, exec.CommandContext(t.Context(), command, "view", built.Model(model), "--manoeuvre",
						built.Manoeuvre(name), "--library", library), true) {
						drawn <- name
					}
				})
			}
		}
	})
	if n := len(drawn); n < 20 {
		t.Errorf("%d manoeuvres are drawn", n)
	}
}

// viewed reports whether a served vehicle is drawn; it is an error if it neither is nor is refused by a rule. Without a
// manoeuvre it is driven by the throttle.
func viewed(t *testing.T, c *exec.Cmd, piloted bool) (drawn bool) {
	t.Helper()
	var refusal bytes.Buffer
	c.Stderr = &refusal
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		c.Wait()
		text := refusal.String()
		rules := []string{"lacks roles that driving by hand needs", "needs balance", "name no steering, throttle and brake",
			"nothing that a driver could set", "nothing of the vehicle can be drawn",
			"lacks roles that acceleration_from_rest needs", "for uneven ground write type"}
		for _, rule := range rules {
			if strings.Contains(text, rule) && c.ProcessState.ExitCode() == 1 {
				return false
			}
		}
		t.Errorf("it ends with %v and says %q", c.ProcessState, text)
		return false
	}
	defer c.Wait()
	defer c.Process.Signal(os.Interrupt)
	_, address, _ := strings.Cut(line, "http://")
	host, rest, _ := strings.Cut(address, "/#")
	token, _, _ := strings.Cut(rest, " ")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+host+"/socket", &websocket.DialOptions{
		Subprotocols: []string{wire.Protocol}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 24)
	send := func(o wire.Order) {
		data, err := json.Marshal(o)
		if err == nil {
			err = conn.Write(ctx, websocket.MessageText, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	send(wire.Order{Type: "hello", Token: token, Kind: "page", Identity: "test", Rate: 60})
	_, text, err := conn.Read(ctx)
	var scene struct {
		Look struct {
			Frames int
			Shapes []struct{ Kind string }
		}
		Signals []struct{ Name string }
	}
	if err != nil || json.Unmarshal(text, &scene) != nil || len(scene.Look.Shapes) < 5 || scene.Look.Frames < 5 {
		t.Fatalf("%v: %.200s", err, text)
	}
	input := wire.AppendInput(nil, live.Command{Keys: live.KeyThrottle})
	if err := conn.Write(ctx, websocket.MessageBinary, input); err != nil {
		t.Fatal(err)
	}
	send(wire.Order{Type: "run", Number: 1})
	at, before := 0.0, 0.0
	for first := true; at < 2; {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			t.Fatalf("at %.2f s: %v", at, err)
		}
		if kind != websocket.MessageBinary {
			var n wire.Note
			if err := json.Unmarshal(data, &n); err != nil || n.Type == "error" || n.Kind == "paused" {
				t.Fatalf("at %.2f s: %.200s", at, data)
			}
			continue
		}
		if err := conn.Write(ctx, websocket.MessageBinary, input); err != nil {
			t.Fatal(err)
		}
		number := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(data[8+8*i:])) }
		at = number(0)
		if first {
			before, first = number(1), false
		}
		for i := range 4 {
			if math.IsNaN(number(i) - number(i)) {
				t.Fatalf("a state has %g", number(i))
			}
		}
		const head = 40
		poses := (len(data)-head)/4 - len(scene.Signals)
		for i := range poses + len(scene.Signals) {
			if x := math.Float32frombits(binary.LittleEndian.Uint32(data[head+4*i:])); x == x {
				continue
			} else if i < poses {
				t.Fatalf("at %.2f s a pose is not a number", at)
			} else if name := scene.Signals[i-poses].Name; name != "clutch" { // which many vehicles do not have
				t.Fatalf("at %.2f s %s is not a number", at, name)
			}
		}
		if data[1]&wire.FlagManoeuvre != 0 != piloted {
			t.Fatalf("at %.2f s the flags are %#x", at, data[1])
		}
		if at >= 2 && !piloted && number(1)-before < 0.02 {
			t.Errorf("with throttle it drives %.3g m in 2 s", number(1)-before)
		}
	}
	return true
}
