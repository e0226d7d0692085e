package view

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/coder/websocket"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/vehicle"
)

// hills shows a vehicle on hills, which it does not feel, with friction that differs along x.
func hills(t *testing.T) func(o *Options) {
	t.Helper()
	return func(o *Options) {
		m, err := vehicle.Read(built.Model("passenger_car"))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"road.kind": "formula", "road.formula": hill,
			"road.friction_kind": "formula", "road.friction_formula": "1 - 0.5*step(x - 4)"} {
			animation.SetTerrain(m, []manoeuvre.FileSetting{{Setting: manoeuvre.Setting{Name: name, Value: value}}})
		}
		if o.Poser, err = animation.NewPoser(m, o.Outputs[:o.Placing], make([]float64, o.Placing), 5); err != nil {
			t.Fatal(err)
		}
	}
}

const hill = "0.3*sin(x/4) + 0.2*cos(y/5) - 0.2"

func hillAt(x, y float64) float64 { return 0.3*math.Sin(x/4) + 0.2*math.Cos(y/5) - 0.2 }

// Every viewer gets tiles, in the seat or not. Tiles beyond the limits are refused.
func TestViewersGetTiles(t *testing.T) {
	testrun.Slow(t)
	s := serve(t, "passenger_car", 0, live.Options{Pace: 1}, hills(t))
	if !strings.Contains(string(s.scene), `"tiles":true`) {
		t.Error("the scene does not say that there are tiles")
	}
	join(t, s, "page", "driver").order(wire.Order{Type: "seat"})
	c := join(t, s, "page", "watcher")
	c.send(wire.Order{Type: "tile", I: -1, J: 2, Level: 1, Number: 7})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		kind, text, err := c.conn.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var tile struct {
			Type               string
			Number, I, J, N    int
			X0, Y0, Size       float64
			Level              int
			Z, Mu, Order, Text string
		}
		if kind != websocket.MessageText {
			continue
		}
		if err := json.Unmarshal(text, &tile); err != nil {
			t.Fatal(err)
		}
		if tile.Type != "tile" {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(tile.Z)
		if err != nil || len(data) != 4*33*33 || tile.N != 33 || tile.X0 != -32 || tile.Y0 != 64 || tile.Size != 32 ||
			tile.Number != 7 || tile.I != -1 || tile.J != 2 || tile.Level != 1 || len(tile.Mu) != len(tile.Z) {
			t.Fatalf("%+v, %v", tile, err)
		}
		second := math.Float32frombits(binary.LittleEndian.Uint32(data[4:]))
		if want := hillAt(-31, 64); math.Abs(float64(second)-want) > 1e-5 {
			t.Errorf("%g m, not %g m", second, want)
		}
		break
	}
	if n := c.order(wire.Order{Type: "tile", I: 1 << 40, Level: 1}); n.Type != "error" ||
		!strings.Contains(n.Text, "from -31250 to 31249") {
		t.Errorf("%+v", n)
	}
	for _, n := range c.notes {
		if n.Number == 7 {
			t.Errorf("a second answer: %+v", n)
		}
	}
}

// A vehicle on planes has no tiles, and says so.
func TestPlanesHaveNoTiles(t *testing.T) {
	s := &View{Options: Options{Poser: &animation.Poser{}}}
	if err := s.tile(nil, &wire.Order{}); err == nil || !strings.Contains(err.Error(), "planes") {
		t.Error(err)
	}
}

// A page asks for the tiles about the vehicle as it drives, has the heights of the ground, and keeps a bounded number.
func TestPagesShowTilesInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	s := serve(t, "passenger_car", 30, live.Options{Pace: 4}, hills(t))
	const settled = `(() => { const g = Skidpad.driven.stage?.ground;
		return g?.ask && g.asked.size === 0 && g.changed > 20; })()`
	var heights []float64
	var kept, lines, asked int
	var took, x float64
	places := [][2]float64{{0.3, 0.7}, {-3.1, 5.2}, {9.4, -9.9}, {-20, 14}, {60, -70}}
	var list []string
	for _, p := range places {
		list = append(list, fmt.Sprintf("g.height(%g, %g)", p[0], p[1]))
	}
	complaints := visited(t, s, chromedp.Poll(settled, nil),
		chromedp.Evaluate(`(() => { const g = Skidpad.driven.stage.ground; return [`+strings.Join(list, ", ")+`]; })()`,
			&heights),
		chromedp.Evaluate(`Skidpad.driven.stage.ground.lines([0, 0, 0], {}).reduce((n, l) => n + l.list.length, 0)`, &lines),
		chromedp.Evaluate(`(() => { const t = performance.now(); for (let k = 0; k < 20; k++)
			Skidpad.driven.stage.ground.lines([0, 0, 0], {}); return (performance.now() - t) / 20; })()`, &took),
		up.press(), until(40), up.release(), space.press(), space.release(),
		chromedp.WaitVisible(`#pause[aria-pressed=false]`), chromedp.Poll(settled, nil),
		chromedp.Evaluate(`Skidpad.driven.stage.ground.tiles.size`, &kept),
		chromedp.Evaluate(`Skidpad.driven.stage.ground.changed`, &asked),
		chromedp.Evaluate(`(() => { const d = Skidpad.driven, p = d.states.at(-1).poses[d.stage.look.chassis];
			return p[0]; })()`, &x))
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
	tolerances := []float64{2e-3, 2e-3, 2e-3, 0.02, 0.25} // of points each 0.25 m, 1 m and 4 m
	for i, p := range places {
		if math.Abs(heights[i]-hillAt(p[0], p[1])) > tolerances[i] {
			t.Errorf("at %v the page has the height %g m, not %g m", p, heights[i], hillAt(p[0], p[1]))
		}
	}
	t.Logf("%d lines in %.2f ms; %d tiles of %d after %.0f m", lines, took, kept, asked, x)
	if lines < 3000 || lines > 12000 {
		t.Errorf("%d lines are drawn", lines)
	}
	if x < 500 || asked < 150 || kept > 100 {
		t.Errorf("after %.0f m %d tiles of %d are kept", x, kept, asked)
	}
}
