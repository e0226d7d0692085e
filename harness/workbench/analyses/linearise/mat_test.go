package linearise

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// matValue is an array read by an independent MAT-file reader: numbers, a string, cells, or fields.
type matValue struct {
	dimensions []int
	numbers    []float64
	text       string
	cells      []matValue
	fields     map[string]matValue
}

// element cuts an element from data: its type, its content and what follows.
func element(t *testing.T, data []byte) (kind uint32, content, rest []byte) {
	t.Helper()
	if len(data) < 8 {
		t.Fatalf("an element of %d bytes", len(data))
	}
	first := binary.LittleEndian.Uint32(data)
	if small := first >> 16; small > 0 { // length and type in one word
		return first & 0xffff, data[4 : 4+small], data[8:]
	}
	size := int(binary.LittleEndian.Uint32(data[4:]))
	filled := (size + 7) / 8 * 8
	if len(data) < 8+filled {
		t.Fatalf("an element of %d bytes in %d", size, len(data)-8)
	}
	return first, data[8 : 8+size], data[8+filled:]
}

// array reads an element of type miMATRIX.
func array(t *testing.T, data []byte) (name string, v matValue, rest []byte) {
	t.Helper()
	kind, data, rest := element(t, data)
	if kind != 14 {
		t.Fatalf("type %d instead of an array", kind)
	}
	_, flags, data := element(t, data)
	_, dimensions, data := element(t, data)
	_, characters, data := element(t, data)
	count := 1
	for i := 0; i < len(dimensions); i += 4 {
		d := int(binary.LittleEndian.Uint32(dimensions[i:]))
		v.dimensions, count = append(v.dimensions, d), count*d
	}
	switch class := flags[0]; class {
	case 1:
		for range count {
			var cell matValue
			_, cell, data = array(t, data)
			v.cells = append(v.cells, cell)
		}
	case 2:
		_, length, after := element(t, data)
		_, names, after := element(t, after)
		size := int(binary.LittleEndian.Uint32(length))
		v.fields = map[string]matValue{}
		for i := 0; i < len(names); i += size {
			field, _, _ := strings.Cut(string(names[i:i+size]), "\x00")
			_, v.fields[field], after = array(t, after)
		}
		data = after
	case 4:
		_, content, after := element(t, data)
		units := make([]uint16, len(content)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(content[2*i:])
		}
		v.text, data = string(utf16.Decode(units)), after
	case 6:
		_, content, after := element(t, data)
		for i := 0; i < len(content); i += 8 {
			v.numbers = append(v.numbers, math.Float64frombits(binary.LittleEndian.Uint64(content[i:])))
		}
		data = after
	default:
		t.Fatalf("class %d", class)
	}
	if len(data) > 0 || v.numbers != nil && len(v.numbers) != count {
		t.Fatalf("%s: %d numbers for %v, %d bytes left", characters, len(v.numbers), v.dimensions, len(data))
	}
	return string(characters), v, rest
}

// The MAT-file holds the systems: matrices by columns, one behind the other for several values, and names and units of
// states, inputs and outputs.
func TestMATFileHoldsLinearEquations(t *testing.T) {
	m, err := vehicle.Read(built.Model("bicycle_rolling"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	l := &Result{Title: "Fahrrad Ω", Varied: manoeuvre.Variation{Name: "speed", Values: []float64{4, 5}}}
	for _, v := range l.Varied.Values {
		if err := vehicle.Set("speed", v); err != nil {
			t.Fatal(err)
		}
		s, err := vehicle.At()
		if err != nil {
			t.Fatal(err)
		}
		l.Systems = append(l.Systems, s)
	}
	var b bytes.Buffer
	if err := l.WriteMAT(&b); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	if head := string(data[:128]); !strings.HasPrefix(head, "MATLAB 5.0 MAT-file") ||
		!strings.HasSuffix(head, "\x00\x01IM") {
		t.Errorf("the file begins with %q", head)
	}
	variables := map[string]matValue{}
	for data = data[128:]; len(data) > 0; {
		var name string
		var v matValue
		name, v, data = array(t, data)
		variables[name] = v
	}
	minimal, err := l.Minimal()
	if err != nil {
		t.Fatal(err)
	}
	if variables["title"].text != l.Title || variables["parameter"].text != "speed" ||
		variables["values"].numbers[1] != 5 {
		t.Errorf("title %q, %q = %v", variables["title"].text, variables["parameter"].text, variables["values"].numbers)
	}
	for name, want := range map[string][]string{
		"states": minimal[0].States, "inputs": minimal[0].Inputs, "outputs": minimal[0].Outputs,
		"state_units": minimal[0].StateUnits, "input_units": minimal[0].InputUnits,
		"output_units": minimal[0].OutputUnits,
	} {
		var got []string
		for _, cell := range variables[name].cells {
			got = append(got, cell.text)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s are %v", name, got)
		}
	}
	for k, s := range minimal {
		form, err := l.Systems[k].Descriptor(s.States)
		if err != nil {
			t.Fatal(err)
		}
		inner := variables["descriptor"].fields
		for _, c := range []struct {
			name string
			got  matValue
			want interface {
				At(i, j int) float64
				Dims() (int, int)
			}
		}{
			{"A", variables["A"], s.A}, {"B", variables["B"], s.B}, {"C", variables["C"], s.C},
			{"D", variables["D"], s.D},
			{"descriptor.E", inner["E"], form.E}, {"descriptor.A", inner["A"], form.A},
			{"descriptor.B", inner["B"], form.B}, {"descriptor.C", inner["C"], form.C},
			{"descriptor.D", inner["D"], form.D},
		} {
			rows, columns := c.want.Dims()
			if d := c.got.dimensions; len(d) != 3 || d[0] != rows || d[1] != columns || d[2] != 2 {
				t.Errorf("%s has the dimensions %v", c.name, d)
				continue
			}
			for i := range rows {
				for j := range columns {
					if got := c.got.numbers[i+rows*(j+columns*k)]; got != c.want.At(i, j) {
						t.Errorf("%s[%d, %d, %d] is %g, not %g", c.name, i, j, k, got, c.want.At(i, j))
					}
				}
			}
		}
		for name, want := range map[string][]float64{"x": s.X, "x_rate": s.Rates, "u": s.U, "y": s.Y} {
			for i, v := range want {
				if got := variables[name].numbers[i+len(want)*k]; got != v {
					t.Errorf("%s[%d, %d] is %g, not %g", name, i, k, got, v)
				}
			}
		}
	}
}
