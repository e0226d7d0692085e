package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/vehicle"
)

// rows are the heights of the frames of the generic vehicle in its graphs; the corners have columns.
var rows = map[string]float64{"body": 50, "corner": 120, "upright": 195, "knuckle": 265, "tire": 335, "road": 440,
	"ground": 365}

// drawGraph pictures the linear graph of the generic vehicle in a domain, with the tree that the engine has chosen.
func drawGraph(w *workshop, d graph.Domain) ([]byte, error) {
	m, err := vehicle.Read(w.model("generic4w"))
	if err != nil {
		return nil, err
	}
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		return nil, err
	}
	g := f.Forest.Graph
	p := &drawing{title: fmt.Sprintf("Linear graph of the generic vehicle in %s: thick the branches of the tree, thin "+
		"the chords", d), width: 640, height: 470}
	p.write("title", "start", [2]float64{8, 18}, strings.ToUpper(d.String()[:1])+d.String()[1:])
	for i, class := range []string{"branch", "chord"} {
		y := 14 + 18*float64(i)
		p.path(class, false, [2]float64{540, y}, [2]float64{565, y})
		p.write("key", "start", [2]float64{572, y + 4}, class)
	}
	at := map[int][2]float64{}
	for n, frame := range g.Nodes {
		part, corner, _ := strings.Cut(frame, "_")
		y, known := rows[part]
		if !known {
			return nil, fmt.Errorf("the graph has a frame %s, which has no place in the picture", frame)
		}
		x, is := map[string]float64{"FL": 100, "RL": 225, "RR": 415, "FR": 540}[corner]
		if !is {
			x = 320
		}
		at[n] = [2]float64{x, y}
	}
	var branches, chords []int
	for i, e := range g.Edges {
		switch {
		case e.Domain != d:
		case slices.Contains(f.Forest.Branch[d], i):
			branches = append(branches, i)
		default:
			chords = append(chords, i)
		}
	}
	edgeCount := map[[2]int]int{} // edges of two nodes; a branch is the first, and straight
	pair := func(i int) [2]int {
		return [2]int{min(g.Edges[i].Tail, g.Edges[i].Head), max(g.Edges[i].Tail, g.Edges[i].Head)}
	}
	for _, i := range branches {
		edgeCount[pair(i)]++
	}
	for _, i := range chords {
		nodes := pair(i)
		p.arc("chord", at[nodes[0]], at[nodes[1]], edgeCount[nodes])
		edgeCount[nodes]++
	}
	for _, i := range branches {
		p.arc("branch", at[g.Edges[i].Tail], at[g.Edges[i].Head], 0)
	}
	for n, frame := range g.Nodes {
		p.circle("node", at[n], 6)
		anchor, x := "start", at[n][0]+10
		if strings.HasSuffix(frame, "L") {
			anchor, x = "end", at[n][0]-10
		}
		p.write("name", anchor, [2]float64{x, at[n][1] + 4}, frame)
	}
	return p.svg(), nil
}

// arc draws the edge number n of those between two nodes: the first straight, the others bent to both sides.
func (d *drawing) arc(class string, a, b [2]float64, n int) {
	const spacing = 16
	bend := spacing * float64((n+1)/2) * float64(1-2*(n%2))
	dx, dy := b[0]-a[0], b[1]-a[1]
	length := math.Hypot(dx, dy)
	x, y := (a[0]+b[0])/2-bend*dy/length*2, (a[1]+b[1])/2+bend*dx/length*2
	fmt.Fprintf(&d.body, "<path class=\"%s\" d=\"M%s %sQ%s %s %s %s\"/>\n", class, number(a[0]), number(a[1]), number(x),
		number(y), number(b[0]), number(b[1]))
}
