package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
	"skidpad/harness/workbench/runs/replay"
)

// client is a program or a page.
type client struct {
	t     *testing.T
	conn  *websocket.Conn
	notes []wire.Note
	times []float64 // of the states
	last  []byte
	texts map[string][]byte // the last message of each type
}

// dial connects a client until the end of the test; header has further lines of the request.
func dial(t *testing.T, s *served, header http.Header) (*client, error) {
	t.Helper()
	c, err := connect(t, s, header)
	if err == nil {
		t.Cleanup(func() { c.conn.CloseNow() })
	}
	return c, err
}

// connect connects a client, which the caller closes.
func connect(t *testing.T, s *served, header http.Header) (*client, error) {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), "ws://"+s.host+"/socket", &websocket.DialOptions{
		Subprotocols: []string{wire.Protocol}, HTTPHeader: header})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(1 << 22)
	return &client{t: t, conn: conn, texts: map[string][]byte{}}, nil
}

func (c *client) send(message any) {
	c.t.Helper()
	data, err := json.Marshal(message)
	if err == nil {
		err = c.conn.Write(c.t.Context(), websocket.MessageText, data)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) input(command live.Command) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), websocket.MessageBinary, wire.AppendInput(nil, command)); err != nil {
		c.t.Fatal(err)
	}
}

// hear takes messages for a time, or until a note of a type answers an order.
func (c *client) hear(d time.Duration, number int) (answer wire.Note, err error) {
	err = c.until(d, func() bool {
		if len(c.notes) > 0 {
			answer = c.notes[len(c.notes)-1]
		}
		return number > 0 && answer.Number == number && (answer.Type == "ok" || answer.Type == "error")
	})
	return answer, err
}

// until takes messages for a time, or until something has come. A client whose time is over is cut off.
func (c *client) until(d time.Duration, come func() bool) error {
	ctx, cancel := context.WithTimeout(c.t.Context(), d)
	defer cancel()
	for !come() {
		kind, data, err := c.conn.Read(ctx)
		if err != nil {
			return err
		}
		if kind == websocket.MessageBinary {
			c.times, c.last = append(c.times, math.Float64frombits(le64(data[8:]))), data
			continue
		}
		var n wire.Note
		if err := json.Unmarshal(data, &n); err != nil {
			return err
		}
		c.texts[n.Type] = data
		c.notes = append(c.notes, n)
	}
	return nil
}

func le64(data []byte) (x uint64) {
	for i := range 8 {
		x |= uint64(data[i]) << (8 * i)
	}
	return x
}

// join connects a client that is let in.
func join(t *testing.T, s *served, kind, identity string) *client {
	t.Helper()
	c, err := dial(t, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.send(wire.Order{Type: "hello", Token: token, Kind: kind, Identity: identity, Rate: 100})
	if _, data, err := c.conn.Read(t.Context()); err != nil || !strings.Contains(string(data), `"type":"scene"`) {
		t.Fatalf("%.100s, %v", data, err)
	}
	return c
}

// order gives an order and waits for the answer.
func (c *client) order(o wire.Order) wire.Note {
	c.t.Helper()
	o.Number = len(c.notes) + 1000
	c.send(o)
	n, err := c.hear(20*time.Second, o.Number)
	if err != nil {
		c.t.Fatalf("%s: %v", o.Type, err)
	}
	return n
}

// Requests to other hosts, of other pages, with other methods, and clients without the token, with long messages or
// with another protocol are refused, and logged once.
func TestForeignPagesAreRefused(t *testing.T) {
	testrun.Slow(t)
	s := serve(t, "generic4w", 10, live.Options{Pace: 1}, nil)
	request := func(method, path, host, origin string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.host+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		for header, want := range map[string]string{"Content-Security-Policy": "frame-ancestors 'none'",
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
			if !strings.Contains(answer.Header.Get(header), want) {
				t.Errorf("%s %s: %s is %q", method, path, header, answer.Header.Get(header))
			}
		}
		if answer.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s is for other origins", method, path)
		}
		if answer.StatusCode == http.StatusOK && len(body) < 100 {
			t.Errorf("%s has %d bytes", path, len(body))
		}
		return answer.StatusCode
	}
	own := "http://" + s.host
	for name, c := range map[string]struct {
		got, want int
	}{
		"page":            {request("GET", "/", s.host, ""), 200},
		"script":          {request("GET", "/view.js", s.host, own), 200},
		"style":           {request("GET", "/view.css", s.host, ""), 200},
		"other path":      {request("GET", "/../go.mod", s.host, ""), 404},
		"rebinding":       {request("GET", "/", "evil.example:80", ""), 421},
		"same evil names": {request("GET", "/", "evil.example", "http://evil.example"), 421},
		"foreign origin":  {request("GET", "/socket", s.host, "http://evil.example"), 403},
		"another port":    {request("GET", "/", s.host, "http://127.0.0.1:1"), 403},
		"null origin":     {request("GET", "/", s.host, "null"), 403},
		"secure origin":   {request("GET", "/", s.host, "https://"+s.host), 403},
		"post":            {request("POST", "/", s.host, ""), 405},
		"put":             {request("PUT", "/socket", s.host, own), 405},
	} {
		if c.got != c.want {
			t.Errorf("%s: status %d, want %d", name, c.got, c.want)
		}
	}
	request("GET", "/", "evil.example", "")
	if n := s.logged(`refused a request to the host "evil.example"; --host NAME allows another one`); n != 1 {
		t.Errorf("a foreign host is logged %d times: %q", n, s.log)
	}
	closed := func(name string, want websocket.StatusCode, do func(c *client)) {
		t.Helper()
		c, err := dial(t, s, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		do(c)
		for err == nil {
			_, err = c.hear(10*time.Second, 0)
		}
		got := websocket.CloseStatus(err)
		if got < 0 && name == "a flood" { // the system drops what the server has not read, and with it the reason
			got = want
		}
		if got != want {
			t.Errorf("%s: closed with %d (%v), want %d", name, got, err, want)
		}
	}
	begin := time.Now()
	closed("wrong token", websocket.StatusPolicyViolation, func(c *client) {
		c.send(wire.Order{Type: "hello", Token: "fedcba9876543210", Kind: "page", Rate: 60})
	})
	if time.Since(begin) < 900*time.Millisecond {
		t.Error("a wrong token is answered at once")
	}
	closed("no hello", websocket.StatusPolicyViolation, func(c *client) { c.send(wire.Order{Type: "run", Token: token}) })
	closed("binary hello", websocket.StatusPolicyViolation, func(c *client) { c.input(live.Command{}) })
	long := strings.Repeat("x", 1<<20)
	closed("a megabyte", websocket.StatusMessageTooBig, func(c *client) { c.send(long) })
	hello := wire.Order{Type: "hello", Token: token, Kind: "page", Identity: "flood", Rate: 1}
	closed("no order", websocket.StatusPolicyViolation, func(c *client) { c.send(hello); c.send([]int{1}) })
	closed("another input", websocket.StatusPolicyViolation, func(c *client) {
		c.send(hello)
		if err := c.conn.Write(t.Context(), websocket.MessageBinary, []byte{2, 0}); err != nil {
			t.Fatal(err)
		}
	})
	closed("a flood", websocket.StatusPolicyViolation, func(c *client) {
		c.send(hello)
		for range 1000 {
			if c.conn.Write(t.Context(), websocket.MessageText, []byte(`{"type":"seat"}`)) != nil {
				return
			}
		}
	})
	if conn, _, err := websocket.Dial(t.Context(), "ws://"+s.host+"/socket", nil); err != nil {
		t.Error(err)
	} else if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusProtocolError ||
		!strings.Contains(err.Error(), wire.Protocol) {
		t.Errorf("a client without the protocol: %v", err)
	}
	var all []*client
	for i := range mostViewers {
		all = append(all, join(t, s, "page", fmt.Sprint(i)))
	}
	if _, err := dial(t, s, nil); err == nil {
		t.Errorf("%d viewers are let in", len(all)+1)
	}
}

// Programs drive in lockstep. Equal orders lead to equal bits, and the recorded drive has them, too.
func TestProgramsDriveInLockstep(t *testing.T) {
	testrun.Slow(t)
	var sums [2]string
	for run := range sums {
		s := serve(t, "passenger_car", 12, live.Options{}, func(o *Options) { o.Sockets = true })
		c := join(t, s, "program", "controller")
		for i := range 400 { // messages beyond the limit: an order that is waited for does not count
			c.input(live.Command{Device: live.Program, Steering: float32(i) / 400, Throttle: 0.3, Number: uint32(i)})
			if n := c.order(wire.Order{Type: "advance", Slices: 5}); n.Type != "ok" {
				t.Fatal(n.Text)
			}
			if at := c.times[len(c.times)-1]; math.Abs(at-0.005*float64(i+1)) > 1e-9 {
				t.Fatalf("the state before the answer is of %g s", at)
			}
		}
		watcher := join(t, s, "program", "watcher")
		watcher.input(live.Command{Device: live.Program, Steering: 9})
		watcher.order(wire.Order{Type: "pause"})
		if n := watcher.notes; n[0].Order != "input" || n[0].Text != errSeat.Error() {
			t.Errorf("the input of another program: %+v", n)
		}
		for range 20 { // events come before the state, and both before the answer
			c.order(wire.Order{Type: "advance", Slices: 1})
			if at := c.times[len(c.times)-1]; at == 0 || binary.LittleEndian.Uint32(c.last[4:]) != 399 {
				t.Fatalf("the state at %g s has the number %d", at, c.last[4])
			}
			c.order(wire.Order{Type: "rewind", Back: 100})
			if n := c.notes[len(c.notes)-2]; n.Kind != "begin" || c.times[len(c.times)-1] != 0 {
				t.Fatalf("after the return to the start: %+v at %g s", n, c.times[len(c.times)-1])
			}
		}
		if n := c.order(wire.Order{Type: "feed", Names: []string{"body.x"}}); n.Type != "error" ||
			!strings.Contains(n.Text, "--feed") {
			t.Errorf("feed of a vehicle that is stepped: %+v", n)
		}
		if n := c.order(wire.Order{Type: "run"}); n.Type != "error" || !strings.Contains(n.Text, "lockstep") {
			t.Errorf("run in lockstep: %+v", n)
		}
		if result := s.repeats(t); result.Equal != 2 || result.Compared != 2 {
			t.Errorf("%+v", result)
		}
		d, err := replay.Open(s.drive)
		if err != nil {
			t.Fatal(err)
		}
		sums[run] = fmt.Sprint(d.Segments[0].Digests)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if sums[0] != sums[1] {
		t.Errorf("two drives differ: %s, %s", sums[0], sums[1])
	}
}

// A viewer that reads nothing takes nothing from another one, and nobody but the driver drives.
func TestASlowViewerLosesStatesAlone(t *testing.T) {
	testrun.OnlyAll(t)
	s := serve(t, "generic4w", 10, live.Options{Pace: 1}, nil)
	slow, driver := join(t, s, "page", "slow"), join(t, s, "page", "driver")
	driver.input(live.Command{Keys: live.KeyThrottle})
	if n := driver.order(wire.Order{Type: "run"}); n.Type != "ok" {
		t.Fatal(n.Text)
	}
	const seconds = 3
	inRealTime(t, func() (faults []string) {
		begin, from := time.Now(), len(driver.times)
		for time.Since(begin) < seconds*time.Second {
			driver.input(live.Command{Keys: live.KeyThrottle})
			driver.order(wire.Order{Type: "keep", Slot: 1})
			time.Sleep(20 * time.Millisecond)
		}
		if n := len(driver.times) - from; n < 20*seconds {
			faults = append(faults, fmt.Sprintf("%d states in %d s", n, seconds))
		}
		return faults
	})
	slow.input(live.Command{Keys: live.KeyBrake})
	if n := slow.order(wire.Order{Type: "reset"}); n.Type != "error" || !strings.Contains(n.Text, "seat") {
		t.Errorf("who only watches resets the vehicle: %+v", n)
	}
}

// The seat comes back to a driver who returns, goes to others when it is empty, and else after the driver was asked.
func TestTheSeat(t *testing.T) {
	testrun.OnlyAll(t)
	s := serve(t, "generic4w", 10, live.Options{Pace: 1}, nil)
	one := join(t, s, "page", "one")
	one.input(live.Command{Keys: live.KeyThrottle, Number: 1})
	if n := one.order(wire.Order{Type: "run"}); n.Type != "ok" {
		t.Fatal(n.Text)
	}
	two := join(t, s, "page", "two")
	if n := two.order(wire.Order{Type: "seat"}); n.Type != "error" || !strings.Contains(n.Text, "5 s") {
		t.Errorf("the seat of another driver: %+v", n)
	}
	one.order(wire.Order{Type: "keep-seat"})
	if _, err := one.hear(6*time.Second, 0); err == nil {
		t.Error("no end")
	}
	asked := false
	for _, n := range one.notes {
		asked = asked || n.Kind == "seat"
	}
	if !asked {
		t.Error("the driver was not asked")
	}
	if n := two.order(wire.Order{Type: "pause"}); n.Type != "error" {
		t.Error("the seat was taken from a driver who keeps it")
	}
	// the driver is cut off: the page comes back, and has the seat
	one = join(t, s, "page", "one")
	one.input(live.Command{Keys: live.KeyThrottle, Number: 2})
	if n := one.order(wire.Order{Type: "pause"}); n.Type != "ok" {
		t.Errorf("the driver has come back: %+v", n)
	}
	// the page is loaded again, and its first connection ends after the second one has begun
	again := join(t, s, "page", "one")
	for i, c := range []*client{one, again} {
		if err := c.conn.Close(websocket.StatusNormalClosure, ""); err != nil {
			t.Error(err)
		}
		time.Sleep(100 * time.Millisecond)
		if n, want := two.order(wire.Order{Type: "seat"}), []string{"error", "ok"}[i]; n.Type != want {
			t.Errorf("the seat after connection %d has ended: %+v, want %s", i, n, want)
		}
	}
	if n := two.order(wire.Order{Type: "rewind", Back: 1}); n.Type != "ok" {
		t.Errorf("the new driver: %+v", n)
	}
	program := join(t, s, "program", "p")
	if n := program.order(wire.Order{Type: "seat"}); n.Type != "error" || !strings.Contains(n.Text, "driven by a page") {
		t.Errorf("a program: %+v", n)
	}
}

// A viewer chooses signals: the states after the answer have their values, for this viewer alone. Unknown names are
// refused with the nearest one, and so are too many.
func TestViewersChooseSignals(t *testing.T) {
	testrun.Slow(t)
	s := serve(t, "generic4w", 10, live.Options{Pace: 1}, nil)
	one, two := join(t, s, "page", "one"), join(t, s, "page", "two")
	state := func(c *client) []byte {
		t.Helper()
		for {
			kind, data, err := c.conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if kind == websocket.MessageBinary {
				return data
			}
		}
	}
	m := &moment{state: make([]byte, 4, 100), values: []float64{1, 2}}
	first, second := m.with(&choice{at: []int{0}}), m.with(&choice{at: []int{1}})
	if string(first) == string(second) {
		t.Error("the choice of a viewer changes the state of another one")
	}
	plain := len(state(one))
	one.send(wire.Order{Type: "signals", Names: []string{"body.vx", "tire_FL.Fz", "tire_FL.utilisation"}})
	chosen := false
	for !chosen {
		kind, data, err := one.conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageBinary && len(data) != plain {
			t.Fatal("a state has signals before the message that names them")
		}
		chosen = strings.Contains(string(data), `"type":"signals"`) && strings.Contains(string(data), `"tire_FL.Fz"`)
	}
	data := state(one)
	value := func(at int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[len(data)-4*at:])))
	}
	if len(data) != plain+12 || math.Abs(value(3)-10) > 0.1 || !(value(2) > 1000) || !(value(1) > 0 && value(1) < 0.5) {
		t.Errorf("%d bytes after %d: speed %g, load %g, utilisation %g", len(data), plain, value(3), value(2), value(1))
	}
	two.order(wire.Order{Type: "run"})
	if len(two.last) != plain {
		t.Errorf("another viewer gets %d bytes, not %d", len(two.last), plain)
	}
	if n := two.order(wire.Order{Type: "signals", Names: []string{"tire_FL.Fw"}}); n.Type != "error" ||
		!strings.Contains(n.Text, `did you mean "tire_FL.F`) {
		t.Errorf("an unknown signal: %+v", n)
	}
}

// Patterns choose the plots of a new page, within limits.
func TestPlotsOfNewPages(t *testing.T) {
	o := Options{Choices: []Signal{{Name: "body.ax"}, {Name: "body.ay"}, {Name: "tire.Fz"}}}
	if err := o.Plot("body.a*,tire.Fz", nil); err != nil || len(o.Plots) != 1 ||
		strings.Join(o.Plots[0], " ") != "body.ax body.ay tire.Fz" {
		t.Errorf("%q, %v", o.Plots, err)
	}
	for _, patterns := range []string{"wing.*", "body.az", "rate(body.ax)"} {
		if err := o.Plot(patterns, nil); err == nil {
			t.Errorf("%q gives %q", patterns, o.Plots)
		}
	}
	for len(o.Plots) < mostPlots {
		if err := o.Plot("body.ax", nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Plot("body.ax", nil); err == nil || !strings.Contains(err.Error(), "at most 6 plots") {
		t.Errorf("plot 7: %v", err)
	}
	many := Options{}
	for i := range mostCurves + 1 {
		many.Choices = append(many.Choices, Signal{Name: fmt.Sprint("a", i)})
	}
	if err := many.Plot("a*", nil); err == nil {
		t.Error("9 curves are accepted")
	}
}
