package expr

import "fmt"

// Kind is the kind of an expression.
type Kind uint8

// The kinds of expressions.
const (
	Number     Kind = iota // an exact rational constant
	Symbol                 // an independent quantity
	Definition             // a name for a subterm
	Sum                    // constant + sum of coefficient times term
	Product                // product of bases to integer powers
	Call                   // a function of Fn applied to its arguments
)

// Role is the kind of a symbol; it decides when the program computes dependent expressions.
type Role uint8

// The roles of symbols, usable as a bit set through Expr.Depends.
const (
	Parameter Role = 1 << iota // constant during a simulation
	Input                      // given by the master
	State                      // integrated
	Unknown                    // an acceleration or reaction that is solved for
	Returned                   // given back by an external function
	Time                       // the independent variable
)

// Expr is an immutable expression of one Pool.
type Expr struct {
	kind    Kind
	fn      Fn
	role    Role // of a Symbol
	depends Role // union of the roles of all symbols below
	id      int32
	hash    uint64
	number  Rational // Number; constant term of a Sum; named quantity over subterm of a Definition
	name    string   // Symbol, Definition
	args    []*Expr  // Definition: the subterm
	coefs   []Rational
	powers  []int
	table   Table // of a Lookup
	named   *Expr // its definition, nil where it has none
	slope   slope // of a Definition whose derivative is known
}

// Kind returns the kind of e.
func (e *Expr) Kind() Kind { return e.kind }

// Fn returns the function of a Call.
func (e *Expr) Fn() Fn { return e.fn }

// Table returns the table of a Lookup.
func (e *Expr) Table() Table { return e.table }

// ID is the order of creation in the pool; canonical orders use it.
func (e *Expr) ID() int { return int(e.id) }

// Name returns the name of a Symbol or Definition. Definitions can have equal names; Names distinguishes them.
func (e *Expr) Name() string { return e.name }

// Role returns the role of a Symbol.
func (e *Expr) Role() Role { return e.role }

// Depends returns the union of the roles of all symbols that e depends on.
func (e *Expr) Depends() Role { return e.depends }

// Constant reports whether e depends on no symbol other than parameters.
func (e *Expr) Constant() bool { return e.depends&^Parameter == 0 }

// Value returns a Number's value, the constant term of a Sum, or the ratio of the quantity that a Definition's name
// denotes to its subterm.
func (e *Expr) Value() Rational { return e.number }

// Args returns the terms of a Sum, the bases of a Product, the arguments of a
// Call, or the one subterm of a Definition. The slice must not be changed.
func (e *Expr) Args() []*Expr { return e.args }

// Coefficients returns the factors of a Sum's terms. The slice must not be changed.
func (e *Expr) Coefficients() []Rational { return e.coefs }

// Powers returns the exponents of a Product's bases. The slice must not be changed.
func (e *Expr) Powers() []int { return e.powers }

// IsZero reports whether e is the number 0.
func (e *Expr) IsZero() bool { return e.kind == Number && e.number.IsZero() }

// IsOne reports whether e is the number 1.
func (e *Expr) IsOne() bool { return e.kind == Number && e.number.IsOne() }

// Pool owns expressions and makes equal ones identical. Not safe for
// concurrent use.
type Pool struct {
	table   []entry // hash table; a power of two long
	count   int32
	symbols map[string]*Expr
	made    []*Expr // by identifier
	late    []*Expr // definitions of younger expressions
	zero    *Expr
	one     *Expr

	// lists of an expression that is looked for
	given struct {
		args   []*Expr
		coefs  []Rational
		powers []int
	}

	room   slab[Expr]
	lists  slab[*Expr]
	coefs  slab[Rational]
	powers slab[int]
}

// NewPool returns an empty pool.
func NewPool() *Pool {
	p := &Pool{
		table:   make([]entry, 1<<6),
		symbols: map[string]*Expr{},
	}
	p.zero = p.Num(Integer(0))
	p.one = p.Num(Integer(1))
	return p
}

// Len returns the number of expressions made so far.
func (p *Pool) Len() int { return int(p.count) }

func mix(h, v uint64) uint64 {
	h ^= v + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

// intern returns the pool's copy of e, making it if it is new. e must be
// canonical; its hash and dependence are filled in here. Its lists are copied.
func (p *Pool) intern(e *Expr) *Expr {
	h := mix(uint64(e.kind)<<8|uint64(e.fn), e.number.hash())
	for _, a := range e.args {
		h = mix(h, uint64(a.id))
	}
	for _, c := range e.coefs {
		h = mix(h, c.hash())
	}
	for _, n := range e.powers {
		h = mix(h, uint64(n))
	}
	for at := h & uint64(len(p.table)-1); p.table[at].id != 0; at = (at + 1) & uint64(len(p.table)-1) {
		if p.table[at].hash == uint32(h>>32) {
			if x := p.made[p.table[at].id-1]; x.hash == h && same(x, e) {
				return x
			}
		}
	}
	e.hash = h
	for _, a := range e.args {
		e.depends |= a.depends
	}
	return p.insert(e)
}

// insert makes a copy of e, and of its lists, part of the pool.
func (p *Pool) insert(given *Expr) *Expr {
	if 2*int(p.count) > len(p.table) {
		p.grow()
	}
	e := &p.room.take(1)[0]
	*e = Expr{ // without the lists of given, which then need not outlive the call
		kind: given.kind, fn: given.fn, role: given.role, depends: given.depends, id: p.count, hash: given.hash,
		number: given.number, name: given.name, table: given.table, args: p.lists.copied(given.args),
		coefs: p.coefs.copied(given.coefs), powers: p.powers.copied(given.powers),
	}
	p.made = append(p.made, e)
	p.count++
	p.enter(e)
	return e
}

// entry belongs to an expression in the hash table: a part of its hash, and its identifier, counted from 1; 0 for none.
type entry struct {
	hash uint32
	id   int32
}

func (p *Pool) enter(e *Expr) {
	last := uint64(len(p.table) - 1)
	at := e.hash & last
	for p.table[at].id != 0 {
		at = (at + 1) & last
	}
	p.table[at] = entry{uint32(e.hash >> 32), e.id + 1}
}

func (p *Pool) grow() {
	p.table = make([]entry, 4*len(p.table))
	for _, e := range p.made {
		p.enter(e)
	}
}

func same(a, b *Expr) bool {
	if a.kind != b.kind || a.fn != b.fn || a.table != b.table ||
		a.name != b.name || len(a.args) != len(b.args) || !a.number.Equal(b.number) {
		return false
	}
	for i := range a.args {
		if a.args[i] != b.args[i] {
			return false
		}
	}
	for i := range a.coefs {
		if !a.coefs[i].Equal(b.coefs[i]) {
			return false
		}
	}
	for i := range a.powers {
		if a.powers[i] != b.powers[i] {
			return false
		}
	}
	return true
}

// Num returns the number r.
func (p *Pool) Num(r Rational) *Expr { return p.intern(&Expr{kind: Number, number: r}) }

// Int returns the number n.
func (p *Pool) Int(n int64) *Expr {
	switch n {
	case 0:
		if p.zero != nil {
			return p.zero
		}
	case 1:
		if p.one != nil {
			return p.one
		}
	}
	return p.Num(Integer(n))
}

// Sym returns the symbol of that name, making it with the given role if it is
// new. Asking for an existing symbol with another role is a programmer's error.
func (p *Pool) Sym(name string, role Role) *Expr {
	if s := p.symbols[name]; s != nil {
		if s.role != role {
			panic(fmt.Sprintf("expr: symbol %s has role %d, asked for %d", name, s.role, role))
		}
		return s
	}
	h := uint64(14695981039346656037)
	for i := 0; i < len(name); i++ {
		h = mix(h, uint64(name[i]))
	}
	s := p.insert(&Expr{kind: Symbol, name: name, role: role, depends: role, hash: h})
	p.symbols[name] = s
	return s
}

// Define gives e a name and returns the definition, an atom for
// simplification. Numbers, symbols and definitions are returned as they are; a
// numeric factor or a leading minus sign stays outside of the definition, so
// that e and -e share one. The name denotes e with its factor and sign, which
// Value returns. A subterm that has a definition keeps its first name.
func (p *Pool) Define(name string, e *Expr) *Expr { return p.define(name, Integer(1), e) }

// Derive defines e, which has been made of the subterm of the definition d. The new name denotes e times the Value
// of d.
func (p *Pool) Derive(d *Expr, name string, e *Expr) *Expr { return p.define(name, d.number, e) }

// define gives share times e a name.
func (p *Pool) define(name string, share Rational, e *Expr) *Expr {
	factor, body := p.Content(e)
	switch body.kind {
	case Number, Symbol, Definition:
		return e
	}
	d := body.named
	if d == nil {
		d = p.insert(&Expr{
			kind: Definition, name: name, number: factor.Mul(share), args: []*Expr{body}, depends: body.depends,
			hash: mix(body.hash, 0xdef),
		})
		body.named = d
	}
	return p.Scale(factor, d)
}

// Content splits e into a rational factor and a body: the coefficient of a
// single scaled term, or the sign of the first term of a longer sum.
func (p *Pool) Content(e *Expr) (Rational, *Expr) {
	if e.kind != Sum {
		return Integer(1), e
	}
	if len(e.args) == 1 && e.number.IsZero() {
		return e.coefs[0], e.args[0]
	}
	if e.coefs[0].Sign() < 0 {
		return Integer(-1), p.Neg(e)
	}
	return Integer(1), e
}
