package view

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
)

// A feed hands on the newest row once. What nobody sends is NaN. A time that goes back begins another segment.
func TestAFeedHandsOnTheNewestRow(t *testing.T) {
	f := NewFeed([]string{"body.x", "body.y", "body.yaw"})
	for range 2 { // until it is given back
		if r := f.Take(); r == nil || r.Segment != 1 || !math.IsNaN(r.Outputs[0]) || !math.IsNaN(r.Steering) {
			t.Errorf("at the start: %+v", r)
		}
	}
	f.Taken()
	for want, names := range map[string][]string{"names no values": {}, "did you mean body.yaw": {"body.yav"},
		"body.x is named twice": {"body.x", "body.y", "body.x"}, `no "nose"; it shows 7 values`: {"body.x", "nose"}} {
		if err := f.bind(names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", names, err)
		}
	}
	row := func(number uint32, time float64, values ...float64) error {
		return f.input((&wire.Row{Number: number, Time: time, Values: values}).Append(nil))
	}
	if err := row(1, 0, 5); err == nil {
		t.Error("a row is accepted before names are bound")
	}
	if err := f.bind([]string{"body.yaw", "throttle", "body.x"}); err != nil {
		t.Fatal(err)
	}
	if r := f.Take(); r != nil {
		t.Errorf("a row that nobody has sent: %+v", r)
	}
	for _, r := range []struct{ time, yaw float64 }{{3, 0.1}, {3.5, 0.2}, {1, 0.3}} {
		if err := row(7, r.time, r.yaw, 0.5, 20); err != nil {
			t.Fatal(err)
		}
	}
	r := f.Take()
	if r == nil || r.Segment != 3 || r.Time != 1 || r.Number != 7 || r.Outputs[2] != 0.3 || r.Outputs[0] != 20 ||
		!math.IsNaN(r.Outputs[1]) || r.Throttle != 0.5 || !math.IsNaN(r.Brake) {
		t.Errorf("%+v", r)
	}
	if err := row(8, 2, 0.4, 0.5, 20); err != nil { // while the row before is held
		t.Fatal(err)
	}
	f.Taken()
	if r := f.Take(); r == nil || r.Number != 8 {
		t.Errorf("the newest row: %+v", r)
	}
	if err := row(9, 3, 0.4, 0.5, 20); err != nil { // a row that nobody takes, while another one is held
		t.Fatal(err)
	}
	if err := f.bind(ofDriver); err != nil {
		t.Fatal(err)
	}
	if r := f.Take(); r != nil {
		t.Errorf("a row of names before: %+v", r)
	}
	f.Taken()
	if r := f.Take(); r != nil {
		t.Errorf("a row comes again: %+v", r)
	}
	if err := row(1, 0, 1, 2, 3, 4); err != nil {
		t.Fatal(err)
	}
	r = f.Take()
	f.Taken()
	if r.Steering != 1 || r.Throttle != 2 || r.Brake != 3 || r.Gear != 4 || r.Segment != 4 {
		t.Errorf("%+v", r)
	}
	if err := f.bind([]string{"body.yaw", "throttle", "body.x"}); err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{"a row has 2 values": row(1, 4, 1, 2), "body.x = NaN": row(1, 4, 1, 2,
		math.NaN()), "throttle = +Inf": row(1, 4, 1, math.Inf(1), 0), "no row": f.input([]byte{3, 0, 0})} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if r := f.Take(); r != nil {
		t.Errorf("a refused row is handed on: %+v", r)
	}
}

// A program feeds a page: the picture has its values, and instruments without a value are not a number. Orders that
// need a loop are refused, rows that are not finite close the connection, and pages hear that the program has gone.
func TestAProgramFeedsAView(t *testing.T) {
	testrun.Slow(t)
	s := serve(t, "generic4w", 10, live.Options{}, func(o *Options) {
		o.Feed, o.Loop, o.Recorder, o.Sockets = NewFeed(o.Outputs), nil, nil, true
	})
	page, program := join(t, s, "page", "watcher"), join(t, s, "program", "own loop")
	if n := program.order(wire.Order{Type: "feed", Names: []string{"body.x", "body.yaw"}}); n.Type != "ok" {
		t.Fatal(n.Text)
	}
	send := func(time, x float64) {
		t.Helper()
		row := wire.Row{Number: 9, Time: time, Values: []float64{x, 0.5}}
		if err := program.conn.Write(t.Context(), websocket.MessageBinary, row.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	send(2, 1e5+0.25)
	come := func() bool { return len(page.times) > 0 && page.times[len(page.times)-1] == 2 }
	if err := page.until(10*time.Second, come); err != nil {
		t.Fatal(err)
	}
	other := join(t, s, "program", "another loop")
	if err := other.conn.Write(t.Context(), websocket.MessageBinary, []byte{3}); err != nil {
		t.Fatal(err)
	}
	other.order(wire.Order{Type: "feed", Names: []string{"body.y"}})
	if n := other.notes; n[0].Order != "input" || n[0].Text != errSeat.Error() || n[1].Text != errSeat.Error() {
		t.Errorf("another program: %+v", n)
	}
	number := func(at int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(page.last[at:])))
	}
	const turn = 40
	signals := len(page.last) - 4*len(s.Signals)
	if x := math.Float64frombits(le64(page.last[16:])); x != 1e5+0.25 || math.Abs(number(turn+12)-math.Sin(0.25)) > 1e-6 ||
		page.last[1]&wire.FlagPaused != 0 || page.last[1]&wire.FlagSeat == 0 || page.last[4] != 9 ||
		!math.IsNaN(number(signals)) || math.IsNaN(math.Float64frombits(le64(page.last[24:]))) {
		t.Errorf("at x %.3f, flags %b, first signal %g", x, page.last[1], number(signals))
	}
	if n := program.order(wire.Order{Type: "run"}); n.Type != "error" || !strings.Contains(n.Text, "nothing is stepped") {
		t.Errorf("%+v", n)
	}
	if n := page.order(wire.Order{Type: "feed", Names: []string{"body.x"}}); n.Type != "error" {
		t.Errorf("a page feeds: %+v", n)
	}
	send(2.5, math.NaN())
	_, err := program.hear(10*time.Second, 0)
	if websocket.CloseStatus(err) != websocket.StatusPolicyViolation || !strings.Contains(err.Error(), "body.x = NaN") {
		t.Errorf("a row that is not finite: %v", err)
	}
	gone := func() bool {
		n := len(page.notes)
		return n > 0 && page.notes[n-1].Kind == "paused" && strings.Contains(page.notes[n-1].Text, "gone")
	}
	if err := page.until(10*time.Second, gone); err != nil {
		t.Error(err, page.notes)
	}
}
