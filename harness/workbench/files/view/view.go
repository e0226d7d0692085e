package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
	"skidpad/harness/workbench/runs/replay"
)

// Options of a View.
type Options struct {
	Loop     *live.Loop // nil with a feed
	Feed     *Feed      // nil with a loop
	Poser    *animation.Poser
	Outputs  []string       // of the loop's rows; the first ones place the vehicle
	Placing  int            // how many
	Seldom   []string       // that the loop reads seldom
	Signals  []Signal       // that pages show
	Choices  []Signal       // that viewers can choose in addition, for plots
	Plots    [][]string     // names of Choices in the plots of a new page
	Recorder *replay.Writer // nil for no recording
	Lockstep bool
	Sockets  bool     // programs drive, pages watch
	Token    string   // that clients know
	Hosts    []string // HOST:PORT that clients may name
	Log      func(text string)
	Changes  *Changes        // of settings; nil for none
	Course   *Course         // that the vehicle drives along; nil for none
	Piloted  bool            // a manoeuvre drives at the start
	Ghosts   []animation.Run // that drive along
}

// Signal is a quantity that pages show.
type Signal struct {
	Name   string `json:"name"` // of the variable, or of a quantity of OfRows
	Unit   string `json:"unit"`
	Text   string `json:"text,omitempty"`
	Role   string `json:"role,omitempty"`
	output int    // place in the values of a moment; -1 for a quantity of OfRows
}

// View is a live vehicle with its viewers.
type View struct {
	Options
	source source
	events <-chan live.Event // of the source
	asks   chan chan *moment // for the state after all that has happened
	scene  []byte            // message
	latest atomic.Pointer[moment]
	seat   seat
	server *http.Server

	mutex   sync.Mutex
	viewers map[*viewer]bool
	lasting map[string][]byte    // notes that new viewers get, by their types
	told    map[string]time.Time // what has been logged, and when
}

// moment is a state for all viewers, and the values that a viewer chooses from.
type moment struct {
	state  []byte
	values []float64 // of Outputs, then of Seldom
}

// source makes the rows that a view shows: a loop, or a feed.
type source interface {
	Run(ctx context.Context) error
	Rows() <-chan struct{}
	Take() *live.Row
	Taken()
}

// OfRows are the quantities of the driver and the loop, which are no variables.
var OfRows = []Signal{{Name: "steering", Unit: "rad"}, {Name: "throttle", Unit: "1"}, {Name: "brake", Unit: "m/s2"},
	{Name: "gear", Unit: "1"}, {Name: "clutch", Unit: "1"}, {Name: "late", Unit: "s"}, {Name: "dropped", Unit: "s"}}

// ofRow reads them.
var ofRow = map[string]func(r *live.Row) float64{
	"steering": func(r *live.Row) float64 { return r.Steering },
	"throttle": func(r *live.Row) float64 { return r.Throttle },
	"brake":    func(r *live.Row) float64 { return r.Brake },
	"gear":     func(r *live.Row) float64 { return r.Gear },
	"clutch":   func(r *live.Row) float64 { return r.Clutch },
	"late":     func(r *live.Row) float64 { return r.Late },
	"dropped":  func(r *live.Row) float64 { return r.Dropped },
}

// New makes a view.
func New(o Options) (*View, error) {
	v := &View{Options: o, asks: make(chan chan *moment), viewers: map[*viewer]bool{}, lasting: map[string][]byte{},
		told: map[string]time.Time{}}
	var fed []string
	if o.Feed != nil {
		v.source, v.events, fed = o.Feed, o.Feed.events, o.Feed.Names()
	} else {
		v.source, v.events = o.Loop, o.Loop.Events
	}
	at := map[string]int{}
	for i, name := range slices.Concat(o.Outputs, o.Seldom) {
		at[name] = i
	}
	v.Signals, v.Choices = slices.Clone(v.Signals), slices.Clone(v.Choices)
	for i := range v.Choices {
		s := &v.Choices[i]
		var known bool
		if s.output, known = at[s.Name]; !known {
			return nil, fmt.Errorf("the loop does not read %s", s.Name)
		}
	}
	for i := range v.Signals {
		s := &v.Signals[i]
		output, known := at[s.Name]
		if s.output = output; !known {
			if s.output = -1; ofRow[s.Name] == nil {
				return nil, fmt.Errorf("the loop does not read %s", s.Name)
			}
		}
	}
	if o.Changes != nil {
		o.Changes.wanted = make(chan struct{}, 1)
	}
	if o.Course != nil {
		if err := o.Course.connect(o.Outputs); err != nil {
			return nil, err
		}
	}
	ghosts := append([]animation.Run{}, o.Ghosts...)
	var err error
	v.scene, err = json.Marshal(map[string]any{"type": "scene", "protocol": wire.Protocol, "look": o.Poser.Look(),
		"names": o.Poser.Names, "signals": v.Signals, "choices": v.Choices, "plots": v.Plots, "lockstep": o.Lockstep,
		"recording": o.Recorder != nil, "driver": map[bool]string{false: "page", true: "socket"}[o.Sockets],
		"settings": o.Changes.shown(), "manoeuvre": o.Piloted, "ghosts": ghosts, "tiles": o.Poser.Tiles != nil,
		"feeds": fed})
	return v, err
}

// publish takes events and rows until the loop ends, records them and hands states to the viewers.
func (v *View) publish() error {
	var failure error
	values := make([]float64, len(v.Outputs)+len(v.Seldom))
	var last live.Row
	var flags uint8
	place := v.Poser.Place
	if v.Feed != nil {
		place = v.Poser.PlacePartly
	}
	sent := time.Time{}
	var before struct {
		time  float64
		place [7]float64
		speed [6]float64
	}
	if v.Recorder != nil {
		flags |= wire.FlagRecording
	}
	flags |= wire.FlagPaused
	record := func(r *live.Row) {
		if v.Recorder == nil || failure != nil {
			return
		}
		if failure = v.Recorder.Row(r); failure != nil {
			flags &^= wire.FlagRecording
			v.tell(wire.Note{Type: "event", Kind: "recording", Text: failure.Error()})
		}
	}
	show := func() {
		place(values[:v.Placing])
		s := wire.State{Flags: flags, Segment: uint16(last.Segment), Number: last.Number, Time: last.Time}
		if v.seat.taken() {
			s.Flags |= wire.FlagSeat
		}
		chassis := v.Poser.Chassis
		place := v.Poser.Poses[chassis]
		if passed := last.Time - before.time; passed > 0 && passed < 0.5 {
			before.speed = speeds(before.place, place, passed)
		} else if passed != 0 {
			before.speed = [6]float64{}
		}
		before.time, before.place = last.Time, place
		s.Place, s.Turn, s.Speeds = [3]float64(place[:3]), [4]float64(place[3:]), before.speed
		for f := range v.Poser.Frames {
			if f != chassis {
				s.Poses = append(s.Poses, v.Poser.Relative(f, chassis))
			}
		}
		for i := range v.Signals {
			if at := v.Signals[i].output; at >= 0 {
				s.Signals = append(s.Signals, values[at])
			} else {
				s.Signals = append(s.Signals, ofRow[v.Signals[i].Name](&last))
			}
		}
		state := s.Append(nil)
		v.latest.Store(&moment{state, slices.Clone(values)})
		v.mutex.Lock()
		for x := range v.viewers {
			x.notify()
		}
		v.mutex.Unlock()
		sent = time.Now()
	}
	var asked []chan *moment
	open, newer := true, false // there is something newer than what has been sent
	later := time.NewTimer(v.interval())
	defer later.Stop()
	for open {
		var e live.Event
		select {
		case e, open = <-v.events:
			if !open {
				break
			}
			if v.Recorder != nil {
				v.Recorder.Event(&e)
			}
			v.follow(&e)
			if flags &^= wire.FlagManoeuvre; e.Piloted {
				flags |= wire.FlagManoeuvre
			}
			switch e.Kind {
			case "paused":
				flags |= wire.FlagPaused
			case "running":
				flags &^= wire.FlagPaused
			}
			if e.Kind != "digest" && e.Kind != "path" {
				v.tell(wire.Note{Type: "event", Kind: e.Kind, Segment: e.Segment, Slice: e.Slice, Time: e.Time, Text: e.Text})
			}
			newer = true
		case ask := <-v.asks:
			asked = append(asked, ask)
		case <-v.source.Rows():
		case <-later.C:
		}
		for r := v.source.Take(); r != nil && len(v.events) == 0; r = v.source.Take() {
			record(r)
			v.pass(r)
			copy(values, r.Outputs[:len(v.Outputs)])
			copy(values[len(v.Outputs):], r.Seldom)
			last, newer = *r, true
			v.source.Taken()
		}
		if v.Course != nil && v.source.Take() == nil {
			v.figures()
		}
		if last.Late > 0.005 {
			flags |= wire.FlagLate
		} else {
			flags &^= wire.FlagLate
		}
		if len(asked) > 0 && len(v.events) == 0 && last.Segment > 0 {
			show()
			newer = false
			for _, ask := range asked {
				ask <- v.latest.Load()
			}
			asked = nil
		}
		if newer && last.Segment > 0 {
			if wait := v.interval() - time.Since(sent); wait > 0 {
				later.Reset(wait)
			} else {
				show()
				newer = false
			}
		}
		if !newer && flags&wire.FlagPaused == 0 { // rows of a running vehicle come without a signal
			later.Reset(v.interval())
		}
	}
	if v.Recorder != nil {
		failure = errors.Join(failure, v.Recorder.End())
	}
	return failure
}

// interval is the time between two states: the least that a viewer asks for, and a tenth of a second without viewers.
func (v *View) interval() time.Duration {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	rate := 10.0
	for x := range v.viewers {
		rate = max(rate, x.rate)
	}
	return time.Duration(float64(time.Second) / rate)
}

// follow takes an event for the settings and the course.
func (v *View) follow(e *live.Event) {
	if e.Values != nil {
		v.last("settings", shownValues{e.Values.Numbers, e.Values.Tire})
	}
	c := v.Course
	if c == nil {
		return
	}
	switch e.Kind {
	case "begin":
		if c.back(e.Time) {
			v.last("cones", c.lying())
		}
	case "path":
		if !c.Fixed {
			v.last("course", c.place(e.Path.X, e.Path.Y, e.Path.Yaw))
			v.last("cones", c.lying())
		}
	case "over":
		c.over = e
	}
}

// figures shows the characteristic values of a manoeuvre that is over, after its last row.
func (v *View) figures() {
	c := v.Course
	if c.over == nil {
		return
	}
	e := c.over
	c.over = nil
	if f := c.figures(e.Phases, e.Time, e.Verdict); f != nil {
		v.last("figures", f)
	}
}

// pass takes a row for the course.
func (v *View) pass(r *live.Row) {
	c := v.Course
	if c == nil {
		return
	}
	if c.Fixed && !c.placed {
		v.last("course", c.place(r.Outputs[c.pose[0]], r.Outputs[c.pose[1]], r.Outputs[c.pose[2]]))
	}
	touched, left := c.pass(r)
	if touched {
		v.last("cones", c.lying())
	}
	if left {
		if f := c.figures(nil, r.Time, ""); f != nil {
			v.last("figures", f)
		}
	}
}

// last sends a note to all viewers. Viewers that come later get the last note of each type.
func (v *View) last(kind string, note any) {
	text, err := json.Marshal(map[string]any{"type": kind, kind: note})
	if err != nil {
		return
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.lasting[kind] = text
	for x := range v.viewers {
		x.post(text)
	}
}

// speeds are velocity and angular velocity between two poses, in axes of the ground.
func speeds(from, to [7]float64, passed float64) (list [6]float64) {
	for k := range 3 {
		list[k] = (to[k] - from[k]) / passed
	}
	// the rotation to * from^-1, whose vector is half of the angle times the axis
	w, x, y, z := from[3], -from[4], -from[5], -from[6]
	W, X, Y, Z := to[3], to[4], to[5], to[6]
	vector := [3]float64{W*x + X*w + Y*z - Z*y, W*y - X*z + Y*w + Z*x, W*z + X*y - Y*x + Z*w}
	sign := math.Copysign(2, W*w-X*x-Y*y-Z*z)
	for k := range 3 {
		list[3+k] = sign * vector[k] / passed
	}
	return list
}

// tell sends a note to all viewers.
func (v *View) tell(n wire.Note) {
	text, err := json.Marshal(n)
	if err != nil {
		return
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for x := range v.viewers {
		x.post(text)
	}
}

// present is the state after all that has happened; nil at the end.
func (v *View) present(ctx context.Context) *moment {
	ask := make(chan *moment, 1)
	select {
	case v.asks <- ask:
	case <-ctx.Done():
		return nil
	}
	select {
	case state := <-ask:
		return state
	case <-ctx.Done():
		return nil
	}
}

// logOnce logs a text at most once a minute.
func (v *View) logOnce(text string) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if time.Since(v.told[text]) > time.Minute {
		if len(v.told) > 100 {
			clear(v.told)
		}
		v.told[text] = time.Now()
		v.Log(text)
	}
}

// Run drives the vehicle and serves a listener until the context ends.
func (v *View) Run(ctx context.Context, serve func(*http.Server) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	v.server = v.newServer(ctx)
	var all sync.WaitGroup
	var driven, published, served error
	all.Go(func() { driven = v.source.Run(ctx); cancel() })
	all.Go(func() { published = v.publish() })
	if v.Changes != nil {
		all.Go(func() { v.change(ctx) })
	}
	all.Go(func() {
		if served = serve(v.server); errors.Is(served, http.ErrServerClosed) {
			served = nil
		}
		cancel()
	})
	<-ctx.Done()
	v.server.Close()
	all.Wait()
	return errors.Join(driven, published, served)
}
