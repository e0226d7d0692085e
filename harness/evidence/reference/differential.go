package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// gear is a differential: a planetary gear whose carrier the input turns by a ratio, and friction
// between its outputs.
type gear struct {
	*component.Differential
	outputs          [2]output
	input            int // of the torque, where nothing drives it
	torque           float64
	torques          [2]float64
	inputSpeed, loss float64
}

func init() {
	know("differential", func(c *component.Differential) element { return &gear{Differential: c} })
}

// add adds a differential without a driver: a driver adds its own differential.
func (g *gear) add(s *System) error {
	g.output(s, "")
	if s.model.Driver(g.Name) == nil {
		g.input = s.input(g.Name + ".torque")
		s.loads = append(s.loads, g)
	}
	s.spin(g.Spinning, g, 1)
	return nil
}

func (g *gear) output(s *System, _ string) output {
	g.outputs = [2]output{s.output(g.Outputs[0], g.Housing), s.output(g.Outputs[1], g.Housing)}
	return g
}

func (g *gear) weights() [2]float64 {
	return [2]float64{g.Ratio.Value * g.Share.Value, g.Ratio.Value * (1 - g.Share.Value)}
}

func (g *gear) speed(s *System) float64 {
	w := g.weights()
	return w[0]*g.outputs[0].speed(s) + w[1]*g.outputs[1].speed(s)
}

func (g *gear) turn(s *System, torque float64) {
	w := g.weights()
	difference := g.outputs[0].speed(s) - g.outputs[1].speed(s)
	g.torque, g.inputSpeed = torque, g.speed(s)
	drag := dragOfGears(torque, g.inputSpeed, g.Ratio.Value*g.SlidingSpeed.Value, g.Efficiency.Value)
	torque -= drag
	sum := torque * g.Ratio.Value
	locking := g.LockDrive.Value
	if sum < 0 {
		locking = g.LockCoast.Value
	}
	friction := (g.Preload.Value+locking*math.Abs(sum))*math.Tanh(difference/g.SlidingSpeed.Value) +
		g.Viscosity.Value*difference
	g.loss = friction*difference/2 + drag*g.inputSpeed
	g.torques = [2]float64{w[0]*torque - friction/2, w[1]*torque + friction/2}
	for i, o := range g.outputs {
		g.torques[i] = behindJoints(g.torques[i], o.speed(s), g.SlidingSpeed.Value, g.JointEfficiency.Value, &g.loss)
		o.turn(s, g.torques[i])
	}
}

func (g *gear) levers(s *System) []lever {
	var list []lever
	for i, w := range g.weights() {
		for _, l := range g.outputs[i].levers(s) {
			list = append(list, lever{l.part, r3.Scale(w, l.by)})
		}
	}
	return list
}

func (g *gear) slide(s *System) float64 {
	w := g.weights()
	return w[0]*g.outputs[0].slide(s) + w[1]*g.outputs[1].slide(s)
}

func (g *gear) parts() []int { return slices.Concat(g.outputs[0].parts(), g.outputs[1].parts()) }

func (g *gear) apply(s *System, _ []float64) { g.turn(s, s.inputs.values[g.input]) }

func (g *gear) touches() []int { return g.parts() }

func (g *gear) quantities(*System) []quantity {
	return []quantity{
		number(g.Name+".torque", &g.torque), number(g.Name+".torque_1", &g.torques[0]),
		number(g.Name+".torque_2", &g.torques[1]), number(g.Name+".speed", &g.inputSpeed),
		number(g.Name+".loss", &g.loss),
	}
}
