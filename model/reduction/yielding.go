package reduction

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/rig"
)

// Mode is a motion of the yielding hub against the carrier, in the design position.
type Mode struct {
	Frequency float64 // of the mass on the hub [Hz]; infinite where ideal joints prevent the motion
	Softened  bool    // it is stiffer than explicit steps can follow, and softer in the tables
}

// Yielding compares an angle of the wheel under a load with and without tables, at all travels and positions of
// the rack.
type Yielding struct {
	Text          string
	Effect, Error float64 // largest change by the load, and largest difference [rad]
}

// Numbers of the compliance.
const (
	travelLines = 16    // of the table of compliance over the travel; even, for the slope at travel 0
	rackLines   = 9     // and over the rack, where it changes the compliance by more than rackEffect
	rackEffect  = 0.05  // of the compliance
	beside      = 1e-3  // of the rack, to both sides of the position straight ahead
	firstStep   = 1e-3  // of explicit methods [s]
	mostTurned  = 1.5   // angular frequency times step of the stiffest motion; 1.69 is the limit with this damping
	damped      = 0.6   // damping ratio per angular frequency and step
	lossAt      = 15    // Hz, of the loss factor with this damping
	leastYield  = 1e-12 // m/N or rad/(N m): less belongs to ideal joints
	stiffest    = 1e-12 // s2, of 1/w^2: less belongs to ideal joints
)

// Stiffest is the highest frequency of the hub in the tables [Hz].
const Stiffest = mostTurned / firstStep / (2 * math.Pi)

// yielded are the coordinates of the hub: forward, outward, about x, y and z, among the six of a bushing. joints are
// the joints along and about them in the order from the carrier.
var (
	yielded = [5]int{0, 1, 3, 4, 5}
	joints  = [5]struct {
		name, kind, axis string
		coordinate       int // of the hub
	}{
		{"yield_x", "prismatic", "x", 0}, {"yield_y", "prismatic", "y", 1}, {"yield_toe", "revolute", "z", 4},
		{"yield_camber", "revolute", "x", 2}, {"yield_castor", "revolute", "y", 3},
	}
	exact = []int{0, 2, 4} // coordinates of the hub that the figures of compliance measure: x, camber, toe
	rest  = []int{1, 3}    // the others: y and castor
)

// linesOver are the lines of a table over a range. 0 is a line of an odd number of lines, and is midway between two of
// an even number.
func linesOver(ends []float64, count int) (list []float64) {
	for i := range count {
		part := float64(2*i)/float64(count-1) - 1
		list = append(list, math.Round(1e9*math.Abs(part)*ends[min(len(ends)-1, int(part+1)*(len(ends)-1))])/1e9+0)
	}
	return list
}

// findYields finds how the hub yields over the travel, and over the rack where that matters.
func (b *reducer) findYields(r *rig.Rig) (err error) {
	travels := linesOver(b.Tables.Travel, travelLines)
	var turned []string
	for _, bar := range b.sides.bars {
		turned = append(turned, bar.Left)
	}
	design, err := r.Yields([]float64{0}, 0, turned...)
	if err != nil {
		return err
	}
	b.design = design[0]
	b.ahead, err = r.Yields(travels, 0)
	b.yields = b.ahead
	if err != nil || !b.Tables.Steered() {
		return err
	}
	steer, own, changes := b.Tables.Steer, b.design.Compliance, false
	for _, rack := range []float64{steer[0], steer[len(steer)-1]} {
		list, err := r.Yields([]float64{0}, rack)
		if err != nil {
			return err
		}
		for _, i := range yielded {
			for _, k := range yielded {
				size, change := math.Sqrt(own.At(i, i)*own.At(k, k)), list[0].Compliance.At(i, k)-own.At(i, k)
				changes = changes || math.Abs(change) > rackEffect*size+leastYield
			}
		}
	}
	if !changes {
		return nil
	}
	b.yields = nil
	lines := linesOver(steer, rackLines)
	// No line is where racks rest: the slope of the energy by the rack jumps at lines.
	at := slices.Index(lines, 0)
	lines = slices.Replace(lines, at, at+1, beside*steer[0], beside*steer[len(steer)-1])
	for _, rack := range lines {
		list, err := r.Yields(travels, rack)
		if err != nil {
			return err
		}
		b.yields = append(b.yields, list...)
	}
	return nil
}

// yielding adds the compliance: slides and turns of the hub along and about its axes, and springs that couple them,
// over the travel and the rack. The stiffness is the inverse of the compliance of the hub. The compliance includes the
// moment -F r of the pad by its moving contact; F r is added to the stiffness. Springs between chassis and hub act by
// themselves; their stiffness is subtracted.
func (b *reducer) yielding(bodies []rig.Body) error {
	most := 0.0
	for _, i := range yielded {
		most = max(most, b.design.Compliance.At(i, i))
	}
	if most < leastYield {
		return nil
	}
	soft, err := newSoftening(b.hubMass(bodies))
	if err != nil {
		return fmt.Errorf("the hub %s has no inertia about all axes, and yields; give its bodies inertia", b.hub)
	}
	if b.Modes, err = soft.modes(levelled(&b.design)); err != nil {
		return err
	}
	from := guided
	b.parts.Field("susp").Fields["to"] = text(from)
	var names []string
	for i, j := range joints {
		to := fmt.Sprintf("yield_%d", i+1)
		if i == len(joints)-1 {
			to = b.local(b.hub)
		}
		t := table().put("type", text(j.kind)).put("from", text(from)).put("to", text(to)).put("axis", text(j.axis))
		b.parts.put(j.name, t.put("mirror", text("same")).Node)
		names, from = append(names, j.name), to
	}
	rows, over := list(), len(b.yields) > len(b.ahead)
	for i := range b.yields {
		y := &b.yields[i]
		stiff, err := soft.stiffness(levelled(y))
		if err != nil {
			return fmt.Errorf("the hub %s at the travel %g: %w", b.hub, y.Travel, err)
		}
		springs, load := b.linesOn(y)
		stiff.Sub(stiff, springs)
		stiff.Set(2, 2, stiff.At(2, 2)+y.Pad*y.Radius)
		b.addLoads(y, &load)
		turnInOrder(stiff, [3]float64(load[3:]))
		row := table().put("travel", numeral(y.Travel))
		if over {
			row.put("second", numeral(y.Rack))
		}
		preload, matrix := list(), list()
		for _, j := range joints {
			line := list()
			for _, k := range joints {
				x := (stiff.At(j.coordinate, k.coordinate) + stiff.At(k.coordinate, j.coordinate)) / 2
				line.Items = append(line.Items, numeral(digits(x)))
			}
			matrix.Items = append(matrix.Items, line)
			preload.Items = append(preload.Items, numeral(digits(load[yielded[j.coordinate]])))
		}
		rows.Items = append(rows.Items, row.put("preload", preload).put("matrix", matrix).Node)
	}
	const hertz = 2 * math.Pi
	b.parts.put("compliance", table().put("type", text("compliance")).put("text", text("compliance of all joints")).
		put("joints", words(names...)).put("over", text("susp")).
		put("loss", numeral(2*damped*firstStep*hertz*lossAt)).put("frequency", numeral(lossAt)).put("table", rows).Node)
	return nil
}

// turnInOrder adds the stiffness by the order of the turns a about z, b about x and c about y. Their rotation vector is
// (b - a c/2, c + a b/2, a + b c/2) to second order, and the moment Q stores Q times it.
func turnInOrder(stiff *mat.Dense, q [3]float64) {
	const b, c, a = 2, 3, 4
	for _, x := range []struct {
		i, k int
		by   float64
	}{{a, c, -q[0] / 2}, {a, b, q[1] / 2}, {b, c, q[2] / 2}} {
		stiff.Set(x.i, x.k, stiff.At(x.i, x.k)+x.by)
		stiff.Set(x.k, x.i, stiff.At(x.k, x.i)+x.by)
	}
}

// digits is a load or a stiffness without digits that mean nothing.
func digits(x float64) float64 {
	s, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 9, 64), 64)
	return s + 0
}

// addLoads adds the load of the pad and of the weight to the forces of springs on the hub.
func (b *reducer) addLoads(y *rig.Yield, load *[6]float64) {
	weight, place := b.hubWeight()
	for k := range 3 {
		l, m := (k+1)%3, (k+2)%3
		load[k] += y.Load[k] + weight*y.Gravity[k]
		load[3+k] += y.Load[3+k] + weight*(place[l]*y.Gravity[m]-place[m]*y.Gravity[l])
	}
}

// levelled is the compliance over the coordinates x of the hub. Their axes lean, and v is the vertical along them. With
// the height of the wheel centre held, the travel changes by -v x and moves the hub by its path t: the hub moves by
// (1 - t v^T) x. So the compliance of x is the compliance of the hub between two inverses 1 + t v^T/(1 - v t).
func levelled(y *rig.Yield) *mat.Dense {
	n := len(yielded)
	along, turned := 0.0, mat.NewDense(n, n, nil)
	for _, coordinate := range yielded[:2] {
		along -= y.Gravity[coordinate] * y.Path[coordinate]
	}
	for i, coordinate := range yielded {
		turned.Set(i, i, 1)
		for k, other := range yielded[:2] {
			turned.Set(i, k, turned.At(i, k)-y.Path[coordinate]*y.Gravity[other]/(1-along))
		}
	}
	var level mat.Dense
	level.Product(turned, five(y.Compliance), turned.T())
	return &level
}

// turns are the changes of a joint's angle by the coordinates of the hub. The part of its change per travel that its
// changes at the height of the wheel centre leave belongs to the vertical.
func turns(y *rig.Yield, joint string) [6]float64 {
	list, rest := y.Turns[joint], y.Lifts[joint]
	for i, turn := range list {
		rest -= turn * y.Path[i]
	}
	for i := range y.Gravity {
		list[i] -= rest * y.Gravity[i]
	}
	return list
}

// five is a matrix over the coordinates of the hub.
func five(m mat.Matrix) *mat.Dense {
	d := mat.NewDense(len(yielded), len(yielded), nil)
	for i, row := range yielded {
		for k, column := range yielded {
			d.Set(i, k, m.At(row, column))
		}
	}
	return d
}

// hubMass is the mass matrix of the hub and the wheel, which spins freely, about the wheel centre.
func (b *reducer) hubMass(bodies []rig.Body) *mat.SymDense {
	all, axes := *b.carried, b.turned()
	spin := [3]float64{axes[0][1], axes[1][1], axes[2][1]}
	for i := range bodies {
		body := &bodies[i]
		heavy, is := b.scope.Find(body.Component).(component.Heavy)
		if !is || !b.wheel[heavy.Lump().Frame] {
			continue
		}
		inertia, about := body.Inertia, 0.0
		for i := range 3 {
			for k := range 3 {
				about += spin[i] * inertia[i][k] * spin[k]
			}
		}
		for i := range 3 {
			for k := range 3 {
				inertia[i][k] -= about * spin[i] * spin[k]
			}
		}
		all.add(body.Mass, body.Place, inertia)
	}
	place, inertia := all.centre(b.Tables.Centre, axes)
	far := steiner(place)
	m := mat.NewSymDense(len(yielded), nil)
	m.SetSym(0, 0, all.mass)
	m.SetSym(1, 1, all.mass)
	for i := range 3 {
		for k := range i + 1 {
			m.SetSym(2+i, 2+k, inertia[i][k]+all.mass*far[i][k])
		}
	}
	// of a rotation about axis k, the centre moves by e_k x place
	for k := range 3 {
		var e [3]float64
		e[k] = 1
		moved := [3]float64{e[1]*place[2] - e[2]*place[1], e[2]*place[0] - e[0]*place[2], e[0]*place[1] - e[1]*place[0]}
		m.SetSym(0, 2+k, all.mass*moved[0])
		m.SetSym(1, 2+k, all.mass*moved[1])
	}
	return m
}

// hubWeight is the weight on the hub, and the place of its centre of mass in axes of the hub.
func (b *reducer) hubWeight() (weight float64, place [3]float64) {
	all := *b.carried
	for _, c := range component.All[component.Heavy](b.scope) {
		if l := c.Lump(); b.own(c.Head().Name) && b.wheel[l.Frame] {
			all.add(l.Mass.Value, b.Tables.Centre, [3][3]float64{})
		}
	}
	place, _ = all.centre(b.Tables.Centre, b.turned())
	gravity := 0.0
	for _, g := range b.m.Gravity {
		gravity = math.Hypot(gravity, g.Value)
	}
	return all.mass * gravity, place
}

// compliance compares toe and camber under loads, about halfway to the ends of travel and rack, where no line of the
// tables is.
func compliance(full, reduced *rig.Rig, t *rig.Tables) ([]Yielding, error) {
	const force, moment = 2000, 100                // N, N m
	const alongTravel, alongRack = 9. / 16, 5. / 8 // of the ranges
	var states []rig.Given
	for _, rack := range slices.Compact([]float64{alongRack * t.Steer[0], 0, alongRack * t.Steer[len(t.Steer)-1]}) {
		for _, travel := range []float64{alongTravel * t.Travel[0], 0, alongTravel * t.Travel[len(t.Travel)-1]} {
			states = append(states, rig.Given{Travel: [2]float64{travel, travel}, Rack: rack})
		}
	}
	var list []Yielding
	for _, load := range []struct {
		text string
		of   rig.Load
	}{
		{"lateral force of 2 kN", rig.Load{Contact: [3]float64{0, force, 0}}},
		{"braking force of 2 kN", rig.Load{Contact: [3]float64{-force, 0, 0}}},
		{"driving force of 2 kN", rig.Load{Centre: [3]float64{force, 0, 0}}},
		{"aligning moment of 100 N.m", rig.Load{Moment: [3]float64{0, 0, moment}}},
	} {
		toe, camber := Yielding{Text: "toe by " + load.text}, Yielding{Text: "camber by " + load.text}
		for _, given := range states {
			for _, sign := range []float64{1, -1} {
				loaded, l := given, load.of
				for i := range 3 {
					l.Contact[i], l.Centre[i], l.Moment[i] = sign*l.Contact[i], sign*l.Centre[i], sign*l.Moment[i]
				}
				loaded.Loads = [2]rig.Load{l, l}
				var change [2][2]float64
				for k, r := range []*rig.Rig{full, reduced} {
					free, err := r.Solve(given, nil)
					if err != nil {
						return nil, err
					}
					s, err := r.Solve(loaded, free)
					if err != nil {
						return nil, err
					}
					v, w := &s.Wheels[rig.Left], &free.Wheels[rig.Left]
					change[k] = [2]float64{v.Toe().V - w.Toe().V, v.Camber().V - w.Camber().V}
				}
				for i, y := range []*Yielding{&toe, &camber} {
					y.Effect = max(y.Effect, math.Abs(change[0][i]))
					y.Error = max(y.Error, math.Abs(change[1][i]-change[0][i]))
				}
			}
		}
		list = append(list, toe, camber)
	}
	return list, nil
}
