package reference

import (
	"math"

	"skidpad/model/component"
)

// converter by ratio: the voltage of the load is m times that of the supply, less R i; the current from the supply is m
// times that to the load. A converter by power gives its load a voltage, and draws the power of the load from its
// supply. Both kinds draw their loss.
//
// The flow of the load's edge is the current that leaves the load, against the current to the load.
type converter struct {
	*component.Converter
	loss               *table      // nil for none
	load, supply, draw *scalarEdge // supply: by ratio; draw: a power; nil for none
}

func init() {
	know("converter", func(c *component.Converter) element { return &converter{Converter: c} })
}

func (c *converter) add(s *System) (err error) {
	if c.loss, err = networkCurve(c.Name+".loss", c.Loss); err != nil {
		return err
	}
	given := c.Ratio
	if c.ByPower {
		given = c.Voltage
	}
	value, err := s.course(given, c.Name)
	if err != nil {
		return err
	}
	load := s.scalar(electrical, c.Name, c.Load[0], c.Load[1])
	c.load = load
	if c.ByPower {
		load.ofDrop(func(y []float64) float64 { return s.drop(load, y) - value() - c.Resistance.Value*load.through(y) })
		load.exact = c.Resistance.Value == 0
	} else {
		supply := s.scalar(electrical, c.Name, c.Supply[0], c.Supply[1])
		load.ofDrop(func(y []float64) float64 {
			return s.drop(load, y) - value()*s.drop(supply, y) - c.Resistance.Value*load.through(y)
		})
		supply.ofFlow(func(y []float64) float64 { return -value() * load.through(y) })
		load.edges, supply.edges = []*scalarEdge{supply}, []*scalarEdge{load}
		load.exact, supply.exact = c.Resistance.Value == 0, true
		c.supply = supply
	}
	if c.ByPower || c.loss != nil {
		c.draw = s.scalar(electrical, c.Name, c.Supply[0], c.Supply[1])
		c.draw.edges = []*scalarEdge{load}
		s.ofPower(c.draw, func(y []float64) float64 {
			current, power := c.current(y), 0.0
			if c.ByPower {
				power = behind(c.Efficiency.Value, value()*current)
			}
			return power + c.loss.at(current)
		})
	}
	return nil
}

// behind is the power before an efficiency, whatever side drives: P/eta, or eta P of a negative one. Its slope is
// continuous within some watts about 0.
func behind(efficiency, power float64) float64 {
	if efficiency == 1 {
		return power
	}
	size := math.Sqrt(power*power + 1)
	return (power+size)/2/efficiency + (power-size)/2*efficiency
}

// current is the current to the load.
func (c *converter) current(y []float64) float64 { return -c.load.through(y) }

func (c *converter) quantities(s *System) []quantity {
	voltage := func(y []float64) float64 { return s.drop(c.load, y) }
	name := c.Name + ".voltage"
	if c.ByPower && variable(c.Voltage) {
		name = c.Name + ".terminal_voltage"
	}
	return []quantity{
		published(name, voltage), published(c.Name+".current", c.current),
		published(c.Name+".supply_current", func(y []float64) (sum float64) {
			for _, e := range []*scalarEdge{c.supply, c.draw} {
				if e != nil {
					sum += e.through(y)
				}
			}
			return sum
		}),
		published(c.Name+".power", func(y []float64) float64 { return voltage(y) * c.current(y) }),
	}
}
