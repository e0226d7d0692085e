package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mdfContent is the content of a file of MDF 4.
type mdfContent struct {
	about   string // comment of the file
	names   []string
	units   []string
	texts   []string
	columns [][]float64
}

// readMDF reads a file by the rules of ASAM MDF 4.1: blocks at multiples of 8 bytes within the file, with the stated
// lengths; links from block to block; records of numbers at the offsets stated by the channels.
func readMDF(b []byte) (c mdfContent, err error) {
	type block struct {
		id    string
		links []uint64
		data  []byte
	}
	at := func(offset uint64, id string) (found block) {
		if err != nil {
			return found
		}
		if offset%8 != 0 || offset+mdfHead > uint64(len(b)) {
			err = fmt.Errorf("a block %s at %d of %d bytes", id, offset, len(b))
			return found
		}
		length, links := binary.LittleEndian.Uint64(b[offset+8:]), binary.LittleEndian.Uint64(b[offset+16:])
		if found.id = string(b[offset : offset+4]); found.id != "##"+id && !(id == "TX" && found.id == "##MD") ||
			length < mdfHead+mdfLink*links || offset+length > uint64(len(b)) {
			err = fmt.Errorf("block %q of %d bytes with %d links at %d of %d, want %s", found.id, length, links, offset, len(b),
				id)
			return block{}
		}
		for i := range links {
			found.links = append(found.links, binary.LittleEndian.Uint64(b[offset+mdfHead+mdfLink*i:]))
		}
		found.data = b[offset+mdfHead+mdfLink*links : offset+length]
		return found
	}
	text := func(offset uint64) string {
		if offset == 0 || err != nil {
			return ""
		}
		t, _, _ := strings.Cut(string(at(offset, "TX").data), "\x00")
		return t
	}
	if len(b) < 64 || string(b[:16]) != "MDF     4.10    " || binary.LittleEndian.Uint16(b[28:]) != 410 {
		return c, fmt.Errorf("no file of MDF 4.10")
	}
	head := at(64, "HD")
	if err != nil {
		return c, err
	}
	c.about = text(head.links[5])
	at(head.links[1], "FH")
	group := at(head.links[0], "DG")
	if err != nil {
		return c, err
	}
	channels, data := at(group.links[1], "CG"), at(group.links[2], "DT")
	if err != nil {
		return c, err
	}
	count, record := binary.LittleEndian.Uint64(channels.data[8:]), uint64(binary.LittleEndian.Uint32(channels.data[24:]))
	if count*record > uint64(len(data.data)) {
		return c, fmt.Errorf("%d records of %d bytes in %d", count, record, len(data.data))
	}
	for next := channels.links[1]; next != 0 && err == nil; {
		n := at(next, "CN")
		if err != nil {
			break
		}
		offset, bits := binary.LittleEndian.Uint32(n.data[4:]), binary.LittleEndian.Uint32(n.data[8:])
		if n.data[2] != 4 || uint64(offset+bits/8) > record {
			return c, fmt.Errorf("type %d, %d bits at %d of %d", n.data[2], bits, offset, record)
		}
		if master := n.data[0] == 2; master != (len(c.names) == 0) {
			return c, fmt.Errorf("channel %d has the type %d", len(c.names), n.data[0])
		}
		var column []float64
		for k := range count {
			x := data.data[k*record+uint64(offset):]
			switch bits {
			case 64:
				column = append(column, math.Float64frombits(binary.LittleEndian.Uint64(x)))
			case 32:
				column = append(column, float64(math.Float32frombits(binary.LittleEndian.Uint32(x))))
			default:
				return c, fmt.Errorf("numbers of %d bits", bits)
			}
		}
		c.names, c.units = append(c.names, text(n.links[2])), append(c.units, text(n.links[6]))
		c.texts, c.columns = append(c.texts, text(n.links[7])), append(c.columns, column)
		next = n.links[0]
	}
	return c, err
}

// same reports whether two numbers are the same bits, or both no number.
func same(a, b float64) bool { return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b }

// A file of MDF, read back, has the times in double precision, the signals in the requested precision, with unit, text
// and role, and the facts of the run.
func TestMDFFilesReadBack(t *testing.T) {
	for _, single := range []bool{false, true} {
		r := sample()
		r.Single = single
		var b bytes.Buffer
		if err := r.Write("run.mf4", &b); err != nil {
			t.Fatal(err)
		}
		c, err := readMDF(b.Bytes())
		if err != nil {
			t.Fatalf("single %v: %v", single, err)
		}
		if !strings.Contains(c.about, "<TX>a &lt;b&gt; &amp; &#34;c&#34;</TX>") ||
			!strings.Contains(c.about, `<e name="names">a fact that is called like a field</e>`) {
			t.Errorf("the file says %s", c.about)
		}
		if len(c.names) != len(r.Channels)+1 || c.names[0] != "time" || !slices.Equal(c.columns[0], r.Time) {
			t.Fatalf("single %v: %q, times %v", single, c.names, c.columns)
		}
		for i, s := range r.Channels {
			if c.names[i+1] != s.Name || c.units[i+1] != s.Unit || !strings.Contains(c.texts[i+1], escaped(s.Role)) {
				t.Errorf("channel %d is %q in %q: %q", i, c.names[i+1], c.units[i+1], c.texts[i+1])
			}
			for n, x := range r.Values[i] {
				if single {
					x = float64(float32(x))
				}
				if got := c.columns[i+1][n]; !same(got, x) {
					t.Errorf("single %v: %s in row %d is %g, want %g", single, s.Name, n, got, x)
				}
			}
		}
	}
}

// A file that grows with the run can be read at any time: it holds the first rows of the run. In the end it holds all
// rows and all facts.
func TestFilesThatGrowCanBeReadAtAnyTime(t *testing.T) {
	const rows = 40_000
	for _, name := range []string{"run.csv", "run.mf4", "single.mf4"} {
		path := filepath.Join(t.TempDir(), name)
		r := recordingOf(nil, []Fact{{"title", "T"}}, []signal{{name: "a", unit: "m"}, {name: "b"}})
		r.Single = name == "single.mf4"
		s, err := NewStream(path, nil, r)
		if err != nil {
			t.Fatal(err)
		}
		value := func(n int) [2]float64 { return [2]float64{math.Sin(float64(n)), float64(n)} }
		read := func() int {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var columns [][]float64
			if name == "run.csv" {
				if got, err := Read(path); err != nil {
					t.Fatalf("%d bytes: %v", len(data), err)
				} else {
					columns = append([][]float64{got.Time}, got.Values...)
				}
			} else {
				c, err := readMDF(data)
				if err != nil {
					t.Fatal(err)
				}
				columns = c.columns
			}
			for n, at := range columns[0] {
				want := value(n)
				if r.Single {
					want[0] = float64(float32(want[0]))
				}
				if at != float64(n)/1000 || columns[1][n] != want[0] || columns[2][n] != want[1] {
					t.Fatalf("%s: row %d of %d is %g, %g, %g", name, n, len(columns[0]), at, columns[1][n], columns[2][n])
				}
			}
			return len(columns[0])
		}
		before, grown := 0, 0
		for n := range rows {
			v := value(n)
			if err := s.Row(float64(n)/1000, v[:]); err != nil {
				t.Fatal(err)
			}
			if n%4999 == 0 {
				now := read()
				if behind := n + 1 - now; behind*8 > mostGathered {
					t.Errorf("%s is %d rows behind", name, behind)
				}
				if now > before {
					grown++
				}
				before = now
			}
		}
		if grown < 5 {
			t.Errorf("%s has grown %d times", name, grown)
		}
		if err := s.End([]Fact{{"title", "T"}, {"verdict", "spun"}}); err != nil {
			t.Fatal(err)
		}
		if now := read(); now != rows {
			t.Errorf("%s has %d rows", name, now)
		}
		if name != "run.csv" {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if c, err := readMDF(data); err != nil || !strings.Contains(c.about, `<e name="verdict">spun</e>`) {
				t.Errorf("%s says %s, %v", name, c.about, err)
			}
		}
	}
}

// A Parquet file has a temporary name until it is complete. Its rows are in groups of at most 16 MB, so the memory does
// not grow with the length of the run. An earlier file at its path stays until then.
func TestParquetFilesGrowAside(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "run.parquet")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	var list []signal
	values := make([]float64, 1000)
	for i := range values {
		list = append(list, signal{name: fmt.Sprint("s", i)})
	}
	r := recordingOf(nil, []Fact{{"title", "T"}}, list)
	s, err := NewStream(path, nil, r)
	if err != nil {
		t.Fatal(err)
	}
	const rows = 3000
	number := func(row, column int) float64 { return math.Sin(float64(row*1000+column) * 12345) } // not compressible
	for n := range rows {
		for i := range values {
			values[i] = number(n, i)
		}
		if err := s.Row(float64(n), values); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("before the end %q, %v", text, err)
	}
	parts, err := filepath.Glob(filepath.Join(folder, "run.parquet.*.part"))
	if err != nil || len(parts) != 1 {
		t.Fatalf("%q, %v", parts, err)
	}
	if info, err := os.Stat(parts[0]); err != nil || info.Size() < 1<<20 {
		t.Errorf("%s: %v, %v", parts[0], info, err)
	}
	if err := s.End([]Fact{{"verdict", "spun"}}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := openParquet(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range file.RowGroups() {
		if g.NumRows()*1001 > mostOfAGroup {
			t.Errorf("a group of %d rows", g.NumRows())
		}
	}
	if file.NumRows() != rows || FactOf(path, "verdict") != "spun" {
		t.Errorf("%d rows, %q", file.NumRows(), FactOf(path, "verdict"))
	}
	names, columns, err := ReadColumns(path)
	if err != nil {
		t.Fatal(err)
	}
	for k, name := range names {
		column := 0
		if name != "time" {
			if _, err := fmt.Sscanf(name, "s%d", &column); err != nil {
				t.Fatal(err)
			}
		}
		for n, x := range columns[k] {
			want := float64(n)
			if name != "time" {
				want = number(n, column)
			}
			if x != want {
				t.Fatalf("%s in row %d is %g", name, n, x)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(folder, "*.part")); err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
}
