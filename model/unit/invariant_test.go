package unit

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"skidpad/harness/tests/testrun"
)

// The SI unit shown for any unit, its powers, and products and quotients of two units is an SI unit of the same
// dimension.
func TestSIUnitsCanBeRead(t *testing.T) {
	testrun.Slow(t)
	check := func(name string, want Exponents) {
		t.Helper()
		u, err := Parse(name)
		if err != nil || u.Exponents != want {
			t.Errorf("%s: %v, error %v; want %v", name, u.Exponents, err, want)
			return
		}
		shown := u.Base(name)
		if again, err := Parse(shown); err != nil || again.SI != "" || again.Factor != 1 || again.Offset != 0 ||
			again.Exponents != want {
			t.Errorf("%s: the SI unit %s is %+v, error %v; want the exponents %v", name, shown, again, err, want)
		}
	}
	names := slices.Sorted(maps.Keys(known))
	if len(names) < 60 {
		t.Fatalf("%d units", len(names))
	}
	powerOf := func(name string, power int) string {
		if power == 1 {
			return name
		}
		return fmt.Sprintf("%s^%d", name, power)
	}
	for _, a := range names {
		if known[a].Offset != 0 {
			check(a, known[a].Exponents)
			continue // has no part in products
		}
		for power := 1; power <= largestPower; power++ {
			var up, down Exponents
			for i, e := range known[a].Exponents {
				up[i] = float64(power) * e
				down[i] = -up[i]
			}
			check(powerOf(a, power), up)
			check("1/"+powerOf(a, power), down)
		}
		for _, b := range names {
			if known[b].Offset != 0 {
				continue
			}
			for _, powers := range [][2]int{{1, 1}, {1, 2}, {4, 1}, {9, 6}} {
				var product, quotient Exponents
				for i := range product {
					x, y := float64(powers[0])*known[a].Exponents[i], float64(powers[1])*known[b].Exponents[i]
					product[i], quotient[i] = x+y, x-y
				}
				first, second := powerOf(a, powers[0]), powerOf(b, powers[1])
				check(first+"."+second, product)
				check(first+"/"+second, quotient)
			}
		}
	}
}
