package linear

import "skidpad/model/graph"

// standIns maps start speeds to states, where a file chooses other speeds of a free motion. The search for a steady
// motion holds these states if a start speed is set. A velocity has both horizontal components, because the heading of
// the vehicle divides its speed between the two.
func standIns(g *graph.Graph) map[string][]string {
	list := map[string][]string{}
	for i := range g.Edges {
		e := &g.Edges[i]
		free := e.Space.Free
		if free == nil || !free.Chosen() {
			continue
		}
		for k, start := range free.Starts.Of {
			list[start.Name] = []string{free.Speeds.Of[k].Name}
			if e.Domain == graph.Translation && k < 2 {
				list[start.Name] = []string{free.Speeds.Of[0].Name, free.Speeds.Of[1].Name}
			}
		}
	}
	return list
}

// hold notes that a state keeps its value, and with a start speed the states in its place.
func (l *Model) hold(name string) {
	l.fixed[name] = true
	for _, state := range l.standIns[name] {
		l.fixed[state] = true
	}
}
