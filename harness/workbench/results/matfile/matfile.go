// Package matfile writes MAT-files of Level 5: matrices, texts and structures.
package matfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf16"
)

// What a Level 5 MAT-file is made of (MathWorks, MAT-File Format, chapter 1): data elements with a
// tag of type and length, filled up to 8 bytes. Arrays are elements of elements.
const (
	miINT8   = 1
	miUINT16 = 4
	miINT32  = 5
	miUINT32 = 6
	miSINGLE = 7
	miDOUBLE = 9
	miMATRIX = 14

	mxCELL   = 1
	mxSTRUCT = 2
	mxCHAR   = 4
	mxDOUBLE = 6
	mxSINGLE = 7

	// mostFieldName is how long names of variables and fields may be, with the zero at their end.
	mostFieldName = 64
)

const (
	// LongestName is how long names of variables and fields may be.
	LongestName = mostFieldName - 1
	// MostBytes is how many a variable may have.
	MostBytes = math.MaxInt32
)

// Array is an array of a MAT-file, without its name.
type Array struct {
	class      uint32
	dimensions []int
	data       []byte // elements after the name
}

// Variable is an array with its name: a variable of the file or a field of a structure.
type Variable struct {
	Name  string
	Array Array
}

// matElement is data with its tag.
func matElement(kind uint32, data []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// Numbers is an array of real numbers, which are in the order of the first index, then the second
// and so on.
func Numbers(values []float64, dimensions ...int) Array {
	var b []byte
	b, err := binary.Append(b, binary.LittleEndian, values)
	if err != nil {
		panic(err) // numbers have a size
	}
	return Array{mxDOUBLE, dimensions, matElement(miDOUBLE, b)}
}

// Singles is Numbers in single precision.
func Singles(values []float64, dimensions ...int) Array {
	var b []byte
	for _, x := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return Array{mxSINGLE, dimensions, matElement(miSINGLE, b)}
}

// Size is how many bytes the array has in a file, without its name.
func (a Array) Size() int { return len(a.data) }

// Text is a row of characters.
func Text(text string) Array {
	units := utf16.Encode([]rune(text))
	var b []byte
	for _, u := range units {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return Array{mxCHAR, []int{min(1, len(units)), len(units)}, matElement(miUINT16, b)}
}

// Texts is a column of cells with texts.
func Texts(texts []string) Array {
	var b []byte
	for _, t := range texts {
		b = append(b, Text(t).encoded("")...)
	}
	return Array{mxCELL, []int{len(texts), 1}, b}
}

// Struct is a structure.
func Struct(fields ...Variable) Array {
	var names, values []byte
	for _, f := range fields {
		name := make([]byte, mostFieldName)
		copy(name[:mostFieldName-1], f.Name)
		names = append(names, name...)
		values = append(values, f.Array.encoded("")...)
	}
	// the length of the names is a small element: length and type in one word
	b := binary.LittleEndian.AppendUint32(nil, 4<<16|miINT32)
	b = binary.LittleEndian.AppendUint32(b, mostFieldName)
	return Array{mxSTRUCT, []int{1, 1}, slices.Concat(b, matElement(miINT8, names), values)}
}

// encoded is the array with a name.
func (a Array) encoded(name string) []byte {
	flags := binary.LittleEndian.AppendUint32(nil, a.class)
	flags = binary.LittleEndian.AppendUint32(flags, 0)
	var dimensions []byte
	for _, d := range a.dimensions {
		dimensions = binary.LittleEndian.AppendUint32(dimensions, uint32(d))
	}
	return matElement(miMATRIX, slices.Concat(matElement(miUINT32, flags), matElement(miINT32, dimensions),
		matElement(miINT8, []byte(name)), a.data))
}

// Write writes a Level 5 MAT-file, little-endian and not compressed. text says at its beginning
// what it is, in up to 116 characters of ASCII.
func Write(to io.Writer, text string, variables []Variable) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%-116.116s", "MATLAB 5.0 MAT-file, "+text)
	b.Write(make([]byte, 8)) // no data of subsystems
	b.Write([]byte{0, 1, 'I', 'M'})
	for _, v := range variables {
		array := v.Array.encoded(v.Name)
		if len(array) > MostBytes {
			return fmt.Errorf("MAT-file: %s has %d bytes, and 2^31 are too many; vary fewer values", v.Name, len(array))
		}
		b.Write(array)
	}
	_, err := to.Write(b.Bytes())
	return err
}
