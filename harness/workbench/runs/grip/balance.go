// Package grip finds the position of a standing vehicle, and the largest deceleration that its tires allow. It reads
// a vehicle at its start only, with start values changed: of any FMU as of a model.
package grip

import (
	"fmt"
	"math"
)

// Reader reads variables of a vehicle at its start, with other values for some start values.
type Reader func(start map[string]float64, names ...string) ([]float64, error)

// Contact is where a tire touches the road, relative to the chassis, and how the load of the tire follows its height.
type Contact struct {
	X, Y      float64 // ahead and to the left [m]
	Stiffness float64 // N/m
}

// lower is how far below its start height a chassis is to be read, so that every tire is loaded [m].
const lower = 0.002

// Contacts finds the contacts of tires by their loads at the start: raised by dz the chassis unloads every tire by
// k dz, pitched by dp by -k x dp, rolled by dr by k y dr.
func Contacts(read Reader, chassis string, tires []string) ([]Contact, error) {
	pose, err := read(nil, chassis+".z", chassis+".roll", chassis+".pitch")
	if err != nil {
		return nil, err
	}
	loads := loadsOf(tires)
	const little = 1e-4
	var by [3][]float64
	for i, quantity := range []string{".z", ".roll", ".pitch"} {
		var ends [2][]float64
		for k, sign := range []float64{-1, 1} {
			// lower than at the start, so that every tire is loaded, and at rest: a pitched chassis that drives along its axis
			// sinks, and damper forces would add to the loads
			start := map[string]float64{chassis + ".z": pose[0] - lower, chassis + ".vx": 0}
			start[chassis+quantity] = pose[i] + sign*little
			if i == 0 {
				start[chassis+".z"] -= lower
			}
			if ends[k], err = read(start, loads...); err != nil {
				return nil, err
			}
		}
		for k := range loads {
			by[i] = append(by[i], (ends[1][k]-ends[0][k])/(2*little))
		}
	}
	var list []Contact
	for k, tire := range tires {
		if by[0][k] >= 0 {
			return nil, fmt.Errorf("the load of %s does not follow the height of %s at the start: a tire above the road "+
				"has none; correct the heights of the vehicle, or the start values", tire, chassis)
		}
		list = append(list, Contact{-by[2][k] / by[0][k], by[1][k] / by[0][k], -by[0][k]})
	}
	return list, nil
}

// loadsOf are the variables of the loads of tires.
func loadsOf(tires []string) (names []string) {
	for _, tire := range tires {
		names = append(names, tire+".Fz")
	}
	return names
}

// Body is a vehicle as one mass.
type Body struct {
	Weight float64 // N
	Ahead  float64 // centre of mass ahead of the chassis at the start, along the ground [m]
	Height float64 // of the centre of mass above z = 0 at the start [m]
}

// Balance finds the body by the potential energy far above the road, level, higher, and pitched to both sides.
func Balance(read Reader, chassis string) (b Body, err error) {
	pose, err := read(nil, chassis+".z", chassis+".pitch")
	if err != nil {
		return b, err
	}
	const lift, angle = 20, 0.5 // m, rad: no wheel of a long vehicle touches the road
	energy := func(lift, pitch float64) float64 {
		values, failed := read(map[string]float64{chassis + ".z": pose[0] + lift, chassis + ".pitch": pitch,
			chassis + ".roll": 0}, "energy.potential")
		if failed != nil {
			err = failed
			return 0
		}
		return values[0]
	}
	level, higher, down, up := energy(lift, 0), energy(2*lift, 0), energy(lift, angle), energy(lift, -angle)
	if err != nil {
		return b, err
	}
	b.Weight = (higher - level) / lift
	x := (up - down) / (2 * math.Sin(angle) * b.Weight) // in the axes of the chassis
	z := (level - (up+down)/2) / ((1 - math.Cos(angle)) * b.Weight)
	sine, cosine := math.Sincos(pose[1])
	b.Ahead, b.Height = x*cosine+z*sine, pose[0]-x*sine+z*cosine
	return b, nil
}
