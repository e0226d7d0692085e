package formulate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// links is a body with a chain of bodies, or with a star of them, on revolute joints about the axes in turn.
func links(t *testing.T, count int, axes string, star bool) *vehicle.Model {
	t.Helper()
	var b strings.Builder
	b.WriteString(`name = "Links"
[component.hub]
type = "rigid-body"
mass = 3
inertia = { xx = 0.2, yy = 0.3, zz = 0.25 }
`)
	last := "hub"
	for i := range count {
		fmt.Fprintf(&b, `[component.arm%[1]d]
type = "rigid-arm"
from = %[2]q
to = "hinge%[1]d"
translation = [0.4, 0.02, 0.01]
`, i, last)
		fmt.Fprintf(&b, `[component.joint%[1]d]
type = "revolute"
from = "hinge%[1]d"
to = "link%[1]d"
axis = %[2]q
`, i, axes[i%len(axes):i%len(axes)+1])
		fmt.Fprintf(&b, `[component.link%d]
type = "rigid-body"
mass = 1
inertia = { xx = 0.02, yy = 0.03, zz = 0.04, xz = 0.002 }
`, i)
		if !star {
			last = fmt.Sprintf("link%d", i)
		}
	}
	m, err := vehicle.Parse([]byte(b.String()), "links.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// operations of the rates of a model.
func operations(t *testing.T, f *Formulation, err error) int {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Build(f.Source())
	if err != nil {
		t.Fatal(err)
	}
	return p.RateCost.Total()
}

// testCheaper: New takes the recursion where it saves a tenth of the operations, and else the matrix.
func testCheaper(t *testing.T, name string, m *vehicle.Model) (matrix, recursion bool) {
	t.Helper()
	f, err := New(m, Options{})
	taken := operations(t, f, err)
	of := func(how solves) int {
		f, err := formulated(m, Options{}, how)
		return operations(t, f, err)
	}
	dense, recursive := of(byMatrix), of(byRecursion)
	if f.withoutMass && 10*recursive > 9*dense || !f.withoutMass && 10*recursive <= 9*dense {
		t.Errorf("%s: %d operations are taken, %d by the matrix, %d by the recursion", name, taken, dense, recursive)
	}
	if want := map[bool]int{false: dense, true: recursive}[f.withoutMass]; taken != want {
		t.Errorf("%s: %d operations, by itself %d", name, taken, want)
	}
	return !f.withoutMass, f.withoutMass
}

func TestTheCheaperOfMatrixAndRecursionIsTaken(t *testing.T) {
	t.Parallel()
	var matrices, recursions []string
	for _, axes := range []string{"y", "yzx"} {
		for _, count := range []int{2, 4, 6, 8, 9, 12} {
			for _, star := range []bool{false, true} {
				name := fmt.Sprintf("%d links about %s, star %v", count, axes, star)
				if matrix, _ := testCheaper(t, name, links(t, count, axes, star)); matrix {
					matrices = append(matrices, name)
				} else {
					recursions = append(recursions, name)
				}
			}
		}
	}
	if len(matrices) == 0 || len(recursions) == 0 {
		t.Errorf("by the matrix: %q, by the recursion: %q", matrices, recursions)
	}
}

// TestShippedModelsTakeTheCheaper: of all shipped models that the recursion could solve.
func TestShippedModelsTakeTheCheaper(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../resources/models/*.toml")
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	able := 0
	for _, name := range names {
		m, err := vehicle.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := formulated(m, Options{}, byRecursion)
		if err != nil {
			t.Fatal(err)
		}
		if !f.withoutMass {
			continue
		}
		able++
		testCheaper(t, filepath.Base(name), m)
	}
	if able < 5 {
		t.Errorf("the recursion could solve %d models", able)
	}
}

// TestLongerChainsCostMore: ten bodies cost no more than 0.6 of twenty, and each further one about the same.
func TestLongerChainsCostMore(t *testing.T) {
	t.Parallel()
	var costs []int
	for count := 2; count <= 19; count++ {
		f, err := New(links(t, count, "yzx", false), Options{})
		costs = append(costs, operations(t, f, err))
	}
	if !slices.IsSorted(costs) {
		t.Errorf("a longer chain is cheaper: %d", costs)
	}
	if ten, twenty := float64(costs[9-2]), float64(costs[19-2]); ten > 0.6*twenty {
		t.Errorf("10 bodies cost %g operations, 20 bodies %g", ten, twenty)
	}
}
