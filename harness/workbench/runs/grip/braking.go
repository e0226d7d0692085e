package grip

import (
	"errors"
	"fmt"

	"skidpad/model/roles"
)

// At reads variables of a vehicle some steps behind its start, with other values for some start values.
type At func(start map[string]float64, steps int, names ...string) ([]float64, error)

// Braking is the deceleration [m/s2] of a vehicle on a level road that begins at z = 0. Every wheel has the largest
// longitudinal force of its tire under its load at this deceleration:
//
//	m a = sum mu_k(N_k) N_k,  sum N_k = m g,  sum N_k x_k = m g x + m a h
//
// x and h are the place of the centre of mass, m = weight/gravity [kg]. The wheels of an axle share its load evenly,
// and the loads of more than two axles change evenly along the vehicle. The friction is that of the road where the
// wheels start. Without drag and lift no brakes, and no control of them, can be better.
func Braking(at At, o *roles.Roles, gravity float64) (float64, error) {
	switch {
	case o == nil || o.Chassis == "" || len(o.Axles) < 2:
		return 0, errors.New("the bound needs the roles chassis and axles, with two axles or more")
	case len(o.Trailers) > 0:
		return 0, errors.New("a vehicle with trailers has no bound: its loads depend on the couplings")
	}
	read := func(start map[string]float64, names ...string) ([]float64, error) { return at(start, 0, names...) }
	wheels := o.Wheels()
	var tires []string
	for _, w := range wheels {
		tires = append(tires, w.Tire)
	}
	contacts, err := Contacts(read, o.Chassis, tires)
	if err != nil {
		return 0, err
	}
	body, err := Balance(read, o.Chassis)
	if err != nil {
		return 0, err
	}
	const highest = 5.0 // m
	if !(body.Weight > 0 && body.Height > 0 && body.Height < highest) {
		return 0, fmt.Errorf("the centre of mass is %.4g m above z = 0 at the start; the bound needs a road that begins "+
			"there", body.Height)
	}
	b := braked{Body: body, gravity: gravity}
	if b.curves, err = peaks(at, o.Chassis, wheels, contacts, body.Weight); err != nil {
		return 0, err
	}
	for k := 0; len(b.axles) < len(o.Axles); {
		count := len(o.Axles[len(b.axles)].Wheels())
		axle := axle{wheels: b.curves[k : k+count]}
		for range count {
			axle.x += contacts[k].X / float64(count)
			k++
		}
		b.axles = append(b.axles, axle)
	}
	return b.deceleration(), nil
}

// braked is a vehicle that brakes with all wheels at their peaks.
type braked struct {
	Body
	gravity float64 // m/s2
	curves  []curve
	axles   []axle
}

// axle is where an axle is ahead of the chassis [m], and the friction of its tires.
type axle struct {
	x      float64
	wheels []curve
}

// forces are the forces of the wheels at a deceleration, by the weight: N_i = a + b x_i of each axle.
func (b *braked) forces(deceleration float64) float64 {
	n, sum, squares := float64(len(b.axles)), 0.0, 0.0
	for _, a := range b.axles {
		sum, squares = sum+a.x, squares+a.x*a.x
	}
	moment := b.Weight * (b.Ahead + b.Height*deceleration/b.gravity)
	slope := (n*moment - b.Weight*sum) / (n*squares - sum*sum)
	mean := (b.Weight - slope*sum) / n
	total := 0.0
	for _, a := range b.axles {
		load := max(0, mean+slope*a.x) / float64(len(a.wheels))
		for i := range a.wheels {
			total += a.wheels[i].at(load) * load
		}
	}
	return total / b.Weight
}

// deceleration is the one that its forces give [m/s2].
func (b *braked) deceleration() float64 {
	low, high := 0.0, 10*b.gravity
	for range 60 {
		middle := (low + high) / 2
		if b.forces(middle)*b.gravity > middle {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// curve is the friction of a tire at the peak of its longitudinal force, by rising loads [N].
type curve struct{ loads, friction []float64 }

// at is the friction at a load, on straight lines through the points.
func (c *curve) at(load float64) float64 {
	i := 1
	for i < len(c.loads)-1 && c.loads[i] < load {
		i++
	}
	share := (load - c.loads[i-1]) / (c.loads[i] - c.loads[i-1])
	return c.friction[i-1] + share*(c.friction[i]-c.friction[i-1])
}

// peaks reads the friction of each tire at loads from a fifth to two and a half times those at the start. The wheels
// turn too slowly for some steps, so that it is the friction of braking.
func peaks(at At, chassis string, wheels []roles.Wheel, contacts []Contact, weight float64) ([]curve, error) {
	var names, spins []string
	stiffness := 0.0
	for k, w := range wheels {
		names = append(names, w.Tire+".Fz")
		if stiffness += contacts[k].Stiffness; w.Spin != "" {
			spins = append(spins, w.Spin)
		}
	}
	begin, err := at(nil, 0, append([]string{chassis + ".z"}, spins...)...)
	if err != nil {
		return nil, err
	}
	height := begin[0] - lower
	loads, err := at(map[string]float64{chassis + ".z": height, chassis + ".vx": 0}, 0, names...)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for k, load := range loads {
		sum, names = sum+load, append(names, wheels[k].Tire+".mu_x_peak")
	}
	curves := make([]curve, len(wheels))
	const slow, steps = 0.7, 5
	for _, share := range []float64{0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 2.5} {
		start := map[string]float64{chassis + ".z": height + (sum-share*weight)/stiffness}
		for i, name := range spins {
			start[name] = slow * begin[1+i]
		}
		values, err := at(start, steps, names...)
		if err != nil {
			return nil, fmt.Errorf("peaks of the tires: %w", err)
		}
		for k := range curves {
			c := &curves[k]
			if load := values[k]; load > 0 && (len(c.loads) == 0 || load > c.loads[len(c.loads)-1]) {
				c.loads, c.friction = append(c.loads, load), append(c.friction, values[len(wheels)+k])
			}
		}
	}
	for k := range curves {
		if len(curves[k].loads) < 2 {
			return nil, fmt.Errorf("the load of %s does not follow the height of %s", wheels[k].Tire, chassis)
		}
	}
	return curves, nil
}
