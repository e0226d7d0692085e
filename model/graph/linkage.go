package graph

import (
	"slices"
	"strings"
)

// Loop is a closed chain of bodies through the constraints of one component.
type Loop struct {
	Of     string   // the component
	Chain  []string // bodies and rods, without the first again
	Joints []string // other components on the chain
	Driver string   // input that moves a joint of the chain, "" for none
	Unit   string   // of the input
}

// Linkage is the mechanism of a model: bodies and the components that constrain them against each other.
type Linkage struct {
	g       *Graph
	chassis string
	body    []int    // of a frame
	names   []string // by body
	joints  []joint
}

// joint joins two bodies.
type joint struct {
	owner, driver, unit string
	ends                [2]int // bodies
	rod                 bool
}

// NewLinkage finds the bodies of a graph. Chains that lead over the chassis begin there.
func NewLinkage(g *Graph, chassis string) *Linkage {
	l := &Linkage{g: g, chassis: chassis}
	l.joinFrames()
	for i := range l.g.Edges {
		e := &l.g.Edges[i]
		if e.Observer || e.Rigid || e.Space.Free != nil || e.ThroughDimension() == 0 || l.body[e.Tail] == l.body[e.Head] {
			continue
		}
		j := joint{owner: e.Owner.Name, ends: [2]int{l.body[e.Tail], l.body[e.Head]}, rod: e.Space.Distance != nil}
		if m := e.Space.Motion; m != nil && m.Prescribed && m.Lead == nil {
			j.driver, j.unit = m.Coordinate.Name, m.Coordinate.Unit
		}
		if n := len(l.joints) - 1; n >= 0 && l.joints[n].owner == j.owner && l.joints[n].ends == j.ends {
			if j.driver != "" { // of the other domain
				l.joints[n].driver, l.joints[n].unit = j.driver, j.unit
			}
			continue
		}
		l.joints = append(l.joints, j)
	}
	l.nameBodies()
	return l
}

// joinFrames gives frames that do not move against each other one body.
func (l *Linkage) joinFrames() {
	for i := range l.g.Nodes {
		l.body = append(l.body, i)
	}
	for i := range l.g.Edges {
		if e := &l.g.Edges[i]; e.Rigid {
			from, to := l.body[e.Head], l.body[e.Tail]
			for k, b := range l.body {
				if b == from {
					l.body[k] = to
				}
			}
		}
	}
}

// nameBodies prefers the names of bodies with a mass, then of drivers that move them, then of frames.
func (l *Linkage) nameBodies() {
	l.names = make([]string, len(l.g.Nodes))
	for i := range l.g.Edges {
		if e := &l.g.Edges[i]; e.Flies() && e.Domain == Translation && l.names[l.body[e.Head]] == "" {
			l.names[l.body[e.Head]] = e.Owner.Name
		}
	}
	l.names[l.body[Ground]] = GroundFrame
	for _, j := range l.joints {
		if j.driver != "" && l.names[j.ends[1]] == "" {
			l.names[j.ends[1]] = j.owner
		}
	}
	for i, frame := range l.g.Nodes {
		if l.names[l.body[i]] == "" {
			l.names[l.body[i]] = frame
		}
	}
}

// Through finds the shortest chain of bodies that the constraints of a component close; false where they close none.
func (l *Linkage) Through(owner string) (Loop, bool) {
	closing := slices.IndexFunc(l.joints, func(j joint) bool { return j.owner == owner })
	if closing < 0 {
		return Loop{}, false
	}
	from, to := l.joints[closing].ends[0], l.joints[closing].ends[1]
	reached := map[int]int{from: -1} // by body: the joint that leads to it
	next := []int{from}
	for ; len(next) > 0; next = next[1:] {
		for i, j := range l.joints {
			for k, end := range j.ends {
				if _, known := reached[j.ends[1-k]]; end == next[0] && j.owner != owner && !known {
					reached[j.ends[1-k]] = i
					next = append(next, j.ends[1-k])
				}
			}
		}
	}
	if _, closed := reached[to]; !closed {
		return Loop{}, false
	}
	var chain []string
	r := Loop{Of: owner}
	pass := func(j joint) {
		if j.rod {
			chain = append(chain, j.owner)
		}
		if j.driver != "" && r.Driver == "" {
			r.Driver, r.Unit = j.driver, j.unit
		}
	}
	pass(l.joints[closing])
	for body := to; ; {
		chain = append(chain, l.names[body])
		if body == from {
			break
		}
		j := l.joints[reached[body]]
		pass(j)
		r.Joints = append(r.Joints, j.owner)
		body = j.ends[0] + j.ends[1] - body
	}
	at := slices.Index(chain, l.chassis)
	if at < 0 {
		at = max(0, slices.Index(chain, GroundFrame))
	}
	r.Chain = slices.Concat(chain[at:], chain[:at])
	return r, true
}

func (r Loop) String() string {
	return "loop " + strings.Join(r.Chain, " - ") + " - " + r.Chain[0]
}
