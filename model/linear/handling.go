package linear

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// Car is the input of Handling about a vehicle.
type Car struct {
	Body      string   // rigid body whose speed and lateral acceleration count
	Drivers   []string // prescribed motions that steer, all by the same angle or travel
	Slides    bool     // the drivers slide, as a rack does
	Ratio     float64  // angle or travel [m] of the drivers by the mean angle of the road wheels
	Wheelbase float64  // m
}

// Handling are the steady figures of small turns at a speed that is held.
type Handling struct {
	Speed               float64 // m/s
	YawGain             float64 // yaw rate by the mean angle of the road wheels, 1/s
	LateralGain         float64 // lateral acceleration by it, m/s2
	UndersteerGradient  float64 // 1/LateralGain - wheelbase/speed^2, rad/(m/s2)
	CharacteristicSpeed float64 // m/s, of a vehicle that understeers, else NaN
	CriticalSpeed       float64 // m/s, of one that oversteers, else NaN
	StaticMargin        float64 // of the centre of mass ahead of the neutral-steer point, of the wheelbase
}

// Names of components added to a vehicle for its handling.
const (
	pushAlong, pushAcross, turnAbout = "handling__along", "handling__across", "handling__about"
	massAt                           = "handling__mass"
	centreX, centreY                 = "handling__x", "handling__y"
)

// loaded is the model with additional loads on a body: forces along x and y and a torque about z of ground. It also
// publishes the position of the centre of all mass relative to the body; these additions do not change the motion of
// the vehicle.
func loaded(m *vehicle.Model, body string) (*vehicle.Model, error) {
	on, err := rigidBody(m, body)
	if err != nil {
		return nil, err
	}
	l := *m
	l.Outputs = nil // all that there are
	l.Components = slices.Concat(m.Components, []component.Component{
		&component.ForceDriver{Header: keys.Header{Name: pushAlong}, From: graph.GroundFrame, To: on,
			Axis: [3]float64{1, 0, 0}},
		&component.ForceDriver{Header: keys.Header{Name: pushAcross}, From: graph.GroundFrame, To: on,
			Axis: [3]float64{0, 1, 0}},
		&component.TorqueDriver{Header: keys.Header{Name: turnAbout}, From: graph.GroundFrame, To: on,
			Axis: [3]float64{0, 0, 1}},
	})
	var total, alongX, alongY []string
	for _, c := range component.All[component.Heavy](m.Scope()) {
		lump := c.Lump()
		mass := lump.Mass
		if !mass.Formula && mass.Value == 0 {
			continue
		}
		of := c.Head().Name + ".mass"
		if mass.Formula {
			of = "(" + mass.Text + ")"
		}
		sensor := fmt.Sprint(massAt, len(total))
		l.Components = append(l.Components, &component.Sensor{Header: keys.Header{Name: sensor}, From: on, To: lump.Frame,
			Resolve: graph.GroundFrame})
		total, alongX, alongY = append(total, of), append(alongX, of+"*"+sensor+".x"),
			append(alongY, of+"*"+sensor+".y")
	}
	sum := "/(" + strings.Join(total, " + ") + ")"
	l.Quantities = append(slices.Clone(m.Quantities),
		vehicle.Quantity{Name: centreX, Unit: "m", Formula: "(" + strings.Join(alongX, " + ") + ")" + sum},
		vehicle.Quantity{Name: centreY, Unit: "m", Formula: "(" + strings.Join(alongY, " + ") + ")" + sum})
	return &l, nil
}

// rigidBody returns the frame of a body.
func rigidBody(m *vehicle.Model, name string) (frame string, err error) {
	if c, is := component.Named[component.Heavy](m.Scope(), name); is && c.Lump().Rigid {
		return c.Lump().Frame, nil
	}
	return "", &UnknownName{name, fmt.Sprintf("model %s has no rigid body %q, whose handling is asked for", m.Name, name)}
}

// straight is the largest lateral acceleration of a motion that counts as straight [m/s2]: tires that are not alike on
// both sides
// make a little.
const straight = 0.05

// Handling finds the figures near a steady straight motion of l, which At returned. A force along the path on the body
// holds the speed, so that the drag of a turn changes nothing; in the steady state
//
//	0 = A x + B_delta delta + B_X X + B_Y Y + B_N N,  0 = C_v x
//
// for the angle delta of the steering motions, that force X, a lateral force Y and a yaw moment N at the centre of the
// body. The understeer gradient is 1/(a_y/delta) - l/v^2 with the mean angle of the road wheels (ISO 4138). A lateral
// force at the neutral-steer point, x_N ahead of the body's centre, causes no yaw rate, r_Y + x_N r_N = 0. The static
// margin is the distance from the neutral-steer point forward to the centre of all mass, divided by the wheelbase (ISO
// 8855).
func (l *Model) Handling(s *System, car Car) (*Handling, error) {
	if err := l.load(car.Body); err != nil {
		return nil, err
	}
	if len(car.Drivers) == 0 || !(car.Wheelbase > 0) || car.Ratio == 0 {
		return nil, fmt.Errorf("handling requires steering motions, their ratio and the wheelbase; found %q, %g and %g m",
			car.Drivers, car.Ratio, car.Wheelbase)
	}
	with, err := l.loaded.withLoads(l, s)
	if err != nil {
		return nil, err
	}
	twin, err := with.Minimal(nil)
	if err != nil {
		return nil, err
	}
	value := func(output string) float64 { return twin.Y[slices.Index(twin.Outputs, output)] }
	speed := value(car.Body + ".vx")
	if a := value(car.Body + ".ay"); speed <= 0 || math.Abs(a) > straight {
		return nil, fmt.Errorf("handling requires straight-ahead motion; %s.vx is %.4g m/s and %s.ay %.4g m/s2",
			car.Body, speed, car.Body, a)
	}
	// the force X that holds the speed, then delta, Y and N
	steering, err := twin.signal(strings.Join(car.Drivers, "+"))
	if err != nil {
		return nil, err
	}
	sin, cos := math.Sincos(value(car.Body + ".yaw"))
	along, across := pushAlong+".force", pushAcross+".force"
	actions := []map[string]float64{{along: cos, across: sin}, {}, {along: -sin, across: cos},
		{turnAbout + ".torque": 1}}
	for _, i := range steering[0] {
		if unit := twin.InputUnits[i]; unit != "rad" && !(unit == "m" && car.Slides) {
			return nil, fmt.Errorf("handling needs the angle of a steering wheel or of road wheels; %s, which steers, is in "+
				"%s; for a rack give roles.steering.ratio in rad/m", twin.Inputs[i], unit)
		}
		actions[1][twin.Inputs[i]] = 1
	}
	measured := []string{car.Body + ".vx", car.Body + ".wz", car.Body + ".ay"}
	if free := car.Drivers[0] + ".wheel_angle"; slices.Contains(twin.Outputs, free) {
		measured = append(measured, free) // the angle of a free steering wheel is not quite the one asked for
	}
	y, err := twin.steadily(actions, measured)
	if err != nil {
		return nil, fmt.Errorf("handling at %.4g m/s: %w", speed, err)
	}
	turn, push, moment := y[0], y[1], y[2]
	angle := 1 / car.Ratio
	if len(turn) > 3 {
		angle = turn[3] / car.Ratio
	}
	h := &Handling{Speed: speed, YawGain: turn[1] / angle, LateralGain: turn[2] / angle,
		CharacteristicSpeed: math.NaN(), CriticalSpeed: math.NaN()}
	h.UndersteerGradient = 1/h.LateralGain - car.Wheelbase/(speed*speed)
	if k := h.UndersteerGradient; k > 0 {
		h.CharacteristicSpeed = math.Sqrt(car.Wheelbase / k)
	} else {
		h.CriticalSpeed = math.Sqrt(-car.Wheelbase / k)
	}
	h.StaticMargin = (cos*value(centreX) + sin*value(centreY) + push[1]/moment[1]) / car.Wheelbase
	return h, nil
}

// load makes the loaded model for the handling of a body, unless it is there, with the functions of l.
func (l *Model) load(body string) error {
	if l.loaded == nil || l.loadedBody != body {
		m, err := loaded(l.source, body)
		if err != nil {
			return err
		}
		if l.loaded, err = New(m, l.tree); err != nil {
			return err
		}
		l.loadedBody = body
	}
	return l.loaded.takeFunctions(l)
}

// withLoads is a system of l, a model with loads, in the steady motion s of the model without, with its parameters.
func (l *Model) withLoads(without *Model, s *System) (*System, error) {
	l.takeMotion(without, s)
	return l.lineariseAtState()
}

// steadily finds the steady outputs for unit values of each of several actions of inputs. The first action instead
// takes the value that keeps the first output.
func (s *System) steadily(actions []map[string]float64, outputs []string) ([][]float64, error) {
	var rows []int
	for _, name := range outputs {
		y, err := find(s.Outputs, name, "output")
		if err != nil {
			return nil, err
		}
		rows = append(rows, y)
	}
	sees := part(s.C, rows, nil)
	r, err := s.reduce(rows)
	if err != nil {
		return nil, err
	}
	if r.a.IsEmpty() {
		return nil, errSolve
	}
	var b, c, d mat.Dense
	columns := mat.NewDense(len(s.Inputs), len(actions), nil)
	for k, action := range actions {
		for name, v := range action {
			columns.Set(slices.Index(s.Inputs, name), k, v)
		}
	}
	out := r.out()
	b.Product(out.T(), s.B, columns)
	c.Mul(sees, out)
	d.Mul(part(s.D, rows, nil), columns)
	n, _ := r.a.Dims()
	m, right := mat.NewDense(n+1, n+1, nil), mat.NewDense(n+1, len(actions)-1, nil)
	m.Slice(0, n, 0, n).(*mat.Dense).Copy(r.a)
	m.Slice(0, n, n, n+1).(*mat.Dense).Copy(b.Slice(0, n, 0, 1))
	m.Slice(n, n+1, 0, n).(*mat.Dense).Copy(c.Slice(0, 1, 0, n))
	m.Set(n, n, d.At(0, 0))
	right.Slice(0, n, 0, len(actions)-1).(*mat.Dense).Scale(-1, b.Slice(0, n, 1, len(actions)))
	right.Slice(n, n+1, 0, len(actions)-1).(*mat.Dense).Scale(-1, d.Slice(0, 1, 1, len(actions)))
	var x mat.Dense
	err = x.Solve(m, right)
	if condition, warning := errors.AsType[mat.Condition](err); err != nil &&
		(!warning || math.IsInf(float64(condition), 0)) {
		return nil, errors.New("there is no steady turn; this is the critical speed")
	}
	list := make([][]float64, len(actions)-1)
	for k := range list {
		for i := range outputs {
			list[k] = append(list[k], mat.Dot(c.RowView(i), x.Slice(0, n, k, k+1).(*mat.Dense).ColView(0))+d.At(i,
				0)*x.At(n, k)+d.At(i, k+1))
		}
	}
	return list, nil
}
