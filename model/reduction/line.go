package reduction

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/rig"
)

// line is a spring and damper between a point of the chassis and a point of the hub. A hub that yields feels its force
// directly, by a spring between the same points in the file.
type line struct {
	spring    component.Sprung
	onChassis [3]float64 // in axes of the chassis, from its origin
	onHub     [3]float64 // in axes of the hub, from the wheel centre
	headOnHub bool
}

// lineUp finds the springs between chassis and hub.
func (b *reducer) lineUp(r *rig.Rig) error {
	b.onHub = map[string]line{}
	chassis, axes := b.fixed(b.chassis), b.turned()
	for _, c := range component.All[component.Sprung](b.scope) {
		name, frames := c.Head().Name, c.Frames().Uses
		if !b.mine(name) || len(frames) != 2 || b.Still(name) {
			continue
		}
		head := chassis[frames[0]] && b.rigid[frames[1]]
		if !head && !(chassis[frames[1]] && b.rigid[frames[0]]) {
			continue
		}
		ends, found, err := r.Ends(name)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if !head {
			ends[0], ends[1] = ends[1], ends[0]
		}
		l := line{spring: c, onChassis: ends[0], headOnHub: head}
		for i := range 3 {
			for k := range 3 {
				l.onHub[i] += axes[k][i] * (ends[1][k] - b.Tables.Centre[k])
			}
		}
		b.onHub[name] = l
	}
	return nil
}

// yield reports whether the hub yields.
func (b *reducer) yield() bool {
	return len(b.Modes) > 0
}

// straight writes a spring between points.
func (b *reducer) straight(name string) {
	l, of := b.onHub[name], b.node(name)
	top, bottom := b.local(name)+"_top", b.local(name)+"_bottom"
	arm := func(frame, from string, place [3]float64) {
		b.parts.put(frame, table().put("type", text("rigid-arm")).put("from", text(from)).put("to", text(frame)).
			put("translation", vector(place)).Node)
	}
	arm(top, "chassis", l.onChassis)
	arm(bottom, b.local(b.hub), l.onHub)
	if !l.headOnHub {
		top, bottom = bottom, top
	}
	t := table().put("type", text("spring-damper")).put("from", text(top)).put("to", text(bottom))
	b.parts.put(b.local(name), others(t, of, "type", "from", "to"))
}

// linesOn are the stiffness of the springs between chassis and hub over the coordinates of the hub, and their force and
// moment on it, in axes of the hub.
func (b *reducer) linesOn(y *rig.Yield) (stiffness *mat.Dense, pull [6]float64) {
	stiffness = mat.NewDense(len(yielded), len(yielded), nil)
	const small = 1e-6 // m, rad
	for _, name := range slices.Sorted(maps.Keys(b.onHub)) {
		l := b.onHub[name]
		at := l.on(y, [6]float64{})
		for k := range pull {
			pull[k] += at[k]
		}
		for k, coordinate := range yielded {
			var up, down [6]float64
			up[coordinate], down[coordinate] = small, -small
			more, less := l.on(y, up), l.on(y, down)
			for i, row := range yielded {
				stiffness.Set(i, k, stiffness.At(i, k)-(more[row]-less[row])/(2*small))
			}
		}
	}
	return stiffness, pull
}

// on is the force and the moment of the spring on the hub, moved by a small displacement and rotation.
func (l *line) on(y *rig.Yield, x [6]float64) (load [6]float64) {
	lever := l.onHub
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		lever[i] += x[3+j]*l.onHub[k] - x[3+k]*l.onHub[j]
	}
	var toChassis [3]float64 // in axes of the hub
	for i, axis := range y.Axes {
		for k := range 3 {
			toChassis[i] += axis[k] * (l.onChassis[k] - y.Centre[k])
		}
		toChassis[i] -= x[i] + lever[i]
	}
	length := math.Sqrt(toChassis[0]*toChassis[0] + toChassis[1]*toChassis[1] + toChassis[2]*toChassis[2])
	tension, _ := l.spring.Tension(length)
	for i := range 3 {
		load[i] = tension * toChassis[i] / length
	}
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		load[3+i] = lever[j]*load[k] - lever[k]*load[j]
	}
	return load
}
