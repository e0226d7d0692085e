package expr

import (
	"strconv"
	"strings"
)

// Notation is how expressions are written in a language.
type Notation struct {
	Name     func(e *Expr) string                // of a Symbol or Definition
	Number   func(x float64) string              // not negative, and no fraction of small integers
	Function func(e *Expr, args []string) string // of a Call
	Power    func(base string, n int) string     // n > 1; the base binds tightly
	Times    string                              // between factors
	// Fraction is nil where / stands between the two, behind which a denominator of several factors is grouped.
	Fraction func(above, below string) string
	Group    func(inner string) string
	Written  func(e *Expr) bool // whether a Definition is written out in place of its name; nil: never
}

// Text is readable mathematics, with names as they were given.
var Text = Notation{
	Name:   (*Expr).Name,
	Number: ShortNumber,
	Function: func(e *Expr, args []string) string {
		name := e.fn.String()
		if e.fn == Lookup {
			name = e.table.String()
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	},
	Power: func(base string, n int) string { return base + "^" + strconv.Itoa(n) },
	Times: "*",
	Group: func(inner string) string { return "(" + inner + ")" },
}

// ShortNumber is the shortest decimal number that is read as x.
func ShortNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// String returns e in readable mathematics; definitions appear by name.
func (e *Expr) String() string { return Text.Write(e) }

func (e *Expr) label() string {
	if e.name != "" {
		return e.name
	}
	return "n" + strconv.Itoa(int(e.id))
}

// How tightly the surroundings of an expression bind.
const (
	loose   = iota // nothing, or a sum whose first term it is
	product        // a factor, or a denominator of one factor
	power          // a base
)

// Write returns e; definitions appear by name.
func (n *Notation) Write(e *Expr) string { return n.write(e, loose) }

// Subterm returns the quantity that the name of a definition denotes.
func (n *Notation) Subterm(d *Expr) string {
	m := monomial{factor: d.number}
	n.gather(&m, d.args[0], 1)
	return n.grouped(&m, loose)
}

// monomial is a number times atoms to integer powers.
type monomial struct {
	factor Rational
	atoms  []factor
}

// gather multiplies e^k into m.
func (n *Notation) gather(m *monomial, e *Expr, k int) {
	switch {
	case e.kind == Number:
		m.factor = m.factor.Mul(e.number.Pow(k))
	case e.kind == Definition && n.Written != nil && n.Written(e):
		n.gather(m, e.args[0], k)
	case e.kind == Definition: // its name denotes a multiple of it
		m.factor = m.factor.Mul(e.number.Pow(-k))
		m.atoms = append(m.atoms, factor{e, k})
	case e.kind == Product:
		for i, base := range e.args {
			n.gather(m, base, k*e.powers[i])
		}
	case e.kind == Sum && len(e.args) == 1 && e.number.IsZero():
		m.factor = m.factor.Mul(e.coefs[0].Pow(k))
		n.gather(m, e.args[0], k)
	default:
		m.atoms = append(m.atoms, factor{e, k})
	}
}

func (n *Notation) write(e *Expr, around int) string {
	m := monomial{factor: Integer(1)}
	n.gather(&m, e, 1)
	return n.grouped(&m, around)
}

// grouped writes m, in parentheses where its surroundings need them.
func (n *Notation) grouped(m *monomial, around int) string {
	if len(m.atoms) == 1 && m.atoms[0].power == 1 && m.atoms[0].base.kind == Sum {
		minus := m.factor.Neg().IsOne()
		if minus || m.factor.IsOne() {
			text := n.sum(m.atoms[0].base, minus)
			if around > loose {
				text = n.Group(text)
			}
			return text
		}
	}
	text, compound := n.monomial(m)
	if m.factor.Sign() < 0 {
		text, compound = "-"+text, true
	}
	if around == power && compound || around == product && m.factor.Sign() < 0 {
		text = n.Group(text)
	}
	return text
}

// sum writes a sum of several terms, or its negative.
func (n *Notation) sum(e *Expr, minus bool) string {
	var b strings.Builder
	add := func(m *monomial) {
		if minus {
			m.factor = m.factor.Neg()
		}
		negative := m.factor.Sign() < 0
		switch {
		case negative && b.Len() == 0:
			b.WriteByte('-')
		case negative:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		text, _ := n.monomial(m)
		b.WriteString(text)
	}
	for i, a := range e.args {
		m := monomial{factor: e.coefs[i]}
		n.gather(&m, a, 1)
		add(&m)
	}
	if !e.number.IsZero() {
		add(&monomial{factor: e.number})
	}
	return b.String()
}

// monomial writes the magnitude of m, and reports whether that is more than one atom.
func (n *Notation) monomial(m *monomial) (text string, compound bool) {
	above, below, small := m.factor.parts()
	var over, under []string
	if !small {
		x := m.factor.Float()
		over = append(over, n.Number(max(x, -x)))
	} else if above != 1 {
		over = append(over, strconv.FormatInt(above, 10))
	}
	for _, a := range m.atoms {
		if k := a.power; k > 0 {
			over = append(over, n.atom(a.base, k))
		}
	}
	for _, a := range m.atoms {
		if k := a.power; k < 0 {
			under = append(under, n.atom(a.base, -k))
		}
	}
	if below != 1 {
		under = append(under, strconv.FormatInt(below, 10))
	}
	if len(over) == 0 {
		over = []string{"1"}
	}
	compound = len(over)+len(under) > 1 || len(m.atoms) == 1 && m.atoms[0].power != 1
	text = strings.Join(over, n.Times)
	switch {
	case len(under) == 0:
		return text, compound
	case n.Fraction != nil:
		return n.Fraction(text, strings.Join(under, n.Times)), compound
	case len(under) > 1:
		return text + "/" + n.Group(strings.Join(under, n.Times)), compound
	}
	return text + "/" + under[0], compound
}

func (n *Notation) atom(e *Expr, k int) string {
	var text string
	switch e.kind {
	case Symbol, Definition:
		text = n.Name(e)
	case Call:
		args := make([]string, len(e.args))
		for i, a := range e.args {
			args[i] = n.write(a, loose)
		}
		text = n.Function(e, args)
	default:
		text = n.Group(n.sum(e, false))
	}
	if k == 1 {
		return text
	}
	return n.Power(text, k)
}

// parts returns the magnitudes of numerator and denominator of a fraction of small integers.
func (a Rational) parts() (above, below int64, small bool) {
	const most = 10000
	n, d := a.num, a.denominator()
	if n < 0 {
		n = -n
	}
	if a.big != nil || n >= 1<<53 || n < 0 || d > 1 && (d > most || n > most) {
		return 1, 1, false
	}
	return n, d, true
}
