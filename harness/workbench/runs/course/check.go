package course

import "math"

// What a line of points may do.
const (
	repeated = 0.01        // of the mean spacing: points nearer than that are one
	jump     = 10.0        // times the mean spacing: a gap in the points
	closing  = 2.0         // times the largest spacing: the last point may be that far from the first
	nearly   = 0.1         // of the length: a track whose ends are nearer closes badly
	sharpest = math.Pi / 3 // turn from one chord to the next [rad]
	bridge   = 3.0         // height between two parts that cross [m]
)

// check refuses points that are no line, and drops a last point that repeats the first one of a closed track.
func (p *Points) check() (closed bool, err error) {
	n := len(p.X)
	length, widest := 0.0, 0.0
	for i := 1; i < n; i++ {
		d := p.chord(i-1, i)
		length, widest = length+d, max(widest, d)
	}
	if !(length > 0) {
		return false, p.file("all points are the same; a track has a length")
	}
	if length > Longest {
		return false, p.file("the track is %.6g m long; at most %d m are possible", length, Longest)
	}
	mean := length / float64(n-1)
	for i := 1; i < n; i++ {
		switch d := p.chord(i-1, i); {
		case d < repeated*mean:
			return false, p.fault(i, "the point repeats the one of %s; remove one of them", p.place(i-1))
		case d > jump*mean:
			return false, p.fault(i, "the track jumps by %.4g m from the point of %s, with a mean spacing of %.4g m; at "+
				"most %g times as much is possible; add points between", d, p.place(i-1), mean, jump)
		}
	}
	gap := p.chord(n-1, 0)
	switch {
	case p.Ends == Open:
	case gap <= closing*widest:
		closed = true
	case p.Ends == Closed || gap < nearly*length:
		return false, p.fault(n-1, "the track closes badly: its last point is %.4g m from the first one, and the largest "+
			"spacing is %.4g m; at most %g times as much is possible; add points that close it, or %s", gap, widest,
			closing, p.Opening)
	}
	if closed && gap < repeated*mean {
		p.drop()
	}
	if err := p.turns(closed); err != nil {
		return closed, err
	}
	return closed, p.crosses(closed, widest)
}

// chord is the distance between two points.
func (p *Points) chord(i, k int) float64 { return math.Hypot(p.X[k]-p.X[i], p.Y[k]-p.Y[i]) }

// drop removes the last point.
func (p *Points) drop() {
	n := len(p.X) - 1
	for _, list := range []*[]float64{&p.X, &p.Y, &p.Z, &p.Left, &p.Right, &p.Bank} {
		if *list != nil {
			*list = (*list)[:n]
		}
	}
	p.Lines = p.Lines[:n]
}

// turns refuses lines whose direction jumps.
func (p *Points) turns(closed bool) error {
	n := len(p.X)
	first, last := 1, n-2
	if closed {
		first, last = 0, n-1
	}
	direction := func(i, k int) float64 { return math.Atan2(p.Y[k]-p.Y[i], p.X[k]-p.X[i]) }
	for i := first; i <= last; i++ {
		before, after := (i+n-1)%n, (i+1)%n
		turn := math.Remainder(direction(i, after)-direction(before, i), 2*math.Pi)
		if math.Abs(turn) <= sharpest {
			continue
		}
		if i == 0 || i == n-1 {
			return p.fault(i, "the track closes badly: its direction jumps by %.3g degrees between the last points and the "+
				"first ones; up to %.3g are possible; remove points that are there twice, or %s", degrees(math.Abs(turn)),
				degrees(sharpest), p.Opening)
		}
		return p.fault(i, "the direction of the track jumps by %.3g degrees; up to %.3g are possible; add points, or "+
			"correct this one", degrees(math.Abs(turn)), degrees(sharpest))
	}
	return nil
}

// crosses refuses lines that cross themselves without a bridge. Chords are looked up by squares of the plan that are as
// large as the longest chord.
func (p *Points) crosses(closed bool, widest float64) error {
	n := len(p.X)
	chords := n - 1
	if closed {
		chords = n
		widest = max(widest, p.chord(n-1, 0))
	}
	type square struct{ x, y int }
	there := map[square][]int{}
	for i := range chords {
		k := (i + 1) % n
		squares := func(a, b float64) (from, to int) {
			return int(math.Floor(min(a, b) / widest)), int(math.Floor(max(a, b) / widest))
		}
		fromX, toX := squares(p.X[i]-p.X[0], p.X[k]-p.X[0])
		fromY, toY := squares(p.Y[i]-p.Y[0], p.Y[k]-p.Y[0])
		for x := fromX; x <= toX; x++ {
			for y := fromY; y <= toY; y++ {
				for _, j := range there[square{x, y}] {
					if err := p.cross(j, i); err != nil {
						return err
					}
				}
				there[square{x, y}] = append(there[square{x, y}], i)
			}
		}
	}
	return nil
}

// cross refuses two chords, of points i and k and the next ones, that cross or touch without a bridge.
func (p *Points) cross(i, k int) error {
	n := len(p.X)
	iNext, kNext := (i+1)%n, (k+1)%n
	if iNext == k || kNext == i {
		return nil // neighbours
	}
	ax, ay := p.X[iNext]-p.X[i], p.Y[iNext]-p.Y[i]
	bx, by := p.X[kNext]-p.X[k], p.Y[kNext]-p.Y[k]
	cx, cy := p.X[k]-p.X[i], p.Y[k]-p.Y[i]
	determinant := ax*by - ay*bx
	if determinant == 0 {
		return nil // parallel: those that overlap turn back somewhere, or their neighbours cross
	}
	alongA, alongB := (cx*by-cy*bx)/determinant, (cx*ay-cy*ax)/determinant
	if alongA < 0 || alongA > 1 || alongB < 0 || alongB > 1 {
		return nil
	}
	if p.Z != nil {
		zA := p.Z[i] + alongA*(p.Z[iNext]-p.Z[i])
		zB := p.Z[k] + alongB*(p.Z[kNext]-p.Z[k])
		if math.Abs(zA-zB) >= bridge {
			return nil
		}
		return p.fault(k, "the track crosses itself behind this point and behind the one of %s, %.3g m apart in "+
			"height; a bridge has at least %g m", p.place(i), math.Abs(zA-zB), bridge)
	}
	return p.fault(k, "the track crosses itself behind this point and behind the one of %s; correct the points, or "+
		"give the heights z [m], which differ by %g m or more at a bridge", p.place(i), bridge)
}
