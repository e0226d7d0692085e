package animation

import (
	"errors"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/vehicle"
)

// Poser places a vehicle again and again, from the present values of its variables.
type Poser struct {
	*Scene
	columns [][]float64 // of one row, by variable
	placer  placer
}

// NewPoser makes a scene of a vehicle from the values of variables at its start, with the ground as far as reach about
// it [m].
func NewPoser(m *vehicle.Model, variables []string, values []float64, reach float64) (*Poser, error) {
	run := trace.New(trace.Named(variables...), 0)
	run.Append(0, values)
	p := &Poser{Scene: &Scene{Title: m.Title}, placer: placer{model: m, run: run, known: map[string]pose{}}}
	if p.Title == "" {
		p.Title = m.Name
	}
	for _, name := range variables {
		p.columns = append(p.columns, run.Column(name))
	}
	p.placer.findFrames()
	p.compose(m, p.placer.known, func(string) bool { return true })
	if len(p.Shapes) == 0 || p.Chassis < 0 {
		return nil, errors.New("nothing of the vehicle can be drawn: it publishes no positions and angles of bodies or " +
			"masses")
	}
	p.force(run)
	p.Poses = make([][7]float64, p.Frames)
	p.fill()
	return p, p.ground(m, reach)
}

// Place places all frames.
func (p *Poser) Place(values []float64) {
	for i, column := range p.columns {
		column[0] = values[i]
	}
	clear(p.placer.known)
	p.placer.findFrames()
	p.fill()
}

func (p *Poser) fill() {
	for i, name := range p.Names {
		k := p.placer.known[name]
		p.Poses[i] = [7]float64{k.r[0], k.r[1], k.r[2], k.q[0], k.q[1], k.q[2], k.q[3]}
	}
}

// Relative is the pose of a frame in another one.
func (p *Poser) Relative(frame, in int) [7]float64 { return p.relative(0, frame, in) }
