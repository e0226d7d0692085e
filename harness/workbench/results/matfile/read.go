package matfile

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf16"
)

// Types of data and arrays that other programs write.
const (
	miUINT8      = 2
	miINT16      = 3
	miINT64      = 12
	miUINT64     = 13
	miCOMPRESSED = 15
	miUTF8       = 16
	miUTF16      = 17

	mxUINT64 = 15
)

// Bounds of what is read. Vectors compress well: a file of constants to a thousandth.
const (
	mostDepth   = 16
	mostTimes   = 100      // bytes that a compressed file may expand to, by its size ...
	leastExpand = 64 << 20 // ... and how many it may in any case
	headLength  = 128
)

// Value is an array that was read: real numbers, or texts, or the fields of one structure. What is none of these has
// only a name.
type Value struct {
	Name    string
	Numbers []float64 // of a vector or a matrix, by columns
	Texts   []string  // of characters, one, or of cells
	Fields  []Value
}

// Find finds a value by its name; nil where there is none.
func Find(list []Value, name string) *Value {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// reader reads elements in the byte order of a file.
type reader struct {
	binary.ByteOrder
	expand int // bytes that compressed elements may still have
}

// Read reads the variables of a MAT-file of Level 5, as MATLAB saves it with -v6 and -v7.
func Read(data []byte) ([]Value, error) {
	if bytes.HasPrefix(data, []byte("\x89HDF")) || bytes.HasPrefix(data, []byte("MATLAB 7.3")) {
		return nil, errors.New("it is a MAT-file of version 7.3 (HDF5), which is not read; save it in MATLAB with " +
			"save(file, '-v7')")
	}
	if len(data) < headLength {
		return nil, errors.New("it is not a MAT-file of version 5: it is shorter than the head of one")
	}
	r := &reader{ByteOrder: binary.LittleEndian, expand: max(leastExpand, mostTimes*len(data))}
	switch string(data[126:128]) {
	case "IM":
	case "MI":
		r.ByteOrder = binary.BigEndian
	default:
		return nil, errors.New("it is not a MAT-file of version 5; save it in MATLAB with save(file, '-v7')")
	}
	var list []Value
	for rest := data[headLength:]; len(rest) > 0; {
		kind, body, next, err := r.element(rest)
		if err != nil {
			return nil, err
		}
		rest = next
		if kind == miCOMPRESSED {
			if kind, body, err = r.expanded(body); err != nil {
				return nil, err
			}
		}
		if kind != miMATRIX {
			continue
		}
		v, err := r.array(body, 0)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// errCut is the error of an element that is longer than what it is in.
var errCut = errors.New("it is not whole: an element is longer than the file")

// element splits the first element off.
func (r *reader) element(data []byte) (kind uint32, body, rest []byte, err error) {
	if len(data) < 8 {
		return 0, nil, nil, errCut
	}
	kind = r.Uint32(data)
	if small := kind >> 16; small != 0 { // length and type in one word, the data in the next
		if small > 4 {
			return 0, nil, nil, errCut
		}
		return kind & 0xffff, data[4 : 4+small], data[8:], nil
	}
	length := uint64(r.Uint32(data[4:]))
	if length > uint64(len(data)-8) {
		return 0, nil, nil, errCut
	}
	end := 8 + length
	if kind != miCOMPRESSED { // which is not filled up
		end = min((end+7)&^7, uint64(len(data)))
	}
	return kind, data[8 : 8+length], data[end:], nil
}

// expanded is the element within a compressed one.
func (r *reader) expanded(body []byte) (kind uint32, inner []byte, err error) {
	zip, err := zlib.NewReader(bytes.NewReader(body))
	if err != nil {
		return 0, nil, fmt.Errorf("a variable cannot be expanded: %w", err)
	}
	var b bytes.Buffer
	_, err = b.ReadFrom(io.LimitReader(zip, int64(r.expand)+1))
	if err != nil {
		return 0, nil, fmt.Errorf("a variable cannot be expanded: %w", err)
	}
	data := b.Bytes()
	if r.expand -= len(data); r.expand < 0 {
		return 0, nil, fmt.Errorf("its variables expand to more than %d times the file; save it with '-v6', or save fewer",
			mostTimes)
	}
	kind, inner, _, err = r.element(data)
	return kind, inner, err
}

// array reads an array: flags, dimensions, name, then what its class has.
func (r *reader) array(body []byte, depth int) (v Value, err error) {
	if depth > mostDepth {
		return v, fmt.Errorf("structures lie deeper within each other than %d", mostDepth)
	}
	if len(body) == 0 {
		return v, nil // an empty cell or field
	}
	kind, flags, rest, err := r.element(body)
	if err != nil || kind != miUINT32 || len(flags) < 8 {
		return v, cmp.Or(err, errors.New("an array has no flags"))
	}
	class, complex := r.Uint32(flags)&0xff, r.Uint32(flags)&0x800 != 0
	if class > mxUINT64 {
		return v, nil // a function or a new object: it has no numbers
	}
	_, sizes, rest, err := r.element(rest)
	if err != nil {
		return v, err
	}
	count := uint64(1)
	for ; len(sizes) >= 4; sizes = sizes[4:] {
		if count *= uint64(r.Uint32(sizes)); count > math.MaxInt32 {
			return v, errCut
		}
	}
	_, name, rest, err := r.element(rest)
	if err != nil {
		return v, err
	}
	v.Name = string(name)
	switch {
	case class == mxCHAR:
		_, letters, _, err := r.text(rest)
		v.Texts = []string{letters}
		return v, err
	case class == mxCELL:
		for len(rest) > 0 && uint64(len(v.Texts)) < count {
			var cell Value
			if cell, rest, err = r.inner(rest, depth); err != nil {
				return v, err
			}
			v.Texts = append(v.Texts, strings.Join(cell.Texts, " "))
		}
		return v, nil
	case class == mxSTRUCT && count == 1:
		v.Fields, err = r.fields(rest, depth)
		return v, err
	case complex || class < mxDOUBLE:
		return v, nil
	}
	kind, cells, _, err := r.element(rest)
	if err != nil {
		return v, err
	}
	if v.Numbers, err = r.numbers(kind, cells); err == nil && uint64(len(v.Numbers)) != count {
		err = fmt.Errorf("variable %s: %d numbers for an array of %d", v.Name, len(v.Numbers), count)
	}
	return v, err
}

// inner reads an array within another one.
func (r *reader) inner(data []byte, depth int) (v Value, rest []byte, err error) {
	kind, body, rest, err := r.element(data)
	if err != nil || kind != miMATRIX {
		return v, nil, cmp.Or(err, errors.New("an element within an array is not an array"))
	}
	v, err = r.array(body, depth+1)
	return v, rest, err
}

// fields reads the fields of one structure.
func (r *reader) fields(rest []byte, depth int) ([]Value, error) {
	_, size, rest, err := r.element(rest)
	if err != nil || len(size) != 4 {
		return nil, cmp.Or(err, errors.New("a structure does not say how long its names are"))
	}
	width := int(r.Uint32(size))
	_, names, rest, err := r.element(rest)
	if err != nil {
		return nil, err
	}
	if width < 1 || len(names)%width != 0 {
		return nil, fmt.Errorf("names of %d bytes in a list of %d", width, len(names))
	}
	list := []Value{}
	for ; len(names) > 0; names = names[width:] {
		var v Value
		if v, rest, err = r.inner(rest, depth); err != nil {
			return nil, err
		}
		name, _, _ := bytes.Cut(names[:width], []byte{0})
		v.Name = string(name)
		list = append(list, v)
	}
	return list, nil
}

// text reads letters in one of the codes that MATLAB writes.
func (r *reader) text(data []byte) (kind uint32, letters string, rest []byte, err error) {
	kind, body, rest, err := r.element(data)
	if err != nil {
		return 0, "", nil, err
	}
	if kind != miUINT16 && kind != miUTF16 {
		return kind, string(body), rest, nil
	}
	units := make([]uint16, len(body)/2)
	for i := range units {
		units[i] = r.Uint16(body[2*i:])
	}
	return kind, string(utf16.Decode(units)), rest, nil
}

// numbers reads real numbers, which MATLAB also writes in the smallest type that holds them.
func (r *reader) numbers(kind uint32, cells []byte) ([]float64, error) {
	var width int
	var of func(cell []byte) float64
	switch kind {
	case miINT8:
		width, of = 1, func(c []byte) float64 { return float64(int8(c[0])) }
	case miUINT8:
		width, of = 1, func(c []byte) float64 { return float64(c[0]) }
	case miINT16:
		width, of = 2, func(c []byte) float64 { return float64(int16(r.Uint16(c))) }
	case miUINT16:
		width, of = 2, func(c []byte) float64 { return float64(r.Uint16(c)) }
	case miINT32:
		width, of = 4, func(c []byte) float64 { return float64(int32(r.Uint32(c))) }
	case miUINT32:
		width, of = 4, func(c []byte) float64 { return float64(r.Uint32(c)) }
	case miSINGLE:
		width, of = 4, func(c []byte) float64 { return float64(math.Float32frombits(r.Uint32(c))) }
	case miDOUBLE:
		width, of = 8, func(c []byte) float64 { return math.Float64frombits(r.Uint64(c)) }
	case miINT64:
		width, of = 8, func(c []byte) float64 { return float64(int64(r.Uint64(c))) }
	case miUINT64:
		width, of = 8, func(c []byte) float64 { return float64(r.Uint64(c)) }
	default:
		return nil, fmt.Errorf("numbers of type %d are not read", kind)
	}
	list := make([]float64, len(cells)/width)
	for i := range list {
		list[i] = of(cells[i*width:])
	}
	return list, nil
}
