package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/vehicle"
)

// networkPage is the page that holds the model of the picture of domains, in a block of its own.
const networkPage = "networks.md"

var networkModel = regexp.MustCompile("(?s)```toml file=lift\\.toml\n(.*?)```")

// networkStyle draws what joins edges: the ports of a converter, and one component in two domains.
const networkStyle = `
.port { fill: none; stroke: #cc79a7; stroke-width: 2; stroke-dasharray: 5 3; }
.join { fill: none; stroke: #d55e00; stroke-width: 1.6; stroke-dasharray: 1.5 4; stroke-linecap: round; }
`

// domainPanel is the place of a domain in the picture.
type domainPanel struct {
	domain graph.Domain
	x, y   float64 // left upper corner
}

// The domains go round, so that each component that joins two of them joins neighbours.
var panels = []domainPanel{{graph.Electrical, 0, 30}, {graph.Rotation, 320, 30}, {graph.Translation, 0, 260},
	{graph.Hydraulic, 320, 260}}

// span is an edge in the picture.
type span struct {
	edge, from, to string
	class          string // branch, chord, port
	mechanical     bool
	middle         [2]float64
}

// component is the name of the component of the edge.
func (s *span) component() string {
	name, _, _ := strings.Cut(s.edge, ".")
	return name
}

// drawNetworks pictures the graphs of a model with several domains, with the trees that the engine has chosen.
func drawNetworks(w *workshop) ([]byte, error) {
	page, err := os.ReadFile(filepath.Join(w.resources, "..", "docs", networkPage))
	if err != nil {
		return nil, err
	}
	block := networkModel.FindSubmatch(page)
	if block == nil {
		return nil, fmt.Errorf("docs/%s has no block lift.toml", networkPage)
	}
	m, err := vehicle.Parse(block[1], "lift.toml", vehicle.Opener("lift.toml"))
	if err != nil {
		return nil, err
	}
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		return nil, err
	}
	p := &drawing{title: "Graphs of an electric lift in the electrical, the hydraulic and the two mechanical domains: " +
		"thick the branches of the trees, thin the chords, dashed the ports of the converter, dotted the components that " +
		"join two domains", width: 640, height: 490, more: networkStyle}
	for i, class := range []string{"branch", "chord", "port", "join"} {
		x := [...]float64{10, 110, 205, 395}[i]
		p.path(class, false, [2]float64{x, 14}, [2]float64{x + 28, 14})
		p.write("key", "start", [2]float64{x + 35, 18}, [...]string{"branch", "chord", "port of a converter",
			"component in two domains"}[i])
	}
	var all []*span
	labels := &drawing{}
	for _, at := range panels {
		list := spansOf(f.Forest, at.domain)
		at.draw(p, labels, list)
		all = append(all, list...)
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.component() == b.component() && a.mechanical != b.mechanical {
				p.path("join", false, a.middle, b.middle)
			}
		}
	}
	p.body.Write(labels.body.Bytes())
	return p.svg(), nil
}

// spansOf are the edges of a domain.
func spansOf(f *graph.Forest, d graph.Domain) (list []*span) {
	if d >= graph.Electrical {
		n := f.Networks[d-graph.Electrical]
		for _, i := range n.Edges {
			e := &f.Graph.Scalars[i]
			s := &span{edge: e.Name, from: e.From, to: e.To, class: "chord"}
			switch {
			case e.Kind == graph.Port:
				s.class = "port"
			case slices.Contains(n.Tree, i):
				s.class = "branch"
			}
			list = append(list, s)
		}
		return list
	}
	for i, e := range f.Graph.Edges {
		if e.Domain != d || e.Observer {
			continue
		}
		s := &span{edge: e.Name, from: f.Graph.Nodes[e.Tail], to: f.Graph.Nodes[e.Head], class: "chord",
			mechanical: true}
		if slices.Contains(f.Branch[d], i) {
			s.class = "branch"
		}
		list = append(list, s)
	}
	return list
}

// draw places the ground below. The other nodes are above it, each over its own edges. Edges lie side by side.
func (at domainPanel) draw(p, labels *drawing, list []*span) {
	const width, upper, lower = 300.0, 50.0, 190.0
	labels.write("title", "start", [2]float64{at.x + 10, at.y + 18}, at.domain.String())
	other := func(s *span) string { // the end that is not the ground
		if s.from == graph.GroundFrame {
			return s.to
		}
		return s.from
	}
	var nodes []string
	for _, s := range list {
		if !slices.Contains(nodes, other(s)) {
			nodes = append(nodes, other(s))
		}
	}
	slices.SortStableFunc(list, func(a, b *span) int {
		return cmp.Compare(slices.Index(nodes, other(a)), slices.Index(nodes, other(b)))
	})
	places := map[string][2]float64{graph.GroundFrame: {at.x + width/2, at.y + lower}}
	for _, n := range nodes {
		first := slices.IndexFunc(list, func(s *span) bool { return other(s) == n })
		count := 0
		for _, s := range list {
			if other(s) == n {
				count++
			}
		}
		places[n] = [2]float64{at.x + width*(float64(first)+float64(count)/2)/float64(len(list)), at.y + upper}
	}
	for i, s := range list {
		a, b := places[s.from], places[s.to]
		s.middle = [2]float64{at.x + width*(float64(i)+0.5)/float64(len(list)),
			at.y + (upper+lower)/2 + 10*float64(2*(i%2)-1)}
		fmt.Fprintf(&p.body, "<path class=\"%s\" d=\"M%s %sQ%s %s %s %s\"/>\n", s.class, number(a[0]), number(a[1]),
			number(2*s.middle[0]-(a[0]+b[0])/2), number(2*s.middle[1]-(a[1]+b[1])/2), number(b[0]), number(b[1]))
		labels.write("name", "middle", [2]float64{s.middle[0], s.middle[1] + 4}, s.edge)
	}
	for _, n := range append([]string{graph.GroundFrame}, nodes...) {
		labels.circle("node", places[n], 6)
		shift := -12.0
		if n == graph.GroundFrame {
			shift = 22
		}
		labels.write("name", "middle", [2]float64{places[n][0], places[n][1] + shift}, n)
	}
}
