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

// dimensionOf is that of an SI unit.
func dimensionOf(e unit.Exponents) dimension {
	var d dimension
	for i := range d {
		d[i] = float64(e[i])
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

// measured is the dimension of an expression, unless a number in it may have one of its own.
type measured struct {
	dimension
	known bool
}

// dimensions knows those of the parameters that have a unit, by name.
type dimensions map[string]dimension

// of returns the dimension of an expression over parameters, and an error where it adds or compares different ones.
func (ds dimensions) of(e *expr.Expr) (measured, error) {
	none := measured{known: true}
	switch e.Kind() {
	case expr.Symbol:
		d, known := ds[e.Name()]
		return measured{d, known}, nil
	case expr.Definition:
		return ds.of(e.Args()[0])
	case expr.Sum:
		return ds.ofSum(e)
	case expr.Product:
		product := none
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

func (m measured) times(d measured, power float64) measured {
	m.known = m.known && d.known
	for i := range m.dimension {
		m.dimension[i] += power * d.dimension[i]
	}
	return m
}

// ofSum lets a number that is added, and one that multiplies a term, have any unit: speed/0.3 may be an angular
// velocity.
func (ds dimensions) ofSum(e *expr.Expr) (measured, error) {
	var sum measured
	for i, term := range e.Args() {
		d, err := ds.of(term)
		if err != nil {
			return d, err
		}
		factor := e.Coefficients()[i]
		d.known = d.known && (factor.IsOne() || factor.Neg().IsOne())
		if sum, err = sum.like(d, "adds"); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// like joins what must have one dimension.
func (m measured) like(d measured, does string) (measured, error) {
	switch {
	case !m.known:
		return d, nil
	case d.known && d.dimension != m.dimension:
		return m, fmt.Errorf("the formula %s quantities in %s and in %s", does, m.dimension, d.dimension)
	}
	return m, nil
}

func (ds dimensions) ofCall(e *expr.Expr) (measured, error) {
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
	switch e.Fn() {
	case expr.Abs, expr.Max, expr.Min:
		return joined, nil
	case expr.Sqrt:
		return measured{known: joined.known}.times(joined, 0.5), nil
	case expr.Sign, expr.Step, expr.Atan2: // of any dimension
	default:
		if joined.known && joined.dimension != (dimension{}) {
			return joined, fmt.Errorf("%s needs a number without unit, not one in %s", e.Fn(), joined.dimension)
		}
	}
	return measured{known: true}, nil
}

// check says what is wrong with the dimension of a formula for a key in unit.
func (ds dimensions) check(e *expr.Expr, name string) error {
	if name == "" {
		return nil
	}
	exponents, err := unit.ParseSI(name)
	if err != nil {
		panic("keys: unit of a key: " + err.Error())
	}
	d, err := ds.of(e)
	if err != nil {
		return fmt.Errorf("%w; look at the units in [parameters]", err)
	}
	if wanted := dimensionOf(exponents); d.known && d.dimension != wanted {
		return fmt.Errorf("the formula has the unit %s; it must have %s: look at the units in [parameters], "+
			"and make numbers that have a unit parameters", d.dimension, name)
	}
	return nil
}
