package lanes

import (
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// most is the number of tires that machine code evaluates at once.
const most = 4

// lanesFor returns the number of lanes of code for a number of tires.
func lanesFor(tires int) int {
	if tires == 1 {
		return 1
	}
	return most
}

// program is the code of a batch. The memory of the code holds arguments, fields and results.
type program struct {
	lanes, arguments, fields int
	values, slopes           *machinecode.Block
	results, rows            int                                 // numbers of each block
	start                    *machinecode.Block                  // of carcasses, see CarcassStart
	bind                     func(f tire.Function, to []float64) // computes the fields of a member
}

// programOf returns the program of functions with the same law, nil without machine code.
func programOf(functions []tire.Function) *program {
	law, lanes := tire.CommonLaw(functions), lanesFor(len(functions))
	values, slopes := law.Code(lanes)
	if values == nil {
		return nil
	}
	return &program{lanes: lanes, arguments: law.Inputs(), fields: law.Fields(), values: values, slopes: slopes,
		results: law.Values.Results(), rows: law.Slopes.Results(), bind: law.Bind}
}

// store stores results from a slot on.
func store(b *machinecode.Builder, slot int, results []machinecode.Value) {
	for i, v := range results {
		b.Store(int32(slot+i), v)
	}
}
