package expr_test

import (
	"runtime"
	"strings"
	"testing"

	"skidpad/model/expr"
)

// The power of a power may be high, and no formula makes numbers or products that grow with the product of all its
// exponents.
func TestPowersOfPowersAreBounded(t *testing.T) {
	parse := func(text string) error {
		p := expr.NewPool()
		_, err := p.Parse(text, func(name string) *expr.Expr { return p.Sym(name, expr.State) })
		return err
	}
	for _, text := range []string{"(x^32)^32", "(x^-32)^32", "((x + 1)^16)^64", "(3/7)^64", "(2*x^16)^64",
		"sqrt(x^64)^32", "x^64*x^64*x^64"} {
		if err := parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	nest := func(inner, power string, n int) string {
		return strings.Repeat("(", n) + inner + strings.Repeat(")"+power, n)
	}
	for _, text := range []string{
		"(x^32)^33", "(x^-32)^33", "(x^33)^-32", "((x*y)^64)^64", nest("x", "^64", 150), nest("x", "^-64", 100),
		nest("(x + y)", "^64", 100), nest("1000000007/1000000009", "^64", 100),
		nest("(3*x + 3*y)/1000000007", "^64", 90), strings.Repeat("sqrt(", 100) + "x" + strings.Repeat(")^64", 100),
		"sqrt(" + nest("1000000007/1000000009", "^64", 80) + ")^64",
		strings.Repeat("sqrt(", 90) + "1000000007/1000000009" + strings.Repeat(")^64", 90), "1e-400", "1e-9999",
		strings.Repeat("1e-9999*", 120) + "1",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := parse(text)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 16<<20 {
			t.Errorf("%.60s: %d bytes, error %v", text, took, err)
		}
	}
}
