package model

import (
	"skidpad/model/component"
	"slices"
	"strings"
)

// validate checks what no single key can tell: names, frames, inertia, trees.
func (r *reader) validate() {
	r.checkFrames()
	r.checkActs()
	for _, c := range r.model.Components {
		c.Check(r.scope, r.Reader)
	}
	r.checkUnprefixed()
	r.checkTrees()
	r.checkOutputs()
}

func (r *reader) checkOutputs() {
	alone := map[string]bool{}
	for _, c := range component.All[component.Unprefixed](r.scope) {
		for _, v := range c.Unprefixed() {
			alone[v.Name] = alone[v.Name] || !v.Input
		}
	}
	for i, name := range r.model.Outputs {
		at := r.Root.Field("outputs").Items[i]
		owner, _, _ := strings.Cut(name, ".")
		switch {
		case r.scope.Find(owner) == nil && !alone[name] && !slices.ContainsFunc(r.model.Quantities,
			func(q Quantity) bool { return q.Name == name }):
			r.At(at, "outputs names %q, but there is no component %q%s", name, owner, r.scope.Nearest(owner))
		case slices.Contains(r.model.Outputs[:i], name):
			r.At(at, "outputs names %q twice; an output is published once", name)
		}
	}
}

// frameKeys are the keys that name frames.
var frameKeys = []string{"frame", "from", "to", "road", "resolve", "corner", "opposite", "contact", "rim", "housing"}

// checkFrames finds frames that nothing connects to the ground, frames that end
// in nothing, and components that join a frame with itself.
func (r *reader) checkFrames() {
	// group leads from each frame towards one that stands for all it is
	// connected to; find shortens the way
	group := map[string]string{}
	find := func(f string) string {
		for group[f] != "" && group[f] != f {
			if next := group[group[f]]; next != "" {
				group[f] = next
			}
			f = group[f]
		}
		return f
	}
	uses, carried := map[string]int{}, map[string]bool{GroundFrame: true}
	known, oriented := map[string]bool{GroundFrame: true}, map[string]bool{GroundFrame: true}
	for _, c := range r.model.Components {
		frames := c.Frames()
		for _, f := range frames.Uses {
			uses[f]++
		}
		tail, head := frames.Joins[0], frames.Joins[1]
		if tail == "" {
			continue
		}
		uses[tail]++
		uses[head]++
		known[tail], known[head] = true, true
		if !frames.Point {
			oriented[tail], oriented[head] = true, true
		}
		if tail == head {
			r.Place(c.Head().Pos, "component %s joins the frame %q with itself", c.Head().Name, tail)
		}
		group[find(tail)] = find(head)
		carried[head] = carried[head] || frames.Carries
	}
	reported := map[string]bool{}
	for _, c := range r.model.Components {
		h := c.Head()
		frames := c.Frames()
		for _, f := range frames.Uses {
			if !known[f] {
				r.Place(r.Naming(h, f, frameKeys...),
					"component %s uses the frame %q, which no body, joint, arm or road has; frames: %s", h.Name, f,
					strings.Join(r.frames(), ", "))
			}
		}
		for _, f := range frames.Axes {
			if known[f] && !oriented[f] {
				r.Place(r.Naming(h, f, frameKeys...),
					"component %s needs the axes of the frame %q, but a point mass has none; name the frame of a "+
						"body, joint, arm or road", h.Name, f)
			}
		}
		for _, f := range frames.Joins {
			switch {
			case f == "" || reported[f]:
			case find(f) != find(GroundFrame):
				reported[f] = true
				r.Place(r.Naming(h, f, frameKeys...),
					"frame %q of component %s is not connected to the ground by joints, arms or bodies", f, h.Name)
			case uses[f] == 1 && !carried[f]:
				reported[f] = true
				r.Place(r.Naming(h, f, frameKeys...),
					"frame %q of component %s leads to nothing: no body, joint or load uses it", f, h.Name)
			}
		}
		if used := frames.Uses; !frames.Alike && repeats(used) {
			r.Place(h.Pos, "component %s acts between a frame and itself: %s", h.Name, strings.Join(used, ", "))
		}
	}
}

func repeats(frames []string) bool {
	for i, f := range frames {
		if slices.Contains(frames[:i], f) {
			return true
		}
	}
	return false
}

func (r *reader) frames() []string {
	var list []string
	for _, c := range r.model.Components {
		joined := c.Frames().Joins
		list = append(list, joined[:]...)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(f string) bool { return f == "" })
}
