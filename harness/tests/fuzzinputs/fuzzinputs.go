// Package fuzzinputs adds inputs to fuzz targets that are the same in every run: seeds, and changes of them that a
// generator with a fixed seed makes. Searching for new inputs is the work of go test -fuzz in ./build.sh test all.
package fuzzinputs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// Numbers of changes of a seed. The first seed of a target has the most changes, so that a target with one seed has
// some hundreds of inputs, and a target with fifty seeds not many more than a thousand. Large seeds get fewer changes,
// because they take longer to make and to read.
const (
	mostChanges   = 256
	fewestChanges = 20
	largeSeed     = 4096 // bytes; a seed that is twice as large has half as many changes
)

// target is the part of a *testing.F that Add needs.
type target interface {
	Add(arguments ...any)
	Cleanup(func())
	Helper()
	Name() string
}

// corpus is the corpus of a target.
type corpus struct {
	seeds [][]any
	known map[[sha256.Size]byte]bool // sums of all inputs, so that none comes twice
}

var (
	corpora = map[target]*corpus{}
	lock    sync.Mutex
)

// Add adds a seed and its changes to the corpus of a fuzz target. The changes depend only on the name of the target, on
// this seed and on the earlier seeds.
func Add(f *testing.F, arguments ...any) {
	f.Helper()
	add(f, arguments...)
}

func add(f target, arguments ...any) {
	f.Helper()
	lock.Lock()
	c := corpora[f]
	if c == nil {
		c = &corpus{known: map[[sha256.Size]byte]bool{}}
		corpora[f] = c
		f.Cleanup(func() {
			lock.Lock()
			defer lock.Unlock()
			delete(corpora, f)
		})
	}
	lock.Unlock()
	f.Add(arguments...)
	for _, changed := range c.changes(f.Name(), arguments) {
		f.Add(changed...)
	}
}

// changes returns the changed inputs of the next seed. The seed itself stays as it is.
func (c *corpus) changes(name string, seed []any) (list [][]any) {
	seed = clone(seed)
	number := len(c.seeds)
	c.seeds = append(c.seeds, seed)
	c.known[sum("", 0, seed)] = true
	key := sum(name, number, seed)
	random := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])))
	for range count(number, size(seed)) {
		// Seeds such as a truth have fewer changes than that.
		for attempt := 0; attempt < 4; attempt++ {
			changed := c.change(random, seed)
			if s := sum("", 0, changed); !c.known[s] {
				c.known[s] = true
				list = append(list, changed)
				break
			}
		}
	}
	return list
}

// count is the number of changes of a seed behind a number of earlier ones.
func count(before, size int) int {
	n := mostChanges / (before + 1)
	if size > largeSeed {
		n = n * largeSeed / size
	}
	return max(n, fewestChanges)
}

// size is the length of all texts of an input.
func size(input []any) (n int) {
	for _, argument := range input {
		switch x := argument.(type) {
		case []byte:
			n += len(x)
		case string:
			n += len(x)
		}
	}
	return n
}

// sum identifies an input.
func sum(name string, number int, input []any) (s [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d\n", name, number)
	for _, argument := range input {
		switch x := argument.(type) {
		case []byte:
			fmt.Fprintf(h, "%T %d ", x, len(x))
			h.Write(x)
		case string:
			fmt.Fprintf(h, "%T %d ", x, len(x))
			io.WriteString(h, x)
		default:
			fmt.Fprintf(h, "%T %v ", x, x)
		}
	}
	h.Sum(s[:0])
	return s
}

// clone copies what a fuzz target could write to.
func clone(input []any) []any {
	c := make([]any, len(input))
	for i, argument := range input {
		if b, is := argument.([]byte); is {
			argument = append([]byte{}, b...)
		}
		c[i] = argument
	}
	return c
}

// change makes one to four changes in an input, most often one.
func (c *corpus) change(random *rand.Rand, seed []any) []any {
	changed := clone(seed)
	for steps := 1; steps <= 4 && len(changed) > 0; steps++ {
		i := random.IntN(len(changed))
		other := c.seeds[random.IntN(len(c.seeds))] // to splice with
		if len(other) != len(seed) {
			other = seed // testing refuses it
		}
		changed[i] = changeArgument(random, changed[i], other[i])
		if random.IntN(2) == 0 {
			break
		}
	}
	return changed
}

// changeArgument changes one argument of a type allowed in fuzz targets. testing.F.Add rejects other types.
func changeArgument(random *rand.Rand, argument, other any) any {
	switch x := argument.(type) {
	case []byte:
		o, _ := other.([]byte)
		return changeText(random, x, o)
	case string:
		o, _ := other.(string)
		return string(changeText(random, []byte(x), []byte(o)))
	case bool:
		return !x
	case float64:
		return changeFloat(random, x)
	case float32:
		return float32(changeFloat(random, float64(x)))
	case int:
		return int(changeInteger(random, int64(x), 64))
	case int64:
		return changeInteger(random, x, 64)
	case int32: // and rune
		return int32(changeInteger(random, int64(x), 32))
	case int16:
		return int16(changeInteger(random, int64(x), 16))
	case int8:
		return int8(changeInteger(random, int64(x), 8))
	case uint:
		return uint(changeInteger(random, int64(x), 64))
	case uint64:
		return uint64(changeInteger(random, int64(x), 64))
	case uint32:
		return uint32(changeInteger(random, int64(x), 32))
	case uint16:
		return uint16(changeInteger(random, int64(x), 16))
	case uint8: // and byte
		return uint8(changeInteger(random, int64(x), 8))
	}
	return argument
}

// changeInteger returns a bound, a neighbour, or another number. The caller takes as many of the last bits as its type
// has: those of -1 are the largest number without a sign.
func changeInteger(random *rand.Rand, x int64, bits int) int64 {
	switch random.IntN(6) {
	case 0, 1:
		bounds := []int64{0, 1, -1, 1<<(bits-1) - 1, -1 << (bits - 1), 1<<(bits/2) - 1, 1 << (bits / 2), 'A', 0x2028}
		return bounds[random.IntN(len(bounds))]
	case 2:
		return x + int64(random.IntN(33)) - 16
	case 3:
		return -x
	case 4:
		return x ^ 1<<random.IntN(bits)
	}
	return int64(random.Uint64())
}

// floats are numbers that often break computations.
var floats = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64,
	-math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 1e-300, -1e300, 1e-9, 1e9,
	0x1p53, math.MaxFloat32, math.SmallestNonzeroFloat32, math.MaxInt64, math.MinInt64, 0.5, math.Pi, -math.Pi / 2}

// changeFloat returns a number of the list, a neighbour, another size or sign, or other bits.
func changeFloat(random *rand.Rand, x float64) float64 {
	switch random.IntN(8) {
	case 0, 1, 2:
		return floats[random.IntN(len(floats))]
	case 3:
		return math.Nextafter(x, floats[4+random.IntN(2)])
	case 4:
		return -x
	case 5:
		return x * (1 + 1e-3*random.NormFloat64())
	case 6:
		return math.Ldexp(x, random.IntN(129)-64)
	}
	return math.Float64frombits(math.Float64bits(x) ^ 1<<random.IntN(64))
}
