package vehicle

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/subsystem"
	"skidpad/model/vectors"
)

// checkIdle warns of parts without effect: unused parameters, bodies that nothing holds, roads without a tire.
func (r *reader) checkIdle() {
	r.checkIdleParameters()
	r.checkPoints()
	r.checkOrder()
	for _, f := range r.document.Subsystems {
		for name, at := range f.Idle() {
			r.doubts.At(at, "nothing in the file uses its parameter %s, so that its value has no effect; name it in a "+
				"formula of the file, or leave it out", name)
		}
	}
	r.checkIdleComponents()
}

// checkIdleParameters checks the parameters of the file itself: a base can have parameters for other variants.
func (r *reader) checkIdleParameters() {
	own := r.document.Sources[0].root.Field("parameters")
	if own == nil {
		return
	}
	named := map[string]bool{}
	for _, key := range r.Root.Keys {
		if !slices.Contains([]string{"parameters", "name", "title", "source"}, key) {
			subsystem.AddNames(named, r.Root.Field(key))
		}
	}
	for _, b := range r.document.bindings {
		subsystem.AddNames(named, b.Value)
	}
	for _, v := range r.document.vectors {
		group, name, grouped := strings.Cut(v.Name, ".")
		at := own.Field(group)
		if grouped {
			at = at.Field(name)
		}
		if v.Of == "" && at != nil && !slices.ContainsFunc([]int{0, 1, 2}, func(axis int) bool {
			return named[vectors.Coordinate(v.Name, axis)]
		}) {
			r.doubts.At(at, "nothing uses the vector %s, so that its value has no effect; name it in a formula, or leave it out",
				v.Name)
		}
	}
	var others []string
	for _, p := range r.model.Parameters {
		if named[p.Name] {
			others = append(others, p.Name)
		}
	}
	for _, p := range r.model.Parameters {
		group, name, grouped := strings.Cut(p.Name, ".")
		at := own.Field(group)
		if at != nil && grouped {
			at = at.Field(name)
		}
		if named[p.Name] || at == nil {
			continue
		}
		hint := "; name it in a formula, or leave it out"
		if near := document.Nearest(p.Name, others); near != "" {
			hint = "; did you mean \"" + near + "\"?"
		}
		r.doubts.At(at, "nothing uses the parameter %s, so that its value has no effect%s", p.Name, hint)
	}
}

func (r *reader) checkIdleComponents() {
	all := r.framesInUse()
	wheels := component.All[component.Wheeled](r.scope)
	heavy := component.All[component.Heavy](r.scope)
	for _, h := range heavy {
		if c := h.Head(); len(wheels) > 0 && len(heavy) > 1 && all.uses[h.Lump().Frame] == 1 {
			r.doubts.At(&document.Node{File: c.Pos.File, Line: c.Pos.Line, Column: c.Pos.Column, Origin: c.Pos.Origin},
				"nothing holds the %s %s: no joint, arm, spring or load names its frame %q, so that it moves alone; join it, as "+
					"by a rigid-arm from another body to %q, or leave it out", c.Type, c.Name, h.Lump().Frame, h.Lump().Frame)
		}
	}
	for _, c := range r.model.Components {
		if h := c.Head(); isGround(c) && len(wheels) > 0 && all.uses[c.Frames().Joins[1]] == 1 {
			r.doubts.At(&document.Node{File: h.Pos.File, Line: h.Pos.Line, Column: h.Pos.Column, Origin: h.Pos.Origin},
				"nothing rolls on the %s %s: tires are on %q; give it to tires, road = %q, or leave it out", h.Type, h.Name,
				wheels[0].Wheel().Road, c.Frames().Joins[1])
		}
	}
}
