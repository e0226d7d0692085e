package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// recordedFor are the variables that characteristic values need.
func recordedFor(e *manoeuvre.KeyFigures) []string {
	if len(e.Inputs) > 0 {
		return recordedForHalfCar(e)
	}
	var names []string
	for _, quantity := range []string{"vx", "vy", "ax", "ay", "az", "wz", "roll", "pitch", "yaw", "x", "y"} {
		names = append(names, e.Body+"."+quantity)
	}
	if e.Following != "" {
		for _, quantity := range []string{"ay", "az", "roll", "wz", "x", "y", "yaw"} {
			names = append(names, e.Following+"."+quantity)
		}
	}
	for _, tire := range slices.Concat(e.Front, e.Rear) {
		names = append(names, tire+".Fz", tire+".kappa", tire+".alpha", tire+".Fx", tire+".Fy", tire+".R_l",
			tire+".gamma", tire+freeRadius)
	}
	for _, c := range e.Corners {
		names = append(names, c.Travel, c.Unsprung+".az")
	}
	return names
}

// published are names without the unloaded radii of tires that are no variables because formulas replace them.
// Only the heights of tires need them.
func published(names []string, subject drive.Subject, kind string) (list []string, err error) {
	for _, name := range names {
		if strings.HasSuffix(name, freeRadius) {
			if _, err := subject.Find(name); err != nil && kind == "rollover" {
				return nil, fmt.Errorf("the heights of tires need %s, which the model does not publish where it is a "+
					"formula; write a number there", name)
			} else if err != nil {
				continue
			}
		}
		list = append(list, name)
	}
	return list, nil
}

// freeRadius is the end of the name of a tire's radius without load.
const freeRadius = ".unloaded_radius"

// record makes signals of what a run recorded.
func record(m *manoeuvre.Manoeuvre, result *drive.Result) *figures.Record {
	e, t := m.KeyFigures, result.Trace
	if len(e.Inputs) > 0 {
		return recordOfHalfCar(e, result)
	}
	body := func(quantity string) []float64 { return t.Column(e.Body + "." + quantity) }
	r := &figures.Record{Ratio: result.Ratio, Verdict: result.Verdict, Time: t.Time,
		Speed: body("vx"), SideSlip: figures.SideSlip(body("vx"), body("vy")),
		Lateral: figures.Horizontal(body("ay"), body("az"), body("roll")),
		Ahead:   body("ax"), Aside: body("ay"), Up: body("az"), YawRate: body("wz"), Roll: body("roll"),
		Pitch: body("pitch"), X: body("x"), Y: body("y"), Yaw: body("yaw"), Track: m.Track}
	for _, p := range result.Phases {
		r.Phases = append(r.Phases, figures.Phase(p))
	}
	if angle, torque := m.Steering.Free(); slices.Contains(t.Names, angle) {
		r.Steer, r.Hands = t.Column(angle), t.Column(torque)
	}
	first := m.Steering.Drivers[0]
	for i, name := range result.Inputs.Names {
		if r.Hands == nil && (name == first+".angle" || name == first+".position") {
			r.Steer = trace.Mapped(result.Inputs.Values[i], func(v float64) float64 { return v * result.Turns })
		}
	}
	if i := slices.IndexFunc(result.Inputs.Names,
		func(name string) bool { return strings.HasSuffix(name, ".z_dot") }); i > 0 {
		r.Post = result.Inputs.Values[i-1] // the rate of a road follows its height
	}
	if r.Steer == nil {
		r.Steer = make([]float64, len(t.Time)) // nothing steers
	}
	tires := func(names []string) (list []figures.Tire) {
		for _, name := range names {
			radius, gamma := t.Column(name+".R_l"), t.Column(name+".gamma")
			var unloaded []float64
			if t.Has(name + freeRadius) {
				unloaded = t.Column(name + freeRadius)
			}
			height := make([]float64, len(radius))
			for i := range height {
				if unloaded == nil {
					height[i] = math.NaN()
					continue
				}
				height[i] = (radius[i] - unloaded[i]) * math.Cos(gamma[i])
			}
			list = append(list, figures.Tire{
				Name: name, Load: t.Column(name + ".Fz"), Slip: t.Column(name + ".kappa"), Height: height,
				Angle: t.Column(name + ".alpha"), Fx: t.Column(name + ".Fx"), Fy: t.Column(name + ".Fy"),
			})
		}
		return list
	}
	r.Front, r.Rear = tires(e.Front), tires(e.Rear)
	for _, c := range e.Corners {
		name, _, _ := strings.Cut(c.Travel, ".")
		r.Corners = append(r.Corners, figures.Corner{Name: name, Travel: t.Column(c.Travel), Rebound: c.Rebound,
			Bump: c.Bump, Up: t.Column(c.Unsprung + ".az")})
	}
	if e.Following != "" {
		of := func(quantity string) []float64 { return t.Column(e.Following + "." + quantity) }
		r.Following = &figures.Unit{Lateral: figures.Horizontal(of("ay"), of("az"), of("roll")), YawRate: of("wz"),
			X: of("x"), Y: of("y"), Yaw: of("yaw")}
	}
	return r
}
