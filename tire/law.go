package tire

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"skidpad/tire/formula"
	"skidpad/tire/machinecode"
)

// lawText writes a law as formulas. Texts that are equal write the same for equal coefficients.
type lawText interface {
	shape() lawShape
	// write returns the inputs within their bounds, and the results.
	write(in, coefficients []formula.Number) (bounded, results []formula.Number)
}

// lawShape is how much a law takes. Terms of coefficients that may be absent are left out where these are 0.
type lawShape struct {
	inputs, coefficients int
	absent               []int // numbers of coefficients that may be absent, in rising order
}

// shapeOf is the shape of a law whose coefficients are the fields of T, a type for float64. Those that a parameter file
// holds may be absent, except scale factors, which can change between two steps.
func shapeOf[T any](inputs int) lawShape {
	of := reflect.TypeFor[T]()
	if s, ok := shapes.Load(of); ok {
		return lawShape{inputs, s.(lawShape).coefficients, s.(lawShape).absent}
	}
	s := lawShape{inputs: inputs, coefficients: of.NumField()}
	for i := range of.NumField() {
		if f := of.Field(i); f.IsExported() && !strings.HasPrefix(f.Name, "L") {
			s.absent = append(s.absent, i)
		}
	}
	shapes.Store(of, s)
	return s
}

var shapes sync.Map // of reflect.Type: lawShape, whatever the inputs

// numbersOf are the fields of coefficients; all fields must be float64.
func numbersOf[T any](of *T) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(of)), reflect.TypeFor[T]().NumField())
}

// named are the coefficients of a law by name: T has a field of type formula.Number for each coefficient.
func named[T any](coefficients []formula.Number) *T {
	return (*T)(unsafe.Pointer(unsafe.SliceData(coefficients)))
}

// Law is the computation of functions, as formulas: values, and their derivatives row by row, followed by the values.
// All functions with the same text and the same missing coefficients share it.
type Law struct {
	text           lawText
	absent         []int // numbers of the coefficients that all functions with this law lack
	inputs         int
	formulas       *formula.Law
	Values, Slopes *formula.Program
	codes          [2]lawCode // of one lane, of four lanes
}

// lawCode is a law as machine code, made once.
type lawCode struct {
	once           sync.Once
	values, slopes *machinecode.Block
}

// lawKey tells laws apart: their texts, and which coefficients they lack.
type lawKey struct {
	text   lawText
	absent string
}

var laws sync.Map // of lawKey: *Law

// lawOf finds the law of a text that lacks coefficients, or writes it.
func lawOf(text lawText, absent []bool) *Law {
	key := lawKey{text, absentKey(absent)}
	if l, ok := laws.Load(key); ok {
		return l.(*Law)
	}
	l, _ := laws.LoadOrStore(key, newLaw(text, absent))
	return l.(*Law)
}

func absentKey(absent []bool) string {
	key := make([]byte, (len(absent)+7)/8)
	for i, is := range absent {
		if is {
			key[i/8] |= 1 << (i % 8)
		}
	}
	return string(key)
}

// newLaw writes a law.
func newLaw(text lawText, absent []bool) *Law {
	s := text.shape()
	g := formula.NewGraph(s.inputs)
	in, coefficients := make([]formula.Number, s.inputs), make([]formula.Number, s.coefficients)
	for i := range in {
		in[i] = g.Input(i)
	}
	for i := range coefficients {
		coefficients[i] = g.Coefficient(i)
	}
	var lacking []int
	for k, i := range s.absent {
		if absent[k] {
			coefficients[i] = g.Constant(0)
			lacking = append(lacking, i)
		}
	}
	bounded, results := text.write(in, coefficients)
	l := &Law{text: text, absent: lacking, inputs: s.inputs, Values: formula.NewProgram(results),
		Slopes: formula.NewProgram(slices.Concat(formula.Derivatives(formula.Settled(results, in, bounded)), results))}
	l.formulas = g.Law(l.Values, l.Slopes)
	return l
}

// Fields is how many numbers the programs need that follow from the coefficients of a function.
func (l *Law) Fields() int { return l.formulas.Fields() }

// Code is the law as machine code for one or four lanes, nil where there can be none: the memory holds inputs, fields
// and results.
func (l *Law) Code(lanes int) (values, slopes *machinecode.Block) {
	c := &l.codes[0]
	if lanes > 1 {
		c = &l.codes[1]
	}
	c.once.Do(func() {
		c.values, c.slopes = l.block(l.Values, lanes), l.block(l.Slopes, lanes)
	})
	if c.values.Code == nil || c.slopes.Code == nil {
		return nil, nil
	}
	return c.values, c.slopes
}

func (l *Law) block(p *formula.Program, lanes int) *machinecode.Block {
	return machinecode.NewBlock(lanes, func() (*machinecode.Builder, error) {
		b := machinecode.NewBuilder()
		first := l.inputs + l.Fields()
		for i, v := range p.Lower(b, b.Loads(0, l.inputs), b.Loads(l.inputs, l.Fields())) {
			b.Store(int32(first+i), v)
		}
		return b, nil
	})
}

// TextOf identifies the computation of a function, comparably; nil for a function that is not written as formulas.
func TextOf(f Function) any {
	if f, ok := f.(interface{ written() *formulas }); ok {
		return f.written().text
	}
	return nil
}

// CommonLaw is the law of functions with one text, which leaves out terms whose coefficients all of them lack.
func CommonLaw(functions []Function) *Law {
	var absent []bool
	for i, f := range functions {
		of := f.(interface{ written() *formulas }).written()
		own := of.absent()
		if i == 0 {
			absent = own
		}
		for k := range absent {
			absent[k] = absent[k] && own[k]
		}
	}
	return lawOf(functions[0].(interface{ written() *formulas }).written().text, absent)
}

// Bind computes the fields for the coefficients of a function. It panics if the function has a coefficient that the law
// lacks: its terms would be missing in all results.
func (l *Law) Bind(f Function, fields []float64) {
	of := f.(interface{ written() *formulas }).written()
	for _, i := range l.absent {
		if of.coefficients[i] != 0 {
			panic(fmt.Sprintf("tire: coefficient %d of %T is %g; it was 0 when the law was written", i, l.text,
				of.coefficients[i]))
		}
	}
	l.formulas.Bind(of.coefficients, fields)
}

// Inputs is how many inputs the law takes.
func (l *Law) Inputs() int { return l.inputs }
