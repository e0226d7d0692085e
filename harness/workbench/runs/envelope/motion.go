package envelope

import (
	"errors"
	"math"
	"slices"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/roles"
)

// motion is the motion of a vehicle in the part of a run that counts. The accelerations of the chassis along
// its path and across it follow from changes of the velocity over 0.1 s.
type motion struct {
	time, speed         []float64 // s, m/s
	tangential, lateral []float64 // m/s2, to the left
	turning             []float64 // change of the yaw rate by the speed [m/s3]
	along, load, driven []float64 // of the tires: longitudinal forces, loads, loads of those that drive [N]
	locked, spun        []float64 // least and largest slip of a wheel; without spins of wheels 0
}

// around is the time to both sides over which velocities change [s].
const around = 0.05

// recorded are the variables that the motion needs.
func recorded(o *roles.Roles) []string {
	names := []string{o.Chassis + ".vx", o.Chassis + ".vy", o.Chassis + ".wz"}
	for _, w := range o.Wheels() {
		names = append(names, w.Tire+".Fx", w.Tire+".Fz")
		if w.Spin != "" {
			names = append(names, w.Spin)
		}
	}
	return names
}

// motionOf reads the motion of a run from a time on, at which the wheels roll.
func motionOf(t *trace.Trace, o *roles.Roles, from float64) (*motion, error) {
	first := slices.IndexFunc(t.Time, func(x float64) bool { return x > from-1e-9 })
	if first < 0 || len(t.Time) < 2 {
		return nil, errors.New("the run ended before its measurement began")
	}
	vx, vy, wz := t.Column(o.Chassis+".vx"), t.Column(o.Chassis+".vy"), t.Column(o.Chassis+".wz")
	n := int(math.Round(around / (t.Time[1] - t.Time[0])))
	speed := func(i int) float64 { return math.Hypot(vx[i], vy[i]) }
	m := &motion{}
	for i := first + n; i+n < len(t.Time); i++ {
		span := t.Time[i+n] - t.Time[i-n]
		drift := math.Atan2(vy[i+n], vx[i+n]) - math.Atan2(vy[i-n], vx[i-n])
		m.time, m.speed = append(m.time, t.Time[i]-from), append(m.speed, speed(i))
		m.tangential = append(m.tangential, (speed(i+n)-speed(i-n))/span)
		m.lateral = append(m.lateral, speed(i)*(wz[i]+drift/span))
		m.turning = append(m.turning, speed(i)*(wz[i+n]-wz[i-n])/span)
	}
	if len(m.time) == 0 {
		return nil, errors.New("the run ended as soon as its measurement began")
	}
	rows := len(m.time)
	for _, list := range []*[]float64{&m.along, &m.load, &m.driven, &m.locked, &m.spun} {
		*list = make([]float64, rows)
	}
	for _, w := range o.Wheels() {
		fx, fz := t.Column(w.Tire+".Fx"), t.Column(w.Tire+".Fz")
		for k := range rows {
			i := first + n + k
			m.along[k] += fx[i]
			m.load[k] += fz[i]
			if fx[i] > 0 {
				m.driven[k] += fz[i]
			}
			if w.Spin == "" {
				continue
			}
			spin := t.Column(w.Spin)
			slip := spin[i]/spin[first]*speed(first)/speed(i) - 1
			m.locked[k], m.spun[k] = min(m.locked[k], slip), max(m.spun[k], slip)
		}
	}
	return m, nil
}

// keep keeps the rows from one on, up to another one, which is not kept.
func (m *motion) keep(from, to int) {
	for _, list := range []*[]float64{&m.time, &m.speed, &m.tangential, &m.lateral, &m.turning, &m.along, &m.load,
		&m.driven, &m.locked, &m.spun} {
		*list = (*list)[from:to]
	}
}

// row is the first one from a time on, or the last one.
func (m *motion) row(time float64) int {
	if i := slices.IndexFunc(m.time, func(t float64) bool { return t >= time }); i >= 0 {
		return i
	}
	return len(m.time) - 1
}
