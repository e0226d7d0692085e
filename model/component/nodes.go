package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// Keys of the nodes of an edge, and of its start.
var (
	fromNodeKey = keys.Key{Name: "from", Shape: keys.NodeShape, Default: graph.GroundFrame,
		Text: "node that the flow leaves"}
	toNodeKey = keys.Key{Name: "to", Shape: keys.NodeShape, Default: graph.GroundFrame, Text: "node that the flow enters"}
)

// startOf is the key of the start value of a state.
func startOf(name, unit, text string) keys.Key {
	return keys.Key{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial state", Keys: []keys.Key{
		scalar(name, unit, "0", text),
	}}
}

// given is the start value of a state, nil where the file has none.
func givenStart(f *keys.Fields, name string) *keys.Scalar {
	s := f.Sub("start")
	if !s.Given(name) {
		return nil
	}
	value := s.Scalar(name)
	return &value
}

// Ends are the nodes of a component with one edge.
type Ends struct{ From, To string }

func readEnds(f *keys.Fields) Ends { return Ends{f.Text("from"), f.Text("to")} }

// checkEnds notes two ends at one node.
func (e Ends) checkEnds(h *keys.Header, r *keys.Reader) {
	if e.From == e.To {
		r.Place(h.Pos, "%s %s: from and to are both the node %q, so that it does nothing; name two nodes (a missing one is "+
			"the ground)", h.Type, h.Name, e.From)
	}
}

// scalarEdge is an edge between the ends.
func (e Ends) scalarEdge(name string, d graph.Domain, kind graph.ScalarKind) graph.ScalarEdge {
	return graph.ScalarEdge{Name: name, Domain: d, From: e.From, To: e.To, Kind: kind}
}

// noFrames are the frames of a component that only joins nodes.
type noFrames struct{}

// Frames implements Component.
func (noFrames) Frames() Frames { return Frames{} }

// Edges implements Component: it moves no frame.
func (noFrames) Edges(*Scope) []graph.Edge { return nil }
