package view

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// Whatever a request names as its host and its origin, it gets a file only if both are known, and no page of another
// origin may read the answer.
func FuzzHosts(f *testing.F) {
	hosts := []string{"127.0.0.1:8080", "localhost:8080", "car.example"}
	f.Add("127.0.0.1:8080", "", "/", "GET")
	f.Add("127.0.0.1:8080", "http://localhost:8080", "/view.js", "GET")
	f.Add("evil.example", "http://evil.example", "/", "GET")
	f.Add("localhost:8080", "", "/", "POST")
	f.Add("car.example", "null", "/..", "HEAD")
	f.Add("car.example", "http://x@car.example", "/", "GET")
	lines := 0
	v := &View{Options: Options{Hosts: hosts, Log: func(string) { lines++ }}, told: map[string]time.Time{}}
	handler := v.Handler()
	f.Fuzz(func(t *testing.T, host, origin, path, method string) {
		if path == "/socket" {
			return // which takes the connection
		}
		before := lines
		r := &http.Request{Method: method, Host: host, URL: &url.URL{Path: path}, Header: http.Header{}}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		known := slices.Contains(hosts, host)
		own := origin == "" || strings.HasPrefix(origin, "http://") && slices.Contains(hosts, origin[len("http://"):])
		want := http.StatusNotFound
		switch {
		case !known:
			want = http.StatusMisdirectedRequest
		case !own:
			want = http.StatusForbidden
		case method != http.MethodGet:
			want = http.StatusMethodNotAllowed
		case path == "/" || path == "/view.js" || path == "/view.css":
			want = http.StatusOK
		}
		if w.Code != want {
			t.Errorf("%q of %q, origin %q: status %d, want %d", method, host, origin, w.Code, want)
		}
		h := w.Header()
		if h.Get("Content-Security-Policy") != contentPolicy || h.Get("Access-Control-Allow-Origin") != "" ||
			h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("the headers are %v", h)
		}
		if lines > before+1 || len(v.told) > 101 {
			t.Errorf("%d lines are logged, %d kept", lines-before, len(v.told))
		}
	})
}

// stub is a vehicle that a throttle pushes.
type stub struct{ values [7]float64 }

var stubNames = []string{"wheel.angle", "wheel.rate", "wheel.acceleration", "engine.throttle", "body.x", "body.vx",
	"time"}

func (s *stub) Find(name string) (library.Variable, error) {
	i := slices.Index(stubNames, name)
	if i < 0 || i > 3 {
		return library.Variable{}, fmt.Errorf("no input %q", name)
	}
	return library.Variable{Name: name, Reference: uint32(i), Causality: library.Input}, nil
}

func (s *stub) References(names ...string) (list []uint32, err error) {
	for _, name := range names {
		i := slices.Index(stubNames, name)
		if i < 0 {
			return nil, fmt.Errorf("no variable %q", name)
		}
		list = append(list, uint32(i))
	}
	return list, nil
}

func (s *stub) Advance(h float64, in []uint32, inputs []float64, out []uint32, outputs []float64) error {
	for i, r := range in {
		s.values[r] = inputs[i]
	}
	s.values[5] += h * s.values[3]
	s.values[4] += h * s.values[5]
	s.values[6] += h
	return s.Get(out, outputs)
}

func (s *stub) Get(references []uint32, values []float64) error {
	for i, r := range references {
		values[i] = s.values[r]
	}
	return nil
}

func (s *stub) SetNamed(name string, value float64) error {
	if name != "body.vx" {
		return fmt.Errorf("no variable %q", name)
	}
	s.values[5] = value
	return nil
}

func (s *stub) Save() (state []byte, err error) {
	return binary.Append(nil, binary.LittleEndian, s.values[:])
}

func (s *stub) Restore(state []byte) error {
	_, err := binary.Decode(state, binary.LittleEndian, s.values[:])
	return err
}

func (s *stub) Time() (float64, error) { return s.values[6], nil }

// stubbed are the options of a view of a stub on a terrain, all but its loop.
func stubbed(t testing.TB) Options {
	t.Helper()
	m, err := vehicle.Parse([]byte("name = \"Stub\"\n[component.body]\ntype = \"point-mass\"\nmass = 2\n"+
		"[component.sand]\ntype = \"terrain\"\nkind = \"formula\"\nformula = \"0.1*x\"\n"), "stub.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Outputs: []string{"body.x", "body.vx", "time"}, Placing: 3, Signals: OfRows, Token: token,
		Hosts: []string{"stub"}, Log: func(string) {}}
	if o.Poser, err = animation.NewPoser(m, []string{"body.x", "body.y", "body.z"}, make([]float64, 3), 2); err != nil {
		t.Fatal(err)
	}
	return o
}

// bubbleClock is the time of a bubble of package synctest.
type bubbleClock struct{ begin time.Time }

func (c bubbleClock) Now() time.Duration             { return time.Since(c.begin) }
func (c bubbleClock) SleepUntil(until time.Duration) { time.Sleep(until - c.Now()) }

// pipes is a listener whose connections are in memory.
type pipes struct{ calls chan net.Conn }

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }
func (p pipes) Close() error   { close(p.calls); return nil }
func (p pipes) Accept() (net.Conn, error) {
	if c := <-p.calls; c != nil {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p.calls <- there
	return here, nil
}

// serveStub runs a view of a stub in a bubble. What is returned ends it, and returns what the server has logged of
// panics.
func serveStub(t *testing.T, o Options) (v *View, calls pipes, end func() string) {
	t.Helper()
	s := &stub{}
	car := &manoeuvre.DrivenCar{Steering: &manoeuvre.Steering{Drivers: []string{"wheel"}}, Ratio: 15, Wheelbase: 2.5,
		Roles: &roles.Roles{Chassis: "body", Throttle: &roles.Throttle{Inputs: []string{"engine.throttle"}, Open: 1}}}
	var err error
	if o.Loop, err = live.New(s, car, live.Options{Step: 0.01, Pace: 1, Outputs: o.Outputs,
		Clock: bubbleClock{time.Now()}, Restart: func() error { *s = stub{}; return nil }}); err != nil {
		t.Fatal(err)
	}
	if v, err = New(o); err != nil {
		t.Fatal(err)
	}
	calls = pipes{make(chan net.Conn)}
	ctx, cancel := context.WithCancel(t.Context())
	var faults bytes.Buffer
	done := make(chan error)
	go func() {
		done <- v.Run(ctx, func(s *http.Server) error {
			s.ErrorLog = log.New(&faults, "", 0)
			return s.Serve(calls)
		})
	}()
	return v, calls, func() string {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		return faults.String()
	}
}

// mostSession is longer than 20 messages with pauses and the time for a hello.
const mostSession = 8 * time.Second

// sent is a message of a client.
type sent struct {
	kind  websocket.MessageType
	text  []byte
	pause time.Duration // afterwards
}

// Bits of the first byte of a message of FuzzClients; the others are a pause after it.
const (
	isText   = 1
	isHello  = 2 // of the first message: it takes the place of a valid hello
	pauseBit = 4 // that counts 20 ms
)

// messages takes an input of FuzzClients apart: a byte of bits, a byte for the length, and the message.
func messages(data []byte) (list []sent, greeted bool) {
	greeted = len(data) == 0 || data[0]&isHello == 0
	for len(data) > 1 && len(list) < 20 {
		length := min(int(data[1]), len(data)-2)
		m := sent{websocket.MessageBinary, data[2 : 2+length], time.Duration(data[0]/pauseBit%8) * 20 * time.Millisecond}
		if data[0]&isText != 0 {
			m.kind = websocket.MessageText
		}
		list, data = append(list, m), data[2+length:]
	}
	return list, greeted
}

// mayEnter reports whether a first message has all that a viewer must know.
func mayEnter(m sent) bool {
	var o struct {
		Type, Token, Kind string
		Rate              float64
	}
	return m.kind == websocket.MessageText && json.Unmarshal(m.text, &o) == nil && o.Type == "hello" &&
		o.Token == token && (o.Kind == "page" || o.Kind == "program") && o.Rate >= 1 && o.Rate <= 240
}

// Whatever a client sends, the server lets in only those who know the token, answers each of their orders or closes the
// connection by rule, and ends when it shall. Time is that of a bubble, so that waiting takes none.
func FuzzClients(f *testing.F) {
	message := func(bits byte, text string) []byte { return append([]byte{bits, byte(len(text))}, text...) }
	f.Add(slices.Concat(message(isText, `{"type":"seat","number":1}`), message(isText, `{"type":"run","number":2}`),
		message(5*pauseBit, string(wire.AppendInput(nil, live.Command{Keys: live.KeyThrottle, Number: 1})))))
	for _, order := range []string{`{"type":"tile","i":-3,"j":2,"level":1,"number":3}`,
		`{"type":"set","name":"body.vx","value":3}`, `{"type":"advance","slices":3}`, `{"type":"rewind","seconds":1e9}`,
		`{"type":"pace","pace":0.3}`, `{"type":"keep","slot":1}`, `{"type":"return","slot":1}`, `{"type":"reset"}`,
		`{"type":"keep-seat"}`, `{"type":"pause"}`, `{"type":"step","slices":-1}`, `{"type":"signals","names":[]}`} {
		f.Add(message(isText, order))
	}
	hello := func(kind, token string, rate float64) string {
		text, err := json.Marshal(wire.Order{Type: "hello", Token: token, Kind: kind, Identity: "fuzz", Rate: rate})
		if err != nil {
			f.Fatal(err)
		}
		return string(text)
	}
	valid := hello("page", token, wire.MostRate)
	for _, first := range []string{hello("program", token, 1), hello("page", token, 0), hello("page", token, 1e9),
		hello("car", token, 60), hello("page", "", 60), hello("page", "fedcba9876543210", 60), `{"type":"run"}`, `[1]`,
		"\x00\xff", `{"type":"hello","token":["` + token + `"],"kind":"page","rate":9}`} {
		if len(first) < 256 {
			f.Add(slices.Concat(message(isHello|isText, first), message(isText, `{"type":"seat"}`)))
		}
	}
	f.Add(message(isHello, valid))
	f.Add([]byte{isHello})
	many := regexp.MustCompile(`(?i)slices"\s*:\s*[0-9.]*[0-9e]{4}`) // which take longer than all others
	o := stubbed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if !many.Match(data) {
			synctest.Test(t, func(t *testing.T) {
				list, greeted := messages(data)
				if greeted {
					list = slices.Insert(list, 0, sent{websocket.MessageText, []byte(valid), 0})
				}
				converse(t, o, list)
			})
		}
	})
}

// converse connects a client that sends messages, and checks what comes back.
func converse(t *testing.T, o Options, list []sent) {
	v, calls, end := serveStub(t, o)
	transport := &http.Transport{DialContext: calls.dial}
	c, _, err := websocket.Dial(t.Context(), "ws://stub/socket", &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: transport}, Subprotocols: []string{wire.Protocol}})
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(1 << 20)
	begin := time.Now()
	var writing sync.WaitGroup
	writing.Go(func() {
		for _, m := range list {
			if c.Write(t.Context(), m.kind, m.text) != nil {
				return // it is closed
			}
			time.Sleep(m.pause)
		}
		if len(list) > 0 {
			c.Write(t.Context(), websocket.MessageText, []byte(`{"type":"tile","i":0,"j":0,"level":0,"number":99}`))
		}
	})
	const last = 99
	for first := true; ; first = false {
		kind, text, err := c.Read(t.Context())
		if err != nil {
			status := websocket.CloseStatus(err)
			silent := len(list) == 0 && time.Since(begin) >= headerTime // a cut off reading closes without a reason
			if status != websocket.StatusPolicyViolation && status != websocket.StatusMessageTooBig && !silent {
				t.Errorf("closed with %d: %v", status, err)
			}
			break
		}
		if first && (!mayEnter(list[0]) || !bytes.Contains(text, []byte(`"type":"scene"`))) {
			t.Errorf("the answer to %q is %.60q", list[0].text, text)
		}
		var answer struct {
			Number int
			Type   string
		}
		if kind == websocket.MessageText {
			if err := json.Unmarshal(text, &answer); err != nil {
				t.Errorf("%.60s: %v", text, err)
			}
		}
		if answer.Number == last && answer.Type == "tile" {
			break
		}
	}
	if passed := time.Since(begin); passed > mostSession {
		t.Errorf("the last answer comes after %v", passed)
	}
	c.CloseNow()
	writing.Wait()
	synctest.Wait()
	v.mutex.Lock()
	if len(v.viewers) > 0 || len(v.told) > 1 {
		t.Errorf("%d viewers remain, %d lines are logged", len(v.viewers), len(v.told))
	}
	v.mutex.Unlock()
	if faults := end(); faults != "" {
		t.Error(faults)
	}
}
