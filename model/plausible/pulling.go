package plausible

import (
	"maps"
	"math"

	"skidpad/model/component"
)

// pulling warns of springs between points that pull in the design position: they do not carry the vehicle.
func (c *checker) pulling() {
	poses := c.designed()
	for _, s := range component.All[*component.SpringDamper](c.scope) {
		a, b := poses[s.From], poses[s.To]
		if s.Joint != "" || a == nil || b == nil {
			continue
		}
		d := add(b.at, scaled(a.at, -1))
		length := math.Sqrt(dot(d, d))
		if pull, _ := s.Tension(length); c.wheels > 0 && pull > slackShare*c.weight/float64(c.wheels) {
			c.doubt(c.position(s, "free_length"), "%s pulls with %.4g N in the design position: its points are %.4g m "+
				"apart there, and its free_length is %.4g m; correct the points, or give the force there: free_length = "+
				"{ load = \"4 kN\" }",
				s.Name, pull, length, s.FreeLength.Value)
		}
	}
}

// designed are the poses of the chassis's frames, and of frames that arms join to bodies with a place in the design
// position, where these bodies are unrotated.
func (c *checker) designed() map[string]*pose {
	poses := maps.Clone(c.layout.poses)
	links := linksOf(c.scope.Graph(), c.values)
	var frames []string
	for _, b := range component.All[*component.RigidBody](c.scope) {
		if b.Design == nil || c.layout.poses[b.Design.In] == nil || poses[b.Frame] != nil {
			continue
		}
		p, place := c.layout.poses[b.Design.In], &b.Design.Place
		at := vector{place[0].Value, place[1].Value, place[2].Value}
		poses[b.Frame] = &pose{at: add(p.at, p.axes.of(at)), axes: p.axes}
		frames = append(frames, b.Frame)
	}
	for ; len(frames) > 0; frames = frames[1:] {
		for _, k := range links[frames[0]] {
			t, r := &k.translation.Space, &k.rotation.Space
			if poses[k.to] == nil && t.Motion == nil && t.Guide == nil && r.Motion == nil && r.Guide == nil {
				poses[k.to] = poses[frames[0]].beyond(k, false)
				frames = append(frames, k.to)
			}
		}
	}
	return poses
}
