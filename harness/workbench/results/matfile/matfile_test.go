package matfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
)

// element is a data element of a Level 5 MAT-file: the type in its tag, and its data without padding.
type element struct {
	kind uint32
	data []byte
}

// elements reads consecutive data elements. Each element, except a small one, begins and ends at a multiple of 8 bytes
// (MathWorks, MAT-File Format, "Data Element Format").
func elements(b []byte) (list []element, err error) {
	for at := 0; at < len(b); {
		if at%8 != 0 || len(b)-at < 8 {
			return nil, fmt.Errorf("an element at %d of %d bytes", at, len(b))
		}
		kind, size := binary.LittleEndian.Uint32(b[at:]), int(binary.LittleEndian.Uint32(b[at+4:]))
		if small := int(kind >> 16); small > 0 {
			if small > 4 {
				return nil, fmt.Errorf("a small element of %d bytes", small)
			}
			list = append(list, element{kind & 0xFFFF, b[at+4 : at+4+small]})
			at += 8
			continue
		}
		end := at + 8 + size
		if end > len(b) {
			return nil, fmt.Errorf("an element of %d bytes at %d of %d", size, at, len(b))
		}
		list = append(list, element{kind, b[at+8 : end]})
		at = end
		if at%8 != 0 {
			fill := b[at:min(at+8-at%8, len(b))]
			if at += len(fill); strings.Trim(string(fill), "\x00") != "" || at%8 != 0 {
				return nil, fmt.Errorf("an element that ends at %d is filled up with % x", end, fill)
			}
		}
	}
	return list, nil
}

// numbers reads an element of numbers.
func (e element) numbers() (list []float64, err error) {
	switch e.kind {
	case miDOUBLE:
		for b := e.data; len(b) > 0; b = b[8:] {
			list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	case miSINGLE:
		for b := e.data; len(b) > 0; b = b[4:] {
			list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		}
	case miUINT16:
		for b := e.data; len(b) > 0; b = b[2:] {
			list = append(list, float64(binary.LittleEndian.Uint16(b)))
		}
	case miINT32, miUINT32:
		for b := e.data; len(b) > 0; b = b[4:] {
			list = append(list, float64(binary.LittleEndian.Uint32(b)))
		}
	default:
		return nil, fmt.Errorf("numbers of type %d", e.kind)
	}
	return list, nil
}

// readArray reads an array: a matrix as its numbers behind its class and dimensions, a text, a list of cells, or a
// structure.
func readArray(e element) (name string, value any, err error) {
	parts, err := elements(e.data)
	if err != nil || e.kind != miMATRIX || len(parts) < 3 || parts[0].kind != miUINT32 || len(parts[0].data) != 8 ||
		parts[1].kind != miINT32 || parts[2].kind != miINT8 {
		return "", nil, fmt.Errorf("an array of %d parts, type %d: %w", len(parts), e.kind, err)
	}
	class, name := parts[0].data[0], string(parts[2].data)
	dimensions, err := parts[1].numbers()
	if err != nil {
		return "", nil, err
	}
	count := dimensions[0] * dimensions[1]
	parts = parts[3:]
	switch class {
	case mxDOUBLE, mxSINGLE:
		kind := map[byte]uint32{mxDOUBLE: miDOUBLE, mxSINGLE: miSINGLE}[class]
		if len(parts) != 1 || parts[0].kind != kind {
			return "", nil, fmt.Errorf("class %d has numbers of type %d", class, parts[0].kind)
		}
		list, err := parts[0].numbers()
		if float64(len(list)) != count {
			return "", nil, fmt.Errorf("%d numbers in %v", len(list), dimensions)
		}
		return name, append([]float64{float64(class), dimensions[0], dimensions[1]}, list...), err
	case mxCHAR:
		list, err := parts[0].numbers()
		var units []uint16
		for _, u := range list {
			units = append(units, uint16(u))
		}
		if float64(len(units)) != count {
			return "", nil, fmt.Errorf("%d characters in %v", len(units), dimensions)
		}
		return name, string(utf16.Decode(units)), err
	case mxCELL:
		cells := []any{}
		for _, p := range parts {
			_, v, err := readArray(p)
			if err != nil {
				return "", nil, err
			}
			cells = append(cells, v)
		}
		if float64(len(cells)) != count {
			return "", nil, fmt.Errorf("%d cells in %v", len(cells), dimensions)
		}
		return name, cells, nil
	case mxSTRUCT:
		fields := map[string]any{}
		length, err := parts[0].numbers()
		if err != nil || len(parts[1].data)%int(length[0]) != 0 || len(parts[1].data)/int(length[0]) != len(parts)-2 {
			return "", nil, fmt.Errorf("names of %v in %d bytes for %d fields: %w", length, len(parts[1].data), len(parts)-2,
				err)
		}
		for i, p := range parts[2:] {
			field := strings.TrimRight(string(parts[1].data[i*int(length[0]):(i+1)*int(length[0])]), "\x00")
			if _, fields[field], err = readArray(p); err != nil {
				return "", nil, fmt.Errorf("%s: %w", field, err)
			}
		}
		return name, fields, nil
	}
	return "", nil, fmt.Errorf("class %d", class)
}

// A file, read back, has the written variables: numbers of both precisions, strings, cells and structures of any
// length; most do not fill 8 bytes.
func TestMATFilesReadBack(t *testing.T) {
	var variables []Variable
	want := map[string]any{}
	for n := range 6 {
		var x, single []float64
		for i := range n {
			x = append(x, math.Sin(float64(i+1))/3)
			single = append(single, float64(float32(x[i])))
		}
		text := strings.Repeat("aé𝄞", n) + strings.Repeat("b", n%3)
		name := strings.Repeat("v", n+1)
		inner := Struct(Variable{"x", Singles(x, n, 1)}, Variable{"of_a_long_name_" + name, Text(text)},
			Variable{"list", Texts([]string{text, "", "é"})}, Variable{"deep", Struct(Variable{"d", Numbers(x, 1, n)})})
		variables = append(variables, Variable{name, inner}, Variable{name + "_s", Singles(x, 1, n)},
			Variable{name + "_t", Text(text)}, Variable{name + "_c", Texts(make([]string, n))})
		cells := []any{}
		for range n {
			cells = append(cells, "")
		}
		of := func(class, rows, columns int, list []float64) []float64 {
			return append([]float64{float64(class), float64(rows), float64(columns)}, list...)
		}
		want[name] = map[string]any{"x": of(mxSINGLE, n, 1, single), "of_a_long_name_" + name: text,
			"list": []any{text, "", "é"}, "deep": map[string]any{"d": of(mxDOUBLE, 1, n, x)}}
		want[name+"_s"], want[name+"_t"], want[name+"_c"] = of(mxSINGLE, 1, n, single), text, cells
	}
	var file bytes.Buffer
	if err := Write(&file, "a test", variables); err != nil {
		t.Fatal(err)
	}
	b := file.Bytes()
	if !strings.HasPrefix(string(b), "MATLAB 5.0 MAT-file, a test ") || string(b[124:128]) != "\x00\x01IM" {
		t.Fatalf("the header is %q", b[:128])
	}
	list, err := elements(b[128:])
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, e := range list {
		name, value, err := readArray(e)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got[name] = value
	}
	for name, value := range want {
		if !reflect.DeepEqual(got[name], value) {
			t.Errorf("%s is %v, want %v", name, got[name], value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d variables, want %d", len(got), len(want))
	}
}
