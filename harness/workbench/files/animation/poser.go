package animation

import (
	"errors"
	"slices"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/vehicle"
)

// Poser places a vehicle again and again, from the present values of its variables.
type Poser struct {
	*Scene
	// Placement places the frames of the scene, which are the first ones, from the variables of NewPoser.
	Placement *Placement
	// Tiles are the ground farther away; nil if all ground is planes with the same friction everywhere.
	Tiles *Tiles

	start   []float64 // values
	partial *partial  // nil before PlacePartly
}

// NewPoser makes a scene of a vehicle from the values of variables at its start, with the ground as far as reach about
// it [m].
func NewPoser(m *vehicle.Model, variables []string, values []float64, reach float64) (*Poser, error) {
	run := trace.New(trace.Named(variables...), 0)
	run.Append(0, values)
	p := &Poser{Scene: &Scene{Title: m.Title}, Placement: newPlacement(m, variables),
		start: slices.Clone(values)}
	if p.Title == "" {
		p.Title = m.Name
	}
	p.Placement.place(values)
	p.compose(m, p.Placement.known(), func(string) bool { return true })
	if len(p.Shapes) == 0 || p.Chassis < 0 {
		return nil, errors.New("nothing of the vehicle can be drawn: it publishes no positions and angles of bodies or " +
			"masses")
	}
	p.force(run)
	p.Placement = p.Placement.arrange(p.Names)
	p.Poses = make([][7]float64, p.Frames)
	p.Place(values)
	all, err := surfaces(m)
	p.ground(all, reach)
	p.Tiles = newTiles(all)
	return p, err
}

// Place places all frames.
func (p *Poser) Place(values []float64) {
	p.Placement.place(values)
	for i := range p.Poses {
		p.Poses[i] = rowOf(p.Placement.poses[i])
	}
}

// Relative is the pose of a frame in another one.
func (p *Poser) Relative(frame, in int) [7]float64 { return p.relative(0, frame, in) }
