package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
)

// heat is the loss of a component that heats a node. It is a symbol until the equations are solved: the loss of a
// brake follows from all other loads. Temperatures that laws use are states, so that no loss depends on itself.
type heat struct {
	of     component.Energetic
	symbol *expr.Expr
}

// relationsOf are the laws of a component's scalar edges, in the order of component.ScalarEdges.
func (f *Formulation) relationsOf(c component.Component) (list []component.Relation) {
	if n, is := c.(component.Networked); is {
		list = n.Relations(f.builder(c))
	}
	if lossy, is := c.(component.Energetic); is && c.Head().Heat != "" {
		h := heat{lossy, f.Pool.Sym("heat_of_"+c.Head().Name, expr.Unknown)}
		f.heats, list = append(f.heats, h), append(list, component.Relation{Value: h.symbol})
	}
	return list
}

// heatsFound gives the losses that heat nodes their values: what the ledger counts as dissipated.
func (f *Formulation) heatsFound() {
	var symbols, values []*expr.Expr
	for _, h := range f.heats {
		loss := h.of.Energy(f.builder(h.of)).Dissipated
		if loss == nil {
			loss = f.Pool.Int(0)
		}
		symbols, values = append(symbols, h.symbol), append(values, loss)
	}
	f.Pool.Become(symbols, values)
}
