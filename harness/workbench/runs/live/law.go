package live

import "math"

// Device is the device of a driver.
type Device uint8

// The devices. A program gives the angle of the steering wheel [rad], the throttle from 0 to 1, and the brake [m/s2].
const (
	Keys Device = iota
	Gamepad
	Wheel
	Program
)

// Key is a set of held keys.
type Key uint16

// Keys that are held.
const (
	KeyLeft Key = 1 << iota
	KeyRight
	KeyThrottle
	KeyBrake
	KeyFine
	KeyHandBrake
	KeyHold    // the speed
	KeyRelease // the steering wheel
)

// Command is the state of a driver's device. Steering is positive to the left.
type Command struct {
	Device                            Device
	Keys                              Key
	Number                            uint32 // counts the commands of a driver
	Steering, Throttle, Brake, Clutch float32
	Gear                              int8 // 1 forward, -1 backward, 0 as it is
}

// Car has the dimensions of a car that its driver knows.
type Car struct {
	Ratio      float64 // of the steering-wheel angle to the angle of the road wheels
	Wheelbase  float64 // m
	Understeer float64 // rad/(m/s2) at the road wheels
}

// Of a driver with keys.
const (
	mostRoadAngle  = 0.6 // rad, of the road wheels
	leastRadius    = 5.5 // m
	turnTime       = 0.4 // s, from straight ahead to the limit
	returnsFaster  = 1.6
	fineShare      = 0.4
	throttleTime   = 0.5 // s, from closed to open
	releaseTime    = 0.2 // s, of throttle and brake
	brakeTime      = 0.3 // s, to mostBrake
	mostBrake      = 8.0 // m/s2
	standing       = 0.3 // m/s, below which the brake holds
	holdGain       = 1.0 // of the throttle, 1/(m/s)
	holdIntegral   = 0.5 // 1/m
	gamepadDead    = 0.08
	gamepadPower   = 1.6
	handBrakeShare = 6.0 // m/s2
)

// UsualAcceleration is the lateral acceleration [m/s2] that the largest steering angle leads to.
const UsualAcceleration = 7.0

// pedals are the positions of the pedals: throttle from 0 to 1, brake and hand brake [m/s2].
type pedals struct{ throttle, brake, handBrake float64 }

// driver turns the state of a device into the angle of the steering wheel and into pedals.
type driver struct {
	car  Car
	most float64 // lateral acceleration [m/s2]
	servo
	pedals
	wanted   float64 // angle of the steering wheel [rad]
	held     float64 // speed [m/s]
	integral float64 // of the throttle that holds the speed
	holds    bool
	stands   bool // the brake holds the standing vehicle
	before   Key
}

// limit is the largest angle of the steering wheel at a speed.
func (d *driver) limit(speed float64) float64 {
	radius := max(speed*speed/d.most, leastRadius)
	return d.car.Ratio * min(d.car.Wheelbase/radius+d.car.Understeer*speed*speed/radius, mostRoadAngle)
}

// toward moves a value to another by at most a step.
func toward(from, to, step float64) float64 { return from + min(max(to-from, -step), step) }

// drive makes the commands of h seconds at a speed of the vehicle [m/s]. At the end of the time call advance.
func (d *driver) drive(c *Command, speed, h float64) {
	limit := d.limit(speed)
	d.foot(c, speed, h)
	switch c.Device {
	case Keys:
		to := 0.0
		if c.Keys&KeyLeft != 0 {
			to += limit
		}
		if c.Keys&KeyRight != 0 {
			to -= limit
		}
		if c.Keys&KeyFine != 0 {
			to *= fineShare
		}
		step := limit / turnTime * h
		if (to-d.wanted)*d.wanted < 0 {
			step *= returnsFaster
		}
		d.wanted = toward(min(max(d.wanted, -limit), limit), to, step)
	case Gamepad:
		x := float64(c.Steering)
		share := max(0, math.Abs(x)-gamepadDead) / (1 - gamepadDead)
		d.wanted = limit * math.Copysign(math.Pow(min(share, 1), gamepadPower), x)
	default:
		most := d.car.Ratio * mostRoadAngle
		d.wanted = min(max(float64(c.Steering), -most), most)
	}
	d.servo.toward(d.wanted)
}

// foot moves the pedals.
func (d *driver) foot(c *Command, speed, h float64) {
	throttle, brake := float64(c.Throttle), mostBrake*float64(c.Brake)
	switch c.Device {
	case Keys:
		throttle, brake = 0, 0
		if c.Keys&KeyThrottle != 0 {
			throttle = 1
		}
		if c.Keys&KeyBrake != 0 {
			brake = mostBrake
		}
	case Program:
		brake = float64(c.Brake)
	}
	throttle, brake = min(max(throttle, 0), 1), min(max(brake, 0), 2*mostBrake)
	if c.Keys&KeyHold != 0 && d.before&KeyHold == 0 { // pressed
		d.holds, d.held, d.integral = !d.holds, speed, d.throttle
	}
	d.before = c.Keys
	if brake > 0 {
		d.holds = false
	}
	d.stands = throttle == 0 && !d.holds && math.Abs(speed) < standing && (d.stands || brake > 0)
	if d.stands {
		brake = max(brake, mostBrake/2)
	}
	if d.holds && throttle == 0 {
		lack := d.held - speed
		throttle = min(max(holdGain*lack+d.integral, 0), 1)
		if throttle > 0 && throttle < 1 {
			d.integral += holdIntegral * lack * h
		}
		d.throttle = throttle
	} else {
		d.throttle = pressed(d.throttle, throttle, h/throttleTime, h/releaseTime)
	}
	d.brake = pressed(d.brake, brake, mostBrake*h/brakeTime, mostBrake*h/releaseTime)
	d.handBrake = 0
	if c.Keys&KeyHandBrake != 0 {
		d.handBrake = handBrakeShare
	}
}

// pressed moves a pedal, down and up by at most two steps.
func pressed(from, to, down, up float64) float64 {
	if to > from {
		return min(from+down, to)
	}
	return max(from-up, to)
}
