package program

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"skidpad/model/expr"
)

// Fingerprint identifies the program's blocks and their memory: saved states fit a program exactly when the
// fingerprints agree.
func (p *Program) Fingerprint() string {
	h := sha256.New()
	write := func(values ...int32) {
		var b [4]byte
		for _, v := range values {
			binary.LittleEndian.PutUint32(b[:], uint32(v))
			h.Write(b[:])
		}
	}
	for _, c := range p.layout.constants {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(c))
		h.Write(b[:])
	}
	tables := p.tables()
	for _, t := range tables {
		fmt.Fprintf(h, "%#v", t)
	}
	write(p.layout.parameters, p.layout.states, p.layout.inputs, p.layout.returned, p.layout.size)
	for _, b := range p.blocks() {
		write(-1)
		for _, i := range b.code {
			write(int32(i.op), i.dst, i.a, i.b)
			if i.table != nil {
				write(int32(slices.Index(tables, i.table)))
			}
		}
	}
	for _, s := range p.Samplers {
		for _, v := range s.Values {
			fmt.Fprintf(h, "%q %q", v.Name, v.Formula)
		}
		if s.Function != nil {
			fmt.Fprintf(h, "%q %q", s.Function.Inputs, s.Function.Returns)
		}
	}
	for _, list := range append([][]int32{p.rates, p.outputs, p.begins, p.watched},
		slices.Concat(p.arguments, p.returned, p.loads)...) {
		write(-2)
		write(list...)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (p *Program) blocks() [5]*block {
	return [...]*block{&p.init, &p.before, &p.after, &p.output, &p.begin}
}

// tables lists the tables of all look-ups.
func (p *Program) tables() (list []expr.Table) {
	for _, b := range p.blocks() {
		for _, i := range b.code {
			if i.table != nil && !slices.Contains(list, i.table) {
				list = append(list, i.table)
			}
		}
	}
	return list
}
