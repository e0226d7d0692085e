package formula

// Number is a quantity of a law with its derivatives by the inputs of the law.
type Number struct {
	of     *Graph
	v      node
	slopes []node // by input, none where they are 0; nil where all are
}

// Mask tells where something is the case.
type Mask struct {
	of *Graph
	v  node
}

// Input is an input of the law, whose derivative by itself is 1.
func (g *Graph) Input(i int) Number {
	n := Number{of: g, v: g.make(instruction{op: opInput, bits: uint64(i)}), slopes: g.flat()}
	n.slopes[i] = g.constant(1)
	return n
}

// Coefficient is a coefficient of the law.
func (g *Graph) Coefficient(i int) Number {
	return Number{of: g, v: g.make(instruction{op: opCoefficient, bits: uint64(i)})}
}

// Constant is a number that is known when a law is written.
func (g *Graph) Constant(x float64) Number { return Number{of: g, v: g.constant(x)} }

// Constant is a number that is known when a law is written.
func (a Number) Constant(x float64) Number { return a.of.Constant(x) }

// flat are derivatives that are 0.
func (g *Graph) flat() []node {
	list := make([]node, g.inputs)
	for i := range list {
		list[i] = none
	}
	return list
}

// Value is the number without derivatives, as where its sign decides something.
func (a Number) Value() Number {
	a.slopes = nil
	return a
}

// slope is the derivative by an input, none where it is 0.
func (a Number) slope(i int) node {
	if a.slopes == nil {
		return none
	}
	return a.slopes[i]
}

// combine makes a number of a value and of derivatives, which are made of those of a and b; none where both are 0.
func combine(v node, a, b Number, slope func(da, db node) node) Number {
	n := Number{of: a.of, v: v}
	if a.slopes == nil && b.slopes == nil {
		return n
	}
	n.slopes = a.of.flat()
	flat := true
	for i := range n.slopes {
		da, db := a.slope(i), b.slope(i)
		if da == none && db == none {
			continue
		}
		if d := slope(da, db); d != none && !a.of.is(d, 0) {
			n.slopes[i], flat = d, false
		}
	}
	if flat {
		n.slopes = nil
	}
	return n
}

// chain is a function of a with its derivative, a number without derivatives of its own.
func chain(a, v Number, derivative func() Number) Number {
	if a.slopes == nil {
		return v.Value()
	}
	d := derivative().v
	return combine(v.v, a, Number{}, func(da, _ node) node { return a.of.mul(d, da) })
}

// sum is da + db, difference da - db, product k d; none is 0.
func (g *Graph) sum(da, db node) node {
	switch {
	case da == none:
		return db
	case db == none:
		return da
	}
	return g.add(da, db)
}

func (g *Graph) difference(da, db node) node {
	switch {
	case db == none:
		return da
	case da == none:
		return g.neg(db)
	}
	return g.sub(da, db)
}

func (g *Graph) product(k, d node) node {
	if d == none {
		return none
	}
	return g.mul(k, d)
}

// Plus is a + b.
func (a Number) Plus(b Number) Number { return combine(a.of.add(a.v, b.v), a, b, a.of.sum) }

// Minus is a - b.
func (a Number) Minus(b Number) Number { return combine(a.of.sub(a.v, b.v), a, b, a.of.difference) }

// Times is a b.
func (a Number) Times(b Number) Number {
	g := a.of
	if a.v == b.v {
		return a.Squared()
	}
	return combine(g.mul(a.v, b.v), a, b, func(da, db node) node { return g.sum(g.product(a.v, db), g.product(b.v, da)) })
}

// Over is a/b.
func (a Number) Over(b Number) Number {
	g := a.of
	q := g.div(a.v, b.v)
	return combine(q, a, b, func(da, db node) node { return g.div(g.difference(da, g.product(q, db)), b.v) })
}

// By is k a.
func (a Number) By(k float64) Number { return a.Times(a.Constant(k)) }

// And is k + a.
func (a Number) And(k float64) Number { return a.Constant(k).Plus(a) }

// Neg is -a.
func (a Number) Neg() Number {
	g := a.of
	return combine(g.neg(a.v), a, Number{}, func(da, _ node) node { return g.neg(da) })
}

// Line is c0 + c1 a, of coefficients.
func (a Number) Line(c0, c1 Number) Number { return c0.Plus(c1.Times(a)) }

// Square is c0 + c1 a + c2 a^2, of coefficients.
func (a Number) Square(c0, c1, c2 Number) Number {
	x := a.Value()
	value := c0.Plus(x.Times(c1.Plus(c2.Times(x))))
	return chain(a, value, func() Number { return c1.Plus(c2.By(2).Times(x)) }).alsoBy(value)
}

// alsoBy adds the derivatives of b, where coefficients are inputs.
func (a Number) alsoBy(b Number) Number {
	if b.slopes == nil {
		return a
	}
	return combine(a.v, a, b, a.of.sum)
}

// Squared is a^2.
func (a Number) Squared() Number {
	x := a.Value()
	return chain(a, Number{of: a.of, v: a.of.mul(a.v, a.v)}, func() Number { return x.By(2) })
}

// Cubed is a^3.
func (a Number) Cubed() Number {
	x := a.Value()
	return chain(a, x.Squared().Times(x), func() Number { return x.Squared().By(3) })
}

// Below is where a < b, Above where a > b.
func (a Number) Below(b Number) Mask { return Mask{a.of, a.of.two(opLess, a.v, b.v)} }

// Above is where a > b.
func (a Number) Above(b Number) Mask { return b.Below(a) }

// IsBelow is where a < x.
func (a Number) IsBelow(x float64) Mask { return a.Below(a.Constant(x)) }

// IsAbove is where a > x.
func (a Number) IsAbove(x float64) Mask { return a.Above(a.Constant(x)) }

// And is where both are.
func (m Mask) And(o Mask) Mask { return Mask{m.of, m.of.two(opAnd, m.v, o.v)} }

// Or is where either is.
func (m Mask) Or(o Mask) Mask { return Mask{m.of, m.of.two(opOr, m.v, o.v)} }

// Except is where m is and o is not.
func (m Mask) Except(o Mask) Mask { return Mask{m.of, m.of.two(opWithout, o.v, m.v)} }

// Choose is a where the mask is set, b elsewhere.
func (m Mask) Choose(a, b Number) Number {
	g := m.of
	zero := func(d node) node {
		if d == none {
			return g.constant(0)
		}
		return d
	}
	return combine(g.choose(m.v, a.v, b.v), a, b, func(da, db node) node { return g.choose(m.v, zero(da), zero(db)) })
}

// Without is a where the mask is not set, 0 elsewhere.
func (m Mask) Without(a Number) Number {
	g := m.of
	return combine(g.without(m.v, a.v), a, Number{}, func(da, _ node) node { return g.without(m.v, da) })
}
