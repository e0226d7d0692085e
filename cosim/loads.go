package cosim

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"skidpad/model/plausible"
	"skidpad/model/program"
)

// Limits of the loads on the tires at the start.
const (
	leastLoad  = 0.2 // of one tire, by an even share of the weight; one of four tires then carries 5 % of the weight
	leastTotal = 0.8 // of all tires, by the weight
	mostTotal  = 1.2
)

// carrying is what the checks at the start need from the model: the tires that carry the vehicle, their wheels and the
// bodies. The first start determines it.
type carrying struct {
	sync.Once
	tires   []string
	places  []string                 // positions of these tires in the model file
	loads   []int                    // variables of the loads on these tires, nil where one has none
	reach   plausible.Reach          // how fast the vehicle can drive, and its bodies
	rolling []plausible.RollingWheel // wheels of these tires
	axles   []plausible.DesignedAxle // of cars by points, if the variables that follow exist
	lifts   [3]int                   // variables: vertical acceleration of the chassis, pitch acceleration, gravity
	speeds  [][]int                  // variables of the velocity of each body of reach, where they exist
}

// find determines the tires, their wheels and the bodies.
func (c *carrying) find(s *System) {
	scope := s.model.Scope()
	c.reach = plausible.ReachOf(scope)
	c.rolling = plausible.RollingWheels(scope)
	c.findAxles(s)
	c.speeds = make([][]int, len(c.reach.Bodies))
	for k, name := range c.reach.Bodies {
		for _, axis := range []string{"vx", "vy", "vz"} {
			if i, found := s.Find(name + "." + axis); found {
				c.speeds[k] = append(c.speeds[k], i)
			}
		}
	}
	for _, t := range plausible.Carrying(scope) {
		c.tires = append(c.tires, t.Name)
		c.places = append(c.places, plausible.Place(t.Pos))
	}
	for _, t := range c.tires {
		i, found := s.Find(t + ".Fz")
		if !found {
			c.tires, c.loads = nil, nil
			return
		}
		c.loads = append(c.loads, i)
	}
}

// judge describes what is wrong with the loads of the tires [N]; "" if nothing is. share is an even share of the
// weight.
func (c *carrying) judge(loads []float64, share float64) string {
	var light []string
	sum := 0.0
	for k, load := range loads {
		if sum += load; load < leastLoad*share {
			light = append(light, fmt.Sprintf("%s %.0f N", c.tires[k], load))
		}
	}
	switch of := sum / (share * float64(len(loads))); {
	case of < leastTotal || of > mostTotal:
		return fmt.Sprintf("the tires carry %.0f N in all, %.2g of the weight", sum, of)
	case len(light) > 0:
		return fmt.Sprintf("tires carry less than a fifth of an even share of %.0f N: %s", share, strings.Join(light, ", "))
	}
	return ""
}

// loadsOnLevelGround replaces loads by the loads that the same start values would give on level ground. Start values of
// a steady motion are found on level ground: bumps under the tires do not make them wrong. loadsOnLevelGround returns
// false where the ground is level anyway, or where the load is not an argument of a tire's force function.
func (in notes) loadsOnLevelGround(loads []float64) bool {
	if in.onLevelGround() {
		return false
	}
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		in.continued[u.SlopeX], in.continued[u.SlopeY], in.continued[u.Rate] = 0, 0, 0
		in.continued[u.Height] = in.tires.surfaces[u.Terrain].Height + in.continued[u.Above]
	}
	n := len(in.sys.program.States)
	in.machine.Derivatives(0, in.x[:n], in.continued, in.dx[:n])
	for k, name := range in.sys.carrying.tires {
		call := in.callOf(name)
		if call < 0 {
			return false
		}
		loads[k] = *in.machine.Offered(call, "Fz")
	}
	in.tires.ignoreFaults()
	in.fresh = false
	return true
}

// callOf returns the index of the call of a tire's force function, negative if the load is not an argument of it.
func (in notes) callOf(tire string) int {
	return slices.IndexFunc(in.sys.program.Calls, func(c program.Call) bool {
		return c.Name == tire+".force" && slices.Contains(c.Inputs, "Fz")
	})
}

// motion returns the warnings about the motion at the start. These come from the model file if its start values are
// unchanged, else from the present initial state.
func (in notes) motion() []notice {
	for i := range in.sys.program.Parameters {
		if p := &in.sys.program.Parameters[i]; p.StartValue && in.p[i] != p.Start {
			return in.rolling()
		}
	}
	return warnings(startRule, in.sys.model.StartWarnings...)
}

// rolling warns at the start if wheels do not turn with the speed of the vehicle.
func (in notes) rolling() []notice {
	c := in.sys.carrying
	c.Do(func() { c.find(in.sys) })
	var names []string
	var first string
	var firstSpin plausible.Spin
	for _, wheel := range c.rolling {
		call := in.callOf(wheel.Tire)
		if call < 0 {
			continue
		}
		at := func(name string) float64 { return *in.machine.Offered(call, name) }
		spin := plausible.Spin{Speed: at("VCx"), Omega: wheel.Sign * at("Omega"), Radius: wheel.Sign * at("Reff")}
		if spin.Rolls() {
			continue
		}
		if names == nil {
			first, firstSpin = wheel.Place, spin
		}
		names = append(names, wheel.Joint)
	}
	if names == nil {
		return nil
	}
	return warnings(rollingRule, first+": "+firstSpin.Text(names))
}

// loads warns at the start if the tires do not carry the vehicle: it will fall or jump.
func (in notes) loads() []notice {
	c := in.sys.carrying
	c.Do(func() { c.find(in.sys) })
	if len(c.loads) == 0 {
		return nil
	}
	share := in.evenShare()
	if !(share > 0) {
		return nil
	}
	loads := make([]float64, len(c.loads))
	for k, i := range c.loads {
		var err error
		if loads[k], err = in.Get(i); err != nil {
			return nil // Get returns this error to the caller who reads the load
		}
	}
	problem := c.judge(loads, share)
	if problem == "" {
		return in.borne()
	}
	if in.loadsOnLevelGround(loads) && c.judge(loads, share) == "" {
		return nil
	}
	return warnings(loadsRule, fmt.Sprintf("%s: at the start %s: the vehicle falls or jumps; \"skidpad trim MODEL\" "+
		"writes start values of rest or steady driving", c.places[0], problem))
}
