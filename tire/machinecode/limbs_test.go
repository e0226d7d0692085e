package machinecode

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/harness/tests/testrun"
)

// vehicle writes a body with limbs. Each limb does the same with its own numbers and those of the body, and the body
// adds up the results. Signs and the order of operands may differ. Slots of fixed numbers come first.
type vehicle struct {
	b       *Builder
	r       *rand.Rand
	limbs   int
	fixed   int32 // slots of each limb
	loads   int32 // slots that are not fixed
	slots   int32
	results int
}

const bodySlots = 4

func newVehicle(seed uint64) *vehicle {
	r := rand.New(rand.NewPCG(seed, 5))
	v := &vehicle{b: NewBuilder(), r: r, limbs: 2 + 2*r.IntN(2) + r.IntN(5)/4, fixed: 5, loads: 4}
	b := v.b
	first := int32(v.limbs) * v.fixed
	body := make([]Value, bodySlots)
	for i := range body {
		body[i] = b.Load(first + int32(i))
	}
	states := first + bodySlots
	v.slots = states + int32(v.limbs)*v.loads
	values := make([][]Value, v.limbs)
	tables := [][]float64{{1, 2, -3, 4}, {0.5, -1, 2, 9, 7}}
	for l := range values {
		for i := range v.fixed {
			values[l] = append(values[l], b.Load(int32(l)*v.fixed+i))
		}
		for i := range v.loads {
			values[l] = append(values[l], b.Load(states+int32(l)*v.loads+i))
		}
	}
	var sums []Value
	for range 120 {
		kind, i, j, k := r.IntN(20), r.IntN(len(values[0])), r.IntN(len(values[0])), r.IntN(len(body))
		odd := r.IntN(4) == 0 // the limbs differ in signs
		for l := range values {
			x, y := values[l][i], values[l][j]
			if odd && r.IntN(2) == 0 {
				x = b.Neg(x)
			}
			if odd && r.IntN(2) == 0 && kind < 6 {
				x, y = y, x
			}
			values[l] = append(values[l], v.operation(kind, x, y, body[k], tables[l/2%2]))
		}
		if r.IntN(12) == 0 {
			sum := values[0][len(values[0])-1]
			for l := 1; l < v.limbs; l++ {
				sum = b.Add(sum, values[l][len(values[0])-1])
			}
			sums = append(sums, sum)
			body = append(body, b.Mul(sum, b.Const(0.1)))
		}
	}
	for l := range values {
		for n := range 7 {
			sums = append(sums, values[l][len(values[l])-1-n])
		}
	}
	v.results = len(sums)
	for n, s := range sums {
		b.Store(v.slots+int32(n), s)
	}
	return v
}

func (v *vehicle) operation(kind int, x, y, body Value, table []float64) Value {
	b := v.b
	switch kind {
	case 0, 1:
		return b.Add(x, y)
	case 2:
		return b.Sub(y, x)
	case 3, 4, 5:
		return b.Mul(x, y)
	case 6:
		return b.Div(x, b.Add(b.Abs(y), b.Const(1)))
	case 7:
		return b.Sqrt(b.Abs(x))
	case 8:
		return b.Select(b.Less(x, y), y, x)
	case 9:
		return b.Look(table, b.Abs(x))
	case 10:
		return b.Sin(b.Mul(x, b.Const(0.1)))
	case 11:
		return b.MulAdd(x, b.Const(0.5), body)
	case 12:
		return b.MulSub(y, body, x)
	case 13:
		return b.SubMul(y, body, x)
	case 14:
		return b.Max(x, b.Look(table, y))
	case 15:
		return b.Cos(x)
	case 16:
		return b.Atan(b.Sub(body, x))
	case 17:
		return b.Copysign(x, y)
	}
	return b.Sub(x, b.Mul(body, y))
}

// Limbs side by side compute, to the last bit, what operations one by one compute; so do guards.
func TestLimbsGiveTheSameBits(t *testing.T) {
	if !packs {
		t.Skip("no packed operations on this processor")
	}
	made, guarded := 0, 0
	seeds := testrun.Either[uint64](100, 400)
	for seed := range seeds {
		v := newVehicle(seed)
		last := v.slots + int32(v.results)
		fixed := func(slot int32) bool { return slot < int32(v.limbs)*v.fixed }
		limbs := LimbsOf(v.b, fixed)
		if limbs == nil {
			continue
		}
		made++
		copies := int(last) + 3
		c, err := limbs.Compile(copies, copies+limbs.Copies())
		if err != nil {
			t.Skip(err)
		}
		memory := make([]float64, c.Slots)
		for trial := range 6 {
			for i := range v.slots {
				memory[i] = v.r.NormFloat64() * math.Pow(10, float64(trial-2))
				switch v.r.IntN(40) {
				case 0:
					memory[i] = 0
				case 1:
					memory[i] = math.Copysign(0, -1)
				case 2:
					if trial == 5 {
						memory[i] = 1e30
					}
				}
			}
			c.Prepare(memory)
			interpreted := append([]float64(nil), memory...)
			good := v.b.interpret(interpreted, nil, 1)
			if c.Run(memory) != good {
				t.Fatalf("seed %d, trial %d: guards disagree", seed, trial)
			}
			if !good {
				guarded++
				continue
			}
			for i := range last {
				if !same(memory[i], interpreted[i]) {
					t.Fatalf("seed %d, trial %d: slot %d is %g, one by one %g", seed, trial, i, memory[i],
						interpreted[i])
				}
			}
		}
	}
	if made < int(seeds)*3/4 || guarded < int(seeds)/8 {
		t.Errorf("%d programs with limbs, %d guards; the test wants more", made, guarded)
	}
}
