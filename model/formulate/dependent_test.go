package formulate_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// Of independent rows none is named; of rows with a planted dependence the ones of its sum; of two dependences the
// smaller one, at any place and size of the rows.
func TestDependentRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 100 {
		rows := make([][]float64, 8)
		for i := range rows {
			rows[i] = make([]float64, 20)
			for k := range rows[i] {
				rows[i][k] = 10 * r.NormFloat64()
			}
		}
		if got := formulate.DependentRows(rows); got != nil {
			t.Fatalf("%v of independent rows", got)
		}
		places := r.Perm(8)
		sum := func(at int, of ...int) []int {
			for k := range rows[at] {
				rows[at][k] = 0
				for n, i := range of {
					rows[at][k] += float64(n+1) * rows[i][k]
				}
			}
			set := append(of, at)
			slices.Sort(set)
			return set
		}
		sum(places[0], places[1], places[2], places[3])
		want := sum(places[4], places[5], places[6])
		rows[places[7]] = make([]float64, 20) // inactive
		for i := range rows {
			for k := range rows[i] {
				rows[i][k] *= float64(1 + 1000*(i%2))
			}
		}
		if got := formulate.DependentRows(rows); !slices.Equal(got, want) {
			t.Fatalf("%v, not %v", got, want)
		}
	}
}

const twoHinges = `
name = "Arm"
source = "own"
[component.arm]
type = "rigid-body"
mass = 2
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
[component.front]
type = "rigid-arm"
from = "ground"
to = "front"
translation = [0.2, 0, 0]
[component.rear]
type = "rigid-arm"
from = "ground"
to = "rear"
translation = [-0.2, 0, 0]
[component.arm_front]
type = "rigid-arm"
from = "arm"
to = "arm_front"
translation = [0.2, -0.2, 0]
[component.arm_rear]
type = "rigid-arm"
from = "arm"
to = "arm_rear"
translation = [-0.2, -0.2, 0]
[component.front_hinge]
type = "revolute"
from = "front"
to = "arm_front"
axis = "x"
[component.rear_hinge]
type = "revolute"
from = "rear"
to = "arm_rear"
axis = "x"
`

func TestTwoHingesOfAnArmAreNamed(t *testing.T) {
	m, err := vehicle.Parse([]byte(twoHinges), "arm.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = formulate.New(m, formulate.Options{})
	if err == nil || !strings.Contains(err.Error(), "the constraints of rear_hinge, front_hinge are redundant: "+
		"one of them follows from the others; leave one out, put a bushing in place of one") {
		t.Error(err)
	}
}
