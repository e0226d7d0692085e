package standalone

import (
	"fmt"
	"strings"

	"skidpad/model/program"
)

// operationsOf returns the number of operations of a written block.
func (w *writer) operationsOf(r *program.Run) int {
	for key, of := range w.made {
		if key.Block == r.Block {
			return of.operations
		}
	}
	return 0
}

// operations returns the number of operations of an evaluation.
func (w *writer) operations(of *program.Straight) (n int) {
	for i := range of.Parts {
		for k := range of.Parts[i].Runs {
			n += w.operationsOf(&of.Parts[i].Runs[k])
		}
	}
	return n
}

// cost returns the number of operations of a solver step, without outputs and end conditions.
func (w *writer) cost(method string) int {
	rates, contacts := w.operations(w.plan.Rates), 0
	for i := range w.plan.Contacts {
		contacts += w.operationsOf(&w.plan.Contacts[i].Law)
	}
	switch method {
	case "heun":
		return 2*rates + contacts
	case "rk4":
		return 4*rates + contacts
	case "linearly-implicit":
		l := w.plan.Linear
		n := w.operations(l.At) + w.operationsOf(&l.Factors) + w.operationsOf(&l.Solves) + rates + contacts
		if of := l.Correction; of != nil {
			n += w.operations(of.Residuals) + 2*w.operationsOf(&of.Run)
		}
		return n
	}
	return rates + contacts
}

// costs lists the operations of a solver step for each method.
func (w *writer) costs() string {
	var list []string
	for _, method := range w.method {
		list = append(list, fmt.Sprintf("%s %d", method, w.cost(method)))
	}
	return strings.Join(list, ", ")
}

// flash estimates the bytes of machine code, constants and names of the file, compiled by gcc -O2 -march=native on
// x86-64 with AVX. For shipped vehicles, the error is within a sixth.
func (w *writer) flash() int {
	n := 0
	for key, of := range w.made {
		n += of.operations / key.Lanes
	}
	if w.looksUp() {
		n += 1000
	}
	return 25_000 + 23*n/2
}

// bytes returns the size of an instance if int has 4 bytes and pointers have 8.
func (w *writer) bytes() int {
	p := w.in.System().Program()
	n, inputs, rows := max(1, len(p.States)), max(1, len(p.Inputs)), len(w.plan.Rows)
	numbers := 6 + n + 2*inputs + max(1, len(w.parameters())) + max(1, len(w.shown())) + 5*len(w.plan.Surfaces) + 1 +
		(2*rows + 2) + (4*rows + 1) + 2*(5*rows+1) + 6*n + 3*inputs + 10*len(w.plan.Grounds) + 5 +
		2*(len(w.plan.Contacts)+1) + 2*(w.sampleNumbers()+1) + 3*len(w.plan.Samplers) + 1 + w.heldValues() + 1 +
		w.shares() + w.total() + 2*rows + 1
	if d := w.plan.Derivatives; d != nil {
		numbers += 2*len(d.Shaping)*w.shapeSize() + 1 + inputs + 5*len(w.plan.Grounds) + len(d.Variables) +
			len(p.States) + len(w.shown())
	}
	whole := func(bytes int) int { return (bytes + 7) / 8 * 8 }
	const tire = 8 + 8 + (4*(1+64)+7)/8*8 // a library tire
	return 8*numbers + whole(rows+1) + 8 + whole(4*(rows+4)) + whole(tire*len(w.plan.Called))
}
