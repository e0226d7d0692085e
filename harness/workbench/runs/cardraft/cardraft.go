// Package cardraft finds numbers of a vehicle by its roles, from start values and short runs: of any FMU as of a model.
//
//	start values of the chassis, a little apart -> loads of the tires -> where these are: wheelbase, tracks
//	start values of the chassis, far up         -> potential energy   -> centre of mass
//	straight run, slowly and fast               -> loads, downforce, mass, rolling radii
//	small steering angle, slowly and fast       -> overall steering ratio, understeer gradient
//	brakes, throttle                            -> deceleration and acceleration for their inputs
package cardraft

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/grip"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/roles"
)

// Vehicle is a vehicle that can be made any number of times.
type Vehicle struct {
	Open  func() (drive.Subject, func(), error)
	Roles *roles.Roles
}

// adder takes a number that was found.
type adder func(name, unit, origin string, x float64)

// Number is a number of a vehicle, with where it comes from.
type Number struct {
	Name, Unit string
	Value      float64
	Origin     string
}

// Speeds of the runs [m/s].
const (
	slow = 3.0
	fast = 15.0
)

// initial are values of variables after the initialisation with start values.
func (v *Vehicle) initial(start map[string]float64, names ...string) ([]float64, error) {
	s, closeIt, err := v.Open()
	if err != nil {
		return nil, err
	}
	defer closeIt()
	for name, x := range start {
		if err := s.SetNamed(name, x); err != nil {
			return nil, err
		}
	}
	if err := s.Initialise(); err != nil {
		return nil, err
	}
	references, err := s.References(names...)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(names))
	return values, s.Get(references, values)
}

// run drives the vehicle without its driver. It starts at a speed, builds the steering-wheel angle up in a second, and
// holds brakes and throttle at the given values, nil for no setting. It returns means over the last half second.
func (v *Vehicle) run(duration, speed, angle float64, brake, throttle *float64, names ...string) ([]float64, error) {
	o := v.Roles
	s, closeIt, err := v.Open()
	if err != nil {
		return nil, err
	}
	defer closeIt()
	m := &manoeuvre.Manoeuvre{Name: "identification", Models: []string{"any car"}, Step: 0.001, Duration: duration,
		Start: []manoeuvre.StartValue{{Variable: o.Chassis + ".vx", Value: speed}}}
	m.Start = append(m.Start, v.rolling(s, speed)...)
	addConstant := func(names []string, value float64) {
		m.Inputs = append(m.Inputs, manoeuvre.InputSignal{Variables: names,
			Signal: signal.Constant(value)})
	}
	if o.Steering != nil {
		m.Steering = &manoeuvre.Steering{Drivers: o.Steering.Drivers}
		if !o.Steering.Wheel {
			m.Steering.Ratio, m.Steering.Rack = o.Steering.Ratio, o.Steering.Rack
		}
		m.Inputs = append(m.Inputs, manoeuvre.InputSignal{Drivers: o.Steering.Drivers, HandWheel: true,
			Signal: signal.PiecewiseLinear{Time: []float64{0.5, 1.5}, Value: []float64{0, angle}}})
	}
	if o.Throttle != nil {
		neutral := min(max(0, o.Throttle.Closed), o.Throttle.Open)
		if throttle != nil {
			neutral = *throttle
		}
		addConstant(o.Throttle.Inputs, neutral)
	}
	if brake != nil {
		for _, set := range o.Brake {
			addConstant(set.Inputs, *brake)
		}
	}
	result, err := drive.Simulate(s, drive.Plan{Manoeuvre: m, Record: names})
	if err != nil {
		return nil, err
	}
	if result.Verdict != "" {
		return nil, fmt.Errorf("identification from %g m/s: %s", speed, result.Verdict)
	}
	var means []float64
	for _, values := range result.Trace.Values {
		last := values[max(0, len(values)-500):]
		sum := 0.0
		for _, x := range last {
			sum += x
		}
		means = append(means, sum/float64(len(last)))
	}
	return means, nil
}

// rolling returns start values of rolling wheels, for the wheels whose spin the roles name.
func (v *Vehicle) rolling(s drive.Subject, speed float64) (list []manoeuvre.StartValue) {
	for _, w := range v.Roles.Wheels() {
		if w.Spin == "" {
			continue
		}
		if radius := v.radius(s, w.Tire); radius > 0 {
			list = append(list, manoeuvre.StartValue{Variable: w.Spin, Value: speed / radius})
		}
	}
	return list
}

// radius is the radius of a tire: its parameter or, if a formula replaces the parameter, the effective radius at the
// start; 0 if both are missing.
func (v *Vehicle) radius(s drive.Subject, tire string) float64 {
	if radius, err := s.Find(tire + ".unloaded_radius"); err == nil {
		return radius.Start
	}
	if values, err := v.initial(nil, tire+".R_eff"); err == nil {
		return values[0]
	}
	return 0
}

// gravity is the acceleration of free fall of a vehicle [m/s2].
func (v *Vehicle) gravity() float64 {
	s, closeIt, err := v.Open()
	if err != nil {
		return 9.81
	}
	defer closeIt()
	return drive.Gravity(s)
}

// Find finds the numbers of manoeuvre.Findable, the factor of the brakes and the rolling radii.
func (v *Vehicle) Find() (map[string]float64, error) {
	list, err := v.Numbers()
	if err != nil {
		return nil, err
	}
	found := map[string]float64{}
	for _, n := range list {
		found[n.Name] = n.Value
	}
	return found, nil
}

// Numbers are all that is found. What a role is missing for is left out.
func (v *Vehicle) Numbers() (list []Number, err error) {
	defer func() { err = drive.Located(err, v.Roles) }()
	o := v.Roles
	add := func(name, unit, origin string, x float64) {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			list = append(list, Number{name, unit, x, origin})
		}
	}
	var tires, straight []string
	for _, w := range o.Wheels() {
		tires = append(tires, w.Tire)
		straight = append(straight, w.Tire+".Fz")
	}
	places, err := grip.Contacts(v.initial, o.Chassis, tires)
	if err != nil {
		return nil, err
	}
	axle := axlesOf(o, places)
	wheelbase := axle[0].x
	rest := 0.0
	for _, a := range axle[1:] {
		rest += a.x / float64(len(axle)-1)
	}
	if wheelbase -= rest; len(axle) > 1 {
		add("wheelbase", "m", "loads at the start", wheelbase)
	}
	for i, a := range axle {
		if a.track != 0 {
			add(fmt.Sprintf("track_%d", i+1), "m", "loads at the start", a.track)
		}
	}
	straight = append(straight, o.Chassis+".vx", o.Chassis+".ax")
	spins := spinsOf(o)
	means, err := v.run(3, fast, 0, nil, nil, slices.Concat(straight, spins)...)
	if err != nil {
		return nil, err
	}
	speed, coasting := means[len(tires)], means[len(tires)+1]
	crawl, err := v.run(3, slow, 0, nil, nil, straight[:len(tires)+1]...)
	if err != nil {
		return nil, err
	}
	atRest, behind := v.loads(add, o, means[:len(tires)+1], crawl, axle)
	v.centreOfMass(add, atRest, behind, axle)
	v.radii(add, o, speed, means[len(tires)+2:])
	if o.Steering != nil && len(axle) > 1 {
		if err := v.steering(add, wheelbase); err != nil {
			return nil, err
		}
	}
	return list, v.pedals(add, coasting)
}

// axleAt is where an axle is.
type axleAt struct{ x, track float64 }

func axlesOf(o *roles.Roles, places []grip.Contact) (list []axleAt) {
	k := 0
	for i := range o.Axles {
		var a axleAt
		count := len(o.Axles[i].Wheels())
		left, right := 0.0, 0.0
		for j := range count {
			p := places[k+j]
			a.x += p.X / float64(count)
			if j < len(o.Axles[i].Left) {
				left += p.Y / float64(len(o.Axles[i].Left))
			} else {
				right += p.Y / float64(len(o.Axles[i].Right))
			}
		}
		if len(o.Axles[i].Right) > 0 {
			a.track = left - right
		}
		k += count
		list = append(list, a)
	}
	return list
}

func spinsOf(o *roles.Roles) (names []string) {
	for _, w := range o.Wheels() {
		if w.Spin != "" {
			names = append(names, w.Spin)
		}
	}
	return names
}

// loads adds the loads of axles and the numbers that follow from them. Each list of loads ends with the speed of the
// chassis. The loads at two speeds are split into loads at rest and a lift that grows with the square of the speed;
// otherwise the mass would include the downforce. It returns the sum of the loads at rest, and their centre behind the
// front axle.
func (v *Vehicle) loads(add adder, o *roles.Roles, quick, crawl []float64, axle []axleAt) (weight, behind float64) {
	count := len(quick) - 1
	speed := quick[count]
	share := crawl[count] * crawl[count] / (speed*speed - crawl[count]*crawl[count])
	origin := fmt.Sprintf("straight run, read at %.4g m/s", speed)
	k, total, atRest, moment := 0, 0.0, 0.0, 0.0
	for i := range o.Axles {
		sum, rest := 0.0, 0.0
		for range o.Axles[i].Wheels() {
			sum += quick[k]
			rest += crawl[k] - (quick[k]-crawl[k])*share
			k++
		}
		add(fmt.Sprintf("load_%d", i+1), "N", origin, sum)
		total += sum
		atRest += rest
		moment += rest * (axle[0].x - axle[i].x)
	}
	const least = 1e-3 // of the loads: a smaller difference can stem from the road or from springs that have not settled
	if downforce := total - atRest; math.Abs(downforce) > least*atRest {
		add("downforce", "N", origin+", in the loads", downforce)
	}
	add("mass", "kg", fmt.Sprintf("loads without downforce, by gravity; read at %.4g m/s and %.4g m/s", crawl[count],
		speed), atRest/v.gravity())
	return atRest, moment / atRest
}

// centreOfMass adds where the centre of mass is. The loads of a run do not determine the centre: a coasting vehicle
// slows down, and drag, rolling resistance and the drag of an engine move some of its load to the front. The potential
// energy of the vehicle far above the road, lifted and pitched as one rigid body, determines the centre exactly. A
// vehicle without the variable of its potential energy, or with parts that do not follow the chassis, has only the
// centre of its loads.
func (v *Vehicle) centreOfMass(add adder, weight, behind float64, axle []axleAt) {
	x, z, err := v.balanced(weight)
	switch {
	case err == nil:
		if len(axle) > 1 {
			add("centre_of_mass", "m", "behind the front axle at the start, by potential energy", axle[0].x-x)
		}
		add("centre_of_mass_height", "m", "above z = 0 at the start, by potential energy", z)
	case len(axle) > 1:
		add("centre_of_mass", "m", "behind the front axle, by the same loads; coasting moves some to the front", behind)
	}
}

// balanced finds how far the centre of mass is ahead of the origin of the chassis, and its height, both at the start.
func (v *Vehicle) balanced(weight float64) (ahead, height float64, err error) {
	b, err := grip.Balance(v.initial, v.Roles.Chassis)
	if err != nil {
		return 0, 0, err
	}
	const within = 0.01 // of the weight that the loads tell
	if !(math.Abs(b.Weight-weight) < within*weight) {
		return 0, 0, fmt.Errorf("the potential energy grows by %g N, the loads are %g N", b.Weight, weight)
	}
	return b.Ahead, b.Height, nil
}

// radii adds the rolling radii of axles.
func (v *Vehicle) radii(add adder, o *roles.Roles, speed float64, spins []float64) {
	k := 0
	for i := range o.Axles {
		sum, count := 0.0, 0
		for _, w := range o.Axles[i].Wheels() {
			if w.Spin != "" {
				sum, count, k = sum+math.Abs(spins[k]), count+1, k+1
			}
		}
		if count > 0 {
			add(fmt.Sprintf("radius_%d", i+1), "m", fmt.Sprintf("straight run, read at %.4g m/s", speed),
				speed*float64(count)/sum)
		}
	}
}

// steering adds the overall steering ratio and the understeer gradient.
func (v *Vehicle) steering(add adder, wheelbase float64) error {
	o := v.Roles
	names := []string{o.Chassis + ".vx", o.Chassis + ".wz"}
	const angle = 0.1 // of the steering wheel, rad
	crawl, err := v.run(4, slow, angle, nil, nil, names...)
	if err != nil {
		return err
	}
	curve := crawl[1] / crawl[0]
	if math.Abs(curve) < 1e-7 {
		return fmt.Errorf("%s does not turn when it is steered: %s of roles.steering moves no wheel; name there what turns "+
			"the wheel carriers", o.Chassis, strings.Join(o.Steering.Drivers, ", "))
	}
	turn := angle / max(math.Abs(curve)*fast*fast, 1e-6) // some 1 m/s2
	quick, err := v.run(5, fast, turn, nil, nil, names...)
	if err != nil {
		return err
	}
	// angle/curvature = ratio (wheelbase + gradient v^2), of small angles
	slowly, quickly := angle/curve, turn*quick[0]/quick[1]
	perSpeed := (quickly - slowly) / (quick[0]*quick[0] - crawl[0]*crawl[0])
	ratio := (slowly - perSpeed*crawl[0]*crawl[0]) / wheelbase
	gradient := perSpeed / ratio
	if overall := o.Steering.Overall(); overall != 0 {
		gradient = (quickly/overall - wheelbase) / (quick[0] * quick[0])
	}
	add("steering_ratio", "1", "turns at 3 m/s and 15 m/s", ratio)
	add("understeer", "rad.s2/m", "turn of some 1 m/s2 at 15 m/s", gradient)
	return nil
}

// pedals adds what brakes and throttle do.
func (v *Vehicle) pedals(add adder, coasting float64) error {
	o := v.Roles
	ahead := o.Chassis + ".ax"
	if o.Throttle != nil {
		var ends [2]float64
		for i, x := range []float64{o.Throttle.Closed, o.Throttle.Open} {
			means, err := v.run(1.5, fast, 0, nil, &x, ahead)
			if err != nil {
				return err
			}
			ends[i] = means[0]
		}
		add("throttle_gain", "m/s2", "from closed to open at 15 m/s", ends[1]-ends[0])
	}
	if len(o.Brake) == 0 {
		return nil
	}
	stated := o.Brake[0].Factor
	x := 0.01
	if stated != 0 {
		if len(o.Brake) > 1 {
			return nil // what one value does to all of them says nothing of their factors
		}
		x = 2 * stated
	}
	const least, most, tries = 0.4, 4, 14 // m/s2: wheels that lock brake as much with any value
	for range tries {
		means, err := v.run(1.5, fast, 0, &x, nil, ahead)
		if err != nil && stated == 0 {
			return err
		}
		var slower float64
		if err == nil {
			slower = coasting - means[0]
		}
		switch {
		case stated != 0 && (err != nil || slower > most):
			x /= 4
		case slower > least:
			add("brake_factor", "input.s2/m", fmt.Sprintf("%.3g m/s2 for %.4g at 15 m/s", slower, x), x/slower)
			return nil
		default:
			x *= 4
		}
	}
	if stated != 0 {
		return nil // what does not brake, or not by degrees, is not compared
	}
	return fmt.Errorf("the inputs %s do not brake", strings.Join(o.Brake[0].Inputs, ", "))
}
