package lanes

import (
	"reflect"
	"sync"

	"skidpad/model/machinecode"
	"skidpad/tire"
)

//go:generate go run ./trace ../../tire operations_gen.go

// operations are the operations of a tire function and of its Jacobian, from which machine code is made. Their memory
// holds the inputs, the fields of the function's type, the results.
type operations struct {
	inputs, outputs int
	fields          []string // of the type, in the order in which the operations read them
	eval, jacobian  func(*machinecode.Builder)

	once         sync.Once
	forces, rows *machinecode.Code // nil where there can be none
}

// functions is the package whose types have operations.
const functions = "skidpad/tire"

// operationsOf finds the operations of a function of some kind. There are none for functions from outside, for those
// that were not traced, and for those whose fields or inputs have changed since: these run without lanes.
func operationsOf(k *tire.Kind, f tire.Function) *operations {
	t := reflect.TypeOf(f)
	if t.Kind() != reflect.Pointer || t.Elem().PkgPath() != functions {
		return nil
	}
	o := generated[t.Elem().Name()]
	if o == nil || !o.describe(t.Elem()) || len(k.Inputs) != o.inputs || len(k.Outputs) != o.outputs {
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
		make := func(build func(*machinecode.Builder), results int) *machinecode.Code {
			b := machinecode.NewBuilder()
			build(b)
			code, err := machinecode.Compile(b, o.inputs+len(o.fields)+results, lanes)
			if err != nil {
				return nil // without it, Go does the same
			}
			return code
		}
		o.forces, o.rows = make(o.eval, o.outputs), make(o.jacobian, o.outputs*o.inputs+o.outputs)
	})
	return o.forces != nil && o.rows != nil
}
