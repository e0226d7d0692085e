package component

import (
	"skidpad/model/expr"
	"skidpad/model/keys"
)

// Gas is a closed gas with (p + ambient) V^n = const, for gauge pressures p.
type Gas struct{ Exponent, Ambient keys.Scalar } // 1, Pa

// gasKeys are the keys of a gas; their texts end with where.
func gasKeys(where string) []keys.Key {
	return []keys.Key{
		withDefault("exponent", "1", "1.4", "exponent of the gas: 1 for a slow change, 1.4 for a fast one"+where),
		withDefault("ambient", "Pa", "101325", "ambient pressure, which gauge pressures lack"+where),
	}
}

func readGas(f *keys.Fields) Gas { return Gas{f.Scalar("exponent"), f.Scalar("ambient")} }

// isothermal reports whether the exponent is exactly 1, so that it does not become a parameter.
func (g *Gas) isothermal() bool { return !g.Exponent.Formula && g.Exponent.Value == 1 }

func (g *Gas) exponent(b Builder) *expr.Expr {
	if g.isothermal() {
		return b.Pool().Int(1)
	}
	return b.Scalar("exponent", "1", g.Exponent)
}

// gasAt is a gas at a pressure: its volume, and its volume at a first pressure, with the absolute pressures.
type gasAt struct{ volume, absolute, full, first *expr.Expr }

// at is the gas at a gauge pressure, with the volume `full` at the gauge pressure `precharge`.
func (g *Gas) at(b Builder, pressure, full, precharge *expr.Expr) gasAt {
	p, s := b.Pool(), gasAt{full: full}
	ambient := b.Scalar("ambient", "Pa", g.Ambient)
	s.absolute = b.Define("absolute_pressure", p.Add(pressure, ambient))
	s.first = p.Add(precharge, ambient)
	share := p.Div(s.first, s.absolute)
	if !g.isothermal() {
		share = p.Call(expr.Exp, p.Div(p.Call(expr.Log, share), g.exponent(b)))
	}
	s.volume = b.Define("gas_volume", p.Mul(full, share))
	return s
}

// capacity is V/(n (p + ambient)), the volume of oil that the gas takes per pressure.
func (g *Gas) capacity(b Builder, s gasAt) *expr.Expr {
	p := b.Pool()
	return p.Div(s.volume, p.Mul(g.exponent(b), s.absolute))
}

// energy is the work on the gas since its first pressure, less that of the ambient: with absolute pressures P,
//
//	(P V - P0 V0)/(n - 1) - ambient (V0 - V),  and P0 V0 ln(P/P0) in place of the first term for n = 1
func (g *Gas) energy(b Builder, s gasAt) *expr.Expr {
	p := b.Pool()
	outside := p.Mul(b.Scalar("ambient", "Pa", g.Ambient), p.Sub(s.full, s.volume))
	work := p.Mul(s.first, s.full, p.Call(expr.Log, p.Div(s.absolute, s.first)))
	if !g.isothermal() {
		work = p.Div(p.Sub(p.Mul(s.absolute, s.volume), p.Mul(s.first, s.full)), p.Sub(g.exponent(b), p.Int(1)))
	}
	return p.Sub(work, outside)
}
