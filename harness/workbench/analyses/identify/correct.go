package identify

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/kc"
	"skidpad/model/rig"
)

// Comparison is the difference between tables and corner in one column of a test.
type Comparison struct {
	Test, Key       string
	Measured, Found float64 // slopes about 0
	Worst           float64 // largest difference of the curves
}

// Passes of the corrections. They end when a pass has more than better of the difference before it.
const (
	fewest, most = 5, 10
	better       = 0.9
)

// correct measures the corner on the rig and corrects it.
func (c *Corner) correct() error {
	before := math.Inf(1)
	for pass := 1; ; pass++ {
		found, err := c.measure()
		if err != nil {
			return fmt.Errorf("a corner with these tables finds no rest on the rig; check units and signs of the columns, or "+
				"leave a test out: %w", err)
		}
		now := c.compare(found)
		if pass == most || pass > fewest && now > better*before {
			return nil
		}
		before = now
		if err := c.adjust(found); err != nil {
			return err
		}
	}
}

// measure finds the columns of all tests on the rig.
func (c *Corner) measure() (map[string]*test, error) {
	m, err := c.axle()
	if err != nil {
		return nil, err
	}
	r, err := rig.New(m, rig.Options{Axle: 1, Radius: c.Radius})
	if err != nil {
		return nil, err
	}
	design, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		return nil, err
	}
	found := map[string]*test{}
	for _, name := range c.names {
		of := c.tests[name]
		states := make([]*rig.State, len(of.at))
		middle := slices.IndexFunc(of.at, func(x float64) bool { return x >= 0 })
		for _, step := range []int{1, -1} {
			from := design
			i := middle
			if step < 0 {
				i--
			}
			for ; i >= 0 && i < len(states); i += step {
				if states[i], err = r.Solve(of.given[i], from); err != nil {
					return nil, fmt.Errorf("%s at %.4g %s: %w", name, of.at[i], of.unit, err)
				}
				from = states[i]
			}
		}
		list := &test{name: name, unit: of.unit, at: of.at, of: map[string][]float64{}}
		for key, value := range columns {
			for _, s := range states {
				list.of[key] = append(list.of[key], value(s).V)
			}
		}
		found[name] = list
	}
	return found, nil
}

// columns are the columns of the left wheel on the rig.
var columns = map[string]func(s *rig.State) kc.Number{
	"toe":    func(s *rig.State) kc.Number { return s.Wheels[rig.Left].Toe() },
	"camber": func(s *rig.State) kc.Number { return s.Wheels[rig.Left].Camber() },
	"x":      func(s *rig.State) kc.Number { return s.Wheels[rig.Left].Centre[0] },
	"y":      func(s *rig.State) kc.Number { return s.Wheels[rig.Left].Centre[1] },
	"Fz":     func(s *rig.State) kc.Number { return s.Pads[rig.Left] },
}

// compared are the columns in the order of output.
var compared = []string{"toe", "camber", "x", "y", "Fz"}

// compare lists the differences, and returns their sum as multiples of what differs tells.
func (c *Corner) compare(found map[string]*test) (sum float64) {
	c.Compared = nil
	for _, name := range c.names {
		of := c.tests[name]
		for _, key := range compared {
			if of.of[key] == nil {
				continue
			}
			line := Comparison{Test: name, Key: key, Measured: of.by(key), Found: found[name].by(key)}
			for _, d := range of.misses(found[name], key) {
				line.Worst = max(line.Worst, math.Abs(d))
			}
			c.Compared = append(c.Compared, line)
			limit, _, _ := differs(key)
			sum += line.Worst / limit
		}
	}
	return sum
}

// misses are the differences of a column: of values in bounce, else of the changes from the value at 0.
func (c *test) misses(found *test, key string) (list []float64) {
	measured, have := c.of[key], found.of[key]
	if measured == nil {
		return make([]float64, len(c.at))
	}
	if c.name != "bounce" {
		measured, have = c.changes(measured), c.changes(have)
	}
	for i := range measured {
		list = append(list, measured[i]-have[i])
	}
	return list
}

// off is the difference of the slopes of a column; 0 where it was not measured.
func (c *Corner) off(of *test, found map[string]*test, key string) float64 {
	if of == nil || of.of[key] == nil {
		return 0
	}
	return of.by(key) - found[of.name].by(key)
}

// adjust corrects the corner by the differences, with the derivatives of the closed forms.
func (c *Corner) adjust(found map[string]*test) error {
	add := func(to, from []float64, by float64) {
		for i := range to {
			to[i] += by * from[i]
		}
	}
	b := c.tests["bounce"]
	for _, column := range []struct {
		key string
		to  []float64
	}{{"x", c.bounce.x}, {"y", c.bounce.y}, {"toe", c.bounce.toe}, {"camber", c.bounce.camber}, {"Fz", c.pad}} {
		add(column.to, b.misses(found["bounce"], column.key), 1)
	}
	c.split()
	if b.of["castor"] == nil {
		c.tilt(-c.off(c.tests["braking"], found, "Fz") / c.Radius)
	}
	if s := c.tests["steer"]; s != nil {
		add(c.steer.x, s.misses(found["steer"], "x"), 1)
		add(c.steer.y, s.misses(found["steer"], "y"), 1)
		add(c.steer.toe, s.misses(found["steer"], "toe"), 1)
		add(c.steer.camber, s.misses(found["steer"], "camber"), 1)
		add(c.steer.z, s.misses(found["steer"], "Fz"), -1/(c.rate+2*c.bar))
	}
	if r := c.tests["roll"]; r != nil {
		force := r.misses(found["roll"], "Fz")
		if r.given[0].Travel[rig.Left] > r.given[0].Travel[rig.Right] {
			slices.Reverse(force)
		}
		c.bend(force)
	}
	side, align := c.lateral(), c.aligning()
	brake, drive := c.tests["braking"], c.tests["driving"]
	if c.toeLaw.over != nil {
		yield := -align.by("toe")
		if brake != nil && drive != nil {
			w := -c.off(drive, found, "toe") / yield
			c.moment[0] += w
			c.axis[1] += (-c.off(brake, found, "toe")/yield - w) / c.contact[2]
		}
		a := -c.off(align, found, "camber") / yield
		c.axis[0] += a
		c.moment[1] += a*c.contact[2] - c.off(side, found, "toe")/yield
		c.meet()
		c.leads()
		add(c.toeLaw.over, align.misses(found[align.name], "toe"), -1)
		if err := c.toeLaw.rises(align, "toe"); err != nil {
			return err
		}
	}
	if c.camberLaw.over != nil {
		add(c.camberLaw.over, side.misses(found[side.name], "camber"), -1)
		if err := c.camberLaw.rises(side, "camber"); err != nil {
			return err
		}
		if side.of["y"] != nil {
			c.height -= c.off(side, found, "y") / side.by("camber")
		}
	}
	if c.recession > 0 {
		c.recession += c.off(drive, found, "x")
	}
	return nil
}
