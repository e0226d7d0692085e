package lanes

import (
	"reflect"
	"sync"

	"skidpad/tire/machinecode"
	"skidpad/tire"
)

//go:generate go run ./trace ../../tire operations_gen.go

// operations are the operations of a tire function and of its Jacobian, from which machine code is made. The memory of
// the code holds the inputs, the fields of the function's type, the results.
type operations struct {
	inputs, outputs int
	fields          []string // of the type, in the order in which the operations read them
	eval, jacobian  method
	grip, lengths   *told // nil for a type that has none

	once         sync.Once
	forces, rows *machinecode.Code // nil where there can be none
}

// method makes operations of values of arguments and of the fields of a type, and returns their results.
type method func(b *machinecode.Builder, in, of []machinecode.Value) []machinecode.Value

// told are the operations of something that a function tells, and of its derivatives row by row.
type told struct{ value, slopes method }

// functions is the package whose types have operations.
const functions = "skidpad/tire"

// operationsOf finds the operations of a function of some kind. There are none for functions from outside, for those
// that were not traced, and for those whose fields or inputs have changed since: these run without lanes.
func operationsOf(k *tire.Kind, f tire.Function) *operations {
	o := operationsOfType(f)
	if o == nil || len(k.Inputs) != o.inputs || len(k.Outputs) != o.outputs {
		return nil
	}
	return o
}

// operationsOfType finds those of a function by its type alone.
func operationsOfType(f tire.Function) *operations {
	t := reflect.TypeOf(f)
	if t.Kind() != reflect.Pointer || t.Elem().PkgPath() != functions {
		return nil
	}
	o := generated[t.Elem().Name()]
	if o == nil || !o.describe(t.Elem()) {
		return nil
	}
	return o
}

// describe reports whether the operations were made of a type as it is now.
func (o *operations) describe(t reflect.Type) bool {
	if t.NumField() != len(o.fields) {
		return false
	}
	for i, name := range o.fields {
		f := t.Field(i)
		if f.Name != name || f.Type.Kind() != reflect.Float64 && f.Type.Kind() != reflect.Bool {
			return false
		}
	}
	return true
}

// compile makes the machine code, once for all.
func (o *operations) compile() bool {
	o.once.Do(func() {
		make := func(of method) *machinecode.Code {
			b := machinecode.NewBuilder()
			results := of(b, loads(b, 0, o.inputs), loads(b, o.inputs, len(o.fields)))
			code, _ := compiled(b, o.inputs+len(o.fields), results) // without it, Go does the same
			return code
		}
		o.forces, o.rows = make(o.eval), make(o.jacobian)
	})
	return o.forces != nil && o.rows != nil
}

// loads are the values of slots from one on.
func loads(b *machinecode.Builder, slot, n int) (list []machinecode.Value) {
	for i := range n {
		list = append(list, b.Load(int32(slot+i)))
	}
	return list
}

// compiled stores results from a slot on and makes the code.
func compiled(b *machinecode.Builder, slot int, results []machinecode.Value) (*machinecode.Code, error) {
	for i, v := range results {
		b.Store(int32(slot+i), v)
	}
	return machinecode.Compile(b, slot+len(results), lanes)
}
