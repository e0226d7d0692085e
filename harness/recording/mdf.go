package recording

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"io"
	"math"
	"strings"
)

// mdfFile is a measurement file of ASAM MDF 4.10: one group of channels, whose master is the time. The comment of the
// file holds the facts, each channel its unit, its text and its role.
var mdfFile = format{ending: ".mf4", text: "ASAM MDF 4.10", single: true, write: writeMDF}

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

// comment is what the file says of itself.
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
func (m *mdf) channel(next uint64, s *Signal, kind, sync uint8, offset, bits int) uint64 {
	name, unit, about := m.text("TX", s.Name), m.text("TX", s.Unit), m.text("TX", s.Text)
	if s.Role != "" {
		about = m.text("MD", "<CNcomment><TX>"+escaped(s.Text)+`</TX><common_properties><e name="role">`+escaped(s.Role)+
			"</e></common_properties></CNcomment>")
	}
	return m.block("CN", []uint64{next, 0, name, 0, 0, 0, unit, about}, packed(kind, sync, uint8(mdfFloat), uint8(0),
		uint32(offset), uint32(bits), uint32(0), uint32(0), uint8(0), uint8(0), uint16(0), make([]float64, 6)))
}

func writeMDF(to io.Writer, r *Recording) error {
	width := 8
	if r.Single {
		width = 4
	}
	record := 8 + width*len(r.Signals)
	m := &mdf{}
	m.WriteString("MDF     4.10    Skidpad ")
	m.put(uint32(0), uint16(410), make([]byte, 30), uint32(0))
	const header = 64 // behind the identification, where programs look for it
	m.block("HD", make([]uint64, 6), make([]byte, 32))
	history := m.block("FH", []uint64{0, m.text("MD", "<FHcomment><TX>written</TX><tool_id>Skidpad</tool_id>"+
		"<tool_vendor>Skidpad</tool_vendor><tool_version>"+escaped(r.Fact("version"))+"</tool_version></FHcomment>")},
		make([]byte, 16))
	about := m.text("MD", r.comment())
	next := uint64(0)
	for i := len(r.Signals) - 1; i >= 0; i-- {
		next = m.channel(next, &r.Signals[i], mdfValue, 0, 8+width*i, 8*width)
	}
	time := m.channel(next, &Signal{Name: "time", Unit: "s", Text: "time"}, mdfMaster, mdfTime, 0, 64)
	group := m.block("CG", []uint64{0, time, 0, 0, 0, 0}, packed(uint64(0), uint64(len(r.Time)), uint16(0), uint16(0),
		uint32(0), uint32(record), uint32(0)))
	rows := make([]byte, 0, record*len(r.Time))
	for n, t := range r.Time {
		rows = binary.LittleEndian.AppendUint64(rows, math.Float64bits(t))
		for i := range r.Signals {
			x := r.Signals[i].Values[n]
			if r.Single {
				rows = binary.LittleEndian.AppendUint32(rows, math.Float32bits(float32(x)))
			} else {
				rows = binary.LittleEndian.AppendUint64(rows, math.Float64bits(x))
			}
		}
	}
	data := m.block("DT", nil, rows)
	groups := m.block("DG", []uint64{0, group, data, 0}, make([]byte, 8))
	all := m.Bytes()
	for i, link := range []uint64{groups, history, 0, 0, 0, about} {
		binary.LittleEndian.PutUint64(all[header+mdfHead+mdfLink*i:], link)
	}
	_, err := to.Write(all)
	return err
}
