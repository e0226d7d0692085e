package graph

import (
	"slices"
	"testing"

	"skidpad/model/keys"
)

// A four-bar linkage: a crank that a driver turns, a coupler, a rocker with an arm, and a rod beside it.
func TestLinkage(t *testing.T) {
	t.Parallel()
	g := New()
	add := func(name string, edges ...Edge) { g.Add(&keys.Header{Name: name}, edges) }
	free := func(name string) {
		add(name, Edge{Name: "T1", From: GroundFrame, To: name, Space: Space{Free: &Free{Axes: []int{0, 1, 2}}}})
	}
	hinge := func(name, from, to string, motion *Motion) {
		add(name, Edge{Name: "T1", From: from, To: to}, Observer("R1", from),
			Edge{Name: "R2", Domain: Rotation, From: from, To: to, Space: Space{Motion: motion}})
	}
	free("coupler")
	free("rocker")
	driven := &Motion{Prescribed: true, Coordinate: Coordinate{Name: "crank.angle", Unit: "rad"}}
	hinge("crank", GroundFrame, "shaft", driven)
	add("arm", Edge{Name: "T1", From: "rocker", To: "rocker_end", Rigid: true},
		Edge{Name: "R2", Domain: Rotation, From: "rocker", To: "rocker_end"})
	hinge("first", "shaft", "coupler", &Motion{})
	hinge("second", "coupler", "rocker_end", &Motion{})
	hinge("third", "rocker", GroundFrame, &Motion{})
	add("rod", Edge{Name: "T1", From: "coupler", To: "rocker_end", Space: Space{Distance: &keys.Scalar{}}})
	add("spring", Law("T1", Translation, GroundFrame, "rocker_end"))
	for _, k := range []struct {
		chassis, of   string
		chain, joints []string
		driver        string
	}{
		{"", "third", []string{"ground", "crank", "coupler", "rocker"}, []string{"crank", "first", "second"}, "crank.angle"},
		{"coupler", "third", []string{"coupler", "rocker", "ground", "crank"}, []string{"crank", "first", "second"},
			"crank.angle"},
		{"rocker", "rod", []string{"rocker", "rod", "coupler"}, []string{"second"}, ""},
	} {
		got, is := NewLinkage(g, k.chassis).Through(k.of)
		turned := slices.Clone(got.Chain)
		slices.Reverse(turned[1:])
		slices.Sort(got.Joints)
		if !is || !slices.Equal(got.Chain, k.chain) && !slices.Equal(turned, k.chain) ||
			!slices.Equal(got.Joints, k.joints) || got.Driver != k.driver || k.driver != "" && got.Unit != "rad" {
			t.Errorf("%s from %q: %+v", k.of, k.chassis, got)
		}
	}
	for _, none := range []string{"spring", "arm", "unknown", "coupler"} {
		if got, is := NewLinkage(g, "").Through(none); is {
			t.Errorf("%s closes %v", none, got)
		}
	}
	add("pendulum", Edge{Name: "T1", From: "rocker", To: "bob"})
	if got, is := NewLinkage(g, "").Through("pendulum"); is {
		t.Errorf("an open chain closes %v", got)
	}
}
