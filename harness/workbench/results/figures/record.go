package figures

import (
	"math"
	"slices"

	"skidpad/harness/workbench/results/display"
)

// Record has the signals of one run, by Time. A record is made before the run: Channels then lists the variables that
// the run has to record for it, and Complete computes the other signals afterwards.
type Record struct {
	Ratio   float64 // steering wheel to road wheels
	Phases  []Phase
	Verdict string // why the run ended early; "" where it did not

	Body      string    // whose motion it is
	Time      []float64 // s, evenly spaced
	Steer     []float64 // angle of the steering wheel, to the left [rad]
	Hands     []float64 // torque of the driver on the steering wheel, to the left [N m]; nil where that is not free
	Wheel     string    // component of a steering wheel that may be free
	Speed     []float64 // vx of the centre of mass [m/s]
	SideSlip  []float64 // at the centre of mass [rad]
	Lateral   []float64 // horizontal lateral acceleration of the centre of mass [m/s2]
	Ahead     []float64 // ax, ay and az of the centre of mass, in body axes [m/s2]
	Aside, Up []float64
	YawRate   []float64 // rad/s
	Roll      []float64 // rad
	Pitch     []float64 // rad
	X, Y, Yaw []float64 // in ground, m, m, rad
	Front     []Tire    // from the left
	Rear      []Tire
	Corners   []Corner  // of the suspension, as the car names them
	Post      []float64 // height of the first road that moves [m]; nil without
	Track     []Section // that the vehicle is to stay on; nil without
	Following *Unit     // nil without
	HalfCar   *HalfCar  // nil without
	Bound     Limit     // largest deceleration that the tires allow [m/s2], of kinds that compare with it

	Controllers []Controller // those that say when they intervene
	Batteries   []Battery    // of kinds that evaluate them
	Wanted      []float64    // speed that the phases ask for, 0 without [m/s]

	vy []float64 // of the centre of mass [m/s]
}

// Phase is a part of a run [s].
type Phase struct {
	Name       string
	Begin, End float64
}

// Tire has the signals of a tire.
type Tire struct {
	Name       string
	Load, Slip []float64 // N, longitudinal slip
	Height     []float64 // of its lowest point above the ground, where the tire is not deflected [m]
	Angle      []float64 // side-slip angle [rad]
	Fx, Fy     []float64 // N

	radius, unloaded, gamma []float64 // radius with its load and without [m], inclination [rad]
}

// Corner has the signals of a suspension of one wheel.
type Corner struct {
	Name     string
	Variable string    // of the travel
	Travel   []float64 // m
	Rebound  float64   // travel at the lower and the upper stop [m], infinite without
	Bump     float64
	Unsprung string    // body
	Up       []float64 // vertical acceleration of the unsprung mass [m/s2]
}

// Unit has the signals of a point of a following unit, such as a trailer.
type Unit struct {
	Name      string
	Lateral   []float64 // horizontal lateral acceleration [m/s2]
	YawRate   []float64 // rad/s
	X, Y, Yaw []float64 // in ground, m, m, rad

	ay, az, roll []float64
}

// Channel is a variable of the vehicle that a record takes, and where its numbers go.
type Channel struct {
	Name     string
	To       *[]float64
	Input    bool // the run sets it
	Optional bool // not every vehicle publishes it
}

// quantity is one variable of a component, without the component's name.
type quantity struct {
	name string
	to   *[]float64
}

// channelsOf lists channels of one component.
func channelsOf(component string, quantities []quantity) (list []Channel) {
	for _, q := range quantities {
		list = append(list, Channel{Name: component + "." + q.name, To: q.to})
	}
	return list
}

// FreeRadius is the quantity of a tire without which its height is not known.
const FreeRadius = "unloaded_radius"

// Channels lists the variables that a run has to record, one for each signal.
func (r *Record) Channels() (list []Channel) {
	if r.HalfCar != nil {
		list = append(channelsOf(r.Body, []quantity{{"vx", &r.Speed}}), r.HalfCar.channels()...)
		return append(list, r.controllerChannels()...)
	}
	list = channelsOf(r.Body, []quantity{
		{"vx", &r.Speed}, {"vy", &r.vy}, {"ax", &r.Ahead}, {"ay", &r.Aside}, {"az", &r.Up}, {"wz", &r.YawRate},
		{"roll", &r.Roll}, {"pitch", &r.Pitch}, {"yaw", &r.Yaw}, {"x", &r.X}, {"y", &r.Y},
	})
	if u := r.Following; u != nil {
		list = append(list, channelsOf(u.Name, []quantity{
			{"ay", &u.ay}, {"az", &u.az}, {"roll", &u.roll}, {"wz", &u.YawRate}, {"x", &u.X}, {"y", &u.Y}, {"yaw", &u.Yaw},
		})...)
	}
	for t := range r.tires() {
		list = append(list, channelsOf(t.Name, []quantity{
			{"Fz", &t.Load}, {"kappa", &t.Slip}, {"alpha", &t.Angle}, {"Fx", &t.Fx}, {"Fy", &t.Fy}, {"R_l", &t.radius},
			{"gamma", &t.gamma},
		})...)
		list = append(list, Channel{Name: t.Name + "." + FreeRadius, To: &t.unloaded, Optional: true})
	}
	for i := range r.Corners {
		c := &r.Corners[i]
		list = append(list, Channel{Name: c.Variable, To: &c.Travel}, Channel{Name: c.Unsprung + ".az", To: &c.Up})
	}
	list = append(list, Channel{Name: r.Wheel + ".wheel_angle", To: &r.Steer, Optional: true},
		Channel{Name: r.Wheel + ".wheel_torque", To: &r.Hands, Optional: true})
	return append(append(list, r.controllerChannels()...), r.batteryChannels()...)
}

// tires are all tires, the front ones first.
func (r *Record) tires() func(yield func(*Tire) bool) {
	return func(yield func(*Tire) bool) {
		for _, axle := range [][]Tire{r.Front, r.Rear} {
			for i := range axle {
				if !yield(&axle[i]) {
					return
				}
			}
		}
	}
}

// Complete computes the signals that follow from the channels.
func (r *Record) Complete() {
	if r.HalfCar != nil {
		return
	}
	r.SideSlip, r.Lateral = SideSlip(r.Speed, r.vy), Horizontal(r.Aside, r.Up, r.Roll)
	if u := r.Following; u != nil {
		u.Lateral = Horizontal(u.ay, u.az, u.roll)
	}
	for t := range r.tires() {
		t.Height = make([]float64, len(t.radius))
		for i := range t.Height {
			t.Height[i] = math.NaN()
			if t.unloaded != nil {
				t.Height[i] = (t.radius[i] - t.unloaded[i]) * math.Cos(t.gamma[i])
			}
		}
	}
	if r.Steer == nil {
		r.Steer = make([]float64, len(r.Time)) // nothing steers
	}
}

// Signal is a signal of a run, with the quantity that it is.
type Signal struct {
	display.Quantity
	Of func(r *Record) []float64
}

// The signals that reports show.
var (
	Time          = Signal{display.Quantity{Title: "time", SI: "s"}, func(r *Record) []float64 { return r.Time }}
	SteeringWheel = Signal{display.SteeringWheel, func(r *Record) []float64 { return r.Steer }}
	Speed         = Signal{display.Speed, func(r *Record) []float64 { return r.Speed }}
	YawRate       = Signal{display.YawRate, func(r *Record) []float64 { return r.YawRate }}
	Lateral       = Signal{display.Lateral, func(r *Record) []float64 { return r.Lateral }}
	SideSlipAngle = Signal{display.SideSlip, func(r *Record) []float64 { return r.SideSlip }}
	Roll          = Signal{display.Roll, func(r *Record) []float64 { return r.Roll }}
	X             = Signal{display.X, func(r *Record) []float64 { return r.X }}
	Y             = Signal{display.Y, func(r *Record) []float64 { return r.Y }}
)

// Overlaid draws a signal y of all runs over another signal x, angles in degrees.
func Overlaid(title string, runs []*Record, x, y Signal) Plot {
	p := Plot{Title: title}
	var perX, perY float64
	p.X, perX = x.Label(display.Degrees())
	p.Y, perY = y.Label(display.Degrees())
	for i, r := range runs {
		p.Curves = append(p.Curves, Curve{Run: i, X: shown(x.Of(r), perX), Y: shown(y.Of(r), perY)})
	}
	return p
}

// overTime draws signals of all runs over time.
func overTime(signals ...Signal) func(runs []*Record, _ Options) []Plot {
	return func(runs []*Record, _ Options) (list []Plot) {
		for _, s := range signals {
			list = append(list, Overlaid(s.Title, runs, Time, s))
		}
		return list
	}
}

// shown converts values from SI to a unit; unit is the value of that unit in SI.
func shown(x []float64, unit float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i] / unit
	}
	return out
}

// Horizontal is the horizontal part of the lateral acceleration of a body that rolls: ay cos(roll) - az sin(roll)
// (body axes, 3-2-1 Euler angles).
func Horizontal(ay, az, roll []float64) []float64 {
	out := make([]float64, len(ay))
	for i := range ay {
		s, c := math.Sincos(roll[i])
		out[i] = ay[i]*c - az[i]*s
	}
	return out
}

// SideSlip is atan(vy/vx), 0 at standstill.
func SideSlip(vx, vy []float64) []float64 {
	out := make([]float64, len(vx))
	for i := range vx {
		if vy[i] != 0 {
			out[i] = math.Atan(vy[i] / vx[i])
		}
	}
	return out
}

// cut reports whether a row is the last of a run that ended early: what is largest there may have become larger.
func (r *Record) cut(row int) bool { return r.Verdict != "" && row == len(r.Time)-1 }

// phase returns the rows of a phase, the row of its end among them; none if the run did not reach it.
func (r *Record) phase(name string) (first, last int) {
	if k := slices.IndexFunc(r.Phases, func(p Phase) bool { return p.Name == name }); k >= 0 {
		return r.row(r.Phases[k].Begin), r.row(r.Phases[k].End)
	}
	return len(r.Time), len(r.Time) - 1
}

// row is the one nearest to a time, the first where there is no time.
func (r *Record) row(t float64) int {
	step := r.step()
	if step == 0 || math.IsNaN(t) {
		return 0
	}
	return min(max(int(math.Round((t-r.Time[0])/step)), 0), len(r.Time)-1)
}

// step is the time between rows [s].
func (r *Record) step() float64 {
	return (r.Time[len(r.Time)-1] - r.Time[0]) / float64(max(len(r.Time)-1, 1))
}
