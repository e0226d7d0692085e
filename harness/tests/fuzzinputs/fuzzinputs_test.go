package fuzzinputs

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// fake is a fuzz target that keeps its inputs.
type fake struct {
	name   string
	inputs [][]any
	end    func()
}

func (f *fake) Add(arguments ...any) { f.inputs = append(f.inputs, arguments) }
func (f *fake) Cleanup(end func())   { f.end = end }
func (f *fake) Helper()              {}
func (f *fake) Name() string         { return f.name }

// inputsOf returns all inputs of a target with seeds.
func inputsOf(name string, seeds ...[]any) [][]any {
	f := &fake{name: name}
	for _, seed := range seeds {
		add(f, seed...)
	}
	f.end()
	return f.inputs
}

// everyType is a seed with all types that fuzz targets can have.
var everyType = []any{[]byte("a = 1\n[b]\n"), "c,d\n1,2.5\n", true, 1.5, float32(2.5), 1, int64(-2), int32(3), 'r',
	int16(4), int8(5), uint(6), uint64(7), uint32(8), uint16(9), uint8(10), byte('b')}

// fingerprint identifies the inputs of a target with seeds of all types.
func fingerprint() string {
	h := sha256.New()
	for _, input := range inputsOf("FuzzEverything", everyType, everyType,
		[]any{[]byte{}, "", false, 0.0, float32(0), 0, int64(0), int32(0), 'x', int16(0), int8(0), uint(0), uint64(0),
			uint32(0), uint16(0), uint8(0), byte(0)}) {
		s := sum("", 0, input)
		h.Write(s[:])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// stored is the fingerprint on every machine and with every version of Go. It changes only where this package does.
const stored = "3e69f7417ececdc9"

// The same inputs come again, in this process, in others and elsewhere.
func TestInputsAreTheSameInEveryRun(t *testing.T) {
	const variable = "SKIDPAD_PRINT_FINGERPRINT"
	if os.Getenv(variable) != "" {
		fmt.Println(fingerprint())
		return
	}
	first, again := fingerprint(), fingerprint()
	command := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	command.Env = append(os.Environ(), variable+"=1")
	other, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if again != first || !strings.HasPrefix(string(other), first+"\n") || first != stored {
		t.Errorf("%s, again %s, in another process %q; stored is %s", first, again, other, stored)
	}
}

// The changes of a seed depend on the target, the seed and its number, and not on other targets of the same run.
func TestChangesBelongToTheirSeed(t *testing.T) {
	a, b := []any{"first seed of a target"}, []any{"second seed of a target"}
	of := func(inputs [][]any) string { return fmt.Sprint(inputs) }
	alone := inputsOf("FuzzA", a)
	both := inputsOf("FuzzA", a, b)
	if of(both[:len(alone)]) != of(alone) {
		t.Error("a second seed changes the inputs of the first one")
	}
	if of(inputsOf("FuzzB", a)) == of(alone) {
		t.Error("two targets have the same inputs")
	}
	if of(both[len(alone):]) == of(inputsOf("FuzzA", b)) {
		t.Error("the first and the second seed are changed in the same way")
	}
	if corpora[&fake{}] != nil || len(corpora) != 0 {
		t.Errorf("%d targets are kept after their ends", len(corpora))
	}
	// A target that overwrites its input does not change later inputs.
	data := []byte("some text 12")
	f := &fake{name: "FuzzA"}
	add(f, data)
	data[0] = 'X'
	for _, input := range f.inputs {
		clear(input[0].([]byte))
	}
	add(f, []byte("other"))
	f.end()
	if of(f.inputs[len(f.inputs)-fewestChanges:]) != of(inputsOf("FuzzA", []any{[]byte("some text 12")},
		[]any{[]byte("other")})[len(f.inputs)-fewestChanges:]) {
		t.Error("the inputs depend on what the target does")
	}
}

// Inputs have the types of the seed, and every argument is changed. All are different.
func TestEveryTypeIsChanged(t *testing.T) {
	for i, value := range everyType {
		seen := map[string]bool{}
		for _, input := range inputsOf("FuzzType", []any{value}) {
			if len(input) != 1 || reflect.TypeOf(input[0]) != reflect.TypeOf(value) {
				t.Fatalf("%T becomes %T", value, input[0])
			}
			shown := fmt.Sprint(input[0])
			if seen[shown] {
				t.Errorf("%T: %q comes twice", value, shown)
			}
			seen[shown] = true
		}
		wanted := map[reflect.Kind]int{reflect.Bool: 2, reflect.Uint8: 60, reflect.Int8: 60}
		if n := cmp.Or(wanted[reflect.TypeOf(value).Kind()], 100); len(seen) < n {
			t.Errorf("argument %d, %T: %d inputs; want %d", i, value, len(seen), n)
		}
	}
	for _, limits := range []struct{ seed, wanted any }{
		{1.5, math.Inf(1)}, {1.5, math.MaxFloat64}, {1.5, math.SmallestNonzeroFloat64}, {1.5, -1.5}, {1.5, 0.0},
		{float32(1), float32(math.Inf(-1))}, {1, math.MaxInt64}, {int64(1), int64(math.MinInt64)}, {int32(1), int32(-1)},
		{int32(1), int32(math.MinInt32)}, {int16(1), int16(math.MaxInt16)}, {int8(1), int8(math.MinInt8)},
		{uint(1), uint(math.MaxUint)}, {uint64(1), uint64(1) << 63}, {uint32(1), uint32(math.MaxUint32)},
		{uint16(1), uint16(math.MaxUint16)}, {byte(1), byte(255)},
	} {
		if !strings.Contains(fmt.Sprintf("%#v ", inputsOf("FuzzLimits", []any{limits.seed})),
			fmt.Sprintf("{%#v}", limits.wanted)) {
			t.Errorf("%T is never %v", limits.seed, limits.wanted)
		}
	}
	var nan, minusZero bool
	for _, input := range inputsOf("FuzzLimits", []any{1.5}) {
		x := input[0].(float64)
		nan, minusZero = nan || x != x, minusZero || x == 0 && math.Signbit(x)
	}
	if !nan || !minusZero {
		t.Errorf("NaN %v, -0 %v", nan, minusZero)
	}
}

// Later seeds and large ones have fewer changes, and none too few; no text grows far beyond its seed.
func TestNumbersOfInputs(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789\n"), 10*largeSeed/11)
	for _, c := range []struct {
		seeds      [][]any
		from, upTo int
	}{
		{[][]any{{"a = 1"}}, 240, mostChanges + 1},
		{[][]any{{large}}, 25, 26},
		{[][]any{{large}, {large[1:]}}, 46, 47},
		{[][]any{{true}}, 2, 2},
		{[][]any{{""}}, 50, mostChanges + 1},
		{[][]any{{}}, 1, 1},
	} {
		inputs := inputsOf("FuzzNumbers", c.seeds...)
		if n := len(inputs); n < c.from || n > c.upTo {
			t.Errorf("%d seeds of %d bytes: %d inputs; want %d to %d", len(c.seeds), size(c.seeds[0]), n, c.from, c.upTo)
		}
		for _, input := range inputs {
			if n := size(input); n > 16*size(c.seeds[0])+4096 {
				t.Errorf("a seed of %d bytes becomes one of %d", size(c.seeds[0]), n)
			}
		}
	}
}

// toy reads lists such as a=1;b=[2;3] and fails as its fault determines.
type toy struct{ fault string }

func (p toy) read(text string) (sum int, err error) {
	rest := text
	sum, err = p.list(&rest, 0)
	if err == nil && rest != "" {
		err = errors.New("text behind the end")
	}
	return sum, err
}

func (p toy) list(rest *string, depth int) (sum int, err error) {
	if depth > 3 && p.fault != "depth" {
		return 0, errors.New("too deep")
	}
	if depth > 6 {
		panic("the stack overflows")
	}
	names := map[string]bool{}
	for {
		end := strings.IndexByte(*rest, '=')
		if end < 0 {
			if p.fault == "equals" {
				_ = (*rest)[:end]
			}
			return 0, errors.New("no =")
		}
		name := (*rest)[:end]
		if names[name] {
			if p.fault == "twice" {
				panic("a name twice")
			}
			return 0, errors.New("twice")
		}
		names[name] = true
		*rest = (*rest)[end+1:]
		if p.fault != "end" && *rest == "" {
			return 0, errors.New("no value")
		}
		if (*rest)[0] == '[' {
			*rest = (*rest)[1:]
			inner, err := p.list(rest, depth+1)
			if err != nil {
				return 0, err
			}
			if !strings.HasPrefix(*rest, "]") && p.fault != "bracket" {
				return 0, errors.New("no ]")
			}
			sum, *rest = sum+inner, (*rest)[1:]
		} else {
			end := strings.IndexAny(*rest, ";]")
			if end < 0 {
				end = len(*rest)
			}
			n, err := strconv.Atoi((*rest)[:end])
			if err != nil {
				if p.fault == "number" && errors.Is(err, strconv.ErrRange) {
					panic("a large number")
				}
				return 0, err
			}
			if p.fault == "zero" && n == 0 {
				panic("division by zero")
			}
			sum, *rest = sum+n, (*rest)[end:]
		}
		if !strings.HasPrefix(*rest, ";") {
			return sum, nil
		}
		*rest = (*rest)[1:]
	}
}

// finds reports whether an input makes a reader panic.
func finds(read func(input []any), inputs [][]any) (panics int) {
	for _, input := range inputs {
		func() {
			defer func() {
				if recover() != nil {
					panics++
				}
			}()
			read(input)
		}()
	}
	return panics
}

// Faults in a reader of texts, and in a computation, are found by the changes of two sound seeds.
func TestFaultsAreFound(t *testing.T) {
	texts := inputsOf("FuzzToy", []any{"a=1;b=[c=2;d=3];e=4"}, []any{"name=[x=1];y=[z=[w=[v=5]]]"})
	for _, fault := range []string{"", "equals", "end", "bracket", "number", "twice", "zero", "depth"} {
		panics := finds(func(input []any) { _, _ = toy{fault}.read(input[0].(string)) }, texts)
		if (panics > 0) != (fault != "") {
			t.Errorf("fault %q: %d panics in %d inputs", fault, panics, len(texts))
		}
	}
	numbers := inputsOf("FuzzNumbers", []any{1.0, 2, byte(3)})
	for fault, fails := range map[string]func(x float64, n int, b byte) bool{
		"":                         func(x float64, n int, b byte) bool { return false },
		"not a number":             func(x float64, n int, b byte) bool { return x != x },
		"infinite":                 func(x float64, n int, b byte) bool { return math.IsInf(1e10*x, 0) },
		"has no reciprocal":        func(x float64, n int, b byte) bool { return math.IsInf(1/x, 0) },
		"has no negative":          func(x float64, n int, b byte) bool { return n < 0 && -n == n },
		"overflows":                func(x float64, n int, b byte) bool { return n > 0 && n+1 < 0 },
		"largest byte":             func(x float64, n int, b byte) bool { return b == 255 },
		"large beside a small one": func(x float64, n int, b byte) bool { return math.Abs(x) < 1e-9 && n > 1e9 },
	} {
		panics := finds(func(input []any) {
			if fails(input[0].(float64), input[1].(int), input[2].(byte)) {
				panic(fault)
			}
		}, numbers)
		if (panics > 0) != (fault != "") {
			t.Errorf("fault %q: %d panics in %d inputs", fault, panics, len(numbers))
		}
	}
}
