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

// stubbed serves a stub on a terrain, and keeps what the server logs of panics.
func stubbed(t testing.TB) (v *View, host string, faults *bytes.Buffer) {
	t.Helper()
	m, err := vehicle.Parse([]byte("name = \"Stub\"\n[component.body]\ntype = \"point-mass\"\nmass = 2\n"+
		"[component.sand]\ntype = \"terrain\"\nkind = \"formula\"\nformula = \"0.1*x\"\n"), "stub.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Outputs: []string{"body.x", "body.vx", "time"}, Placing: 3, Signals: OfRows, Token: token,
		Log: func(string) {}}
	if o.Poser, err = animation.NewPoser(m, []string{"body.x", "body.y", "body.z"}, make([]float64, 3), 2); err != nil {
		t.Fatal(err)
	}
	s := &stub{}
	car := &manoeuvre.DrivenCar{Steering: &manoeuvre.Steering{Drivers: []string{"wheel"}}, Ratio: 15, Wheelbase: 2.5,
		Roles: &roles.Roles{Chassis: "body", Throttle: &roles.Throttle{Inputs: []string{"engine.throttle"}, Open: 1}}}
	if o.Loop, err = live.New(s, car, live.Options{Step: 1e-3, Pace: 1, Outputs: o.Outputs,
		Restart: func() error { *s = stub{}; return nil }}); err != nil {
		t.Fatal(err)
	}
	if v, err = New(o); err != nil {
		t.Fatal(err)
	}
	faults = &bytes.Buffer{}
	server := httptest.NewUnstartedServer(v.Handler())
	server.Config.ErrorLog = log.New(faults, "", 0)
	server.Start()
	host = strings.TrimPrefix(server.URL, "http://")
	v.Hosts = []string{host}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		if err := v.Loop.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	all.Go(func() {
		if err := v.publish(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); all.Wait(); server.Close() })
	return v, host, faults
}

// Whatever a client sends after its hello, the server answers each order or closes the connection by rule, and goes on
// serving. The input is a list of messages: a byte for text or binary, a byte for the length, and the message.
func FuzzClients(f *testing.F) {
	message := func(kind byte, text string) []byte { return append([]byte{kind, byte(len(text))}, text...) }
	f.Add(slices.Concat(message(1, `{"type":"seat","number":1}`), message(1, `{"type":"run","number":2}`),
		message(0, string(wire.AppendInput(nil, live.Command{Keys: live.KeyThrottle, Number: 1})))))
	for _, order := range []string{`{"type":"tile","i":-3,"j":2,"level":1,"number":3}`,
		`{"type":"set","name":"body.vx","value":3}`, `{"type":"advance","slices":3}`, `{"type":"rewind","seconds":1e9}`,
		`{"type":"pace","pace":0.3}`, `{"type":"keep","slot":1}`, `{"type":"return","slot":1}`, `{"type":"reset"}`,
		`{"type":"keep-seat"}`, `{"type":"pause"}`, `{"type":"step","slices":-1}`} {
		f.Add(message(1, order))
	}
	v, host, faults := stubbed(f)
	hello, err := json.Marshal(wire.Order{Type: "hello", Token: token, Kind: "page", Identity: "fuzz",
		Rate: wire.MostRate})
	if err != nil {
		f.Fatal(err)
	}
	connect := func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			err = c.(*net.TCPConn).SetLinger(0) // ports are free again at once
		}
		return c, err
	}
	client := &http.Client{Transport: &http.Transport{DialContext: connect}}
	many := regexp.MustCompile(`slices"\s*:\s*[0-9.]*[0-9eE]{4}`) // which take longer than all others
	f.Fuzz(func(t *testing.T, data []byte) {
		if many.Match(data) {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		c, _, err := websocket.Dial(ctx, "ws://"+host+"/socket", &websocket.DialOptions{HTTPClient: client,
			Subprotocols: []string{wire.Protocol}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.CloseNow()
		c.SetReadLimit(1 << 20)
		if err := c.Write(ctx, websocket.MessageText, hello); err != nil {
			t.Fatal(err)
		}
		if _, text, err := c.Read(ctx); err != nil || !bytes.Contains(text, []byte(`"type":"scene"`)) {
			t.Fatalf("%.60s, %v", text, err)
		}
		for n := 0; len(data) > 1 && n < 20; n++ {
			kind, length := websocket.MessageBinary, min(int(data[1]), len(data)-2)
			if data[0]&1 == 1 {
				kind = websocket.MessageText
			}
			if c.Write(ctx, kind, data[2:2+length]) != nil {
				break // it is closed
			}
			data = data[2+length:]
		}
		const last = 99
		c.Write(ctx, websocket.MessageText, []byte(`{"type":"tile","i":0,"j":0,"level":0,"number":99}`))
		for {
			kind, text, err := c.Read(ctx)
			if status := websocket.CloseStatus(err); err != nil {
				if status != websocket.StatusPolicyViolation && status != websocket.StatusMessageTooBig {
					t.Fatalf("closed with %d: %v", status, err)
				}
				break
			}
			var answer struct {
				Number int
				Type   string
			}
			if kind == websocket.MessageText {
				if err := json.Unmarshal(text, &answer); err != nil {
					t.Fatalf("%.60s: %v", text, err)
				}
			}
			if answer.Number == last && answer.Type == "tile" {
				break
			}
		}
		c.CloseNow()
		if faults.Len() > 0 {
			t.Fatal(faults.String())
		}
		v.mutex.Lock()
		viewers, told := len(v.viewers), len(v.told)
		v.mutex.Unlock()
		if viewers > mostViewers || told > 101 {
			t.Errorf("%d viewers, %d lines of the log", viewers, told)
		}
	})
}
