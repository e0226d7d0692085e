package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// rackBody is a mass on a spring that a joint of the name rack leads.
const rackBody = `
[component.rack_body]
type = "rigid-body"
mass = 4
inertia = { xx = 1, yy = 1, zz = 0.5 }
[component.rack_spring]
type = "spring-damper"
joint = "rack"
stiffness = 3e3
`

// secondOf are the keys of a suspension over a second variable, the component whose motion this is, and its states.
var secondOf = map[string][4]string{
	"steer": {`steer = "rack"`,
		`[component.rack]
type = "prismatic"
from = "ground"
to = "rack_body"
axis = "y"
` + rackBody,
		"rack.s", "rack.s_dot"},
	"other": {`other = "rack"`,
		`[component.rack]
type = "suspension"
from = "ground"
to = "rack_body"
side = "right"
` + rackBody,
		"rack.travel", "rack.travel_dot"},
}

// unevenAxis are n points from -reach to reach, whose distances differ by up to a factor of two.
func unevenAxis(r *rand.Rand, n int, reach float64) []float64 {
	x := []float64{0}
	for range n - 1 {
		x = append(x, x[len(x)-1]+1+r.Float64())
	}
	for i, whole := 0, x[n-1]; i < n; i++ {
		x[i] = reach * (2*x[i]/whole - 1)
	}
	return x
}

// courses are the keys of suspensions that can be surfaces.
var courses = []string{"x", "y", "z", "toe", "camber", "castor"}

// smoothCorner is a wheel on a suspension. The courses named in keys are smooth functions of its travel and of the
// second variable of an entry of secondOf, sampled at all pairs of q and s.
func smoothCorner(t *testing.T, r *rand.Rand, keys []string, q, s []float64, rule string,
	second [4]string) *vehicle.Model {
	t.Helper()
	var b strings.Builder
	b.WriteString(`name = "Corner"
[component.susp]
type = "suspension"
from = "ground"
to = "wheel"
side = "left"
` + second[0] + "\n")
	for _, key := range keys {
		phase, tilt := 6*r.Float64(), 1+r.Float64()
		var points []curve.PointOfSurface
		for _, q := range q {
			for _, s := range s {
				z := 0.02 * math.Sin(phase+9*q+7*tilt*s) * math.Cos(4*s-phase)
				if key == "z" {
					z += q
				}
				points = append(points, curve.PointOfSurface{X: q, Y: s, Z: z})
			}
		}
		fmt.Fprintf(&b, "%s = { points = %s, smooth = %q }\n", key, surfaceRows(points), rule)
	}
	fmt.Fprintf(&b, `[component.wheel]
type = "rigid-body"
mass = %d
inertia = { xx = %g, yy = %g, zz = %g }
%s`,
		wheelMass, wheelX, wheelY, wheelZ, second[1])
	m, err := vehicle.Parse([]byte(b.String()), "corner.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// nearBorder is a place of a table with n points, and the floating-point number right before it. The place is at a
// border of cells or between borders; the borders can be close to each other.
func nearBorder(r *rand.Rand, points []float64, atBorder bool) (at, before float64) {
	at = points[r.IntN(len(points))]
	if !atBorder {
		at = points[0] + (points[len(points)-1]-points[0])*(1.3*r.Float64()-0.15)
	}
	return at, math.Nextafter(at, math.Inf(-1))
}

// Values of suspensions over two variables, and their derivatives by both, are continuous across the borders of cells
// in the compiled Jacobian. The test has 10^6 borders at random places, a quarter of that in thinned runs, and a
// tolerance of 1e-10 of the largest derivative.
func TestSurfacesOfSuspensionsGoOnAcrossCells(t *testing.T) {
	borders := testrun.Either(60_000, 250_000)
	for name, second := range secondOf {
		for _, rule := range []string{"spline", "monotone"} {
			r := rand.New(rand.NewPCG(uint64(len(name)), uint64(len(rule))))
			q, s := unevenAxis(r, 23, 0.1), unevenAxis(r, 17, 0.08)
			p, _ := machine(t, smoothCorner(t, r, courses, q, s, rule, second), formulate.Options{})
			native, err := p.Native(p.Tape())
			if err != nil {
				native = p.Tape() // no machine code on this system
			}
			m := p.NewMachine(native)
			values := make([]float64, len(p.Parameters))
			for i, v := range p.Parameters {
				values[i] = v.Start
			}
			m.SetParameters(values)
			columns := [...]int{stateOf(t, p, "susp.travel"), stateOf(t, p, second[2])}
			var rows []int
			for _, key := range courses {
				rows = append(rows, output(p, "susp."+key))
			}
			slopes := m.Jacobian(program.OutputQuantity, program.StateQuantity)
			u := make([]float64, len(p.Inputs))
			x := make([]float64, len(p.States))
			var jacobian [2][]float64
			largest := make([]float64, 2*len(rows))
			worst := make([]float64, 2*len(rows))
			for k := range jacobian {
				jacobian[k] = make([]float64, slopes.Rows*slopes.Columns)
			}
			for n := range borders {
				var at, before [2]float64
				at[0], before[0] = nearBorder(r, q, n%3 != 0)
				at[1], before[1] = nearBorder(r, s, n%3 != 1)
				for k, place := range [][2]float64{at, before} {
					x[columns[0]], x[columns[1]] = place[0], place[1]
					slopes.Evaluate(x, u, jacobian[k])
				}
				for i, row := range rows {
					for j, column := range columns {
						k := row*slopes.Columns + column
						a, b := jacobian[0][k], jacobian[1][k]
						largest[2*i+j] = max(largest[2*i+j], math.Abs(a))
						worst[2*i+j] = max(worst[2*i+j], math.Abs(a-b))
					}
				}
			}
			for i, d := range worst {
				if !(largest[i] > 0.01) || !(d < 1e-10*largest[i]) {
					t.Errorf("%s, %s: derivative of %s by %s jumps by %g, the largest is %g", name, rule, courses[i/2],
						[...]string{"the travel", second[2]}[i%2], d, largest[i])
				}
			}
		}
	}
}

// The accelerations have second derivatives of splines by both variables, which go on, too.
func TestAccelerationsGoOnAcrossCellsOfSplines(t *testing.T) {
	for name, second := range secondOf {
		r := rand.New(rand.NewPCG(61, uint64(len(name))))
		q, s := unevenAxis(r, 23, 0.1), unevenAxis(r, 17, 0.08)
		p, m := machine(t, smoothCorner(t, r, courses, q, s, "spline", second), formulate.Options{})
		u := make([]float64, len(p.Inputs))
		x := make([]float64, len(p.States))
		dx, near := make([]float64, len(p.States)), make([]float64, len(p.States))
		for n := range 20000 {
			at, before := [2]float64{}, [2]float64{}
			at[0], before[0] = nearBorder(r, q, n%3 != 0)
			at[1], before[1] = nearBorder(r, s, n%3 != 1)
			x[stateOf(t, p, "susp.travel_dot")], x[stateOf(t, p, second[3])] = r.NormFloat64(), r.NormFloat64()
			for k, place := range [][2]float64{at, before} {
				x[stateOf(t, p, "susp.travel")], x[stateOf(t, p, second[2])] = place[0], place[1]
				m.Derivatives(0, x, u, [][]float64{dx, near}[k])
			}
			for i := range dx {
				if !(math.Abs(dx[i]-near[i]) < 1e-10*(10+math.Abs(dx[i]))) {
					t.Fatalf("%s: at %v, rate of %s jumps by %g of %g", name, at, p.States[i].Name, dx[i]-near[i], dx[i])
				}
			}
		}
	}
}

// Rates over surfaces of many points take as many operations as over surfaces of few points, and find each cell by one
// comparison.
func TestSurfacesOfSuspensionsCostTheSame(t *testing.T) {
	for name, second := range secondOf {
		var costs []expr.Cost
		for _, n := range [][2]int{{4, 5}, {40, 30}, testrun.Either([2]int{70, 90}, [2]int{200, 200})} {
			r := rand.New(rand.NewPCG(71, 1))
			q, s := unevenAxis(r, n[0], 0.1), unevenAxis(r, n[1], 0.08)
			p, _ := machine(t, smoothCorner(t, r, []string{"toe"}, q, s, "spline", second), formulate.Options{})
			costs = append(costs, p.RateCost)
			for _, points := range [][]float64{q, s} {
				c, err := curve.Linear(points, points)
				if err != nil {
					t.Fatal(err)
				}
				if k := c.Table().Grid.Comparisons; k != 1 {
					t.Errorf("%d points are found by %d comparisons", len(points), k)
				}
			}
		}
		if len(slices.Compact(slices.Clone(costs))) != 1 {
			t.Errorf("%s: the rates cost %v with more and more points", name, costs)
		}
	}
}
