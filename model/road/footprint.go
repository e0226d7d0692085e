package road

import "skidpad/tire/elementary"

// Footprint is a rectangle of rows of points on the ground, as many along as across it. A Footprint serves queries of
// one surface, and caches data of the first query for the later ones.
type Footprint struct {
	Length, Width      float64 // along and across its direction [m]
	Points             int     // of a row, at least 2
	ForwardX, ForwardY float64 // its direction, of length 1

	known  bool
	shares [waves]share // of the waves of an iso8608
}

// share is the mean over the points of a wave of amplitude 1: the height, and the slopes along and across.
type share struct{ height, along, across float64 }

// point returns the point i along and k across, in the footprint's own axes and in axes of ground, relative to the
// middle.
func (f *Footprint) point(i, k int) (a, b, dx, dy float64) {
	a = f.Length * (float64(i)/float64(f.Points-1) - 0.5)
	b = f.Width * (float64(k)/float64(f.Points-1) - 0.5)
	return a, b, float64(a*f.ForwardX) - float64(b*f.ForwardY), float64(a*f.ForwardY) + float64(b*f.ForwardX)
}

// ContactPlane returns the plane of least squares through the points of a footprint about a place, with
// their mean rate and friction. Points without ground count as if the plane that is tangent in the
// middle went on there; without ground in the middle there is none.
func (s *Surface) ContactPlane(f *Footprint, q Query) Point {
	switch r := s.shape.(type) {
	case level: // which is a plane itself
		p := s.At(q)
		p.Friction = s.meanFriction(f, q)
		return p
	case *iso8608:
		p := r.under(f, q)
		p.Height += s.Height
		p.Friction = s.meanFriction(f, q)
		return p
	}
	middle := s.At(q)
	if middle.NoGround {
		return middle
	}
	mean := Point{U: middle.U, V: middle.V}
	x, y := q.X, q.Y
	q.Near = middle.U
	var along, across, squareAlong, squareAcross float64
	for i := range f.Points {
		for k := range f.Points {
			a, b, dx, dy := f.point(i, k)
			q.X, q.Y = x+dx, y+dy
			p := s.At(q)
			if p.NoGround {
				p = middle
				p.Height += float64(p.SlopeX*dx) + float64(p.SlopeY*dy)
			}
			mean.Height += p.Height
			mean.Rate += p.Rate
			mean.Friction += p.Friction
			along += float64(a * p.Height)
			across += float64(b * p.Height)
			squareAlong += float64(a * a)
			squareAcross += float64(b * b)
		}
	}
	count := float64(f.Points * f.Points)
	mean.Height /= count
	mean.Rate /= count
	mean.Friction /= count
	along /= squareAlong
	across /= squareAcross
	mean.SlopeX = float64(along*f.ForwardX) - float64(across*f.ForwardY)
	mean.SlopeY = float64(along*f.ForwardY) + float64(across*f.ForwardX)
	return mean
}

// meanFriction is the mean friction of the points. The surface must have no friction surface and no dividing line
// except y = 0.
func (s *Surface) meanFriction(f *Footprint, q Query) float64 {
	if s.Friction == nil && s.Left == s.Right {
		return s.Left
	}
	sum := 0.0
	for i := range f.Points {
		for k := range f.Points {
			_, _, dx, dy := f.point(i, k)
			sum += s.friction(q.X+dx, q.Y+dy, q.T, q.X+dx, q.Y+dy)
		}
	}
	return sum / float64(f.Points*f.Points)
}

// under returns the mean plane without friction, wave by wave. With the wave's phase p in the middle and its numbers ka
// and kb along and across, the heights cos(p + ka a + kb b) have the mean
//
//	cos(p) mean(cos(ka a)) mean(cos(kb b)),
//
// and their regression on a, the points lying alike on both sides of the middle, the slope
//
//	-sin(p) sum(a sin(ka a))/sum(a^2) mean(cos(kb b)).
func (r *iso8608) under(f *Footprint, q Query) Point {
	p := Point{U: q.X, V: q.Y}
	var along, across float64
	if !f.known {
		f.sum(r)
	}
	for i := range r.waves {
		w, s := &r.waves[i], &f.shares[i]
		sin, cos := elementary.Sincos(float64(w.kx*q.X) + float64(w.ky*q.Y) + w.phase)
		p.Height += float64(w.amplitude * float64(cos*s.height))
		falling := float64(w.amplitude * sin)
		along -= float64(falling * s.along)
		across -= float64(falling * s.across)
	}
	p.SlopeX = float64(along*f.ForwardX) - float64(across*f.ForwardY)
	p.SlopeY = float64(along*f.ForwardY) + float64(across*f.ForwardX)
	return p
}

// sum finds the shares.
func (f *Footprint) sum(r *iso8608) {
	for i := range r.waves {
		w := &r.waves[i]
		meanA, slopeA := f.row(float64(w.kx*f.ForwardX)+float64(w.ky*f.ForwardY), f.Length)
		meanB, slopeB := f.row(float64(w.ky*f.ForwardX)-float64(w.kx*f.ForwardY), f.Width)
		f.shares[i] = share{float64(meanA * meanB), float64(slopeA * meanB), float64(meanA * slopeB)}
	}
	f.known = true
}

// row returns the mean of cos(k a) and the quotient of the sums of a sin(k a) and of a^2 for the points a
// of a row.
func (f *Footprint) row(k, length float64) (mean, slope float64) {
	spacing := length / float64(f.Points-1)
	sin, cos := elementary.Sincos(float64(k * (spacing / 2)))
	double, turned := float64(cos*cos)-float64(sin*sin), 2*float64(sin*cos) // cos and sin of k spacing
	a := spacing / 2
	if f.Points%2 == 1 { // a point in the middle, the next one a spacing away
		mean, a, cos, sin = 1, spacing, double, turned
	}
	var products, squares float64
	for range f.Points / 2 {
		mean += 2 * cos
		products += float64(a * sin)
		squares += float64(a * a)
		a += spacing
		cos, sin = float64(cos*double)-float64(sin*turned), float64(sin*double)+float64(cos*turned)
	}
	return mean / float64(f.Points), products / squares
}
