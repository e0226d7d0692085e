package expr

// Frame names the orientation that resolves components.
type Frame string

// Vector is three components resolved in Frame. Vectors of different frames
// cannot be combined: resolving is explicit, by a Rotation.
type Vector struct {
	Frame Frame
	X     [3]*Expr
}

// Rotation maps components: X in From are M X in To.
type Rotation struct {
	From, To Frame
	M        [3][3]*Expr
}

func (a Vector) in(b Vector) {
	if a.Frame != b.Frame {
		panic("expr: vector in " + string(b.Frame) + " used with one in " + string(a.Frame))
	}
}

// ZeroVector returns the null vector resolved in f.
func (p *Pool) ZeroVector(f Frame) Vector { return Vector{f, [3]*Expr{p.zero, p.zero, p.zero}} }

// IsZero reports whether all components are the number 0.
func (a Vector) IsZero() bool { return a.X[0].IsZero() && a.X[1].IsZero() && a.X[2].IsZero() }

// AddV returns the sum of vectors of one frame.
func (p *Pool) AddV(a Vector, more ...Vector) Vector {
	for i := range a.X {
		terms := make([]*Expr, 1, 1+len(more))
		terms[0] = a.X[i]
		for _, b := range more {
			a.in(b)
			terms = append(terms, b.X[i])
		}
		a.X[i] = p.Add(terms...)
	}
	return a
}

// SubV returns a - b.
func (p *Pool) SubV(a, b Vector) Vector { return p.AddV(a, p.NegV(b)) }

// NegV returns -a.
func (p *Pool) NegV(a Vector) Vector { return p.ScaleV(p.Int(-1), a) }

// ScaleV returns s a.
func (p *Pool) ScaleV(s *Expr, a Vector) Vector {
	for i := range a.X {
		a.X[i] = p.Mul(s, a.X[i])
	}
	return a
}

// Dot returns the scalar product.
func (p *Pool) Dot(a, b Vector) *Expr {
	a.in(b)
	return p.Add(p.Mul(a.X[0], b.X[0]), p.Mul(a.X[1], b.X[1]), p.Mul(a.X[2], b.X[2]))
}

// Cross returns the vector product.
func (p *Pool) Cross(a, b Vector) Vector {
	a.in(b)
	c := Vector{Frame: a.Frame}
	for i := range c.X {
		j, k := (i+1)%3, (i+2)%3
		c.X[i] = p.Sub(p.Mul(a.X[j], b.X[k]), p.Mul(a.X[k], b.X[j]))
	}
	return c
}

// DefineV names the components of a: name_x, name_y, name_z.
func (p *Pool) DefineV(name string, a Vector) Vector {
	for i, axis := range [...]string{"_x", "_y", "_z"} {
		a.X[i] = p.Define(name+axis, a.X[i])
	}
	return a
}

// Identity returns the rotation between two parallel frames.
func (p *Pool) Identity(from, to Frame) Rotation {
	r := Rotation{From: from, To: to}
	for i := range r.M {
		for j := range r.M[i] {
			r.M[i][j] = p.zero
		}
		r.M[i][i] = p.one
	}
	return r
}

// Turn returns the rotation that maps components in the frame `turned` to components in `base`. The frame `turned`
// results from base by a positive rotation of the angle about the unit vector axis (Rodrigues).
func (p *Pool) Turn(turned, base Frame, axis Vector, angle *Expr) Rotation {
	c, s := p.Call(Cos, angle), p.Call(Sin, angle)
	v := p.Sub(p.one, c)
	r := Rotation{From: turned, To: base}
	for i := range r.M {
		for j := range r.M[i] {
			r.M[i][j] = p.Mul(v, axis.X[i], axis.X[j])
			if i == j {
				// axis_i^2 + (1 - axis_i^2) cos: exact for coordinate axes
				square := p.Pow(axis.X[i], 2)
				r.M[i][j] = p.Add(square, p.Mul(p.Sub(p.one, square), c))
				continue
			}
			k := 3 - i - j
			sign := int64(1)
			if (j+1)%3 != i { // entry (i,j) holds -axis_k for (i,j,k) cyclic
				sign = -1
			}
			r.M[i][j] = p.Add(r.M[i][j], p.Mul(p.Int(sign), axis.X[k], s))
		}
	}
	return r
}

// Compose returns the rotation a after b: components in b.From to a.To.
func (p *Pool) Compose(a, b Rotation) Rotation {
	if b.To != a.From {
		panic("expr: rotation to " + string(b.To) + " followed by one from " + string(a.From))
	}
	r := Rotation{From: b.From, To: a.To}
	for i := range r.M {
		for j := range r.M[i] {
			r.M[i][j] = p.Add(p.Mul(a.M[i][0], b.M[0][j]), p.Mul(a.M[i][1], b.M[1][j]), p.Mul(a.M[i][2], b.M[2][j]))
		}
	}
	return r
}

// Inverse returns the transposed rotation.
func (r Rotation) Inverse() Rotation {
	t := Rotation{From: r.To, To: r.From}
	for i := range r.M {
		for j := range r.M[i] {
			t.M[j][i] = r.M[i][j]
		}
	}
	return t
}

// Resolve returns v, given in r.From, with components in r.To.
func (p *Pool) Resolve(r Rotation, v Vector) Vector {
	if v.Frame != r.From {
		panic("expr: vector in " + string(v.Frame) + " resolved by a rotation from " + string(r.From))
	}
	w := Vector{Frame: r.To}
	for i := range w.X {
		w.X[i] = p.Add(p.Mul(r.M[i][0], v.X[0]), p.Mul(r.M[i][1], v.X[1]), p.Mul(r.M[i][2], v.X[2]))
	}
	return w
}
