package preview

import (
	"errors"
	"math"
	"slices"
)

// Driver is a driver who knows a vehicle at several speeds.
type Driver struct {
	Vehicles []Vehicle // by rising speeds
	Previews []float64 // that he takes at these speeds [s]
	Limit    Limit
}

// Limit is the steady lateral curve of a vehicle beyond its linear range: by how much the steering angle is larger than
// what a linear vehicle needs for a lateral acceleration.
type Limit struct {
	Lateral []float64 // rising lateral accelerations, the first 0 and the last the largest that the vehicle holds [m/s2]
	More    []float64 // steering angle beside the linear one, to the side of the turn [rad]
}

// NewDriver is a driver with hands for a vehicle at several speeds, and its limit.
func NewDriver(vehicles []Vehicle, limit Limit, hands Hands) (*Driver, error) {
	if len(vehicles) == 0 {
		return nil, errors.New("a driver needs the vehicle at one speed or more")
	}
	d := &Driver{Vehicles: vehicles, Limit: limit}
	for i := range vehicles {
		l, _, err := Adapted(vehicles[i].Motion(), hands.Delay, hands.Lag)
		if err != nil {
			return nil, err
		}
		d.Previews = append(d.Previews, l.Preview)
	}
	return d, nil
}

// slowest is the speed below which the expected motion is that of this speed [m/s].
const slowest = 1.0

// At is the vehicle at a speed [m/s], and the preview that the driver takes there. Between speeds, and beyond them, the
// numbers that are constant for a vehicle with two axles and linear tires change evenly: Steer, and Self times the
// speed, with the speed itself added to how v follows from r. The preview stays beyond the speeds.
func (d *Driver) At(speed float64) (Vehicle, float64) {
	speed = max(speed, slowest)
	if len(d.Vehicles) == 1 {
		return scaled(&d.Vehicles[0], &d.Vehicles[0], 0, speed), d.Previews[0]
	}
	i := 1
	for i < len(d.Vehicles)-1 && d.Vehicles[i].Speed < speed {
		i++
	}
	below, above := &d.Vehicles[i-1], &d.Vehicles[i]
	share := (speed - below.Speed) / (above.Speed - below.Speed)
	part := min(max(share, 0), 1)
	return scaled(below, above, share, speed), d.Previews[i-1] + part*(d.Previews[i]-d.Previews[i-1])
}

// Ahead is how far the driver looks ahead at a speed [m/s], with a factor of his preview there: 0.3 s or more.
func (d *Driver) Ahead(speed, factor float64) float64 {
	const least = 0.3 // s
	_, ahead := d.At(speed)
	return max(factor*ahead, least)
}

// scaled is the vehicle at a speed between two others.
func scaled(below, above *Vehicle, share, speed float64) Vehicle {
	of := func(v *Vehicle, row, column int) float64 {
		x := v.Self[row][column]
		if row == 0 && column == 1 {
			x += v.Speed
		}
		return x * v.Speed
	}
	v := Vehicle{Speed: speed}
	for row := range 2 {
		v.Steer[row] = below.Steer[row] + share*(above.Steer[row]-below.Steer[row])
		for column := range 2 {
			x := of(below, row, column)
			v.Self[row][column] = (x + share*(of(above, row, column)-x)) / speed
		}
	}
	v.Self[0][1] -= speed
	return v
}

// Lateral is the steady lateral acceleration by the steering angle of a linear vehicle [m/s2/rad].
func (v *Vehicle) Lateral() float64 { return v.Speed * real(v.At(0)[1]) }

// reach is the share of the largest lateral acceleration up to which a driver steers. Beyond it the steering angle
// rises steeply, or the vehicle turns in by itself.
const reach = 0.97

// Steering returns the steering angle of the steady curve [rad] for the lateral acceleration that a linear vehicle
// would have at an angle, up to the share reach of the largest acceleration.
func (l *Limit) Steering(linear float64, v *Vehicle) float64 {
	if len(l.Lateral) < 2 {
		return linear
	}
	gain := v.Lateral()
	if !(gain > 0) {
		return linear
	}
	last := len(l.Lateral) - 1
	wanted := min(math.Abs(linear)*gain, reach*l.Lateral[last])
	i, found := slices.BinarySearch(l.Lateral, wanted)
	more := l.More[min(i, last)]
	if !found && i > 0 {
		share := (wanted - l.Lateral[i-1]) / (l.Lateral[i] - l.Lateral[i-1])
		more = l.More[i-1] + share*(l.More[i]-l.More[i-1])
	}
	return math.Copysign(wanted/gain+more, linear)
}

// Largest is the largest lateral acceleration of the steady curve [m/s2], 0 without one.
func (l *Limit) Largest() float64 {
	if len(l.Lateral) == 0 {
		return 0
	}
	return l.Lateral[len(l.Lateral)-1]
}
