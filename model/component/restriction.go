package component

import (
	"skidpad/model/expr"
	"skidpad/model/keys"
)

// restrictionKeys are the keys of a turbulent restriction.
func restrictionKeys() []keys.Key {
	k := positive("k", squareRootUnit, "flow per square root of the drop; or else `area`")
	area := positive("area", "m2", "smallest area, in place of `k`, which is then cd area sqrt(2/density)")
	k.Optional, area.Optional = true, true
	return []keys.Key{k, area,
		withDefault("cd", "1", "0.7", "coefficient of discharge, with `area`"),
		withDefault("density", "kg/m3", "850", "density of the oil, with `area`"),
		withDefault("transition", "Pa", "1e5", "drop below which the flow becomes laminar")}
}

// Restriction is a turbulent restriction: with the drop d, the constant k and the transition t,
//
//	flow = k d/(d^2 + t^2)^(1/4)
//
// which is k sqrt(d) far above t and k d/sqrt(t) far below.
type Restriction struct {
	K, Area                 *keys.Scalar // m3/s/Pa^0.5, m2; one of them is nil
	CD, Density, Transition keys.Scalar  // 1, kg/m3, Pa
}

func readRestriction(h keys.Header, f *keys.Fields) Restriction {
	r := Restriction{optional(f, "k"), optional(f, "area"), f.Scalar("cd"), f.Scalar("density"), f.Scalar("transition")}
	switch {
	case r.K == nil && r.Area == nil:
		f.FaultOfTable("%s %s has neither k nor area; give it one of them", h.Type, h.Name)
	case r.K != nil && r.Area != nil:
		f.Fault("area", "%s has both k and area; leave one of them out", f.Path)
	}
	for _, key := range []string{"cd", "density"} {
		if r.K != nil && f.Given(key) {
			f.Fault(key, "%s has no effect, because k gives the flow; leave it out, or give area in place of k",
				f.PathOf(key))
		}
	}
	return r
}

// constant is k.
func (r *Restriction) constant(b Builder) *expr.Expr {
	if r.K != nil {
		return b.Scalar("k", squareRootUnit, *r.K)
	}
	p := b.Pool()
	if r.Area == nil {
		return p.Int(1) // the reader has a fault
	}
	velocity := p.Call(expr.Sqrt, p.Div(p.Int(2), b.Scalar("density", "kg/m3", r.Density)))
	return b.Define("k", p.Mul(b.Scalar("cd", "1", r.CD), b.Scalar("area", "m2", *r.Area), velocity))
}

// flow is the flow at a drop of a restriction that is open by a share.
func (r *Restriction) flow(b Builder, open, drop *expr.Expr) *expr.Expr {
	p := b.Pool()
	square := p.Add(p.Pow(drop, 2), p.Pow(b.Scalar("transition", "Pa", r.Transition), 2))
	root := p.Call(expr.Sqrt, p.Call(expr.Sqrt, square))
	return p.Mul(r.constant(b), open, drop, p.Pow(root, -1))
}

// drop is the inverse of flow for a restriction that is open: with z = (flow/k)^2,
//
//	drop = flow/k sqrt((z + sqrt(z^2 + 4 t^2))/2)
func (r *Restriction) drop(b Builder, flow *expr.Expr) *expr.Expr {
	p := b.Pool()
	ratio := b.Define("ratio", p.Div(flow, r.constant(b)))
	z := p.Pow(ratio, 2)
	inner := p.Call(expr.Sqrt, p.Add(p.Pow(z, 2),
		p.Scale(expr.Integer(4), p.Pow(b.Scalar("transition", "Pa", r.Transition), 2))))
	return p.Mul(ratio, p.Call(expr.Sqrt, p.Scale(expr.Fraction(1, 2), p.Add(z, inner))))
}
