package keys

import (
	"fmt"
	"strconv"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/unit"
)

// dimension holds the exponents of kg, m, s, A, K, mol and cd. Angles have none, as in SI.
type dimension [len(unit.BaseNames) - 1]float64

// dimensionOf is the dimension of an SI unit.
func dimensionOf(e unit.Exponents) dimension {
	var d dimension
	for i := range d {
		d[i] = e[i]
	}
	return d
}

func (d dimension) String() string {
	var above, below []string
	for i, power := range d {
		factor := unit.BaseNames[i]
		if size := max(power, -power); size != 1 {
			factor += strconv.FormatFloat(size, 'g', -1, 64)
		}
		switch {
		case power > 0:
			above = append(above, factor)
		case power < 0:
			below = append(below, "/"+factor)
		}
	}
	if len(above) == 0 {
		above = []string{"1"}
	}
	return strings.Join(above, ".") + strings.Join(below, "")
}

// measured is the dimension of an expression. Numbers have none of their own: known is false where there are only
// numbers, which can be any quantity. It is open where a name has no unit that is known.
type measured struct {
	dimension
	known, open bool
}

// dimensions has the dimensions of names with a unit.
type dimensions map[string]dimension

// of returns the dimension of an expression over names, and an error where it adds or compares different ones.
func (ds dimensions) of(e *expr.Expr) (measured, error) {
	switch e.Kind() {
	case expr.Symbol:
		d, known := ds[e.Name()]
		return measured{d, known, !known}, nil
	case expr.Definition:
		return ds.of(e.Args()[0])
	case expr.Sum:
		return ds.ofSum(e)
	case expr.Product:
		var product measured
		for i, base := range e.Args() {
			d, err := ds.of(base)
			if err != nil {
				return d, err
			}
			product = product.times(d, float64(e.Powers()[i]))
		}
		return product, nil
	case expr.Call:
		return ds.ofCall(e)
	}
	return measured{}, nil
}

// times multiplies by a power: a number is a pure one there.
func (m measured) times(d measured, power float64) measured {
	m.known, m.open = m.known || d.known, m.open || d.open
	for i := range m.dimension {
		m.dimension[i] += power * d.dimension[i]
	}
	return m
}

// ofSum gives a number that is added the dimension of its neighbours. A number that multiplies is pure, unless there
// are only pure numbers with it: 0.3*cos(pitch) may be a length.
func (ds dimensions) ofSum(e *expr.Expr) (measured, error) {
	var sum measured
	for i, term := range e.Args() {
		d, err := ds.of(term)
		factor := e.Coefficients()[i]
		if d.dimension == (dimension{}) && !factor.IsOne() && !factor.Neg().IsOne() {
			d.known = false
		}
		if err == nil {
			sum, err = sum.like(d, "adds")
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// like joins terms that must have one dimension.
func (m measured) like(d measured, does string) (measured, error) {
	switch {
	case m.open || !d.known && !d.open:
		return m, nil
	case d.open || !m.known:
		return d, nil
	case d.dimension != m.dimension:
		return m, fmt.Errorf("the formula %s quantities in %s and in %s", does, m.dimension, d.dimension)
	}
	return m, nil
}

func (ds dimensions) ofCall(e *expr.Expr) (measured, error) {
	if e.Fn() == expr.Where {
		if _, err := ds.of(e.Args()[0]); err != nil {
			return measured{}, err
		}
		return ds.of(e.Args()[1])
	}
	var joined measured
	for _, argument := range e.Args() {
		d, err := ds.of(argument)
		if err == nil {
			joined, err = joined.like(d, e.Fn().String()+" compares")
		}
		if err != nil {
			return joined, err
		}
	}
	none := measured{known: joined.known, open: joined.open}
	switch e.Fn() {
	case expr.Abs, expr.Max, expr.Min:
		return joined, nil
	case expr.Sqrt:
		return measured{open: joined.open}.times(joined, 0.5), nil
	case expr.Sign, expr.Step, expr.Atan2: // of any dimension
	default:
		if joined.known && !joined.open && joined.dimension != (dimension{}) {
			return joined, fmt.Errorf("%s needs a pure number, not one in %s", e.Fn(), joined.dimension)
		}
	}
	return none, nil
}

// check returns an error if a formula has another dimension than the SI unit of its value.
func (ds dimensions) check(e *expr.Expr, name string) error {
	declared, err := unit.Declared(name)
	if err != nil || declared.SI != "" {
		return nil // no unit, or one that is reported elsewhere
	}
	d, err := ds.of(e)
	if err != nil {
		return err
	}
	if wanted := dimensionOf(declared.Exponents); d.known && !d.open && d.dimension != wanted {
		return fmt.Errorf("the formula has the unit %s; it must have %s", d.dimension, name)
	}
	return nil
}

// advice is the remedy for a formula with a wrong dimension.
const advice = "a number that multiplies has no unit: make it a parameter if it has one, and look at the units of " +
	"the other names"

// CheckUnits returns an error if a readable formula has another dimension than the SI unit of its value. unitOf gives
// the SI units of names in the formula, "" for unknown ones.
func CheckUnits(formula, name string, unitOf func(name string) string) error {
	pool, ds := expr.NewPool(), dimensions{}
	e, err := pool.Parse(formula, func(name string) *expr.Expr {
		if exponents, err := unit.ParseSI(unitOf(name)); err == nil {
			ds[name] = dimensionOf(exponents)
		}
		return pool.Sym(name, expr.Input)
	})
	if err != nil {
		return nil // reported elsewhere
	}
	if err := ds.check(e, name); err != nil {
		return fmt.Errorf("%w; %s", err, advice)
	}
	return nil
}

// Alike reports whether two SI units have one dimension; angles have none. A unit that is not known fits none.
func Alike(a, b string) bool {
	x, errA := unit.ParseSI(a)
	y, errB := unit.ParseSI(b)
	return a == b || errA == nil && errB == nil && dimensionOf(x) == dimensionOf(y)
}
