// Package envelope measures the largest accelerations of a vehicle over its speed (g-g-v) by short runs: of any FMU as
// of a model.
//
//	throttle open, gear by gear       -> acceleration, drag, downforce, mass, top speed
//	brakes that rise slowly           -> deceleration
//	steering wheel that turns slowly  -> lateral acceleration, resistance of a bend
//	brakes that rise slowly in a turn -> how both go together
package envelope

import (
	"math"
	"sort"
)

// Envelope is what a vehicle can do. A friction is an acceleration by the tires, divided by the normal acceleration
// g + Down v^2 (on a level road). Lists have one number for each of their speeds, which rise; between speeds numbers
// change evenly, and beyond them they stay.
type Envelope struct {
	Vehicle   string     `json:"vehicle"`
	Mass      float64    `json:"mass"`      // kg
	AirDrag   float64    `json:"drag"`      // deceleration by the air, by the square of the speed [1/m]
	Down      float64    `json:"downforce"` // by the mass and the square of the speed [1/m]; negative for lift
	TopSpeed  float64    `json:"top_speed"` // m/s
	Driving   Driving    `json:"driving"`
	Traction  Traction   `json:"traction"`
	Braking   Braking    `json:"braking"`
	Cornering Cornering  `json:"cornering"`
	Exponent  float64    `json:"exponent"` // n of (x/X)^n + (y/Y)^n = 1 for braking and driving in a bend
	Combined  []Combined `json:"combined"` // runs whose mean exponent it is
}

// Driving is the acceleration with the throttle open in the best gear, straight ahead on a level road.
type Driving struct {
	Speed        []float64 `json:"speed"`        // m/s
	Acceleration []float64 `json:"acceleration"` // m/s2
	Gear         []float64 `json:"gear,omitempty"`
}

// Traction is the friction of the driven wheels, by the weight of the whole vehicle.
type Traction struct {
	Friction float64 `json:"friction"`
	Measured bool    `json:"measured"` // else it is the friction of braking on the load of the driven wheels
}

// Braking is the friction of braking.
type Braking struct {
	Speed    []float64 `json:"speed"` // m/s
	Friction []float64 `json:"friction"`
}

// Cornering is the friction of cornering.
type Cornering struct {
	Speed    []float64 `json:"speed"`    // m/s
	Steady   []float64 `json:"steady"`   // largest lateral acceleration at a constant speed [m/s2]
	Friction []float64 `json:"friction"` // without longitudinal force
	// Square p and Fourth q give the resistance of a bend by the normal acceleration, p u^2 + q u^4 over the used share u
	// of the friction: the side forces of the tires pull back.
	Square []float64 `json:"square"`
	Fourth []float64 `json:"fourth"`
}

// Combined is a state at the limit of braking in a turn, by the limit of each alone.
type Combined struct {
	Lateral      float64 `json:"lateral"`
	Longitudinal float64 `json:"longitudinal"`
	Exponent     float64 `json:"exponent"`
}

// between is a value of a table.
func between(speeds, values []float64, v float64) float64 {
	i := sort.SearchFloat64s(speeds, v)
	switch {
	case i == 0:
		return values[0]
	case i == len(speeds):
		return values[i-1]
	}
	share := (v - speeds[i-1]) / (speeds[i] - speeds[i-1])
	return values[i-1] + share*(values[i]-values[i-1])
}

// Lateral is the largest lateral acceleration by the tires without longitudinal force.
func (e *Envelope) Lateral(speed, normal float64) float64 {
	return between(e.Cornering.Speed, e.Cornering.Friction, speed) * (normal + e.Down*speed*speed)
}

// Longitudinal are the least and the largest acceleration by the tires. The resistance of the bend takes from the
// drive, and it slows a vehicle down that does not brake.
func (e *Envelope) Longitudinal(speed, lateral, normal float64) (least, most float64) {
	load := normal + e.Down*speed*speed
	used := min(lateral/(between(e.Cornering.Speed, e.Cornering.Friction, speed)*load), 1)
	left := math.Pow(1-math.Pow(used, e.Exponent), 1/e.Exponent)
	resistance := load * e.resistance(speed, used)
	drive := between(e.Driving.Speed, e.Driving.Acceleration, speed) + e.AirDrag*speed*speed - resistance
	most = min(drive, e.Traction.Friction*load*left)
	least = -max(between(e.Braking.Speed, e.Braking.Friction, speed)*load*left, resistance)
	return min(least, most), most
}

// resistance is the resistance of a bend, by the normal acceleration.
func (e *Envelope) resistance(speed, used float64) float64 {
	c := &e.Cornering
	square := used * used
	return between(c.Speed, c.Square, speed)*square + between(c.Speed, c.Fourth, speed)*square*square
}

// Drag is the deceleration by the air at a speed.
func (e *Envelope) Drag(speed float64) float64 { return e.AirDrag * speed * speed }

// Fastest is the top speed [m/s].
func (e *Envelope) Fastest() float64 { return e.TopSpeed }

// Largest are the largest lateral acceleration at a constant speed, the largest deceleration and the largest
// acceleration on a level road [m/s2].
func (e *Envelope) Largest(speed float64) (lateral, brake, drive float64) {
	least, most := e.Longitudinal(speed, 0, gravity)
	drag := e.AirDrag * speed * speed
	return between(e.Cornering.Speed, e.Cornering.Steady, speed), drag - least, most - drag
}

// Boundary are the largest accelerations on a level road at a speed: lateral and longitudinal ones, once around.
func (e *Envelope) Boundary(speed float64) (lateral, longitudinal []float64) {
	const count = 40
	limit, drag := e.Lateral(speed, gravity), e.AirDrag*speed*speed
	at := func(way int, share float64) {
		y := share * limit
		least, most := e.Longitudinal(speed, math.Abs(y), gravity)
		x := most
		if way < 0 {
			x = least
		}
		lateral, longitudinal = append(lateral, y), append(longitudinal, x-drag)
	}
	for i := -count; i <= count; i++ {
		at(1, math.Sin(math.Pi/2*float64(i)/count))
	}
	for i := count; i >= -count; i-- {
		at(-1, math.Sin(math.Pi/2*float64(i)/count))
	}
	at(1, -1)
	return lateral, longitudinal
}
