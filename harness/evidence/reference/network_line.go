package reference

import (
	"fmt"
	"math"

	"skidpad/model/component"
)

// line is a row of cells: R q + L q' between their middles, half of it at both ends, and C p' in the middles.
type line struct {
	*component.Line
	series, cells []*scalarEdge
}

func init() { know("line", func(c *component.Line) element { return &line{Line: c} }) }

// cell are resistance, inertance and capacity of a cell; 0 for none.
func (c *line) cell() (resistance, inertance, capacity float64) {
	if c.Length == nil {
		if c.Resistance != nil {
			resistance = c.Resistance.Value
		}
		if c.Inertance != nil {
			inertance = c.Inertance.Value
		}
		if c.Capacity != nil {
			capacity = c.Capacity.Value
		}
		return resistance, inertance, capacity
	}
	length, radius := c.Length.Value/float64(c.Cells), c.Diameter.Value/2
	area := math.Pi * radius * radius
	if c.Modulus != nil {
		capacity = area * length / c.Modulus.Value
	}
	return 8 * c.Viscosity.Value * length / (area * radius * radius), c.Density.Value * length / area, capacity
}

func (c *line) add(s *System) error {
	resistance, inertance, capacity := c.cell()
	cells := 0
	if capacity > 0 {
		cells = c.Cells
	}
	of := func(what string, i int) string {
		if cells == 0 {
			return c.Name + "." + what
		}
		return fmt.Sprintf("%s.%s_%d", c.Name, what, i)
	}
	node := c.From
	for i := range cells + 1 {
		next, share := fmt.Sprintf("%s_%d", c.Name, i+1), 1.0
		if i == cells {
			next = c.To
		}
		if cells > 0 && (i == 0 || i == cells) {
			share = 0.5
		}
		e := s.scalar(hydraulic, c.Name, node, next)
		lost := func(y []float64) float64 { return share * resistance * e.through(y) }
		if inertance > 0 {
			e.inductance, e.lost = func() float64 { return share * inertance }, lost
			e.state, e.start = of("flow", i+1), c.StartFlow
		} else {
			e.ofDrop(func(y []float64) float64 { return s.drop(e, y) - lost(y) })
		}
		c.series, node = append(c.series, e), next
	}
	for i := range cells {
		e := s.scalar(hydraulic, c.Name, fmt.Sprintf("%s_%d", c.Name, i+1), "")
		e.capacity = func([]float64) float64 { return capacity }
		e.state, e.start = of("pressure", i+1), c.StartPressure
		c.cells = append(c.cells, e)
	}
	s.heats(c.Heat, reading{edges: c.series}, func(y []float64) (sum float64) {
		for i, e := range c.series {
			share := 1.0
			if cells > 0 && (i == 0 || i == cells) {
				share = 0.5
			}
			sum += share * resistance * e.through(y) * e.through(y)
		}
		return sum
	})
	return nil
}

func (c *line) quantities(s *System) []quantity {
	if len(c.cells) == 0 {
		return s.publishDrop(c.Name, c.series[0])
	}
	list := []quantity{published(c.Name+".pressure", func(y []float64) (sum float64) {
		for _, e := range c.series {
			sum += s.drop(e, y)
		}
		return sum
	})}
	for i, e := range c.series {
		list = append(list, published(fmt.Sprintf("%s.flow_%d", c.Name, i+1), e.through))
	}
	for i, e := range c.cells {
		list = append(list, published(fmt.Sprintf("%s.pressure_%d", c.Name, i+1), e.level))
	}
	return list
}
