package vehicle

import (
	"slices"
	"strings"

	"skidpad/model/graph"
	"skidpad/model/keys"
)

// frameKeys are the keys that name frames.
var frameKeys = []string{"frame", "from", "to", "road", "resolve", "corner", "opposite", "contact", "rim", "housing",
	keys.ReactionsKey}

// frames tells how the components of a model use its frames.
type frames struct {
	uses map[string]int // number of components that name a frame, without components that only resist
	// A frame is known if a body, joint, arm or road has it, oriented if its owner has axes, and carried if it needs no
	// other part.
	known, oriented, carried map[string]bool
	// group leads from a frame towards the representative of all frames joined to it.
	group map[string]string
}

func (r *reader) framesInUse() *frames {
	f := &frames{
		uses: map[string]int{}, known: map[string]bool{}, oriented: map[string]bool{graph.GroundFrame: true},
		carried: map[string]bool{graph.GroundFrame: true}, group: map[string]string{},
	}
	for _, c := range r.model.Components {
		own := c.Frames()
		for _, name := range own.Uses {
			if !own.Resists {
				f.uses[name]++
			}
		}
		tail, head := own.Joins[0], own.Joins[1]
		if tail == "" {
			continue
		}
		f.uses[tail]++
		f.uses[head]++
		f.known[tail], f.known[head] = true, true
		if !own.Point {
			f.oriented[tail], f.oriented[head] = true, true
		}
		f.group[f.find(tail)] = f.find(head)
		f.carried[head] = f.carried[head] || own.Carries
	}
	return f
}

// find returns the representative of all frames joined to a frame, and shortens the path to it.
func (f *frames) find(frame string) string {
	for f.group[frame] != "" && f.group[frame] != frame {
		if next := f.group[f.group[frame]]; next != "" {
			f.group[frame] = next
		}
		frame = f.group[frame]
	}
	return frame
}

// names lists the frames that components have.
func (f *frames) names() string {
	var list []string
	for name := range f.known {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// checkFrames notes frames that nothing connects to the ground, frames that end in nothing, and components that join a
// frame with itself.
func (r *reader) checkFrames() {
	all, nodes, reported := r.framesInUse(), r.nodesInUse(), map[string]bool{}
	for _, c := range r.model.Components {
		h, own := c.Head(), c.Frames()
		at := func(frame string) keys.Position { return r.Naming(h, frame, frameKeys...) }
		if tail := own.Joins[0]; tail != "" && tail == own.Joins[1] {
			r.Place(h.Pos, "component %s joins the frame %q with itself", h.Name, tail)
		}
		for _, f := range own.Uses {
			if f != graph.GroundFrame && !all.known[f] {
				r.Place(at(f), "component %s uses the frame %q, which no body, joint, arm or road has%s; frames: %s",
					h.Name, f, nodes.isNode(f), all.names())
			}
		}
		if f := h.Reactions; f != "" && f != keys.OfTail && !all.oriented[f] {
			r.Place(at(f), "component %s has its reaction in axes of the frame %q, which no body, joint, arm or road has; "+
				"frames: %s", h.Name, f, all.names())
		}
		for _, f := range own.Axes {
			if all.known[f] && !all.oriented[f] {
				r.Place(at(f), "component %s needs the axes of the frame %q, but a point mass has none; "+
					"name the frame of a body, joint, arm or road", h.Name, f)
			}
		}
		for _, f := range own.Joins {
			switch {
			case f == "" || reported[f]:
			case all.find(f) != all.find(graph.GroundFrame):
				reported[f] = true
				r.Place(at(f), "frame %q of component %s is not connected to the ground by joints, arms or bodies",
					f, h.Name)
			case all.uses[f] == 1 && !all.carried[f]:
				reported[f] = true
				r.Place(at(f), "frame %q of component %s leads to nothing: no body, joint or load uses it%s", f, h.Name,
					nodes.isNode(f))
			}
		}
		if !own.Alike && repeats(own.Uses) {
			r.Place(h.Pos, "component %s acts between a frame and itself: %s", h.Name, strings.Join(own.Uses, ", "))
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
