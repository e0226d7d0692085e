package rig

import "math"

// Merit are the figures of merit of a tire at one load. What cannot be had is NaN.
type Merit struct {
	Load         float64 // N
	Cornering    float64 // cornering stiffness -dFy/dalpha at no slip [N/rad]
	Longitudinal float64 // slip stiffness dFx/dkappa at no slip [N]
	Camber       float64 // camber stiffness dFy/dgamma at no slip [N/rad]
	// pneumatic trail dMz/dalpha by the cornering stiffness, at no slip [m]
	Trail         float64
	LateralPeak   float64 // largest |Fy|/Fz, to 35 deg to both sides
	LateralPeakAt float64 // slip angle there [rad]
	DrivePeak     float64 // largest Fx/Fz, to a slip of 1
	DrivePeakAt   float64
	BrakePeak     float64 // largest -Fx/Fz, to a slip of -1
	BrakePeakAt   float64
	// relaxation lengths: distances after which Fy and Fx have made 1 - 1/e of their change after a small step of slip [m]
	LateralRelaxation, LongitudinalRelaxation float64
}

// merit measures the figures of merit; delayed is the stand with delayed slip, nil without.
func (r *Rig) merit(s State, delayed *Rig) (*Merit, error) {
	var fault error
	at := func(change func(*State)) Forces {
		state := s
		change(&state)
		f, err := r.Measure(state)
		if fault == nil {
			fault = err
		}
		return f
	}
	// slope of a force over a component of the state at zero: a combination of central differences that cancels errors of
	// first and second order in h. An error of first order occurs if the curvature jumps at zero, as of the brush model,
	// whose force is c x - k x |x| there
	slope := func(of func(Forces) float64, change func(s *State, x float64)) float64 {
		const h = 1e-4
		d := func(h float64) float64 {
			return (of(at(func(s *State) { change(s, h) })) - of(at(func(s *State) { change(s, -h) }))) / (2 * h)
		}
		return (8*d(h) - 6*d(2*h) + d(4*h)) / 3
	}
	fx, fy, mz := func(f Forces) float64 { return f.Fx }, func(f Forces) float64 { return f.Fy },
		func(f Forces) float64 { return f.Mz }
	alpha, kappa, gamma := func(s *State, x float64) { s.Alpha = x }, func(s *State, x float64) { s.Kappa = x },
		func(s *State, x float64) { s.Gamma = x }
	m := &Merit{Load: s.Load, LateralRelaxation: math.NaN(), LongitudinalRelaxation: math.NaN()}
	m.Cornering, m.Longitudinal, m.Camber = -slope(fy, alpha), slope(fx, kappa), slope(fy, gamma)
	m.Trail = slope(mz, alpha) / m.Cornering
	// largest of a curve from 0 to an end
	peak := func(of func(Forces) float64, change func(s *State, x float64), end float64) (value, abscissa float64) {
		f := func(x float64) float64 { return of(at(func(s *State) { change(s, x) })) / s.Load }
		const points = 100
		best := 0
		value = math.Inf(-1)
		for i := range points + 1 {
			if y := f(end * float64(i) / points); y > value {
				value, best = y, i
			}
		}
		return golden(f, end*float64(max(best-1, 0))/points, end*float64(min(best+1, points))/points)
	}
	const widest = 35 * degree
	left, leftAt := peak(fy, alpha, -widest)
	right, rightAt := peak(func(f Forces) float64 { return -f.Fy }, alpha, widest)
	if m.LateralPeak, m.LateralPeakAt = left, leftAt; right > left {
		m.LateralPeak, m.LateralPeakAt = right, rightAt
	}
	m.DrivePeak, m.DrivePeakAt = peak(fx, kappa, 1)
	m.BrakePeak, m.BrakePeakAt = peak(func(f Forces) float64 { return -f.Fx }, kappa, -1)
	if delayed != nil && fault == nil {
		if !delayed.tire.Relaxation.Library { // those of files do not depend on the speed
			s.Speed = 5
		}
		turned, braked := s, s
		turned.Alpha, braked.Kappa = 0.1*degree, -1e-3
		if m.LateralRelaxation, fault = delayed.relaxation(turned, fy); fault == nil {
			m.LongitudinalRelaxation, fault = delayed.relaxation(braked, fx)
		}
	}
	return m, fault
}

// golden finds the largest value of a function with one peak between two places by the golden section.
func golden(f func(float64) float64, a, b float64) (value, abscissa float64) {
	ratio := (math.Sqrt(5) - 1) / 2
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	fc, fd := f(c), f(d)
	for range 40 {
		if fc > fd {
			b, d, fd = d, c, fc
			c = b - ratio*(b-a)
			fc = f(c)
		} else {
			a, c, fc = c, d, fd
			d = a + ratio*(b-a)
			fd = f(d)
		}
	}
	abscissa = (a + b) / 2
	return f(abscissa), abscissa
}
