// Package controlpipe lets a program behind a pipe control a vehicle in the runs of a manoeuvre.
//
//	program -> settings -> Open -> drive.Control
//	begin, rows of signals, end -> program; program -> rows of outputs
//
// docs/own-controllers.md describes the protocol.
package controlpipe

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Version is the version of the protocol.
const Version = 1

// Kinds of frames.
const (
	settingsFrame = 1 + iota // from the program, once: JSON
	beginFrame               // to the program: JSON
	rowFrame                 // to the program: time and signals; from it: outputs
	endFrame                 // to the program: the verdict of the run
	failureFrame             // from the program in place of a row: why it ends the run
)

const (
	headBytes    = 8
	mostSettings = 1 << 20 // bytes
	mostFailure  = 1 << 16 // bytes
	mostNames    = 10_000  // of signals or outputs
)

// settings are what a program wants.
type settings struct {
	Protocol int      `json:"protocol"`
	Sample   float64  `json:"sample"` // s
	Signals  []string `json:"signals"`
	Outputs  []string `json:"outputs"`
}

// begin announces a run.
type begin struct {
	Manoeuvre string `json:"manoeuvre"`
	Run       int    `json:"run"` // from 1 on, in the order of the runs, with those before the manoeuvre
}

// pipe is a program at the other end.
type pipe struct {
	from   io.Reader
	to     io.Writer
	runs   int
	broken error // no more can be exchanged
	row    []byte
}

// Open reads what a program wants, and lets it control.
func Open(from io.Reader, to io.Writer) (*drive.Control, error) {
	p := &pipe{from: from, to: to}
	kind, data, err := p.receive(mostSettings)
	if err != nil {
		return nil, err
	}
	var s settings
	if err := json.Unmarshal(data, &s); kind != settingsFrame || err != nil {
		return nil, p.breaks("the first frame has kind %d; it must be of kind %d with settings as JSON, such as "+
			`{"protocol": 1, "sample": 0.01, "signals": ["@chassis.vx"], "outputs": ["@throttle"]}`, kind, settingsFrame)
	}
	switch {
	case s.Protocol != Version:
		return nil, p.breaks("the program speaks version %d of the protocol; this version of Skidpad speaks %d", s.Protocol,
			Version)
	case !(s.Sample > 0) || math.IsInf(s.Sample, 0):
		return nil, p.breaks("the sample is %g s; it must be above 0", s.Sample)
	case len(s.Signals) > mostNames || len(s.Outputs) > mostNames:
		return nil, p.breaks("there are %d signals and %d outputs; at most %d of each are allowed", len(s.Signals),
			len(s.Outputs), mostNames)
	}
	return &drive.Control{Sample: s.Sample, Signals: s.Signals, Outputs: s.Outputs, Program: p}, nil
}

// breaks notes an error after which nothing can be exchanged.
func (p *pipe) breaks(format string, args ...any) error {
	if p.broken == nil {
		p.broken = fmt.Errorf("--control-pipe: "+format, args...)
	}
	return p.broken
}

// send writes a frame.
func (p *pipe) send(kind uint32, data []byte) error {
	if p.broken != nil {
		return p.broken
	}
	frame := binary.LittleEndian.AppendUint32(make([]byte, 0, headBytes+len(data)), kind)
	frame = append(binary.LittleEndian.AppendUint32(frame, uint32(len(data))), data...)
	if _, err := p.to.Write(frame); err != nil {
		return p.breaks("the program does not read any more: %w", err)
	}
	return nil
}

// receive reads a frame with at most some bytes of data.
func (p *pipe) receive(most uint32) (kind uint32, data []byte, err error) {
	if p.broken != nil {
		return 0, nil, p.broken
	}
	var head [headBytes]byte
	if _, err := io.ReadFull(p.from, head[:]); err != nil {
		return 0, nil, p.lost(err)
	}
	kind = binary.LittleEndian.Uint32(head[:])
	size := binary.LittleEndian.Uint32(head[4:])
	if size > most {
		return 0, nil, p.breaks("a frame of kind %d announces %d bytes; at most %d are allowed here", kind, size, most)
	}
	data = make([]byte, size)
	if _, err := io.ReadFull(p.from, data); err != nil {
		return 0, nil, p.lost(err)
	}
	return kind, data, nil
}

// lost is the error of a program that has ended.
func (p *pipe) lost(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return p.breaks("the program has ended, or closed its end of the pipe, before the runs were over")
	}
	return p.breaks("reading from the program: %w", err)
}

// Begin announces a run.
func (p *pipe) Begin(m *manoeuvre.Manoeuvre) error {
	p.runs++
	data, err := json.Marshal(begin{m.Name, p.runs})
	if err != nil {
		return err
	}
	return p.send(beginFrame, data)
}

// Act sends the time and the signals, and takes the outputs.
func (p *pipe) Act(t float64, signals, outputs []float64) error {
	p.row = appendNumber(p.row[:0], t)
	for _, x := range signals {
		p.row = appendNumber(p.row, x)
	}
	if err := p.send(rowFrame, p.row); err != nil {
		return err
	}
	const each = 8
	size := each * len(outputs)
	kind, data, err := p.receive(uint32(max(size, mostFailure)))
	switch {
	case err != nil:
		return err
	case kind == failureFrame:
		return fmt.Errorf("the control has failed: %s", data)
	case kind != rowFrame:
		return p.breaks("a frame has kind %d; in a run the program answers each row by a row (%d) or a failure (%d)", kind,
			rowFrame, failureFrame)
	case len(data) != size:
		return p.breaks("a row has %d bytes; %d numbers of 8 bytes are %d bytes", len(data), len(outputs), size)
	}
	for i := range outputs {
		outputs[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[each*i:]))
	}
	return nil
}

func appendNumber(row []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(row, math.Float64bits(x))
}

// End says how a run has ended.
func (p *pipe) End(verdict string) error {
	if p.broken != nil {
		return nil // which the run says
	}
	return p.send(endFrame, []byte(verdict))
}
