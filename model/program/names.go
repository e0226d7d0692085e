package program

import "skidpad/model/expr"

// slotName is the name of a definition whose value is in a slot of the memory.
type slotName struct {
	text string // such as F_hub_x, or -F_hub_x
	same bool   // the slot holds what the name denotes, without sign or factor
}

// nameSlots finds the slots that hold definitions. Definitions that have dissolved in others have none.
func (c *compiler) nameSlots(e *emitter) map[int32]slotName {
	named := map[int32]slotName{}
	n := int32(len(c.layout.constants))
	notation := expr.Text
	notation.Name = c.source.Names.Of
	for _, d := range c.source.Names.Definitions() {
		if d.ID() >= len(c.g.memo) {
			continue
		}
		r := c.g.lowered(d)
		for r.node >= 0 && c.isAlias(r.node) {
			o := c.g.nodes[r.node].operands[0]
			r = ref{o.node, o.neg != r.neg}
		}
		if r.node < 0 || int(r.node) >= len(e.done) || !e.done[r.node] || c.g.nodes[r.node].form <= constantForm {
			continue
		}
		slot := moved(e.slot[r.node], n)
		if _, is := named[slot]; is {
			continue
		}
		held := d // what the slot holds
		if r.neg {
			held = c.source.Pool.Neg(d)
		}
		text := notation.Write(held)
		named[slot] = slotName{text, text == c.source.Names.Of(d)}
	}
	return named
}

// isAlias reports whether a node is a sum or product of one operand.
func (c *compiler) isAlias(n int32) bool {
	node := &c.g.nodes[n]
	return (node.form == sumForm || node.form == productForm) && len(node.operands) == 1
}
