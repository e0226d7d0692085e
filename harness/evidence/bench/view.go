package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
)

// View measures 'skidpad view' from outside, as a program that drives it through the socket.
type View struct {
	Command  []string // that serves the vehicle, with --driver socket
	Seconds  float64  // of each measurement
	Progress output.Progress
}

// Rates of clients [1/s], and the time between inputs.
const (
	fewStates   = 1.0 // of the driver, which is no viewer then
	viewerRate  = 60.0
	inputTime   = time.Second / 30
	viewerCount = 2
)

// Do measures everything.
func (v *View) Do(ctx context.Context) (*Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	begin := time.Now()
	server, err := serveLive(ctx, v.Command)
	if err != nil {
		return nil, err
	}
	defer server.end()
	printed := time.Since(begin)
	driver, err := server.join(ctx, "program", "driver", wire.MostRate)
	if err != nil {
		return nil, err
	}
	if _, err := driver.state(ctx); err != nil {
		return nil, err
	}
	first := time.Since(begin)
	sent, err := server.files(ctx)
	if err != nil {
		return nil, err
	}
	r := &Report{Machine: machine()}
	at := func(step int) {
		if v.Progress != nil {
			v.Progress.At("measuring", float64(step), 4)
		}
	}
	at(0)
	alone, several, err := v.shares(ctx, server, driver, at)
	if err != nil {
		return nil, err
	}
	at(2)
	idle, err := v.lateness(ctx, server)
	if err != nil {
		return nil, err
	}
	at(3)
	busy, err := v.saturated(ctx, server)
	if err != nil {
		return nil, err
	}
	at(4)
	one := func(name string, value float64, remarks string) Measurement {
		return Measurement{Name: name, Values: []float64{value}, Remarks: remarks}
	}
	if alone >= 0 {
		r.Sections = append(r.Sections, Section{Title: "Processor time of the server, by one core", Unit: "%",
			Base: "without viewers", Note: "a driver sends inputs 30 times a second; viewers take 60 states a second",
			List: []Measurement{one("without viewers", 100*alone, "target: at most 6 %"),
				one(fmt.Sprintf("with %d viewers", viewerCount), 100*several, "target: at most 9 %")}})
	}
	late := Section{Title: "Lateness of slices", Unit: "ms", Base: "p99, idle",
		Note: fmt.Sprintf("of slices that states show; saturated: %d threads compute besides", runtime.NumCPU())}
	for _, c := range []struct {
		name string
		of   *observed
	}{{"idle", idle}, {"saturated", busy}} {
		for _, q := range []struct {
			name  string
			share float64
			goal  string
		}{{"p50", 0.5, ""}, {"p99", 0.99, "target: at most 0.5 ms"}, {"p99.9", 0.999, "target: at most 3 ms"}} {
			goal := q.goal
			if c.name != "idle" {
				goal = ""
			}
			late.List = append(late.List, one(q.name+", "+c.name, 1e3*quantile(c.of.late, q.share), goal))
		}
	}
	r.Sections = append(r.Sections, late)
	lost := Section{Title: "Time of the vehicle", Unit: "% of real time", Base: "driven, idle",
		Note: "no slice is left out: what is not driven is shown as dropped, or late by up to 50 ms and then caught up"}
	for _, c := range []struct {
		name string
		of   *observed
		goal string
	}{{"idle", idle, "target: 0"}, {"saturated", busy, ""}} {
		lost.List = append(lost.List,
			one("driven, "+c.name, 100*c.of.driven/c.of.real, fmt.Sprintf("%.0f slices", c.of.driven*1e3)),
			one("shown as dropped, "+c.name, 100*c.of.dropped/c.of.real, c.goal))
	}
	r.Sections = append(r.Sections, lost,
		Section{Title: "From an input to the state that has it", Unit: "ms", List: []Measurement{
			one("p50", 1e3*quantile(idle.echo, 0.5), ""), one("p95", 1e3*quantile(idle.echo, 0.95),
				"target with the picture: at most 30 ms")}},
		Section{Title: "Start", Unit: "s", List: []Measurement{one("address printed", printed.Seconds(), ""),
			one("first state", first.Seconds(), "target of the page: at most 0.5 s")}},
		Section{Title: "Files of the page", Unit: "kB", List: []Measurement{
			one("scripts, styles and page", float64(sent)/1e3, "target of scripts: at most 750 kB")}})
	return r, nil
}

// shares are the shares of one core that the server takes, alone and with viewers; negative where the system does not
// tell the processor time of another process.
func (v *View) shares(ctx context.Context, s *liveServer, driver *liveClient, at func(int)) (alone, several float64,
	err error) {
	driver.close()
	quiet, err := s.join(ctx, "program", "driver", fewStates)
	if err != nil {
		return 0, 0, err
	}
	if err := quiet.start(ctx); err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go quiet.drive(ctx)
	go quiet.drain(ctx)
	time.Sleep(500 * time.Millisecond) // until it runs evenly
	if alone, err = v.share(s); err != nil {
		return 0, 0, err
	}
	at(1)
	for i := range viewerCount {
		viewer, err := s.join(ctx, "page", "viewer "+strconv.Itoa(i), viewerRate)
		if err != nil {
			return 0, 0, err
		}
		defer viewer.close()
		go viewer.drain(ctx)
	}
	time.Sleep(500 * time.Millisecond)
	several, err = v.share(s)
	quiet.close()
	return alone, several, err
}

func (v *View) share(s *liveServer) (float64, error) {
	before, known, err := s.processorTime()
	if !known || err != nil {
		return -1, err
	}
	begin := time.Now()
	time.Sleep(time.Duration(v.Seconds * float64(time.Second)))
	after, _, err := s.processorTime()
	return (after - before).Seconds() / time.Since(begin).Seconds(), err
}

// observed is what states of a time have shown.
type observed struct {
	late, echo            []float64 // s
	driven, dropped, real float64   // s
}

// lateness drives, and observes states.
func (v *View) lateness(ctx context.Context, s *liveServer) (*observed, error) {
	c, err := s.join(ctx, "program", "driver", wire.MostRate)
	if err != nil {
		return nil, err
	}
	defer c.close()
	if err := c.start(ctx); err != nil {
		return nil, err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	go c.drive(inner)
	o := &observed{}
	var first, last *shownState
	var begin, came time.Time
	settle := time.Now().Add(300 * time.Millisecond)
	answered := uint32(0)
	for first == nil || time.Since(begin).Seconds() < v.Seconds {
		state, err := c.state(ctx)
		if err != nil {
			return nil, err
		}
		if came = time.Now(); came.Before(settle) {
			continue
		}
		if state.paused {
			return nil, errors.New("the vehicle has paused while it was measured; measure again on a machine with less load")
		}
		if first == nil {
			first, begin = state, came
		}
		last = state
		o.late = append(o.late, state.late)
		if sent := c.sent[state.number%uint32(len(c.sent))].Load(); state.number > answered && sent != 0 {
			o.echo = append(o.echo, float64(came.UnixNano()-sent)/1e9)
			answered = state.number
		}
	}
	o.driven, o.dropped, o.real = last.time-first.time, last.dropped-first.dropped, came.Sub(begin).Seconds()
	return o, nil
}

// saturated is lateness while all processors compute.
func (v *View) saturated(ctx context.Context, s *liveServer) (*observed, error) {
	var done atomic.Bool
	defer done.Store(true)
	for range runtime.NumCPU() {
		go func() {
			x := 1.0
			for !done.Load() {
				for range 1000 {
					x = math.Sqrt(x + 1)
				}
				runtime.Gosched() // the client must not starve
			}
			runtime.KeepAlive(x)
		}()
	}
	return v.lateness(ctx, s)
}

// quantile is the value below which a share of the values is; NaN of none.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// liveServer is a served vehicle.
type liveServer struct {
	command       *exec.Cmd
	host, token   string
	errors        bytes.Buffer
	late, dropped int // signals
	frames, count int
}

// serveLive starts a command that serves a vehicle, and reads its address.
func serveLive(ctx context.Context, command []string) (*liveServer, error) {
	s := &liveServer{command: exec.CommandContext(ctx, command[0], command[1:]...)}
	s.command.Stderr = &s.errors
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(line, "http://")
	s.host, s.token, _ = strings.Cut(address, "/#")
	s.token, _, _ = strings.Cut(s.token, " ")
	if err != nil || !found || s.token == "" {
		s.end()
		return nil, fmt.Errorf("the vehicle is not served: %s", strings.TrimSpace(s.errors.String()))
	}
	return s, nil
}

func (s *liveServer) end() {
	s.command.Process.Kill()
	s.command.Wait()
}

// processorTime is the processor time of the server, from Linux's /proc.
func (s *liveServer) processorTime() (used time.Duration, known bool, err error) {
	if runtime.GOOS != "linux" {
		return 0, false, nil
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.command.Process.Pid))
	if err != nil {
		return 0, false, err
	}
	_, rest, _ := bytes.Cut(text, []byte(") "))
	fields := bytes.Fields(rest)
	const user, system, tick = 11, 12, 10 * time.Millisecond
	if len(fields) <= system {
		return 0, false, errors.New("/proc has no processor time of the server")
	}
	for _, field := range fields[user : system+1] {
		ticks, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0, false, err
		}
		used += time.Duration(ticks) * tick
	}
	return used, true, nil
}

// files are the bytes of the page and what it loads.
func (s *liveServer) files(ctx context.Context) (bytes int64, err error) {
	for _, path := range []string{"/", "/view.js", "/view.css"} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.host+path, nil)
		if err != nil {
			return 0, err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0, err
		}
		n, err := io.Copy(io.Discard, answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			return 0, err
		}
		bytes += n
	}
	return bytes, nil
}

// liveClient is a client of the server.
type liveClient struct {
	of   *liveServer
	conn *websocket.Conn
	sent [1024]atomic.Int64 // times of inputs by their number [ns]
}

func (s *liveServer) join(ctx context.Context, kind, identity string, rate float64) (*liveClient, error) {
	conn, _, err := websocket.Dial(ctx, "ws://"+s.host+"/socket", &websocket.DialOptions{
		Subprotocols: []string{wire.Protocol}})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(1 << 24)
	c := &liveClient{of: s, conn: conn}
	hello := wire.Order{Type: "hello", Token: s.token, Kind: kind, Identity: identity, Rate: rate}
	if err := c.order(ctx, hello); err != nil {
		return nil, err
	}
	_, text, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	var scene struct {
		Look    struct{ Frames int }
		Signals []struct{ Name string }
	}
	if err := json.Unmarshal(text, &scene); err != nil {
		return nil, err
	}
	s.frames, s.count = scene.Look.Frames, len(scene.Signals)
	for i := range scene.Signals {
		switch scene.Signals[i].Name {
		case "late":
			s.late = i
		case "dropped":
			s.dropped = i
		}
	}
	return c, nil
}

func (c *liveClient) order(ctx context.Context, o wire.Order) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return c.conn.Write(ctx, websocket.MessageText, text)
}

func (c *liveClient) close() { c.conn.Close(websocket.StatusNormalClosure, "") }

// start lets the vehicle run; the driver must go on driving.
func (c *liveClient) start(ctx context.Context) error {
	if err := c.input(ctx, 1); err != nil {
		return err
	}
	return errors.Join(c.order(ctx, wire.Order{Type: "seat"}), c.order(ctx, wire.Order{Type: "run"}))
}

func (c *liveClient) input(ctx context.Context, number uint32) error {
	c.sent[number%uint32(len(c.sent))].Store(time.Now().UnixNano())
	return c.conn.Write(ctx, websocket.MessageBinary, wire.AppendInput(nil, live.Command{Device: live.Program,
		Number: number, Throttle: 0.1}))
}

// drive sends inputs until the context ends.
func (c *liveClient) drive(ctx context.Context) {
	each := time.NewTicker(inputTime)
	defer each.Stop()
	for number := uint32(2); ; number++ {
		select {
		case <-ctx.Done():
			return
		case <-each.C:
			if c.input(ctx, number) != nil {
				return
			}
		}
	}
}

// drain reads until the connection ends.
func (c *liveClient) drain(ctx context.Context) {
	for {
		if _, _, err := c.conn.Read(ctx); err != nil {
			return
		}
	}
}

// shownState is what counts of a state.
type shownState struct {
	number              uint32
	paused              bool
	time, late, dropped float64
}

// patience is how long a client waits for a state. A vehicle that has paused sends none.
const patience = 20 * time.Second

// state waits for a state.
func (c *liveClient) state(ctx context.Context) (*shownState, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		kind, data, err := c.conn.Read(ctx)
		if ctx.Err() == context.DeadlineExceeded {
			return nil, fmt.Errorf("the server has sent no state for %v; measure again on a machine with less load", patience)
		}
		if err != nil {
			return nil, err
		}
		if kind != websocket.MessageBinary {
			continue
		}
		const head, pose, frame = 40, 4 * (4 + 6), 4 * 7
		signals := head + pose + frame*(c.of.frames-1)
		if len(data) != signals+4*c.of.count {
			return nil, fmt.Errorf("a state of %d bytes; %d are expected", len(data), signals+4*c.of.count)
		}
		signal := func(i int) float64 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[signals+4*i:])))
		}
		return &shownState{number: binary.LittleEndian.Uint32(data[4:]), paused: data[1]&wire.FlagPaused != 0,
			time: math.Float64frombits(binary.LittleEndian.Uint64(data[8:])), late: signal(c.of.late),
			dropped: signal(c.of.dropped)}, nil
	}
}
