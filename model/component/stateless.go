package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// stateKey removes the state of a component that stores energy; left says what is left of it.
func stateKey(left string) keys.Key {
	return keys.Key{Name: "state", Shape: keys.WordShape, Optional: true, Choices: []string{"none"},
		Text: "none: no state, where it is too fast for the step; " + left}
}

// noState names the key in the remedy for a state that is too fast.
const noState = `state = "none"`

// readStateless is true for a component without its state. A start then has no effect.
func readStateless(f *keys.Fields) bool {
	if f.Given("state") && f.Given("start") {
		f.Fault("start", "%s has no effect, because %s removes the state; leave one of the two out", f.PathOf("start"),
			noState)
	}
	return f.Text("state") != ""
}

// resistiveOr is the kind of an inductance without its state: a resistance, or a drop of 0.
func resistiveOr(resistance bool) graph.ScalarKind {
	if resistance {
		return graph.Affine
	}
	return graph.PotentialSource
}
