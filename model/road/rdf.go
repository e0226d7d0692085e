package road

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// profiled is a road with a profile over the distance travelled (2D roads of road property files). The distance is
// x' = x cos(turn) + y sin(turn); the profiles differ left and right of y' = 0.
type profiled struct {
	cos, sin    float64
	lean        float64 // the profile is crossed at x' + lean y'
	left, right profile
	offset      float64 // m
	friction    float64
}

// profile is a height over a distance, with its slope.
type profile interface {
	heightAt(s float64) (z, slope float64)
}

// parseRDF reads a road property file of the methods 2D and 3D.
func parseRDF(data []byte) (shape, []string, error) {
	f, err := parseTeimOrbit(data, mostMeshRows)
	if err != nil {
		return nil, nil, err
	}
	model, err := f.section("MODEL")
	if err != nil {
		return nil, nil, err
	}
	switch method := model.values["METHOD"]; strings.ToUpper(method.text) {
	case "2D":
		return f.profiled(strings.ToUpper(model.values["ROAD_TYPE"].text))
	case "3D":
		if kind := model.values["ROAD_TYPE"]; kind.text != "" {
			return nil, nil, fmt.Errorf("line %d: the ROAD_TYPE %s of the METHOD 3D is not read; 3D roads are "+
				"meshes of [NODES] and [ELEMENTS]", kind.line, kind.text)
		}
		m, err := f.mesh()
		return m, nil, err
	case "3D_SPLINE":
		return nil, nil, errors.New("the METHOD 3D_SPLINE is not read: the splines between its points depend on " +
			"its host; export the road as OpenCRG or as a mesh")
	case "USER":
		return nil, nil, errors.New("the METHOD USER calls a library of its host, which is not there; export the " +
			"road as OpenCRG or as a mesh")
	case "":
		return nil, nil, errors.New("the section [MODEL] lacks the key METHOD; 2D and 3D are read")
	default:
		return nil, nil, fmt.Errorf("line %d: the METHOD %s is unknown; 2D and 3D are read", method.line, method.text)
	}
}

// parameters read the numbers of a section, and keep the first fault.
type parameters struct {
	*teimSection
	length, angle float64 // factors to SI
	err           error
}

func (p *parameters) keep(v float64, err error) float64 {
	if p.err == nil {
		p.err = err
	}
	return v
}

func (p *parameters) metres(key string) float64 { return p.keep(p.number(key, p.length)) }

func (p *parameters) has(key string) bool { _, ok := p.values[key]; return ok }

// end returns where something ends that begins at a start: at END, or after LENGTH; without both
// where without says.
func (p *parameters) end(start, without float64) float64 {
	switch {
	case p.has("END"):
		return p.metres("END")
	case p.has("LENGTH"):
		return start + p.metres("LENGTH")
	case without != without:
		p.keep(0, fmt.Errorf("the section in line %d lacks the key END or LENGTH", p.line))
	}
	return without
}

// positive notes a number that is not above 0.
func (p *parameters) positive(key string, v float64) float64 {
	if p.err == nil && !(v > 0) {
		p.err = fmt.Errorf("line %d: %s is %g; it must be above 0", p.values[key].line, key, v)
	}
	return v
}

// Types of 2D roads that are not read, and why.
var refusedRoads = map[string]string{
	"STOCHASTIC_UNEVEN": "its random numbers depend on its host; use a terrain of the kind iso8608",
	"DRUM":              "the surface of a drum moves below the tire, which a terrain does not",
	"USER":              "it calls a library of its host, which is not there",
}

// profiled makes a 2D road. Where readers differ, the road follows the documentation by the author of the format's
// first reader (2D roads of Adams Tire).
func (f *teimOrbit) profiled(kind string) (shape, []string, error) {
	section, err := f.section("PARAMETERS")
	if err != nil && kind == "FLAT" {
		section, err = &teimSection{}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	p := &parameters{teimSection: section}
	if p.length, err = f.unit("LENGTH"); err != nil {
		return nil, nil, err
	}
	if p.angle, err = f.unit("ANGLE"); err != nil {
		return nil, nil, err
	}
	r := &profiled{offset: p.keep(p.optional("OFFSET", p.length, 0)), friction: p.keep(p.optional("MU", 1, 1))}
	r.sin, r.cos = math.Sincos(p.keep(p.optional("ROTATION_ANGLE_XY_PLANE", p.angle, 0)))
	if p.err == nil && r.friction < 0 {
		p.err = fmt.Errorf("line %d: MU is %g; it must not be negative", p.values["MU"].line, r.friction)
	}
	warnings, err := r.readShape(p, kind)
	if err != nil {
		return nil, nil, err
	}
	if r.right == nil {
		r.right = r.left
	}
	return r, warnings, p.err
}

// readShape reads the heights along the road, and the heights of the right side where they differ.
func (r *profiled) readShape(p *parameters, kind string) (warnings []string, err error) {
	switch kind {
	case "FLAT":
		r.left = &table{x: []float64{0}, z: []float64{0}}
	case "PLANK":
		r.left = p.plank()
		direction := p.keep(p.optional("DIRECTION", p.angle, 0))
		if r.lean = math.Tan(direction); p.err == nil && math.Abs(direction) >= math.Pi/2 {
			p.err = fmt.Errorf("line %d: a plank of the DIRECTION %g degrees does not lie across the road; it must "+
				"be between -90 and 90 degrees", p.values["DIRECTION"].line, direction*180/math.Pi)
		}
	case "POT_HOLE":
		start, length, depth := p.metres("START"), p.positive("LENGTH", p.metres("LENGTH")), p.metres("DEPTH")
		if depth > 0 {
			warnings = append(warnings, fmt.Sprintf("line %d: the pot hole of positive DEPTH is a hole; some "+
				"readers take it for a bump", p.values["DEPTH"].line))
		}
		r.left = outline(start, 0, 0, 0, -math.Abs(depth), length, -math.Abs(depth), length, 0)
	case "RAMP":
		r.left = p.ramp()
	case "ROOF":
		start, length, height := p.metres("START"), p.positive("LENGTH", p.metres("LENGTH")), p.metres("HEIGHT")
		r.left = outline(start, 0, 0, length/2, height, length, 0)
	case "SINE":
		w := wave{start: p.metres("START"), from: p.metres("AMPLITUDE"),
			long: p.positive("WAVE_LENGTH", p.metres("WAVE_LENGTH"))}
		w.end = p.end(w.start, math.Inf(1))
		w.to, w.short = w.from, w.long
		r.left = &w
	case "SINE_SWEEP":
		r.left = p.sweep()
	case "POLY_LINE":
		r.left, r.right = p.polyLine()
	case "":
		return nil, errors.New("the section [MODEL] lacks the key ROAD_TYPE")
	default:
		if why, ok := refusedRoads[kind]; ok {
			return nil, fmt.Errorf("the ROAD_TYPE %s is not read: %s", kind, why)
		}
		return nil, fmt.Errorf("the ROAD_TYPE %s is unknown; there are FLAT, PLANK, POT_HOLE, RAMP, ROOF, "+
			"SINE, SINE_SWEEP and POLY_LINE", kind)
	}
	return warnings, nil
}

// sweep reads a wave whose length and amplitude change.
func (p *parameters) sweep() *wave {
	w := &wave{
		start: p.metres("START"), from: p.metres("AMPLITUDE_AT_START"), to: p.metres("AMPLITUDE_AT_END"),
		long:  p.positive("WAVE_LENGTH_AT_START", p.metres("WAVE_LENGTH_AT_START")),
		short: p.positive("WAVE_LENGTH_AT_END", p.metres("WAVE_LENGTH_AT_END")),
	}
	if w.end = p.end(w.start, math.NaN()); p.err == nil && !(w.end > w.start) {
		p.err = fmt.Errorf("the sweep ends at %g m, where it starts or before", w.end)
	}
	switch kind := p.keep(p.optional("SWEEP_TYPE", 1, 0)); kind {
	case 0, 1:
		w.logarithmic = kind == 1
	default:
		p.keep(0, fmt.Errorf("line %d: SWEEP_TYPE is %g; it must be 0 or 1", p.values["SWEEP_TYPE"].line, kind))
	}
	return w
}

// outline is a profile through pairs of distance from a start and height.
func outline(start float64, pairs ...float64) *table {
	t := &table{}
	for i := 0; i < len(pairs); i += 2 {
		t.x, t.z = append(t.x, start+pairs[i]), append(t.z, pairs[i+1])
	}
	return t
}

// plank is a beam of rectangular section with optional bevels of 45 degrees.
func (p *parameters) plank() *table {
	start, length, height := p.metres("START"), p.positive("LENGTH", p.metres("LENGTH")), p.metres("HEIGHT")
	bevel := p.keep(p.optional("BEVEL_EDGE_LENGTH", p.length, 0))
	if p.err == nil && !(bevel >= 0 && 2*bevel < length) {
		p.err = fmt.Errorf("line %d: BEVEL_EDGE_LENGTH is %g m; it must be between 0 and half of the length of %g m",
			p.values["BEVEL_EDGE_LENGTH"].line, bevel, length)
	}
	if bevel = min(bevel, math.Abs(height)); bevel == 0 {
		return outline(start, 0, 0, 0, height, length, height, length, 0)
	}
	edge := height - math.Copysign(bevel, height)
	if edge == 0 {
		return outline(start, 0, 0, bevel, height, length-bevel, height, length, 0)
	}
	return outline(start, 0, 0, 0, edge, bevel, height, length-bevel, height, length, edge, length, 0)
}

// ramp rises to a height with a slope, where 1 is 45 degrees, and then stays level. Alternatively it rises for a
// length, with a slope given as an angle, and drops at the end of its total length.
func (p *parameters) ramp() *table {
	start := p.metres("START")
	if p.has("LENGTH_RAMP") {
		angle := p.keep(p.number("SLOPE", p.angle))
		rise, total := p.positive("LENGTH_RAMP", p.metres("LENGTH_RAMP")), p.metres("LENGTH_TOTAL")
		switch {
		case p.err != nil:
		case !(total >= rise):
			p.err = fmt.Errorf("line %d: LENGTH_TOTAL is %g m, less than the LENGTH_RAMP of %g m",
				p.values["LENGTH_TOTAL"].line, total, rise)
		case !(math.Abs(angle) < math.Pi/2):
			p.err = fmt.Errorf("line %d: a ramp with LENGTH_RAMP has a SLOPE in the unit of angles; %g degrees are "+
				"too steep", p.values["SLOPE"].line, angle*180/math.Pi)
		}
		height := rise * math.Tan(angle)
		if total == rise {
			return outline(start, 0, 0, rise, height, rise, 0)
		}
		return outline(start, 0, 0, rise, height, total, height, total, 0)
	}
	height, slope := p.metres("HEIGHT"), p.keep(p.number("SLOPE", 1))
	if p.err == nil && !(slope > 0) {
		p.err = fmt.Errorf("line %d: SLOPE is %g; it must be above 0, and 1 for 45 degrees; a ramp that falls has a "+
			"negative HEIGHT", p.values["SLOPE"].line, slope)
	}
	if height == 0 {
		return outline(start, 0, 0)
	}
	return outline(start, 0, 0, math.Abs(height)/slope, height)
}

// polyLine reads the rows x, z_left, z_right.
func (p *parameters) polyLine() (left, right *table) {
	left, right = &table{}, &table{}
	for i, row := range p.sub["XZ_DATA"] {
		n := row.numbers
		switch {
		case len(n) != 3:
			p.keep(0, fmt.Errorf("line %d: %d numbers; a row of XZ_DATA has 3, x, z_left and z_right",
				row.line, len(n)))
			return left, right
		case i > 0 && !(n[0]*p.length > left.x[i-1]):
			p.keep(0, fmt.Errorf("line %d: x = %g after %g; x must increase", row.line, n[0], left.x[i-1]/p.length))
			return left, right
		}
		left.x, left.z = append(left.x, n[0]*p.length), append(left.z, n[1]*p.length)
		right.z = append(right.z, n[2]*p.length)
	}
	right.x = slices.Clone(left.x)
	if len(left.x) == 0 {
		p.keep(0, errors.New("a POLY_LINE needs rows of x, z_left and z_right in (XZ_DATA)"))
	}
	return left, right
}

// wave is a sine whose amplitude and wave length change from a start to an end; the road is level before and behind.
type wave struct {
	start, end  float64 // m
	from, to    float64 // amplitudes [m], linear in between
	long, short float64 // wave lengths at start and end [m]
	logarithmic bool    // the wave length is linear in the distance, instead of its inverse
}

// heightAt: the phase is the integral of 2 pi by the wave length,
//
//	2 pi (s/long + (1/short - 1/long) s^2/(2 length)), or
//	2 pi length/(short - long) ln(1 + (short - long) s/(long length))
func (w *wave) heightAt(s float64) (z, slope float64) {
	if s < w.start || s > w.end {
		return 0, 0
	}
	length := w.end - w.start
	s -= w.start
	phase, rate := 2*math.Pi*s/w.long, 2*math.Pi/w.long
	growth := 0.0
	if w.from != w.to {
		growth = (w.to - w.from) / length
	}
	switch {
	case w.long == w.short:
	case w.logarithmic:
		at := w.long + (w.short-w.long)*s/length
		phase, rate = 2*math.Pi*length/(w.short-w.long)*math.Log(at/w.long), 2*math.Pi/at
	default:
		change := (1/w.short - 1/w.long) / length
		phase += math.Pi * change * s * s
		rate += 2 * math.Pi * change * s
	}
	sin, cos := math.Sincos(phase)
	amplitude := w.from + growth*s
	return amplitude * sin, growth*sin + amplitude*rate*cos
}

// heightAt makes a table a profile.
func (t *table) heightAt(s float64) (z, slope float64) {
	p := t.at(Query{X: s})
	return p.Height, p.SlopeX
}

func (r *profiled) at(q Query) Point {
	u, v := float64(r.cos*q.X)+float64(r.sin*q.Y), float64(r.cos*q.Y)-float64(r.sin*q.X)
	side := r.right
	if v >= 0 {
		side = r.left
	}
	z, slope := side.heightAt(u + float64(r.lean*v))
	return Point{
		Height: z + r.offset + zero(q.X, q.Y), SlopeX: slope * (r.cos - float64(r.lean*r.sin)),
		SlopeY:   slope * (r.sin + float64(r.lean*r.cos)),
		Friction: r.friction, U: u, V: v,
	}
}
