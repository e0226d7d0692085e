package figures

import "math"

// Relaxed has the signals of a wheel that rolls up to its grip limit: forces of the road on it, forward.
type Relaxed struct {
	Body, Name                       string    // of the wheel, and of its relaxed-wheel
	Spin                             []float64 // against the ground [rad/s]
	Traction, Stabilisation, Sliding []float64 // N
	Grip                             []float64 // mu N [N]
}

// HalfCar has what else is drawn of a half-car.
type HalfCar struct {
	Front, Rear            Relaxed
	Inputs                 map[string]string // names of the inputs, by the keys of the kind
	Drive, Brake, Friction []float64         // torque of the motor and of the brake of one wheel [N m], coefficient
}

// channels lists the variables of the wheels and the inputs of a half-car.
func (c *HalfCar) channels() (list []Channel) {
	for _, w := range []*Relaxed{&c.Front, &c.Rear} {
		list = append(list, channelsOf(w.Body, []quantity{{"wy", &w.Spin}})...)
		list = append(list, channelsOf(w.Name, []quantity{
			{"traction", &w.Traction}, {"stabilisation", &w.Stabilisation}, {"sliding", &w.Sliding}, {"grip", &w.Grip},
		})...)
	}
	for _, input := range []quantity{{"drive", &c.Drive}, {"brake", &c.Brake}, {"friction", &c.Friction}} {
		list = append(list, Channel{Name: c.Inputs[input.name], To: input.to, Input: true})
	}
	return list
}

// halfCarOptions are the options of a half-car.
type halfCarOptions struct {
	until float64
}

func (o *halfCarOptions) Numbers() []Option {
	return []Option{
		from0(&o.until, "until", "s", "end of the time with free or driven wheels, before the brakes are applied"),
	}
}

// halfCar is for a half-car on relaxed wheels (Ikoki 2022, chapter 4), whose wheels are free or driven until a time.
var halfCar = Kind{
	Name:   "half-car",
	Text:   "half-car on relaxed wheels, after Ikoki (2022)",
	New:    func() Options { return new(halfCarOptions) },
	Answer: []string{"v_end", "spin_rear_max", "traction_rear_share"},
	Inputs: []string{"drive", "brake", "friction"},
	Plots:  with(halfCarPanels),
	Run: with(func(r *Record, o *halfCarOptions) []Figure {
		c, last := r.HalfCar, len(r.Time)-1
		end := r.row(o.until)
		share := func(force func(i int) float64, limit []float64, last int) []float64 {
			list := make([]float64, last+1)
			for i := range list {
				list[i] = math.NaN() // of no grip there is no share
				if limit[i] > 0 {
					list[i] = force(i) / limit[i]
				}
			}
			return list
		}
		largest := func(id, definition string, list []float64) Figure {
			row := -1
			for i, x := range list {
				if !math.IsNaN(x) && (row < 0 || math.Abs(x) > math.Abs(list[row])) {
					row = i
				}
			}
			if row < 0 {
				return figure(id, definition, "1", math.NaN()).or("there is no grip")
			}
			f := read(id, definition, "1", list[row], r.Time[row])
			if r.cut(row) {
				return f.without(stillGrows)
			}
			return f
		}
		speed := figure("v_end", "speed at the end", "m/s", r.Speed[last])
		if r.Verdict != "" {
			speed = speed.without("the run ended before")
		}
		reaction := largest("reaction_front_share", "largest share of the front grip in minus (traction + stabilisation), "+
			"before the brakes",
			share(func(i int) float64 { return -(c.Front.Traction[i] + c.Front.Stabilisation[i]) }, c.Front.Grip, end))
		if !(o.until <= r.Time[last]+r.step()/2) {
			reaction = reaction.without("the run ends before the time until")
		}
		return []Figure{
			speed,
			r.largest("spin_rear_max", "largest rotational speed of the rear wheel", "rad/s", c.Rear.Spin, 0, last),
			largest("traction_rear_share", "largest share of the rear grip in traction",
				share(func(i int) float64 { return c.Rear.Traction[i] }, c.Rear.Grip, last)),
			largest("sliding_rear_share", "largest share of the rear grip in sliding friction",
				share(func(i int) float64 { return c.Rear.Sliding[i] }, c.Rear.Grip, last)),
			reaction,
		}
	}),
}

// halfCarPanels are the panels of figures 5 to 14 of Ikoki (2022), for each run, except the speed. The reaction of the
// front wheel has the sign of the paper: minus (traction + stabilisation).
func halfCarPanels(runs []*Record, _ *halfCarOptions) []Plot {
	var list []Plot
	for i, r := range runs {
		c := r.HalfCar
		of := func(label string, values []float64) Curve { return Curve{Label: label, X: r.Time, Y: values} }
		made := func(label string, value func(i int) float64) Curve {
			values := make([]float64, len(r.Time))
			for i := range values {
				values[i] = value(i)
			}
			return of(label, values)
		}
		panel := func(title, y string, curves ...Curve) {
			list = append(list, Plot{Title: title, X: "time, s", Y: y, Of: i + 1, Curves: curves})
		}
		limited := func(wheel *Relaxed, curves ...Curve) []Curve {
			return append(curves, of("+mu N", wheel.Grip), made("-mu N", func(i int) float64 { return -wheel.Grip[i] }))
		}
		panel("Torques", "N m", of("motor", c.Drive), of("brake of a wheel", c.Brake))
		panel("Friction coefficient", "1", of("mu", c.Friction))
		panel("Rotational speeds of the wheels", "rad/s", of("front wheel", c.Front.Spin), of("rear wheel", c.Rear.Spin))
		panel("Forces on the rear wheel", "N",
			limited(&c.Rear, of("traction", c.Rear.Traction), of("sliding friction", c.Rear.Sliding))...)
		panel("Forces on the front wheel", "N", limited(&c.Front,
			made("minus (traction + stabilisation)",
				func(i int) float64 { return -(c.Front.Traction[i] + c.Front.Stabilisation[i]) }),
			made("minus sliding friction", func(i int) float64 { return -c.Front.Sliding[i] }))...)
	}
	return list
}
