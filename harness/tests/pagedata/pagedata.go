// Package pagedata reads the numbers of pages, as their scripts do.
package pagedata

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math"
	"testing"

	"github.com/klauspost/compress/flate"

	"skidpad/harness/workbench/results/web"
)

// Reader reads columns, one behind the other.
type Reader struct {
	t    *testing.T
	data []byte
}

// Open inflates the data of a page.
func Open(t *testing.T, packed string) *Reader {
	t.Helper()
	deflated, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(deflated)))
	if err != nil {
		t.Fatal(err)
	}
	return &Reader{t, data}
}

// Left is how many bytes are left.
func (r *Reader) Left() int { return len(r.data) }

func (r *Reader) take(n int) []byte {
	r.t.Helper()
	if n > len(r.data) {
		r.t.Fatalf("%d bytes are left for %d", len(r.data), n)
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

// Column reads n numbers.
func (r *Reader) Column(c web.Column, n int) []float64 {
	r.t.Helper()
	list := make([]float64, n)
	var codes []byte
	switch c.Kind {
	case web.Constant, web.Even:
	case web.Codes:
		codes = r.take(2 * n)
	case web.Doubles:
		for i := range list {
			list[i] = math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
		}
		return list
	case web.Singles:
		for i := range list {
			list[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(r.take(4))))
		}
		return list
	default:
		r.t.Fatalf("a column of kind %d", c.Kind)
	}
	code, rise := uint16(0), uint16(0)
	for i := range list {
		if list[i] = c.Low; c.Kind == web.Even {
			list[i] += float64(i) * c.Step
		}
		if codes != nil {
			rise += uint16(codes[i]) | uint16(codes[n+i])<<8
			code += rise
			list[i] = (math.Round(c.Low/c.Step) + float64(code)) * c.Step
		}
	}
	return list
}
