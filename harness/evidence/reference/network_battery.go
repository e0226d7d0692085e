package reference

import (
	"fmt"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// battery: the rise is E(soc) less the drops of pairs, less R i:
//
//	soc' = -i/charge,  u' = i/C - u/(R C) of each pair
type battery struct {
	*component.Battery
	edge  *scalarEdge
	open  func(y []float64) float64
	soc   *scalarState
	pairs []*scalarState
}

func init() { know("battery", func(c *component.Battery) element { return &battery{Battery: c} }) }

func (c *battery) add(s *System) error {
	e := s.scalar(electrical, c.Name, c.From, c.To)
	own := reading{edges: []*scalarEdge{e}}
	c.edge = e
	c.soc = s.ownState(c.Name+".soc", c.StartCharge, own)
	c.soc.rate = func(y []float64) float64 { return -e.through(y) / c.Charge.Value }
	for k, pair := range c.Pairs {
		state := s.ownState(fmt.Sprintf("%s.pair_%d", c.Name, k+1), keys.Scalar{}, own)
		state.rate = func(y []float64) float64 {
			return (e.through(y) - state.at(y)/pair.Resistance.Value) / pair.Capacitance.Value
		}
		c.pairs = append(c.pairs, state)
	}
	open, err := s.overCharge(c, "open_voltage", c.Open)
	if err != nil {
		return err
	}
	resistance, err := s.overCharge(c, "resistance", c.Resistance)
	if err != nil {
		return err
	}
	c.open = open
	e.ofDrop(func(y []float64) float64 {
		rise := open(y) - resistance(y)*e.through(y)
		for _, pair := range c.pairs {
			rise -= pair.at(y)
		}
		return -s.drop(e, y) - rise
	})
	e.states = append([]*scalarState{c.soc}, c.pairs...)
	s.heats(c.Heat, reading{edges: own.edges, states: e.states}, func(y []float64) float64 {
		loss := resistance(y) * e.through(y) * e.through(y)
		for k, pair := range c.pairs {
			loss += pair.at(y) * pair.at(y) / c.Pairs[k].Resistance.Value
		}
		return loss
	})
	return nil
}

// overCharge is a property that is a number or a curve over the state of charge.
func (s *System) overCharge(c *battery, key string, v component.CurveOrNumber) (func(y []float64) float64, error) {
	if v.Surface != nil {
		return nil, noSurface(c.Name, key)
	}
	t, err := networkCurve(c.Name+"."+key, v.Curve)
	if t == nil {
		return func([]float64) float64 { return v.Number.Value }, err
	}
	return func(y []float64) float64 { return t.at(c.soc.at(y)) }, err
}

func (c *battery) quantities(s *System) []quantity {
	list := append(s.publishRise(c.Name, c.edge, component.TimeCourse{}), c.soc.quantity(),
		published(c.Name+".open_circuit_voltage", c.open))
	for _, pair := range c.pairs {
		list = append(list, pair.quantity())
	}
	return list
}
