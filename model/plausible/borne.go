package plausible

import (
	"math"
	"slices"

	"skidpad/model/component"
)

// DesignedAxle is an axle whose wheels are on bodies with places in the design position.
type DesignedAxle struct {
	Ahead float64  // of the chassis's origin [m]
	Tires []string // names
	Place string   // of the first tire in the model file
}

// DesignedAxles returns the body of the chassis, the heaviest rigid body, and these axles. Only tires that alone carry
// the vehicle count.
func DesignedAxles(s *component.Scope) (chassis string, list []DesignedAxle) {
	c := &checker{scope: s, layout: layOut(s, nil)}
	for _, h := range component.All[component.Heavy](s) {
		if l := h.Lump(); l.Rigid && l.Frame == c.layout.root {
			chassis = h.Head().Name
		}
	}
	places := c.designed()
	for _, t := range Carrying(s) {
		p := c.hub(t.Name, places)
		if p == nil || c.layout.poses[s.Find(t.Name).(component.Wheeled).Wheel().Frame] != nil {
			continue
		}
		k := slices.IndexFunc(list, func(a DesignedAxle) bool { return math.Abs(a.Ahead-p.at[0]) < abreast })
		if k < 0 {
			k, list = len(list), append(list, DesignedAxle{Ahead: p.at[0], Place: Place(t.Pos)})
		}
		list[k].Tires = append(list[k].Tires, t.Name)
	}
	return chassis, list
}

// hub returns the pose of the wheel carrier of a tire, nil if it is unknown.
func (c *checker) hub(tire string, places map[string]*pose) *pose {
	wheel := c.scope.Find(tire).(component.Wheeled).Wheel()
	for _, k := range linksOf(c.scope.Graph(), nil)[wheel.Frame] {
		if k.rotation.Space.Motion != nil && places[k.from] != nil {
			return places[k.from]
		}
	}
	return nil
}
