// Package wire is the protocol between a live vehicle and its pages and programs: WebSocket messages of the subprotocol
// skidpad-view.1. Binary messages are little-endian; others are JSON with a key "type".
//
//	client: hello; input, row (binary); pause, run, step, pace, advance, reset, rewind, keep, return, set, tire,
//	  take-over, hand-back, seat, signals, tile, feed
//	server: scene; state (binary); event; error; ok; signals; settings; course; cones; figures; tile
//
// A program that feeds a view sends the order feed once, with the names of values, and then rows of these values.
package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"skidpad/harness/workbench/runs/live"
)

// Protocol is the subprotocol.
const Protocol = "skidpad-view.1"

// Limits of messages of clients.
const (
	MostBytes  = 16 << 10
	MostRate   = 240.0 // states a second
	mostDetail = 64    // letters of an identity or a type
	mostNames  = 64    // signals that a viewer chooses
)

// Kinds of binary messages.
const (
	stateKind = 1
	inputKind = 2
	rowKind   = 3
)

// InputBytes is the size of an input.
const InputBytes = 25

// Input reads the state of a driver's device:
//
//	u8 kind, u8 device, u16 keys, u32 number, f32 steering, throttle, brake, clutch, i8 gear
//
// The steering of a gamepad goes from -1 to 1; that of a steering wheel or a program is an angle [rad]. It is positive
// to the left.
func Input(data []byte) (c live.Command, err error) {
	if len(data) != InputBytes || data[0] != inputKind {
		return c, fmt.Errorf("a binary message of %d bytes is no input, which begins with %d and has %d bytes", len(data),
			inputKind, InputBytes)
	}
	c.Device, c.Keys = live.Device(data[1]), live.Key(binary.LittleEndian.Uint16(data[2:]))
	c.Number = binary.LittleEndian.Uint32(data[4:])
	if c.Device > live.Program {
		return c, fmt.Errorf("the device %d; there are the devices 0 to %d", c.Device, live.Program)
	}
	for i, to := range []*float32{&c.Steering, &c.Throttle, &c.Brake, &c.Clutch} {
		*to = math.Float32frombits(binary.LittleEndian.Uint32(data[8+4*i:]))
		if *to != *to || math.IsInf(float64(*to), 0) {
			return c, errors.New("an input is not finite")
		}
	}
	c.Gear = int8(data[24])
	return c, nil
}

// AppendInput writes an input, for clients.
func AppendInput(to []byte, c live.Command) []byte {
	to = append(to, inputKind, byte(c.Device))
	to = binary.LittleEndian.AppendUint16(to, uint16(c.Keys))
	to = binary.LittleEndian.AppendUint32(to, c.Number)
	for _, x := range []float32{c.Steering, c.Throttle, c.Brake, c.Clutch} {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(x))
	}
	return append(to, byte(c.Gear))
}

// Row is a moment that a program feeds.
type Row struct {
	Number uint32  // counts the rows
	Time   float64 // s
	Values []float64
}

// rowHead is the size of a row without values.
const rowHead = 16

// ParseRow reads a row. Its values may be NaN; the code that knows their names checks them:
//
//	u8 kind, 3 bytes 0, u32 number, f64 time, f64 for each name of the order feed
func ParseRow(data []byte) (r Row, err error) {
	if len(data) < rowHead || len(data) > MostBytes || len(data)%8 != 0 || [4]byte(data) != [4]byte{rowKind} {
		return r, fmt.Errorf("a binary message of %d bytes is no row, which begins with %d, 0, 0, 0 and has 16 bytes and 8 "+
			"for each value", len(data), rowKind)
	}
	r.Number = binary.LittleEndian.Uint32(data[4:])
	if r.Time = math.Float64frombits(binary.LittleEndian.Uint64(data[8:])); math.IsNaN(r.Time - r.Time) {
		return r, errors.New("the time of a row is not finite")
	}
	for at := rowHead; at < len(data); at += 8 {
		r.Values = append(r.Values, math.Float64frombits(binary.LittleEndian.Uint64(data[at:])))
	}
	return r, nil
}

// Append writes a row, for clients.
func (r *Row) Append(to []byte) []byte {
	to = append(to, rowKind, 0, 0, 0)
	to = binary.LittleEndian.AppendUint32(to, r.Number)
	for _, x := range append([]float64{r.Time}, r.Values...) {
		to = binary.LittleEndian.AppendUint64(to, math.Float64bits(x))
	}
	return to
}

// Flags of a state.
const (
	FlagPaused = 1 << iota
	FlagLate
	FlagRecording
	FlagSeat      // somebody drives
	FlagManoeuvre // the manoeuvre drives
)

// State is a moment of the vehicle, for pages.
type State struct {
	Flags   uint8
	Segment uint16
	Number  uint32       // of the last input
	Time    float64      // of the vehicle [s]
	Place   [3]float64   // of the chassis [m]
	Turn    [4]float64   // of the chassis, a quaternion w, x, y, z
	Speeds  [6]float64   // velocity and angular velocity of the chassis, in axes of the ground
	Poses   [][7]float64 // of the other frames, in the chassis
	Signals []float64
}

// Append writes a state:
//
//	u8 kind, u8 flags, u16 segment, u32 number, f64 time, 3 f64 place,
//	then f32: 4 turn, 6 speeds, 7 of each frame, signals
func (s *State) Append(to []byte) []byte {
	to = append(to, stateKind, s.Flags)
	to = binary.LittleEndian.AppendUint16(to, s.Segment)
	to = binary.LittleEndian.AppendUint32(to, s.Number)
	for _, x := range [4]float64{s.Time, s.Place[0], s.Place[1], s.Place[2]} {
		to = binary.LittleEndian.AppendUint64(to, math.Float64bits(x))
	}
	add := func(list []float64) {
		for _, x := range list {
			to = AppendSignal(to, x)
		}
	}
	add(s.Turn[:])
	add(s.Speeds[:])
	for i := range s.Poses {
		add(s.Poses[i][:])
	}
	add(s.Signals)
	return to
}

// AppendSignal adds an f32, such as a signal that a viewer has chosen, to a state.
func AppendSignal(to []byte, value float64) []byte {
	return binary.LittleEndian.AppendUint32(to, math.Float32bits(float32(value)))
}

// Order is a message of a client. Only the fields of its type count.
type Order struct {
	Type string `json:"type"`

	// hello
	Token    string  `json:"token"`
	Kind     string  `json:"kind"` // page or program
	Identity string  `json:"identity"`
	Rate     float64 `json:"rate"` // states a second

	Slices int      `json:"slices"` // step, advance
	Pace   float64  `json:"pace"`
	Back   float64  `json:"seconds"` // rewind [s]
	Slot   int      `json:"slot"`    // keep, return
	Name   string   `json:"name"`    // set, tire
	Value  float64  `json:"value"`
	Names  []string `json:"names,omitempty"` // signals; feed: what the values of rows are
	I      int      `json:"i"`               // tile: along x, along y, and level
	J      int      `json:"j"`
	Level  int      `json:"level"`
	Number int      `json:"number"` // that the answer repeats
}

// ParseOrder reads a text message.
func ParseOrder(data []byte) (o Order, err error) {
	if len(data) > MostBytes {
		return o, fmt.Errorf("a message of %d bytes; at most %d are read", len(data), MostBytes)
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("a text message is no order: %w", err)
	}
	if len(o.Type) > mostDetail || len(o.Identity) > mostDetail || len(o.Name) > 4*mostDetail {
		return o, fmt.Errorf("a type or an identity of more than %d letters", mostDetail)
	}
	for _, name := range o.Names {
		if len(name) > 4*mostDetail {
			return o, fmt.Errorf("the name of a signal has more than %d letters", 4*mostDetail)
		}
	}
	if o.Type == "signals" && len(o.Names) > mostNames { // a feed has as many as a message holds
		return o, fmt.Errorf("%d signals; a viewer chooses at most %d", len(o.Names), mostNames)
	}
	return o, nil
}

// CheckHello is the error of a first message.
func (o *Order) CheckHello() error {
	switch {
	case o.Type != "hello":
		return fmt.Errorf("the first message is %q; it must be hello", o.Type)
	case o.Kind != "page" && o.Kind != "program":
		return fmt.Errorf("hello has the kind %q; it is page or program", o.Kind)
	case !(o.Rate >= 1 && o.Rate <= MostRate):
		return fmt.Errorf("hello has the rate %g; 1 to %g states a second are possible", o.Rate, MostRate)
	}
	return nil
}

// Note is a message of the server: event, error or ok.
type Note struct {
	Type    string  `json:"type"`
	Number  int     `json:"number,omitempty"` // of the order
	Order   string  `json:"order,omitempty"`
	Kind    string  `json:"kind,omitempty"` // of an event
	Segment int     `json:"segment,omitempty"`
	Slice   int     `json:"slice,omitempty"`
	Time    float64 `json:"time"`
	Text    string  `json:"text,omitempty"`
}
