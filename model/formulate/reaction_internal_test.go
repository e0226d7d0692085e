package formulate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/tests/testrun"
	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// reaction is the force and moment from the tail of an element on its head, at the origin of the head, in axes of the
// tail. It uses the loads found by residual.
func (m *mechanism) reaction(i int) (force, moment r3.Vec) {
	c := &m.frames[i]
	on := &m.frames[c.parent]
	if c.reversed {
		return r3.Scale(-1, c.turned.in(c.force)),
			r3.Scale(-1, c.turned.in(r3.Sub(c.moment, r3.Cross(on.at, c.force))))
	}
	return on.turned.in(c.force), on.turned.in(r3.Sub(c.moment, r3.Cross(c.at, c.force)))
}

// The reactions of all joints, arms and drivers of random mechanisms equal an inverse dynamics in axes of the ground,
// for the matrix and for the recursion. This includes reactions between frames that are fixed to each other. Drivers
// have the torque about their axis.
func TestReactionsOfRandomMechanisms(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(45, 2))
	for n := range testrun.Either(8, 25) {
		m := randomMechanism(r)
		text := strings.Replace(m.text.String(), "gravity = 9.81\n", "gravity = 9.81\nreactions = [\"e*\"]\n", 1)
		parsed, err := vehicle.Parse([]byte(text), "mechanism.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []solves{byMatrix, byRecursion} {
			f, err := formulated(parsed, Options{}, how)
			if err != nil {
				t.Fatal(err)
			}
			p, err := program.Build(f.Source())
			if err != nil {
				t.Fatal(err)
			}
			y := m.atRandom(r, p)
			m.residual()
			size := 0.0
			for i := range m.frames {
				size = max(size, r3.Norm(m.frames[i].force), r3.Norm(m.frames[i].moment))
			}
			for i := 1; i < len(m.frames); i++ {
				name := "e" + m.frames[i].name
				force, moment := m.reaction(i)
				have := r3.Vec{X: y[name+".Fx"], Y: y[name+".Fy"], Z: y[name+".Fz"]}
				turn := r3.Vec{X: y[name+".Mx"], Y: y[name+".My"], Z: y[name+".Mz"]}
				if !(r3.Norm(r3.Sub(have, force)) <= 1e-12*size && r3.Norm(r3.Sub(turn, moment)) <= 1e-12*size) {
					t.Errorf("mechanism %d, %d: %s, a %s, has %v and %v, expected %v and %v\n%s", n, how, name,
						m.frames[i].kind, have, turn, force, moment, text)
				}
				if m.frames[i].kind != "motion-driver" {
					continue
				}
				torque := r3.Dot(moment, m.frames[i].axis)
				if !(math.Abs(y[name+".torque"]-torque) <= 1e-12*size) {
					t.Errorf("mechanism %d, %d: torque of %s is %g, expected %g", n, how, name, y[name+".torque"], torque)
				}
			}
		}
	}
}

// Reactions of a chain cost operations in proportion to its length, by the matrix and by the recursion. The rates cost
// the same as without reactions.
func TestReactionsCostInProportionToTheBodies(t *testing.T) {
	for _, how := range []solves{byMatrix, byRecursion} {
		var costs []int
		for _, count := range []int{3, 6, 12} {
			var total [2]int
			var rates [2]expr.Cost
			for i := range total {
				m := links(t, count, "xyz", false)
				for _, c := range m.Components {
					if i == 1 {
						c.Head().Reactions = keys.OfTail
					}
				}
				f, err := formulated(m, Options{}, how)
				if err != nil {
					t.Fatal(err)
				}
				p, err := program.Build(f.Source())
				if err != nil {
					t.Fatal(err)
				}
				total[i], rates[i] = p.OutputCost.Total(), p.RateCost
			}
			if rates[0] != rates[1] {
				t.Errorf("%d, %d links: the rates cost %v, with reactions %v", how, count, rates[0], rates[1])
			}
			costs = append(costs, total[1]-total[0])
		}
		if first, second := costs[1]-costs[0], costs[2]-costs[1]; second > 2*first+first/10 {
			t.Errorf("%d: 3, 6 and 12 links have reactions for %v operations", how, costs)
		}
	}
}
