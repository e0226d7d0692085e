package expr

import (
	"strconv"
	"strings"
)

// String returns e in readable mathematics; definitions appear by name.
func (e *Expr) String() string {
	var b strings.Builder
	e.write(&b, 0)
	return b.String()
}

// Statement returns "name = subterm" of a Definition.
func (e *Expr) Statement() string { return e.name + " = " + e.args[0].String() }

func (e *Expr) label() string {
	if e.name != "" {
		return e.name
	}
	return "n" + strconv.Itoa(int(e.id))
}

// Binding strengths: 0 sum, 1 product, 2 power.
func (e *Expr) write(b *strings.Builder, level int) {
	switch e.kind {
	case Number:
		s := e.number.String()
		if level > 0 && (strings.ContainsAny(s, "/-")) {
			s = "(" + s + ")"
		}
		b.WriteString(s)
	case Symbol, Definition:
		b.WriteString(e.name)
	case Call:
		if e.fn == Lookup {
			b.WriteString(e.table.String())
		} else {
			b.WriteString(e.fn.String())
		}
		b.WriteByte('(')
		for i, a := range e.args {
			if i > 0 {
				b.WriteString(", ")
			}
			a.write(b, 0)
		}
		b.WriteByte(')')
	case Sum:
		e.writeSum(b, level)
	case Product:
		e.writeProduct(b, level)
	}
}

func (e *Expr) writeSum(b *strings.Builder, level int) {
	if level > 0 {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	for i, a := range e.args {
		c := e.coefs[i]
		switch {
		case c.Sign() < 0 && i == 0:
			b.WriteByte('-')
		case c.Sign() < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		if c.Sign() < 0 {
			c = c.Neg()
		}
		if !c.IsOne() {
			s := c.String()
			if strings.Contains(s, "/") {
				s = "(" + s + ")"
			}
			b.WriteString(s + "*")
		}
		a.write(b, 1)
	}
	if !e.number.IsZero() {
		if e.number.Sign() < 0 {
			b.WriteString(" - " + e.number.Neg().String())
		} else {
			b.WriteString(" + " + e.number.String())
		}
	}
}

func (e *Expr) writeProduct(b *strings.Builder, level int) {
	if level > 1 {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	write := func(sign int) int {
		n := 0
		for i, base := range e.args {
			power := sign * e.powers[i]
			if power < 0 {
				continue
			}
			if n > 0 {
				b.WriteByte('*')
			}
			n++
			base.write(b, 2)
			if power != 1 {
				b.WriteString("^" + strconv.Itoa(power))
			}
		}
		return n
	}
	below := 0
	for _, n := range e.powers {
		if n < 0 {
			below++
		}
	}
	if below == len(e.powers) {
		b.WriteByte('1')
	} else {
		write(1)
	}
	if below == 0 {
		return
	}
	b.WriteByte('/')
	if below > 1 {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	write(-1)
}
