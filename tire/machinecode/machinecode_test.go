package machinecode

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"skidpad/tire/elementary"
)

// same reports whether two numbers are bit-identical; NaN equals NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// compile makes code for 1 or 4 lanes, or skips the test where the system has no machine code.
func compile(t testing.TB, b *Builder, slots, lanes int) *Code {
	t.Helper()
	c, err := Compile(b, slots, lanes)
	if err != nil {
		t.Skip(err)
	}
	return c
}

// special are numbers at which functions change their branch.
var special = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, elementary.ToHalf, -elementary.ToOne,
	elementary.ToThreeHalves, elementary.ToInfinity, math.Nextafter(elementary.ToHalf, 0),
	math.Nextafter(elementary.ToOne, 0), math.Nextafter(elementary.ToThreeHalves, 0),
	math.Nextafter(-elementary.ToInfinity, 0), 1e-300, -1e-300, 5e-324, 1e10, -1e10, math.Pi / 4, -math.Pi / 4,
	math.Pi / 2, math.Pi, 3 * math.Pi / 2, 1048575, -1048575, math.Inf(1), math.Inf(-1), math.NaN()}

// arguments are special numbers, random numbers of sizes from 1e-7 to 1e3, and numbers near multiples of pi/2.
func arguments(r *rand.Rand, n int) []float64 {
	list := append([]float64(nil), special...)
	for range n {
		list = append(list, r.NormFloat64()*math.Pow(10, r.Float64()*10-7),
			math.Pi/2*float64(r.IntN(400)-200)+r.NormFloat64()*1e-9)
	}
	return list
}

// beyond reports sizes from a limit on, and NaN.
func beyond(limit float64) func(x float64) bool {
	return func(x float64) bool { return !(math.Abs(x) < limit) }
}

// TestMachineCodeEqualsGo compares every function, to the last bit, in machine code of one
// and of four lanes, interpreted, and in Go.
func TestMachineCodeEqualsGo(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	clamp := func(x float64) float64 { return max(-1, min(1, x)) }
	for name, f := range map[string]struct {
		build func(b *Builder, x Value) Value
		want  func(x float64) float64
		wild  func(x float64) bool // arguments that fail the guard; nil for a function without a guard
	}{
		"sin": {(*Builder).Sin, elementary.Sin, beyond(elementary.Widest)},
		"cos": {(*Builder).Cos, elementary.Cos, beyond(elementary.Widest)},
		"tan": {(*Builder).Tan, elementary.Tan, beyond(elementary.Widest)},
		"exp": {(*Builder).Exp, elementary.Exp, beyond(elementary.Highest)},
		"log": {(*Builder).Log, elementary.Log,
			func(x float64) bool { return !(x >= 0x1p-1022 && x < math.Inf(1)) }},
		"tanh": {(*Builder).Tanh, elementary.Tanh, nil},
		"sincos": {func(b *Builder, x Value) Value { s, c := b.Sincos(x); return b.Sub(s, c) },
			func(x float64) float64 { s, c := elementary.Sincos(x); return s - c }, beyond(elementary.Widest)},
		"larger": {func(b *Builder, x Value) Value { return b.Max(x, b.Const(2)) },
			func(x float64) float64 { return max(x, 2) }, nil},
		"atan":  {(*Builder).Atan, elementary.Atan, nil},
		"asin":  {(*Builder).Asin, elementary.Asin, nil},
		"abs":   {(*Builder).Abs, math.Abs, nil},
		"neg":   {(*Builder).Neg, func(x float64) float64 { return -x }, nil},
		"sqrt":  {(*Builder).Sqrt, math.Sqrt, nil},
		"clamp": {func(b *Builder, x Value) Value { return b.Max(b.Const(-1), b.Min(b.Const(1), x)) }, clamp, nil},
		"max": {func(b *Builder, x Value) Value { return b.Max(x, b.Const(0)) },
			func(x float64) float64 { return max(x, 0) }, nil},
		"sum": {func(b *Builder, x Value) Value {
			return b.Sub(b.Div(b.Mul(b.Add(x, b.Const(0.1)), x), b.Const(3)), b.Const(7))
		}, func(x float64) float64 { return float64((x+0.1)*x)/3 - 7 }, nil},
	} {
		if f.wild == nil {
			f.wild = func(float64) bool { return false }
		}
		b := NewBuilder()
		b.Store(1, f.build(b, b.Load(0)))
		one := compile(t, b, 2, 1)
		four, _ := Compile(b, 2, 4) // nil where there are no lanes
		for _, x := range arguments(r, 5000) {
			want := f.want(x)
			v1, vi := make([]float64, one.Slots), []float64{x, 0}
			v1[0] = x
			good := one.Run(v1)
			if b.interpret(vi, nil, 1) != good {
				t.Errorf("%s(%g): the guards of machine code and interpreter disagree", name, x)
			}
			if f.wild(x) == good {
				t.Errorf("%s(%g): the guard holds: %v", name, x, good)
			}
			if good && (!same(v1[1], want) || !same(vi[1], want)) {
				t.Errorf("%s(%g) = %g, interpreted %g, want %g", name, x, v1[1], vi[1], want)
			}
			if four == nil {
				continue
			}
			v4 := make([]float64, 4*four.Slots)
			last := -x
			if f.wild(last) {
				last = 0.5
			}
			v4[0], v4[1], v4[2], v4[3] = x, 0.5, x, last
			if four.Run(v4) != good {
				t.Errorf("%s(%g): the guard of four lanes disagrees", name, x)
			}
			if good && (!same(v4[4], want) || !same(v4[5], f.want(0.5)) || !same(v4[6], want) ||
				!same(v4[7], f.want(last))) {
				t.Errorf("%s(%g): four lanes have %g, want %g", name, x, v4[4:8], want)
			}
		}
	}
}

// TestAtan2EqualsGo compares atan2 with package math, to the last bit, where Go does not fuse sums and products: in all
// quadrants and ranges, and on the axes. Numbers that are not finite fail the guard.
func TestAtan2EqualsGo(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("Go fuses sums and products here")
	}
	b := NewBuilder()
	b.Store(2, b.Atan2(b.Load(0), b.Load(1)))
	code := compile(t, b, 3, 1)
	r := rand.New(rand.NewPCG(7, 8))
	guarded := 0
	try := func(y, x float64) {
		v := make([]float64, code.Slots)
		v[0], v[1] = y, x
		good := code.Run(v)
		finite := math.Abs(x) < math.Inf(1) && math.Abs(y) < math.Inf(1)
		if wild := !finite; wild == good {
			t.Fatalf("atan2(%g, %g): the guard holds: %v", y, x, good)
		} else if wild {
			guarded++
		}
		if good && math.Float64bits(v[2]) != math.Float64bits(math.Atan2(y, x)) {
			t.Fatalf("atan2(%g, %g) = %v, want %v", y, x, v[2], math.Atan2(y, x))
		}
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.66, 1 + math.Sqrt2, math.SmallestNonzeroFloat64,
		math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, y := range special {
		for _, x := range special {
			try(y, x)
		}
	}
	for range 100000 {
		try(r.NormFloat64()*math.Pow(10, float64(r.IntN(9)-4)), r.NormFloat64())
	}
	if guarded == 0 {
		t.Error("no number failed the guard")
	}
}

// A random program reads slots and fixed numbers, and writes slots behind the slots that it reads: so many of each.
const inputs, fixed, outputs = 14, 6, 15

// randomProgram makes a program of random operations, each on values of the operations before it.
func randomProgram(r *rand.Rand, operations int) *Builder {
	b := NewBuilder()
	var values []Value
	for i := range int32(inputs) {
		values = append(values, b.Load(i))
	}
	for i := range int32(fixed) {
		values = append(values, b.LoadFixed(i))
	}
	pick := func() Value { return values[len(values)-1-r.IntN(min(len(values), 60))] }
	for range operations {
		x, y := pick(), pick()
		var v Value
		switch r.IntN(20) {
		case 0, 1, 2:
			v = b.Add(x, y)
		case 3, 4:
			v = b.Sub(x, y)
		case 5, 6, 7:
			v = b.Mul(x, b.Mul(y, b.Const(0.3)))
		case 8:
			v = b.Div(x, b.Add(b.Abs(y), b.Const(1)))
		case 9:
			v = b.Sqrt(b.Abs(x))
		case 10:
			v = b.Select(b.Less(x, y), y, pick())
		case 11:
			v = b.Max(x, y)
		case 12:
			v = b.Min(x, y)
		case 13:
			v = b.Sin(b.Atan(x))
		case 14:
			v = b.Neg(x)
		case 15, 16:
			v = b.MulAdd(x, b.Mul(y, b.Const(0.2)), pick())
		case 17:
			v = b.MulSub(b.Mul(y, b.Const(0.2)), x, pick())
		case 18:
			v = b.SubMul(b.Mul(x, b.Const(0.2)), y, pick())
		default:
			v = b.Copysign(x, y)
		}
		values = append(values, v)
	}
	for i := range int32(outputs) {
		b.Store(inputs+i, values[len(values)-1-int(i)])
	}
	return b
}

// TestRandomProgramsGiveTheSameBits compares random programs, to the last bit, interpreted and as machine code. They
// have more values than there are registers, so that values spill.
func TestRandomProgramsGiveTheSameBits(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := randomProgram(r, 300)
		for _, lanes := range []int{1, 4} {
			c, err := Compile(b, inputs+outputs, lanes)
			if lanes == 1 && err != nil {
				t.Skip(err)
			} else if err != nil {
				continue
			}
			if c.Slots == inputs+outputs {
				t.Fatal("the program needs no spills")
			}
			machine := make([]float64, lanes*c.Slots)
			for i := range lanes * inputs {
				machine[i] = r.NormFloat64() * 3
			}
			numbers := make([]float64, lanes*fixed)
			for i := range numbers {
				numbers[i] = r.NormFloat64() * 3
			}
			interpreted := append([]float64(nil), machine...)
			if c.RunWith(machine, numbers) != b.interpret(interpreted, numbers, lanes) {
				t.Fatalf("seed %d: the guards of machine code and interpreter disagree", seed)
			}
			for i := lanes * inputs; i < lanes*(inputs+outputs); i++ {
				if !same(machine[i], interpreted[i]) {
					t.Fatalf("seed %d, %d lanes: number %d is %g, interpreted %g", seed, lanes, i,
						machine[i], interpreted[i])
				}
			}
		}
	}
}

// TestFarSlotsAreReached uses slots beyond the largest offset that one instruction can have, too.
func TestFarSlotsAreReached(t *testing.T) {
	for _, slot := range []int32{10, 31, 32, 4095, 4096, 70000} {
		b := NewBuilder()
		b.Store(slot+1, b.Add(b.Mul(b.Load(slot), b.Const(3)), b.Load(0)))
		c := compile(t, b, int(slot)+2, 1)
		v := make([]float64, c.Slots)
		v[0], v[slot] = 1, 2
		if !c.Run(v) || v[slot+1] != 7 || v[0] != 1 || v[slot] != 2 {
			t.Errorf("slot %d: %g", slot, v[slot+1])
		}
	}
}

// Code must reach its own memory only: a slot before it or behind it would belong to another object.
func TestSlotsOutsideOfTheMemoryAreRejected(t *testing.T) {
	for _, slot := range []int32{-1, 3, 1 << 20} {
		for lanes := 1; lanes <= 4; lanes += 3 {
			stored, loaded := NewBuilder(), NewBuilder()
			stored.Store(slot, stored.Const(1))
			loaded.Store(0, loaded.Load(slot))
			for _, b := range []*Builder{stored, loaded} {
				if _, err := Compile(b, 3, lanes); err == nil {
					t.Errorf("code for a memory of 3 slots reaches slot %d", slot)
				}
			}
		}
	}
}
