package live

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Options of a loop.
type Options struct {
	Step     float64      // a slice [s]
	Pace     float64      // vehicle time by real time; 0 for lockstep, where slices are made by Advance
	Most     float64      // lateral acceleration that keys and gamepads steer to [m/s2]; 0 for UsualAcceleration
	Outputs  []string     // variables to read after each slice
	Seldom   []string     // variables that take long to read: read each seldomTime, and after slices of a paused vehicle
	Clock    Clock        // nil for the clock of the machine
	Restart  func() error // brings the vehicle to its start
	Recorded bool         // digests of states are made
	Pilot    *Pilot       // drives by a manoeuvre, until a driver takes over; nil for none
	Settings *Settings    // that pages change; nil for none
	States   []string     // states and inputs that a vehicle with other settings takes over
}

// Loop drives a vehicle. Run is its only caller; orders come from any goroutine.
type Loop struct {
	vehicle  Vehicle
	options  Options
	controls *controls
	driver   driver
	out      []uint32
	seldom   []uint32
	latest   []float64 // values of seldom
	speed    int       // in outputs; -1 without
	engine   int       // in outputs; -1 without
	ended    int       // in outputs; -1 without
	endings  []string
	ring     *ring
	command  atomic.Pointer[stamped]
	orders   chan func(*Loop) error
	Events   chan Event // what happened; a reader takes them before rows
	woken    chan struct{}

	// of the running loop
	piloted        bool // the manoeuvre drives
	drivable       bool // somebody can drive
	segment, slice int
	time           float64
	origin         float64 // time at the start of the vehicle [s]
	passed         int     // slices since then
	paused         bool
	begin          time.Duration // of the clock, when slice `from` was due
	from           int
	pace           float64
	late, dropped  float64
	idle           time.Duration // when the loop slept last
	yielded        time.Duration // when the loop let the Go runtime choose last
	kept           []checkpoint
	recent         []checkpoint // of the last second, closer to each other
	slots          [mostSlots]*checkpoint
}

// stamped is a command with its time of arrival.
type stamped struct {
	Command
	at time.Duration
}

// checkpoint is a state that the vehicle can return to.
type checkpoint struct {
	time    float64
	origin  float64
	passed  int
	state   []byte
	driver  driver
	gearbox gearbox
	piloted bool
	pilot   *memory
}

// Event is something that happened between slices.
type Event struct {
	Kind    string // begin, digest, paused, running, driver, path, over
	Segment int
	Slice   int
	Time    float64 // of the vehicle [s]
	State   []byte  // at the begin of a segment
	Digest  [sha256.Size]byte
	Text    string
	Piloted bool      // the manoeuvre drives now
	Values  *Values   // of the settings, at the begin of a segment; nil without
	Path    *Followed // that the manoeuvre's driver begins to follow

	Phases  []drive.PhaseInterval // of a manoeuvre that is over
	Verdict string                // why it has ended before its last phase
}

// Of the loop.
const (
	ringTime        = 4.0                    // s of rows
	mostLate        = 50 * time.Millisecond  // that is caught up
	lease           = 250 * time.Millisecond // of a command
	leavesAfter     = time.Second            // without commands, before the vehicle pauses
	busyTime        = 90 * time.Millisecond  // without sleep, before the loop rests
	restTime        = 10 * time.Millisecond
	yieldTime       = 8 * time.Millisecond // after 10 ms the Go runtime watches a goroutine each 20 us
	checkpointTime  = 1.0                  // s
	mostCheckpoints = 120
	recentTime      = 0.01 // s
	mostRecent      = 100
	mostSlots       = 9
	seldomTime      = 0.05 // s of the vehicle
	leastPace       = 0.1
	mostPace        = 4.0
	mostAdvance     = 1_000_000 // slices of an order
	standsBelow     = 0.1       // m/s
)

// New makes the loop of a vehicle that stands at its start. The loop is paused, except in lockstep. Without a car only
// a pilot drives.
func New(v Vehicle, car *manoeuvre.DrivenCar, o Options) (*Loop, error) {
	if o.Clock == nil {
		o.Clock = NewClock()
	}
	if o.Most == 0 {
		o.Most = UsualAcceleration
	}
	c, err := newControls(v, car)
	if err != nil {
		return nil, err
	}
	l := &Loop{vehicle: v, options: o, controls: c, piloted: o.Pilot != nil, orders: make(chan func(*Loop) error, 64),
		Events: make(chan Event, 256), woken: make(chan struct{}, 1), paused: true, pace: o.Pace, speed: -1, engine: -1,
		ended: -1}
	if l.drivable = len(c.names) > 0; !l.drivable && o.Pilot == nil {
		return nil, errors.New("the roles of the vehicle name nothing that a driver could set")
	}
	if o.Pilot != nil {
		o.Pilot.atStart()
		for _, name := range o.Pilot.driver.InputNames() {
			if slices.Contains(c.names, name) {
				continue
			}
			if _, err := c.add(v, name); err != nil {
				return nil, err
			}
		}
	}
	names := o.Outputs
	read := func(name string) int {
		for i, other := range names {
			if other == name {
				return i
			}
		}
		names = append(names[:len(names):len(names)], name)
		return len(names) - 1
	}
	if car != nil {
		l.speed = read(car.Roles.Chassis + ".vx")
		if car.Roles.EngineSpeed != "" {
			l.engine = read(car.Roles.EngineSpeed)
		}
	}
	if x, err := v.Find("solver.ended"); err == nil {
		l.ended, l.endings = read("solver.ended"), endingsOf(x.Text)
	}
	if l.out, err = v.References(names...); err != nil {
		return nil, err
	}
	if l.seldom, err = v.References(o.Seldom...); err != nil {
		return nil, err
	}
	if err := l.takeInputs(); err != nil {
		return nil, err
	}
	l.driver = newDriver(car, c, o.Most)
	l.latest = make([]float64, len(l.seldom))
	l.ring = newRing(max(64, int(ringTime/o.Step)), len(c.names), len(names), len(l.seldom))
	return l, nil
}

// takeInputs takes the inputs of a vehicle at its start: in motion with its gear, else in the lowest one.
func (l *Loop) takeInputs() error {
	c, speed := l.controls, []float64{0}
	if err := l.vehicle.Get(c.references, c.values); err != nil {
		return err
	}
	if l.speed >= 0 {
		if err := l.vehicle.Get(l.out[l.speed:l.speed+1], speed); err != nil {
			return err
		}
	}
	c.now, c.wait = c.lowest, 0
	if math.Abs(speed[0]) > standing {
		c.engaged()
	}
	return nil
}

// newDriver is the driver of a car at its start; without a car nobody uses it.
func newDriver(car *manoeuvre.DrivenCar, c *controls, most float64) driver {
	d := driver{most: most}
	if car != nil {
		d.car = Car{Ratio: car.Ratio, Wheelbase: car.Wheelbase, Understeer: car.Understeer}
	}
	c.taken(&d)
	return d
}

// Inputs are the names of the inputs of rows.
func (l *Loop) Inputs() []string { return l.controls.names }

// Drive gives the newest command of the driver.
func (l *Loop) Drive(c Command) { l.command.Store(&stamped{c, l.options.Clock.Now()}) }

// Take is the oldest row that has not been taken, nil for none. It is valid until Taken.
func (l *Loop) Take() *Row { return l.ring.take() }

// Taken gives the row back.
func (l *Loop) Taken() { l.ring.done() }

// Rows is signalled by events, and by each row of a vehicle that is paused or in lockstep. While a vehicle runs, a
// reader looks for rows by itself, well within ringTime: a signal of each row costs more than the row.
func (l *Loop) Rows() <-chan struct{} { return l.woken }

func (l *Loop) checkpoint() (*checkpoint, error) {
	state, err := l.vehicle.Save()
	return l.checkpointOf(state), err
}

func (l *Loop) checkpointOf(state []byte) *checkpoint {
	return &checkpoint{l.time, l.origin, l.passed, state, l.driver, l.controls.gearbox, l.piloted, l.options.Pilot.keep()}
}

// restart begins a segment of a vehicle that has been started.
func (l *Loop) restart() (err error) {
	l.kept, l.recent, l.passed = l.kept[:0], l.recent[:0], 0
	if l.origin, err = l.vehicle.Time(); err != nil {
		return err
	}
	return l.start()
}

// start begins a segment at the present state, and reads it.
func (l *Loop) start() error {
	l.time = l.origin + float64(l.passed)*l.options.Step
	state, err := l.vehicle.Save()
	if err != nil {
		return err
	}
	l.segment++
	l.slice = 0
	if len(l.kept) == 0 {
		l.kept = append(l.kept, *l.checkpointOf(state))
	}
	l.again()
	begin := Event{Kind: "begin", State: state}
	if s := l.options.Settings; s != nil {
		if err := s.read(l.vehicle.(Subject)); err != nil {
			return err
		}
		begin.Values = s.values()
	}
	l.send(begin)
	if r := l.ring.next(); r != nil {
		copy(r.Inputs, l.controls.values)
		if err := l.vehicle.Get(l.out, r.Outputs); err != nil {
			return err
		}
		return l.fill(r, &Command{})
	}
	return nil
}

// again begins to count due times.
func (l *Loop) again() {
	l.begin, l.from, l.idle = l.options.Clock.Now(), l.slice, l.options.Clock.Now()
}

func (l *Loop) send(e Event) {
	e.Segment, e.Slice, e.Time, e.Piloted = l.segment, l.slice, l.time, l.piloted
	l.Events <- e
	l.wake()
}

func (l *Loop) tell(kind, text string) { l.send(Event{Kind: kind, Text: text}) }

func (l *Loop) wake() {
	select {
	case l.woken <- struct{}{}:
	default:
	}
}

func (l *Loop) pause(reason string) {
	if !l.paused {
		l.paused = true
		l.tell("paused", reason)
	}
}

// Run drives until the context ends. The vehicle stays at its last good state where a step fails.
func (l *Loop) Run(ctx context.Context) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(l.Events)
	if err := l.restart(); err != nil {
		return err
	}
	for {
		for l.paused {
			select {
			case <-ctx.Done():
				return nil
			case do := <-l.orders:
				do(l)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case do := <-l.orders:
			do(l)
			continue
		default:
		}
		l.wait()
		if l.ring.next() == nil {
			l.pause("the recording or the pages cannot keep up")
			continue
		}
		if err := l.step(); err != nil {
			l.pause(err.Error())
		}
	}
}

// wait sleeps until the next slice is due. Time that is too late to be caught up is dropped.
func (l *Loop) wait() {
	clock := l.options.Clock
	due := l.begin + time.Duration(float64(l.slice-l.from)*l.options.Step/l.pace*float64(time.Second))
	now := clock.Now()
	if due > now {
		if now-l.yielded > yieldTime {
			runtime.Gosched()
			l.yielded = now
		}
		clock.SleepUntil(due)
		now = clock.Now()
		l.idle = now
	}
	late := now - due
	if surplus := late - mostLate; surplus > 0 {
		l.begin += surplus
		l.dropped += surplus.Seconds()
		late = mostLate
	}
	l.late = max(0, late.Seconds())
	if now-l.idle > busyTime { // a vehicle slower than real time leaves some time to others
		clock.SleepUntil(now + restTime)
		l.idle = clock.Now()
	}
}

// neutral is the command of an empty seat.
var neutral stamped

// step makes a slice. Its row must be free. An error is the reason why the vehicle does not go on.
func (l *Loop) step() error {
	r, h := l.ring.next(), l.options.Step
	c := l.command.Load()
	if c == nil {
		c = &neutral
	}
	command := c.Command
	if !l.paused && !l.piloted { // ordered slices have the newest command, however long they take
		if age := l.options.Clock.Now() - c.at; age > lease {
			command = Command{Device: command.Device, Number: command.Number, Steering: command.Steering}
			if age > lease+leavesAfter {
				l.pause("nobody drives")
				return nil
			}
		}
	}
	if l.piloted {
		if over, err := l.options.Pilot.drive(l.controls, l.time, h); over || err != nil {
			return l.over(err)
		}
		if path := l.options.Pilot.news(); path != nil {
			l.send(Event{Kind: "path", Path: path})
		}
	} else {
		speed, engine := l.last(l.speed), l.last(l.engine)
		l.driver.drive(&command, speed, h)
		l.controls.set(&l.driver, &command, speed, engine, h)
	}
	copy(r.Inputs, l.controls.values)
	if err := l.vehicle.Advance(h, l.controls.references, r.Inputs, l.out, r.Outputs); err != nil {
		return fmt.Errorf("the step from %.6g s failed: %w", l.time, err)
	}
	if l.piloted {
		l.controls.taken(&l.driver)
		l.controls.engaged()
	}
	l.driver.advance(h)
	l.slice++
	l.passed++
	l.time = l.origin + float64(l.passed)*h
	if err := l.fill(r, &command); err != nil {
		return err
	}
	if err := l.mark(); err != nil {
		return err
	}
	if l.ended >= 0 && r.Outputs[l.ended] > 0 {
		if number := int(r.Outputs[l.ended]); number <= len(l.endings) {
			return errors.New(l.endings[number-1])
		}
	}
	return nil
}

// over ends the drive by the manoeuvre. Its error is the reason.
func (l *Loop) over(err error) error {
	if err != nil {
		return fmt.Errorf("the manoeuvre fails at %.6g s: %w", l.time, err)
	}
	l.piloted = false
	verdict := l.options.Pilot.verdict()
	l.send(Event{Kind: "over", Text: verdict, Phases: l.options.Pilot.driver.Passed(l.time),
		Verdict: l.options.Pilot.driver.Verdict()})
	return errors.New(verdict)
}

// last is an output of the latest row, 0 without.
func (l *Loop) last(output int) float64 {
	if output < 0 {
		return 0
	}
	head := l.ring.head.Load()
	return l.ring.rows[(head-1)%uint64(len(l.ring.rows))].Outputs[output]
}

// fill completes a row, whose inputs and outputs are there, and hands it over.
func (l *Loop) fill(r *Row, c *Command) error {
	d := &l.driver
	r.Segment, r.Slice, r.Time, r.Number = l.segment, l.slice, l.time, c.Number
	r.Steering, r.Throttle, r.Brake, r.Gear, r.Late, r.Dropped = d.angle, d.throttle, d.brake, l.controls.now, l.late,
		l.dropped
	r.Clutch, r.Piloted = l.controls.clutchClosed(), l.piloted
	if each := max(1, int(math.Round(seldomTime/l.options.Step))); len(l.seldom) > 0 && (l.paused || l.slice%each == 0) {
		if err := l.vehicle.Get(l.seldom, l.latest); err != nil {
			return err
		}
	}
	copy(r.Seldom, l.latest)
	l.ring.put()
	if l.paused {
		l.wake()
	}
	return nil
}

// mark keeps a state each second, and for the last second one each 10 ms.
func (l *Loop) mark() error {
	is := func(interval float64) bool {
		each := int(math.Round(interval / l.options.Step))
		return each >= 1 && l.slice%each == 0
	}
	second := is(checkpointTime)
	if !second && (l.options.Pace == 0 || !is(recentTime)) {
		return nil
	}
	c, err := l.checkpoint()
	if err != nil {
		return err
	}
	add := func(list []checkpoint, most int) []checkpoint {
		if len(list) == most {
			copy(list, list[1:])
			list = list[:most-1]
		}
		return append(list, *c)
	}
	if l.options.Pace != 0 {
		l.recent = add(l.recent, mostRecent)
	}
	if !second {
		return nil
	}
	l.kept = add(l.kept, mostCheckpoints)
	if l.options.Recorded {
		l.send(Event{Kind: "digest", Digest: sha256.Sum256(c.state)})
	}
	return nil
}

// endingsOf are the conditions behind the text of solver.ended: "...: 1 rolled-over body, 2 ...".
func endingsOf(text string) (list []string) {
	_, meanings, _ := strings.Cut(text, ": ")
	for i, meaning := range strings.Split(meanings, ", ") {
		list = append(list, strings.TrimPrefix(meaning, fmt.Sprintf("%d ", i+1)))
	}
	return list
}
