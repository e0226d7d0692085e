package recording

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
)

// mdfFile is a measurement file of ASAM MDF 4.10: one group of channels, whose master is the time. The comment of the
// file holds the facts, each channel its unit, its text and its role.
var mdfFile = format{ending: ".mf4", text: "ASAM MDF 4.10", single: true, grows: true, write: writeMDF,
	rows: newMDFRows}

func writeMDF(to io.Writer, r *Recording) error { return begins(newMDFRows).writeAll(to, r) }

// Sizes of the parts of a block of MDF 4: the head before the links, and a link.
const (
	mdfHead = 24
	mdfLink = 8
)

// mdf is a file being made. Blocks refer to each other by their places.
type mdf struct{ bytes.Buffer }

// block adds a block with links to others and returns its place.
func (m *mdf) block(id string, links []uint64, data []byte) uint64 {
	m.Write(make([]byte, -m.Len()&7))
	at := uint64(m.Len())
	m.WriteString("##" + id)
	m.put(uint32(0), uint64(mdfHead+mdfLink*len(links)+len(data)), uint64(len(links)), links)
	m.Write(data)
	return at
}

func (m *mdf) put(values ...any) { m.Write(packed(values...)) }

// packed are numbers as they lie in the file.
func packed(values ...any) (b []byte) {
	var err error
	for _, v := range values {
		if b, err = binary.Append(b, binary.LittleEndian, v); err != nil {
			panic(err) // numbers have a size
		}
	}
	return b
}

// text adds a block of text or of XML; "" is none.
func (m *mdf) text(id, text string) uint64 {
	if text == "" {
		return 0
	}
	b := append([]byte(text), 0)
	return m.block(id, nil, append(b, make([]byte, -len(b)&7)...))
}

// escaped is text within XML.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder takes all
	return b.String()
}

// comment is the description of the run in the file.
func (r *Recording) comment() string {
	var b strings.Builder
	b.WriteString("<HDcomment><TX>" + escaped(r.Fact("title")) + "</TX><common_properties>")
	for _, f := range r.Facts {
		b.WriteString(`<e name="` + escaped(f.Name) + `">` + escaped(f.Text) + "</e>")
	}
	b.WriteString("</common_properties></HDcomment>")
	return b.String()
}

// Kinds of channels and data of MDF 4.
const (
	mdfValue, mdfMaster = 0, 2
	mdfTime             = 1 // what a master is synchronised by
	mdfFloat            = 4 // IEEE 754, little-endian
)

// channel adds a channel of numbers at a place of each record.
func (m *mdf) channel(next uint64, c *trace.Channel, kind, sync uint8, offset, bits int) uint64 {
	name, unit, about := m.text("TX", c.Name), m.text("TX", c.Unit), m.text("TX", c.Text)
	if c.Role != "" {
		about = m.text("MD", "<CNcomment><TX>"+escaped(c.Text)+`</TX><common_properties><e name="role">`+escaped(c.Role)+
			"</e></common_properties></CNcomment>")
	}
	return m.block("CN", []uint64{next, 0, name, 0, 0, 0, unit, about}, packed(kind, sync, uint8(mdfFloat), uint8(0),
		uint32(offset), uint32(bits), uint32(0), uint32(0), uint8(0), uint8(0), uint16(0), make([]float64, 6)))
}

// mdfRows writes a file: its blocks are followed by one of data, which grows. The header of this block and the count of
// rows are corrected after each write, so that the file can be read at any time.
type mdfRows struct {
	to     io.Writer
	places io.WriterAt
	single bool

	rows          []byte // that are not written yet
	pace          pace
	record        int    // bytes of a row
	count         uint64 // of rows that are written
	begin, counts int64  // places of the block of data, and of the count of rows
	about         []Fact // that the file says
	comment       func(facts []Fact) string
}

// mdfHeader is the place of the header block, where programs look for it, behind the identification.
const mdfHeader = 64

func newMDFRows(to io.Writer, r *Recording) (rowWriter, error) {
	places, has := to.(io.WriterAt)
	if file, is := to.(*output.Growing); !has || is && !file.HasPlaces() {
		m := &inMemory{}
		rows, err := newMDFRows(m, r)
		return &mdfAtOnce{rows, m, to}, err
	}
	width := 8
	if r.Single {
		width = 4
	}
	w := &mdfRows{to: to, places: places, single: r.Single, record: 8 + width*len(r.Channels), about: r.Facts,
		comment: func(facts []Fact) string { return (&Recording{Facts: facts}).comment() }}
	m := &mdf{}
	m.WriteString("MDF     4.10    Skidpad ")
	m.put(uint32(0), uint16(410), make([]byte, 30), uint32(0))
	m.block("HD", make([]uint64, 6), make([]byte, 32))
	history := m.block("FH", []uint64{0, m.text("MD", "<FHcomment><TX>written</TX><tool_id>Skidpad</tool_id>"+
		"<tool_vendor>Skidpad</tool_vendor><tool_version>"+escaped(r.Fact("version"))+"</tool_version></FHcomment>")},
		make([]byte, 16))
	about := m.text("MD", r.comment())
	next := uint64(0)
	for i := len(r.Channels) - 1; i >= 0; i-- {
		next = m.channel(next, &r.Channels[i], mdfValue, 0, 8+width*i, 8*width)
	}
	time := m.channel(next, &trace.Channel{Name: "time", Unit: "s", Text: "time"}, mdfMaster, mdfTime, 0, 64)
	group := m.block("CG", []uint64{0, time, 0, 0, 0, 0}, packed(uint64(0), uint64(0), uint16(0), uint16(0),
		uint32(0), uint32(w.record), uint32(0)))
	w.counts = int64(group) + mdfHead + 6*mdfLink + 8
	data := uint64(m.Len()) + mdfHead + 4*mdfLink + 8 // behind the group of data, which fills its 8 bytes up
	groups := m.block("DG", []uint64{0, group, data, 0}, make([]byte, 8))
	w.begin = int64(m.block("DT", nil, nil))
	all := m.Bytes()
	for i, link := range []uint64{groups, history, 0, 0, 0, about} {
		binary.LittleEndian.PutUint64(all[mdfHeader+mdfHead+mdfLink*i:], link)
	}
	_, err := to.Write(all)
	return w, err
}

func (w *mdfRows) row(time float64, values []float64) error {
	w.rows = binary.LittleEndian.AppendUint64(w.rows, math.Float64bits(time))
	for _, x := range values {
		if w.single {
			w.rows = binary.LittleEndian.AppendUint32(w.rows, math.Float32bits(float32(x)))
		} else {
			w.rows = binary.LittleEndian.AppendUint64(w.rows, math.Float64bits(x))
		}
	}
	if !w.pace.due(len(w.rows)) {
		return nil
	}
	return w.flush()
}

// flush writes the rows, then how long their block is, and then how many there are.
func (w *mdfRows) flush() error {
	if _, err := w.to.Write(w.rows); err != nil {
		return err
	}
	w.count += uint64(len(w.rows) / w.record)
	w.rows = w.rows[:0]
	return cmp.Or(w.put(w.begin+8, mdfHead+w.count*uint64(w.record)), w.put(w.counts, w.count))
}

// put writes a number over what is at a place.
func (w *mdfRows) put(at int64, x uint64) error {
	_, err := w.places.WriteAt(packed(x), at)
	return err
}

// end writes the facts again if they differ from the facts written at the beginning.
func (w *mdfRows) end(facts []Fact) error {
	if err := w.flush(); err != nil || slices.Equal(facts, w.about) {
		return err
	}
	end := w.begin + mdfHead + int64(w.count)*int64(w.record)
	fill := -end & 7
	m := &mdf{}
	m.text("MD", w.comment(facts))
	if _, err := w.to.Write(append(make([]byte, fill), m.Bytes()...)); err != nil {
		return err
	}
	return w.put(mdfHeader+mdfHead+mdfLink*5, uint64(end+fill))
}

// inMemory is a file in memory, with places.
type inMemory struct{ bytes.Buffer }

// WriteAt writes over what is at a place.
func (m *inMemory) WriteAt(p []byte, at int64) (int, error) { return copy(m.Bytes()[at:], p), nil }

// mdfAtOnce writes a file in the end, to what has no places, such as a pipe.
type mdfAtOnce struct {
	rowWriter
	file *inMemory
	to   io.Writer
}

func (w *mdfAtOnce) end(facts []Fact) error {
	if err := w.rowWriter.end(facts); err != nil {
		return err
	}
	_, err := w.to.Write(w.file.Bytes())
	return err
}
