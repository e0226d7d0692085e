package expr

import "fmt"

// Cost counts operations by the rules of Morency (2007), section 4.5: a
// subtraction is an addition, x^n is n-1 multiplications, 1/x is a division, a
// negation or an assignment is none.
type Cost struct {
	Additions, Multiplications, Divisions, Functions, Assignments int
}

// Plus returns the sum of two costs.
func (c Cost) Plus(d Cost) Cost {
	return Cost{c.Additions + d.Additions, c.Multiplications + d.Multiplications,
		c.Divisions + d.Divisions, c.Functions + d.Functions, c.Assignments + d.Assignments}
}

// Total returns the number of arithmetic operations and function calls.
func (c Cost) Total() int { return c.Additions + c.Multiplications + c.Divisions + c.Functions }

// String returns "additions + / multiplications x / divisions div / functions f".
func (c Cost) String() string {
	return fmt.Sprintf("%d + / %d x / %d div / %d f", c.Additions, c.Multiplications, c.Divisions, c.Functions)
}

// Cost returns the cost of e as written, nothing shared; definitions are names
// and cost nothing.
func (e *Expr) Cost() Cost {
	var c Cost
	switch e.kind {
	case Sum:
		c.Additions = len(e.args) - 1
		if !e.number.IsZero() {
			c.Additions++
		}
		for i, a := range e.args {
			c = c.Plus(a.Cost())
			if k := e.coefs[i]; !k.IsOne() && !k.Neg().IsOne() {
				c.Multiplications++
			}
		}
	case Product:
		above, below := 0, 0
		for i, b := range e.args {
			n := e.powers[i]
			if n > 0 {
				above += n
			} else {
				below -= n
			}
			c = c.Plus(b.Cost())
		}
		c.Multiplications += max(above-1, 0) + max(below-1, 0)
		if below > 0 {
			c.Divisions++
		}
	case Call:
		c.Functions = 1
		for _, a := range e.args {
			c = c.Plus(a.Cost())
		}
	}
	return c
}
