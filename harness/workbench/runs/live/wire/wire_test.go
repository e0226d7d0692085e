package wire

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/live"
)

// Inputs come back. Inputs of another size, device or kind, and numbers that are not finite are refused.
func TestInputsComeBack(t *testing.T) {
	want := live.Command{Device: live.Wheel, Keys: live.KeyHold | live.KeyLeft, Number: 4_000_000_000, Steering: -1.5,
		Throttle: 0.25, Brake: 0.5, Clutch: 0.75, Gear: -1}
	data := AppendInput(nil, want)
	if got, err := Input(data); err != nil || got != want || len(data) != InputBytes {
		t.Errorf("%+v becomes %+v, %v", want, got, err)
	}
	change := func(at int, to byte) []byte {
		other := append([]byte{}, data...)
		other[at] = to
		return other
	}
	endless := AppendInput(nil, live.Command{Brake: float32(math.Inf(1))})
	for name, faulty := range map[string][]byte{"short": data[:24], "long": append(change(0, 2), 0), "kind": change(0, 1),
		"device": change(1, 4), "NaN": AppendInput(nil, live.Command{Steering: float32(math.NaN())}), "endless": endless,
		"empty": nil} {
		if _, err := Input(faulty); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Rows come back. Rows of another size or kind, longer than a message may be, or at no finite time are refused.
func TestRowsComeBack(t *testing.T) {
	want := Row{Number: 3_000_000_000, Time: 1.25, Values: []float64{1e300, -2, 3}}
	data := want.Append(nil)
	got, err := ParseRow(data)
	if err != nil || got.Number != want.Number || got.Time != want.Time || !slices.Equal(got.Values, want.Values) ||
		len(data) != 16+3*8 {
		t.Errorf("%+v becomes %+v, %v", want, got, err)
	}
	longest := Row{Values: make([]float64, MostBytes/8-2)}
	if _, err := ParseRow(longest.Append(nil)); err != nil {
		t.Error(err)
	}
	longer := Row{Values: make([]float64, MostBytes/8-1)}
	kind, zero := want.Append(nil), want.Append(nil)
	kind[0], zero[3] = 2, 1
	for name, faulty := range map[string][]byte{"empty": nil, "head": data[:8], "cut": data[:len(data)-1], "kind": kind,
		"zero": zero, "long": longer.Append(nil), "NaN": (&Row{Time: math.NaN()}).Append(nil),
		"endless": (&Row{Time: math.Inf(-1)}).Append(nil)} {
		if _, err := ParseRow(faulty); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// States have their places and lengths.
func TestStatesAreWritten(t *testing.T) {
	s := State{Flags: FlagPaused | FlagSeat, Segment: 513, Number: 9, Time: 1.5, Place: [3]float64{1e5 + 1e-4, 2, 3},
		Turn: [4]float64{1, 0, 0, 0}, Speeds: [6]float64{1, 2, 3, 4, 5, 6}, Poses: make([][7]float64, 3),
		Signals: []float64{7, 8}}
	s.Poses[2][6] = 0.5
	data := s.Append(nil)
	f := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[at:])) }
	if len(data) != 8+4*8+4*(4+6+3*7+2) || data[0] != 1 || data[1] != 9 || binary.LittleEndian.Uint16(data[2:]) != 513 ||
		math.Float64frombits(binary.LittleEndian.Uint64(data[16:])) != 1e5+1e-4 || f(40) != 1 || f(56) != 1 || f(76) != 6 ||
		f(len(data)-12) != 0.5 || f(len(data)-4) != 8 {
		t.Errorf("%d bytes: %v", len(data), data)
	}
}

// Orders beyond their limits are refused.
func TestOrders(t *testing.T) {
	o, err := ParseOrder([]byte(`{"type":"rewind","seconds":5,"number":3}`))
	if err != nil || o.Type != "rewind" || o.Back != 5 || o.Number != 3 {
		t.Errorf("%+v, %v", o, err)
	}
	for _, text := range []string{"", "[]", "{", `{"type":7}`, `{"type":"` + strings.Repeat("x", 99) + `"}`,
		`{"type":"set","name":"` + strings.Repeat("x", 999) + `"}`,
		`{"type":"signals","names":["` + strings.Repeat("x", 999) + `"]}`,
		`{"type":"signals","names":["a"` + strings.Repeat(`,"a"`, 64) + `]}`, strings.Repeat(" ", MostBytes) + "{}"} {
		if _, err := ParseOrder([]byte(text)); err == nil {
			t.Errorf("%.40q is accepted", text)
		}
	}
	for _, o := range []Order{{Type: "run"}, {Type: "hello", Kind: "other", Rate: 60}, {Type: "hello", Kind: "page"},
		{Type: "hello", Kind: "page", Rate: 1000}, {Type: "hello", Kind: "page", Rate: math.NaN()}} {
		if o.CheckHello() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if err := (&Order{Type: "hello", Kind: "program", Rate: 60}).CheckHello(); err != nil {
		t.Error(err)
	}
}

// Whatever arrives, reading ends with a message or an error, and what is read is written alike.
func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"type":"hello","token":"x","kind":"page","rate":60}`))
	f.Add(AppendInput(nil, live.Command{Keys: live.KeyLeft}))
	f.Add((&Row{Number: 1, Time: 2, Values: []float64{3}}).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := Input(data); err == nil && string(AppendInput(nil, c)) != string(data) {
			t.Errorf("%x is written as %x", data, AppendInput(nil, c))
		}
		if r, err := ParseRow(data); err == nil && string(r.Append(nil)) != string(data) {
			t.Errorf("%x is written as %x", data, r.Append(nil))
		}
		if o, err := ParseOrder(data); err == nil {
			_ = o.CheckHello()
		}
	})
}

// A viewer chooses few signals, and a program feeds as many values as a vehicle has.
func TestNamesOfOrders(t *testing.T) {
	names := strings.Repeat(`"body.x",`, 200) + `"body.y"`
	if _, err := ParseOrder([]byte(`{"type": "signals", "names": [` + names + `]}`)); err == nil {
		t.Error("a viewer chooses 201 signals")
	}
	if o, err := ParseOrder([]byte(`{"type": "feed", "names": [` + names + `]}`)); err != nil || len(o.Names) != 201 {
		t.Errorf("a feed of 201 values: %v", err)
	}
}
