package reduction

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/rig"
)

// Mode is a motion of the yielding hub against the carrier.
type Mode struct {
	Frequency float64 // of the mass on the hub [Hz]
	Kept      bool    // else the hub does not yield in this way
}

// Yielding compares an angle of the wheel under a load with and without tables, at all travels.
type Yielding struct {
	Text          string
	Effect, Error float64 // largest change by the load, and largest difference [rad]
}

// Numbers of the compliance.
const (
	yieldLines = 13    // of the table over the travel
	firstStep  = 1e-3  // of explicit methods [s]
	mostTurned = 1.2   // angular frequency times step of a motion that is kept
	damped     = 0.6   // damping ratio per angular frequency and step
	lossAt     = 15    // Hz, of the loss factor with this damping
	leastYield = 1e-12 // m/N or rad/(N m): less belongs to ideal joints
	radius     = 0.3   // m: a rotation counts as a displacement at this radius
	stiffest   = 1e-12 // s2, of 1/w^2: less belongs to ideal joints
)

// yielded are the coordinates of the hub: forward, outward, about x, y and z, among the six of a bushing.
var yielded = [5]int{0, 1, 3, 4, 5}

// lines are the travels of the table of compliance: 0 is one of them.
func (b *reducer) lines() (list []float64) {
	t := b.Tables.Travel
	for i := range yieldLines {
		part := float64(i)/((yieldLines-1)/2) - 1
		list = append(list, math.Round(1e9*math.Abs(part)*t[min(len(t)-1, int(part+1)*(len(t)-1))])/1e9+0)
	}
	return list
}

// yielding adds the compliance: motions of the hub, and a bushing whose stiffness depends on the travel.
//
// With the compliance C over five motions and the mass matrix M of the hub, the motions v are eigenvectors
// C M v = v/w^2 at each travel. Motions with w h above mostTurned in the design position are left out. The others have
// the stiffness K_m = (V^T M C M V)^-1, and the bushing M V K_m V^T M. The compliance includes the moment -F r of the
// pad by its moving contact; F r is added to K.
func (b *reducer) yielding(bodies []rig.Body) error {
	middle := &b.yields[(yieldLines-1)/2]
	most := 0.0
	for _, i := range yielded {
		most = max(most, middle.Compliance.At(i, i))
	}
	if most < leastYield {
		return nil
	}
	mass := b.hubMass(bodies)
	var cholesky mat.Cholesky
	if !cholesky.Factorize(mass) {
		return fmt.Errorf("the hub %s has no inertia about all axes, and yields; give its bodies inertia", b.hub)
	}
	var lower mat.TriDense
	cholesky.LTo(&lower)
	design, values, err := modesOf(middle.Compliance, &lower)
	if err != nil {
		return err
	}
	kept := 0
	for k := range yielded {
		w := 1 / math.Sqrt(max(values[k], stiffest))
		mode := Mode{w / (2 * math.Pi), w*firstStep <= mostTurned}
		if mode.Kept {
			kept++
		}
		if values[k] > stiffest {
			b.Modes = append(b.Modes, mode)
		}
	}
	if kept == 0 {
		return nil
	}
	first := design.Slice(0, len(yielded), 0, kept)
	var motions []*mat.Dense
	for i := range b.yields {
		of, _, err := modesOf(b.yields[i].Compliance, &lower)
		if err != nil {
			return err
		}
		v, err := near(of.Slice(0, len(yielded), 0, kept), first)
		if err != nil {
			return fmt.Errorf("the hub %s does not yield at the travel %g as in the design position: %w", b.hub,
				b.yields[i].Travel, err)
		}
		var scaled mat.Dense
		if err := scaled.Solve(lower.T(), v); err != nil {
			return err
		}
		motions = append(motions, &scaled)
	}
	b.chain(motions)
	return b.hold(motions, mass)
}

// modesOf are the modes u of a compliance, L^T C L u = u/w^2 with M = L L^T and v = L^-T u, and 1/w^2. The softest mode
// is the first.
func modesOf(compliance mat.Matrix, lower *mat.TriDense) (*mat.Dense, []float64, error) {
	n := len(yielded)
	var scaled, vectors mat.Dense
	scaled.Product(lower.T(), five(compliance), lower)
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			symmetric.SetSym(i, k, (scaled.At(i, k)+scaled.At(k, i))/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(symmetric, true) {
		return nil, nil, errors.New("the compliance of the hub has no modes")
	}
	eigen.VectorsTo(&vectors)
	rising, sorted, values := eigen.Values(nil), mat.NewDense(n, n, nil), make([]float64, n)
	for k := range n {
		values[k] = rising[n-1-k]
		sorted.SetCol(k, mat.Col(nil, n-1-k, &vectors))
	}
	return sorted, values, nil
}

// near is the orthonormal basis of the same space that is nearest to another basis, by the polar decomposition of the
// projection. So the motions change continuously with the travel.
func near(basis, to mat.Matrix) (*mat.Dense, error) {
	var shares, turn, nearest mat.Dense
	shares.Mul(basis.T(), to)
	var svd mat.SVD
	if !svd.Factorize(&shares, mat.SVDFull) {
		return nil, errors.New("no basis")
	}
	const least = 0.5 // cosine of the angle between both spaces
	if values := svd.Values(nil); values[len(values)-1] < least {
		return nil, errors.New("other motions are softer there")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	turn.Mul(&u, v.T())
	nearest.Mul(basis, &turn)
	return &nearest, nil
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

// chain puts a joint for each motion between the carrier and the hub. The motions follow the travel. All five together
// are slides and turns, which cost less.
func (b *reducer) chain(motions []*mat.Dense) {
	from := "carrier"
	b.parts.Field("susp").Fields["to"] = text(from)
	middle := motions[(yieldLines-1)/2]
	_, modes := middle.Dims()
	for k := range modes {
		to := fmt.Sprintf("yield_%d", k+1)
		if k == modes-1 {
			to = b.local(b.hub)
		}
		if modes == len(yielded) {
			joint := [...][2]string{{"prismatic", "x"}, {"prismatic", "y"}, {"revolute", "z"}, {"revolute", "x"},
				{"revolute", "y"}}[k]
			b.parts.put(fmt.Sprintf("yields_%d", k+1), table().put("type", text(joint[0])).put("from", text(from)).
				put("to", text(to)).put("axis", text(joint[1])).Node)
			from = to
			continue
		}
		size := 0.0
		for i := range yielded {
			x := math.Abs(middle.At(i, k))
			if i >= 2 {
				x *= radius
			}
			size = max(size, x)
		}
		t := table().put("type", text("suspension")).put("from", text(from)).put("to", text(to)).put("side", text("left")).
			put("other", text("susp")).put("z", list(list(numeral(-1), numeral(0)), list(numeral(1), numeral(0))))
		for i, key := range []string{"x", "y", "camber", "castor", "toe"} {
			points := list()
			for l, v := range motions {
				slope := v.At(i, k) / size
				if i >= 2 { // toe-in, camber and castor turn about -z, -x and -y
					slope = -slope
				}
				for _, at := range []float64{-1, 1} {
					points.Items = append(points.Items, list(numeral(at), numeral(b.yields[l].Travel), numeral(at*slope+0)))
				}
			}
			t.put(key, points)
		}
		b.parts.put(fmt.Sprintf("yields_%d", k+1), t.Node)
		from = to
	}
}

// hold puts the bushing between the carrier and the hub.
func (b *reducer) hold(motions []*mat.Dense, mass *mat.SymDense) error {
	weight, place := b.hubWeight()
	rows := list()
	for i := range b.yields {
		y := &b.yields[i]
		v := motions[i]
		var mv, soft, stiff, back mat.Dense
		mv.Mul(mass, v)
		soft.Product(mv.T(), five(y.Compliance), &mv)
		if err := stiff.Inverse(&soft); err != nil {
			return fmt.Errorf("the hub %s does not yield at the travel %g as in the design position: %w", b.hub, y.Travel, err)
		}
		_, modes := v.Dims()
		for j := range modes {
			for k := range modes {
				stiff.Set(j, k, stiff.At(j, k)+y.Pad*y.Radius*v.At(2, j)*v.At(2, k))
			}
		}
		springs, pull := b.linesOn(y)
		var less mat.Dense
		less.Product(v.T(), springs, v)
		stiff.Sub(&stiff, &less)
		back.Product(&mv, &stiff, mv.T())
		matrix := list()
		for r := range 6 {
			row := list()
			for k := range 6 {
				row.Items = append(row.Items, numeral(element(&back, r, k)))
			}
			matrix.Items = append(matrix.Items, row)
		}
		load := y.Load
		for k := range load {
			load[k] += pull[k]
		}
		for k := range 3 {
			l, m := (k+1)%3, (k+2)%3
			load[k] += weight * y.Gravity[k]
			load[3+k] += weight * (place[l]*y.Gravity[m] - place[m]*y.Gravity[l])
		}
		rows.Items = append(rows.Items, table().put("travel", numeral(y.Travel)).
			put("preload", vector([3]float64(load[:3]))).put("preload_moment", vector([3]float64(load[3:]))).
			put("matrix", matrix).Node)
	}
	const hertz = 2 * math.Pi
	b.parts.put("compliance", table().put("type", text("bushing")).
		put("text", text("compliance of all joints")).put("from", text("carrier")).put("to", text(b.local(b.hub))).
		put("over", text("susp")).put("loss", numeral(2*damped*firstStep*hertz*lossAt)).put("frequency", numeral(lossAt)).
		put("table", rows).Node)
	return nil
}

// element is an element of a symmetric matrix over the hub's coordinates, among the six of a bushing.
func element(m *mat.Dense, row, column int) float64 {
	at := func(of int) int {
		for i, k := range yielded {
			if k == of {
				return i
			}
		}
		return -1
	}
	i, k := at(row), at(column)
	if i < 0 || k < 0 {
		return 0
	}
	return (m.At(i, k) + m.At(k, i)) / 2
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

// compliance compares toe and camber under loads.
func compliance(full, reduced *rig.Rig, travels []float64) ([]Yielding, error) {
	const force, moment, share = 2000, 100, 0.5 // N, N m; of the travel
	ends := []float64{share * travels[0], 0, share * travels[len(travels)-1]}
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
		for _, travel := range ends {
			for _, sign := range []float64{1, -1} {
				given := rig.Given{Travel: [2]float64{travel, travel}}
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
