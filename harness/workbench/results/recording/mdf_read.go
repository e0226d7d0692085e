package recording

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"skidpad/harness/workbench/results/trace"
)

// otherMDF is the error of a file with blocks that Skidpad does not write.
func otherMDF(what string) error {
	return fmt.Errorf("it is an MDF file that Skidpad has not written (%s); only such files are read here. In Python, "+
		"skidpad.measurement(file) reads every MDF file and write(\"measured.parquet\") makes one that this command reads: "+
		"pip install skidpad[mdf]", what)
}

// mdfBytes is a file that is read: blocks at places.
type mdfBytes []byte

// block finds a block with its links and data.
func (m mdfBytes) block(at uint64, id string) (links []uint64, data []byte, err error) {
	if at > uint64(len(m)) || uint64(len(m))-at < mdfHead || at%8 != 0 {
		return nil, nil, otherMDF(fmt.Sprintf("no block ##%s at byte %d", id, at))
	}
	head := m[at:]
	length, count := binary.LittleEndian.Uint64(head[8:]), binary.LittleEndian.Uint64(head[16:])
	if string(head[:4]) != "##"+id {
		return nil, nil, otherMDF(fmt.Sprintf("block %q in place of ##%s", head[:4], id))
	}
	if length > uint64(len(head)) || length < mdfHead || count > (length-mdfHead)/mdfLink {
		return nil, nil, fmt.Errorf("it is not whole: the block ##%s at byte %d is longer than the file", id, at)
	}
	body := head[mdfHead:length]
	for i := range count {
		links = append(links, binary.LittleEndian.Uint64(body[i*mdfLink:]))
	}
	return links, body[count*mdfLink:], nil
}

// text returns the content of a text block, "" for the address 0.
func (m mdfBytes) text(at uint64) (string, error) {
	if at == 0 {
		return "", nil
	}
	_, data, err := m.block(at, "TX")
	return string(bytes.TrimRight(data, "\x00")), err
}

// mdfColumn is a channel with its place in each record.
type mdfColumn struct {
	channel      trace.Channel
	offset, bits int
	master       bool
}

// ReadMDF reads a file of Skidpad: one group of channels with one data block.
func ReadMDF(data []byte) (*trace.Trace, error) {
	m := mdfBytes(data)
	if len(m) < mdfHeader || string(m[:4]) != "MDF " && string(m[:4]) != "UnFi" {
		return nil, errors.New("it is not an MDF file: it does not begin with \"MDF\"")
	}
	if version := strings.TrimSpace(string(m[8:16])); !strings.HasPrefix(version, "4.") {
		return nil, otherMDF("version " + version)
	}
	links, _, err := m.block(mdfHeader, "HD")
	if err != nil || len(links) < 1 {
		return nil, cmp.Or(err, moreLinks(links, 1))
	}
	group, data, err := m.block(links[0], "DG")
	if err != nil || len(group) < 3 || len(data) < 1 {
		return nil, cmp.Or(err, moreLinks(group, 3))
	}
	if group[0] != 0 || data[0] != 0 {
		return nil, otherMDF("several groups of channels")
	}
	records, data, err := m.block(group[1], "CG")
	if err != nil || len(records) < 2 || len(data) < 32 {
		return nil, cmp.Or(err, moreLinks(records, 2))
	}
	if flags, invalid := binary.LittleEndian.Uint16(data[16:]), binary.LittleEndian.Uint32(data[28:]); records[0] != 0 ||
		flags != 0 || invalid != 0 {
		return nil, otherMDF("several groups of channels, or bits of validity")
	}
	rows, size := binary.LittleEndian.Uint64(data[8:]), uint64(binary.LittleEndian.Uint32(data[24:]))
	columns, err := m.columns(records[1], size)
	if err != nil {
		return nil, err
	}
	_, body, err := m.block(group[2], "DT")
	if err != nil {
		return nil, err
	}
	if size == 0 || rows > uint64(len(body))/size {
		return nil, fmt.Errorf("it is not whole: %d records of %d bytes are not in the file", rows, size)
	}
	if float64(rows)*float64(len(columns)) > trace.MostRead {
		return nil, fmt.Errorf("%w: at most %d are read", trace.ErrTooMany, trace.MostRead)
	}
	return columnsOfRecords(columns, body, int(rows), int(size))
}

// moreLinks is the error of a block with too few links or data.
func moreLinks(links []uint64, least int) error {
	return otherMDF(fmt.Sprintf("a block of %d links, where %d or more are written", len(links), least))
}

// columns are the channels of a group: floating-point numbers, the first of them the time.
func (m mdfBytes) columns(at, size uint64) (list []mdfColumn, err error) {
	for at != 0 {
		links, data, err := m.block(at, "CN")
		if err != nil {
			return nil, err
		}
		if len(links) < 8 || len(data) < 12 {
			return nil, moreLinks(links, 8)
		}
		c := mdfColumn{offset: int(binary.LittleEndian.Uint32(data[4:])), bits: int(binary.LittleEndian.Uint32(data[8:])),
			master: data[0] == mdfMaster}
		if data[0] != mdfValue && !c.master || data[2] != mdfFloat || data[3] != 0 || c.bits != 32 && c.bits != 64 ||
			links[4] != 0 || links[1] != 0 {
			return nil, otherMDF("a channel that is not a floating-point number")
		}
		if uint64(c.offset)+uint64(c.bits/8) > size {
			return nil, fmt.Errorf("it is not whole: a channel lies outside of its record of %d bytes", size)
		}
		if c.channel.Name, err = m.text(links[2]); err != nil {
			return nil, err
		}
		if c.channel.Unit, err = m.text(links[6]); err != nil {
			return nil, err
		}
		if list = append(list, c); len(list)*mdfHead > len(m) { // blocks that follow each other in a circle
			return nil, errors.New("it is not whole: its list of channels has no end")
		}
		at = links[0]
	}
	if len(list) == 0 || !list[0].master || list[0].channel.Unit != "s" {
		return nil, otherMDF("a group whose first channel is not its time in s")
	}
	return list, nil
}

// columnsOfRecords takes records apart. The first column is the time.
func columnsOfRecords(columns []mdfColumn, body []byte, rows, size int) (*trace.Trace, error) {
	var channels []trace.Channel
	values := make([][]float64, len(columns))
	for k, c := range columns {
		if k > 0 {
			channels = append(channels, c.channel)
		}
		values[k] = make([]float64, rows)
		for n := range rows {
			cell := body[n*size+c.offset:]
			if c.bits == 64 {
				values[k][n] = math.Float64frombits(binary.LittleEndian.Uint64(cell))
			} else {
				values[k][n] = float64(math.Float32frombits(binary.LittleEndian.Uint32(cell)))
			}
			if math.IsInf(values[k][n], 0) {
				return nil, fmt.Errorf("row %d, column %s: %g is not a finite number", n+1, c.channel.Name, values[k][n])
			}
		}
	}
	return trace.Of(channels, values), nil
}
