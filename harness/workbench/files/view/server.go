package view

import (
	"context"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/workbench/results/web"
	"skidpad/harness/workbench/runs/live/wire"
)

// Limits of the server.
const (
	mostViewers   = 8
	mostHeaders   = 16 << 10
	headerTime    = 5 * time.Second // for headers, and for hello
	pingTime      = 10 * time.Second
	messagesASec  = 200.0
	burst         = 400.0
	refusalTime   = time.Second // before the answer to a wrong token
	mostNotes     = 256         // that wait for a viewer
	contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
		"media-src blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)

//go:embed page.html
var page []byte

// files are the files of the server, by path.
var files = sync.OnceValue(func() map[string]file {
	script := web.Script("")
	plotting, style := web.Plotting()
	for _, s := range []web.Script{web.Three(), "\n", plotting, "\n", web.Own("namespace", "numbers", "motion", "scene",
		"painter", "webgl", "camera", "ground", "marks", "relief", "labels", "stage", "hud", "input", "devices", "plots",
		"liveplots", "video", "settings", "course", "ghosts", "live")} {
		script += s
	}
	return map[string]file{
		"/":         {"text/html; charset=utf-8", page},
		"/view.js":  {"text/javascript; charset=utf-8", []byte(script)},
		"/view.css": {"text/css; charset=utf-8", []byte(style + web.Own("player.css", "plots.css", "view.css"))},
	}
})

type file struct {
	kind    string
	content []byte
}

func (v *View) newServer(ctx context.Context) *http.Server {
	return &http.Server{Handler: v.Handler(), ReadHeaderTimeout: headerTime, MaxHeaderBytes: mostHeaders,
		BaseContext: func(net.Listener) context.Context { return ctx }}
}

// Handler answers requests to hosts that are known, from pages that it has sent.
func (v *View) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range map[string]string{"Content-Security-Policy": contentPolicy,
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
			h.Set(name, value)
		}
		switch {
		case !slices.Contains(v.Hosts, r.Host):
			v.logOnce(fmt.Sprintf("refused a request to the host %.60q; --host NAME allows another one", r.Host))
			http.Error(w, "this host is not allowed; --host NAME allows it", http.StatusMisdirectedRequest)
		case !v.ours(r):
			v.logOnce(fmt.Sprintf("refused a request of a page of %.60q", r.Header.Get("Origin")))
			http.Error(w, "pages of other origins are not allowed", http.StatusForbidden)
		case r.Method != http.MethodGet:
			h.Set("Allow", http.MethodGet)
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
		case r.URL.Path == "/socket":
			v.socket(w, r)
		default:
			f, known := files()[r.URL.Path]
			if !known {
				http.NotFound(w, r)
				return
			}
			h.Set("Content-Type", f.kind)
			w.Write(f.content)
		}
	})
}

// ours reports whether a request comes from a page of this server, or from no page.
func (v *View) ours(r *http.Request) bool {
	list, from := r.Header["Origin"]
	if !from {
		return true
	}
	host, plain := strings.CutPrefix(list[0], "http://")
	return len(list) == 1 && plain && slices.Contains(v.Hosts, host)
}

// viewer is a connected client.
type viewer struct {
	conn     *websocket.Conn
	identity string
	program  bool
	rate     float64
	news     chan struct{} // there is a newer state
	notes    chan note
	choices  chan choice
	stop     chan struct{}      // closed when nothing more is to be written
	full     context.CancelFunc // ends a viewer whose notes nobody reads
}

// note is a message that waits for a viewer: a text, or a state.
type note struct {
	text  []byte
	state *moment // nil for a text
}

func (x *viewer) notify() {
	select {
	case x.news <- struct{}{}:
	default:
	}
}

func (x *viewer) post(text []byte) { x.queue(note{text: text}) }

func (x *viewer) queue(n note) {
	select {
	case x.notes <- n:
	default:
		x.full()
	}
}

func (x *viewer) answer(n wire.Note) {
	if text, err := json.Marshal(n); err == nil {
		x.post(text)
	}
}

// socket serves a client until one of both ends.
func (v *View) socket(w http.ResponseWriter, r *http.Request) {
	v.mutex.Lock()
	busy := len(v.viewers) >= mostViewers
	v.mutex.Unlock()
	if busy {
		v.logOnce(fmt.Sprintf("refused a viewer: there are %d, the most", mostViewers))
		http.Error(w, fmt.Sprintf("there are %d viewers, the most", mostViewers), http.StatusServiceUnavailable)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{wire.Protocol},
		InsecureSkipVerify: true}) // Handler has compared the origin with known hosts
	if err != nil {
		return
	}
	defer conn.CloseNow()
	if conn.Subprotocol() != wire.Protocol {
		conn.Close(websocket.StatusProtocolError, "the supported protocol is "+wire.Protocol)
		return
	}
	conn.SetReadLimit(wire.MostBytes)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	x, err := v.hello(ctx, conn)
	if err != nil {
		v.logOnce("refused a viewer: " + err.Error())
		conn.Close(websocket.StatusPolicyViolation, short(err.Error()))
		return
	}
	x.full = cancel
	v.mutex.Lock()
	v.viewers[x] = true
	v.mutex.Unlock()
	defer func() {
		if v.goes(x) {
			return
		}
		if v.Feed != nil && v.seat.holds(x.identity) {
			v.Feed.leave(r.Context())
		}
		v.seat.leave(x.identity)
	}()
	x.notify()
	var writing sync.WaitGroup
	writing.Go(func() { defer cancel(); x.write(ctx, v) })
	if err = v.read(ctx, x); err == nil {
		cancel()
	}
	close(x.stop) // a message that is cut off would take the connection, and with it the reason
	writing.Wait()
	if err != nil {
		conn.Close(websocket.StatusPolicyViolation, short(err.Error()))
	}
}

// short is a reason as a closing message may have it.
func short(text string) string {
	const most = 120
	for len(text) > most {
		text = text[:most-1]
		for len(text) > 0 && text[len(text)-1] >= 0x80 {
			text = text[:len(text)-1]
		}
	}
	return text
}

// hello reads the first message.
func (v *View) hello(ctx context.Context, conn *websocket.Conn) (*viewer, error) {
	ctx, cancel := context.WithTimeout(ctx, headerTime)
	defer cancel()
	kind, data, err := conn.Read(ctx)
	if err != nil {
		return nil, errors.New("no hello came in time")
	}
	if kind != websocket.MessageText {
		return nil, errors.New("the first message is binary; it must be hello")
	}
	o, err := wire.ParseOrder(data)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(o.Token), []byte(v.Token)) != 1 {
		select {
		case <-time.After(refusalTime):
		case <-ctx.Done():
		}
		return nil, errors.New("the token is wrong; open the address that 'skidpad view' has printed")
	}
	if err := o.CheckHello(); err != nil {
		return nil, err
	}
	return &viewer{conn: conn, identity: o.Kind + " " + o.Identity, program: o.Kind == "program", rate: o.Rate,
		news: make(chan struct{}, 1), notes: make(chan note, mostNotes), choices: make(chan choice, 1),
		stop: make(chan struct{})}, nil
}

// write sends notes, and states at most at the rate of the viewer.
func (x *viewer) write(ctx context.Context, v *View) {
	interval := time.Duration(float64(time.Second) / x.rate)
	ping := time.NewTicker(pingTime)
	defer ping.Stop()
	send := func(kind websocket.MessageType, data []byte) bool {
		ctx, cancel := context.WithTimeout(ctx, pingTime)
		defer cancel()
		return x.conn.Write(ctx, kind, data) == nil
	}
	v.mutex.Lock()
	notes := [][]byte{v.scene}
	for _, kind := range slices.Sorted(maps.Keys(v.lasting)) {
		notes = append(notes, v.lasting[kind])
	}
	v.mutex.Unlock()
	for _, note := range notes {
		if !send(websocket.MessageText, note) {
			return
		}
	}
	next := time.NewTimer(0)
	defer next.Stop()
	due := false // the interval is over
	var chosen choice
	for {
		news := x.news
		if !due {
			news = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-x.stop:
			return
		case n := <-x.notes:
			kind, data := websocket.MessageText, n.text
			if n.state != nil {
				kind, data = websocket.MessageBinary, n.state.with(&chosen)
			}
			if !send(kind, data) {
				return
			}
		case chosen = <-x.choices: // all states after this message have these signals
			text, err := json.Marshal(map[string]any{"type": "signals", "names": chosen.names})
			if err != nil || !send(websocket.MessageText, text) {
				return
			}
			x.notify()
		case <-next.C:
			due = true
		case <-news:
			latest := v.latest.Load()
			if latest == nil {
				continue
			}
			due = false
			next.Reset(interval)
			if !send(websocket.MessageBinary, latest.with(&chosen)) {
				return
			}
		case <-ping.C:
			if !x.ping(ctx) {
				return
			}
		}
	}
}

// with is the state with the values of chosen signals.
func (m *moment) with(c *choice) []byte {
	if len(c.at) == 0 {
		return m.state
	}
	state := slices.Clone(m.state)
	for _, at := range c.at {
		state = wire.AppendSignal(state, m.values[at])
	}
	return state
}

func (x *viewer) ping(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	return x.conn.Ping(ctx) == nil
}

// goes removes a viewer. It reports whether the viewer is connected a second time, as a page that was loaded again.
func (v *View) goes(x *viewer) (again bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	delete(v.viewers, x)
	for other := range v.viewers {
		again = again || other.identity == x.identity
	}
	return again
}

// read takes inputs and orders.
func (v *View) read(ctx context.Context, x *viewer) error {
	left, at := burst, time.Now()
	for {
		kind, data, err := x.conn.Read(ctx)
		if err != nil {
			return nil // it has gone
		}
		now := time.Now()
		left = min(burst, left+messagesASec*now.Sub(at).Seconds()) - 1
		if at = now; left < 0 {
			v.logOnce("a viewer sends too many messages")
			return fmt.Errorf("more than %g messages a second", messagesASec)
		}
		if kind == websocket.MessageBinary {
			if err := v.input(x, data); err != nil {
				return err
			}
			continue
		}
		o, err := wire.ParseOrder(data)
		if err != nil {
			return err
		}
		if o.Type == "tile" {
			err = v.tile(x, &o)
		} else {
			err = v.obey(ctx, x, &o)
		}
		if err != nil {
			x.answer(wire.Note{Type: "error", Number: o.Number, Order: o.Type, Text: err.Error()})
		} else if o.Type != "tile" {
			if x.program { // the events of its order and the state after it come first
				if now := v.present(ctx); now != nil {
					x.queue(note{state: now})
				}
			}
			if o.Type == "advance" { // who has waited for slices gets this message and an input before it back
				left = min(burst, left+2)
			}
			x.answer(wire.Note{Type: "ok", Number: o.Number, Order: o.Type})
		}
	}
}

// input takes a binary message. Those of viewers without the seat count for nothing; programs are told.
func (v *View) input(x *viewer, data []byte) error {
	may := x.program == v.Sockets && v.seat.has(x.identity)
	if !may && x.program {
		x.answer(wire.Note{Type: "error", Order: "input", Text: errSeat.Error()})
	}
	if v.Feed != nil {
		if !may {
			return nil
		}
		return v.Feed.input(data)
	}
	c, err := wire.Input(data)
	if err == nil && may {
		v.Loop.Drive(c)
	}
	return err
}

// errSeat is the error of orders that only the driver may give.
var errSeat = errors.New("only the driver may do that; ask for the seat")

// obey carries out an order.
func (v *View) obey(ctx context.Context, x *viewer, o *wire.Order) error {
	may := x.program == v.Sockets
	switch o.Type {
	case "seat":
		if !may {
			return fmt.Errorf("this vehicle is driven by a %s", map[bool]string{true: "program", false: "page"}[v.Sockets])
		}
		if !v.seat.ask(x.identity) {
			v.tell(wire.Note{Type: "event", Kind: "seat", Text: "somebody asks for the seat"})
			return errors.New("the driver is asked; without an answer the seat is yours in 5 s")
		}
		v.tell(wire.Note{Type: "event", Kind: "seat", Text: "another driver"})
		return nil
	case "signals":
		c, err := v.choose(o.Names)
		if err != nil {
			return err
		}
		select {
		case x.choices <- c:
		case <-ctx.Done():
		}
		return nil
	case "keep-seat":
		v.seat.keep(x.identity)
		return nil
	}
	if !may || !v.seat.has(x.identity) {
		return errSeat
	}
	if v.Feed != nil {
		return v.Feed.obey(ctx, o)
	}
	l := v.Loop
	switch o.Type {
	case "pause":
		return l.Pause(ctx, "by the driver")
	case "run":
		return l.Resume(ctx)
	case "step", "advance":
		return l.Advance(ctx, o.Slices)
	case "pace":
		return l.SetPace(ctx, o.Pace)
	case "reset":
		return l.Reset(ctx)
	case "rewind":
		return l.Rewind(ctx, o.Back)
	case "keep":
		return l.Keep(ctx, o.Slot)
	case "return":
		return l.Return(ctx, o.Slot)
	case "set":
		return v.set(ctx, o.Name, o.Value)
	case "tire":
		return v.tire(o.Name)
	case "take-over", "hand-back":
		return l.TakeOver(ctx, o.Type == "take-over")
	case "feed":
		return errors.New("this vehicle is stepped; 'skidpad view --feed' shows what a program feeds")
	}
	return fmt.Errorf("there is no order %q", o.Type)
}
