package vehicle_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/graph"
)

// answering runs a check on each example of each type of component, with its scope.
func answering(t *testing.T, check func(t *testing.T, c component.Component, s *component.Scope)) {
	for _, kind := range component.Types {
		for _, v := range examples(t, kind.Word) {
			t.Run(kind.Word, func(t *testing.T) {
				s := parse(t, inPrelude(v.text)).Scope()
				check(t, s.Find("example"), s)
			})
		}
	}
}

// Every type of component has an example, so that the tests that go through them forget none.
func TestEveryTypeHasAnExampleOfItsOwn(t *testing.T) {
	words := map[string]bool{}
	for _, kind := range component.Types {
		if words[kind.Word] || kind.Text == "" || len(examples(t, kind.Word)) == 0 {
			t.Errorf("type %q: twice in the table, without a sentence or without an example", kind.Word)
		}
		words[kind.Word] = true
	}
	answering(t, func(t *testing.T, c component.Component, _ *component.Scope) {
		if h := c.Head(); !strings.HasPrefix(t.Name(), "TestEveryTypeHasAnExampleOfItsOwn/"+h.Type) ||
			h.Name != "example" {
			t.Errorf("the component is %s, a %s", h.Name, h.Type)
		}
	})
}

// The check of frames and the graph agree: a component joins the frames that its edges connect, and a frame without
// axes has no rotation.
func TestFramesAreJoinedWhereEdgesHoldThem(t *testing.T) {
	answering(t, func(t *testing.T, c component.Component, s *component.Scope) {
		f := c.Frames()
		var held [2]bool
		for _, e := range c.Edges(s) {
			if e.Selectable() {
				held[e.Domain] = true
				if [2]string{e.From, e.To} != f.Joins {
					t.Errorf("edge %s leads from %q to %q, and %q are joined", e.Name, e.From, e.To, f.Joins)
				}
			}
			if !strings.HasPrefix(e.Name, e.Domain.Letter()) {
				t.Errorf("the edge %s is one of %s", e.Name, e.Domain)
			}
		}
		joins := f.Joins[0] != ""
		if held != [2]bool{joins, joins && !f.Point} {
			t.Errorf("joins %q, without axes %v; edges hold translation and rotation %v", f.Joins, f.Point, held)
		}
		if f.Carries && f.Joins[0] != graph.GroundFrame {
			t.Errorf("a frame that carries itself is joined to %q, not to the ground", f.Joins[0])
		}
		for _, frame := range f.Axes {
			if !slices.Contains(f.Uses, frame) {
				t.Errorf("the axes of %q count, but the frame is not used", frame)
			}
		}
	})
}

// Optional interfaces of components refer to the component's own frames, and the targets of acts receive them.
func TestAnswersOfSomeComponentsFitTheirFrames(t *testing.T) {
	answering(t, func(t *testing.T, c component.Component, s *component.Scope) {
		f := c.Frames()
		if heavy, is := component.As[component.Heavy](c); is && heavy.Lump().Frame != f.Joins[1] {
			t.Errorf("its mass is at %q, its frame is %q", heavy.Lump().Frame, f.Joins[1])
		}
		if joint, is := component.As[component.Jointed](c); is {
			m := joint.Moves()
			used := slices.Contains(f.Uses, m.From) && slices.Contains(f.Uses, m.To)
			if rocker, is := c.(*component.Rocker); is { // moves with its suspension
				guide, _ := component.Named[component.Jointed](s, rocker.Joint)
				of := guide.Moves()
				used = m.From == of.From && m.To == of.To
			}
			if [2]string{m.From, m.To} != f.Joins && !used {
				t.Errorf("it moves %q against %q, and joins %q", m.To, m.From, f.Joins)
			}
			for _, e := range c.Edges(s) {
				free := e.AcrossDimension() == 1 || e.Space.Motion != nil && e.Space.Motion.Joint // or given
				if e.Selectable() && free != (e.Domain == joint.Moves().Domain) {
					t.Errorf("it moves in %s; the edge %s has the freedom: %v", joint.Moves().Domain, e.Name, free)
				}
			}
		}
		if rolling, is := component.As[component.Wheeled](c); is {
			if w := rolling.Wheel(); w.Radius.Value <= 0 || w.Frame != f.Joins[1] && !slices.Contains(f.Uses, w.Frame) {
				t.Errorf("its wheel at %q has the radius %s", w.Frame, w.Radius.Text)
			}
		}
		acting, _ := component.As[component.Acting](c)
		if acting == nil {
			return
		}
		if motor, is := c.(*component.Motor); is && motor.Drives == "" { // on a joint, as several machines can be
			return
		}
		if len(acting.Acts()) == 0 {
			t.Error("it acts on nothing")
		}
		for _, a := range acting.Acts() {
			other, is := component.Named[component.Receiving](s, a.On)
			if !is || !other.Receives(a.Part) || a.Needs == "" || a.Pos.Line == 0 {
				t.Errorf("it acts on %q (line %d), which receives nothing of the kind", a.On, a.Pos.Line)
			}
			for part := component.Turned; part <= component.Powered; part++ {
				by, found := component.ActingOn[component.Acting](s, a.On, part)
				if is := found && by.Head() == c.Head(); is != (part == a.Part) {
					t.Errorf("it acts on %q as part %d; is it found as part %d: %v", a.On, a.Part, part, is)
				}
			}
		}
	})
}

// A wheel that a body carries has the coordinates of the body, wherever it stands in the file.
func TestBodiesComeBeforeTiresInTheChoiceOfATree(t *testing.T) {
	text := inPrelude(examples(t, "tire")[0].text)
	wheel := parse(t, text).Scope().Find("example").Frames().Joins[1]
	m := parse(t, text+`
[component.join]
type = "weld"
from = "chassis"
to = "`+wheel+"\"\n")
	tire := m.Scope().Find("example")
	others := slices.DeleteFunc(m.Components, func(c component.Component) bool { return c == tire })
	m.Components = append([]component.Component{tire}, others...)
	forest, err := graph.Select(m.Graph(), m.Trees[0].Selection)
	if err != nil {
		t.Fatal(err)
	}
	for d, names := range [][]string{{"chassis.T1", "example.T1"}, {"chassis.R1", "example.R1"}} {
		var branches []string
		for _, i := range forest.Branch[d] {
			branches = append(branches, forest.Graph.Edges[i].Name)
		}
		if !slices.Contains(branches, names[0]) || slices.Contains(branches, names[1]) {
			t.Errorf("branches are %q; they must hold %s and not %s", branches, names[0], names[1])
		}
	}
}
