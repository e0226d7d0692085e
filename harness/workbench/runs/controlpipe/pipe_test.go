package controlpipe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
)

func frame(kind uint32, data []byte) []byte {
	head := binary.LittleEndian.AppendUint32(nil, kind)
	return append(binary.LittleEndian.AppendUint32(head, uint32(len(data))), data...)
}

func row(numbers ...float64) (data []byte) {
	for _, x := range numbers {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

const wanted = `{"protocol": 1, "sample": 0.01, "signals": ["a", "b"], "outputs": ["c"]}`

// A run is a frame that begins it, rows of the time and the signals that are answered by rows of outputs, and a frame
// with the verdict. A failure ends one run, and the next one goes on.
func TestRunsOverAPipe(t *testing.T) {
	answers := slices.Concat(frame(1, []byte(wanted)), frame(3, row(7)), frame(5, []byte("ValueError: hot")),
		frame(3, row(8)))
	var sent bytes.Buffer
	c, err := Open(bytes.NewReader(answers), &sent)
	if err != nil {
		t.Fatal(err)
	}
	if c.Sample != 0.01 || !slices.Equal(c.Signals, []string{"a", "b"}) || !slices.Equal(c.Outputs, []string{"c"}) {
		t.Errorf("the control is %+v", c)
	}
	outputs := []float64{0}
	m := &manoeuvre.Manoeuvre{Name: "brake"}
	check := func(err error, want string) {
		t.Helper()
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%v; want %q", err, want)
		}
	}
	check(c.Program.Begin(m), "")
	check(c.Program.Act(0, []float64{1, 2}, outputs), "")
	if outputs[0] != 7 {
		t.Errorf("the output is %g", outputs[0])
	}
	check(c.Program.Act(0.01, []float64{3, 4}, outputs), "the control has failed: ValueError: hot")
	check(c.Program.End("hot"), "")
	check(c.Program.Begin(m), "")
	check(c.Program.Act(0, []float64{5, 6}, outputs), "")
	const lost = "--control-pipe: the program has ended, or closed its end of the pipe, before the runs were over"
	check(c.Program.Act(0.01, []float64{5, 6}, outputs), lost)
	check(c.Program.End(lost), "")
	check(c.Program.Begin(m), lost)
	want := slices.Concat(frame(2, []byte(`{"manoeuvre":"brake","run":1}`)), frame(3, row(0, 1, 2)),
		frame(3, row(0.01, 3, 4)),
		frame(4, []byte("hot")), frame(2, []byte(`{"manoeuvre":"brake","run":2}`)), frame(3, row(0, 5, 6)),
		frame(3, row(0.01, 5, 6)))
	if !bytes.Equal(sent.Bytes(), want) || outputs[0] != 8 {
		t.Errorf("sent is %q; want %q", sent.Bytes(), want)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }

// Faulty frames are errors with the found and the allowed values. A frame with too large a length allocates nothing.
func TestFaultyPrograms(t *testing.T) {
	for want, answers := range map[string][]byte{
		"the program has ended": nil,
		"a frame of kind 1 announces 4294967295 bytes": append(binary.LittleEndian.AppendUint32(nil, 1),
			255, 255, 255, 255),
		"the first frame has kind 3; it must be of kind 1":  frame(3, row(1)),
		"the first frame has kind 1; it must be of kind 1 ": frame(1, []byte("{")),
		"the program speaks version 2 of the protocol; this version of Skidpad speaks 1": frame(1,
			[]byte(strings.Replace(wanted, "1", "2", 1))),
		"the sample is 0 s; it must be above 0": frame(1, []byte(strings.Replace(wanted, "0.01", "0", 1))),
	} {
		if _, err := Open(bytes.NewReader(answers), io.Discard); err == nil ||
			!strings.HasPrefix(err.Error(), "--control-pipe: "+want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	for want, answer := range map[string][]byte{
		"a row has 16 bytes; 1 numbers of 8 bytes are 8 bytes": frame(3, row(1, 2)),
		"a frame has kind 4; in a run":                         frame(4, nil),
		"a frame of kind 5 announces 65537 bytes":              frame(5, make([]byte, 1<<16+1)),
		"the program has ended":                                frame(3, row(1))[:12],
	} {
		c, err := Open(bytes.NewReader(append(frame(1, []byte(wanted)), answer...)), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Program.Act(0, []float64{1, 2}, []float64{0}); err == nil ||
			!strings.HasPrefix(err.Error(), "--control-pipe: "+want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	c, err := Open(bytes.NewReader(frame(1, []byte(wanted))), closed{})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Program.Begin(&manoeuvre.Manoeuvre{})
	if err == nil || !strings.Contains(err.Error(), "does not read any more") {
		t.Error(err)
	}
}
