package library

import (
	"math"
	"testing"
	"unsafe"
)

// Formats of messages take arguments in their order, for every calling convention: integers and numbers in separate
// registers and then on the stack, or all on the stack as on Windows.
func TestFormatsOfMessages(t *testing.T) {
	word := append([]byte("front"), 0)
	address := uintptr(unsafe.Pointer(&word[0]))
	minus := func(n int32) uintptr { return uintptr(uint32(n)) | 0xabcd<<32 } // the upper half is undefined
	bits := func(x float64) uintptr { return uintptr(math.Float64bits(x)) }
	text := "%s wheel %d: %g of %.2f N, %5d%%"
	want := "front wheel -3: 0.5 of 12.25 N,    42%"
	for name, v := range map[string]variadic{
		"System V": {whole: []uintptr{address}, real: []float64{0.5, 12.25}, stack: []uintptr{minus(-3), 42}},
		"Arm":      {whole: []uintptr{address, minus(-3), 42}, real: []float64{0.5, 12.25}},
		"Windows":  {stack: []uintptr{address, minus(-3), bits(0.5), bits(12.25), 42}},
	} {
		if got := v.format(text); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	const long = -5_000_000_000
	v := variadic{stack: []uintptr{^uintptr(0) - 4_999_999_999, 7, 1}}
	if got, want := v.format("%lld %*d"), "-5000000000       1"; got != want {
		t.Errorf("%q, want %q: %d has 64 bits", got, want, long)
	}
	if got := (&variadic{stack: []uintptr{1}}).format("%d of %d, %g"); got != "1 of %d, %g" {
		t.Errorf("arguments that are missing: %q", got)
	}
}
