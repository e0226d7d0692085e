package linear

import "skidpad/model/graph"

// standIns lists, by start speed, the states that the search for a steady motion holds in its place where a file
// chooses other speeds of a free motion. For a velocity that are both horizontal components: the heading of the vehicle
// at the start divides its speed between them.
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
	l.held[name] = true
	for _, state := range l.standIns[name] {
		l.held[state] = true
	}
}
