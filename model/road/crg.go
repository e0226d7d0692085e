package road

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/bounded"
)

// crg is the surface of an OpenCRG file,
//
//	z = zref(u) + grid(u, v) + v banking(u),
//
// Here u runs along a reference line and v to its left, and zref is the height of the line, linear in u. The grid is
// bilinear in u and v; in the last term v stays within the borders of the grid.
type crg struct {
	line    referenceLine
	v       []float64 // of the long sections, from right to left [m]
	z       []float32 // heights above the line, cross-section by cross-section [m]; NaN: no ground
	height  []float64 // of the line, by cross-section [m]
	banking []float64 // by cross-section; nil without
	u, w    border    // beyond the ends, and beyond the right and left borders
	begin   float64   // length at the beginning over which the surface rises from the line [m]
	end     float64   // length at the end over which it falls to the line [m]
}

// border describes the surface beyond the borders of a grid.
type border struct {
	mode   borderMode
	offset float64 // added to heights beyond the border [m]
}

type borderMode int

const (
	borderNone    borderMode = iota // no ground
	borderZero                      // the offset alone
	borderKeep                      // the height at the border
	borderRepeat                    // the grid again
	borderReflect                   // the grid as in a mirror
)

// openCRG makes a surface of a CRG file and the files that it refers to. centred moves the beginning of its line to the
// origin, along x.
func openCRG(file string, data []byte, centred bool, read bounded.Files) (c *crg, warnings []string, err error) {
	f, err := parseCRG(file, data, read, new(int))
	if err != nil {
		return nil, nil, err
	}
	if f.data == nil {
		return nil, nil, errors.New("neither the file nor those that it refers to hold data")
	}
	c, warnings = &crg{}, f.warnings
	if centred {
		f.modifiers = centredModifiers(f.modifiers)
	}
	for _, step := range []func(*crgFile) error{c.sections, c.scale, c.fill, c.integrate, c.borders} {
		if err := step(f); err != nil {
			if len(f.warnings) > 0 { // a height that was left out may be the cause
				err = fmt.Errorf("%w; %s", err, f.warnings[0])
			}
			return nil, nil, err
		}
	}
	c.move(f.modifiers)
	if err := c.line.check(); err != nil {
		return nil, nil, err
	}
	if i := slices.IndexFunc(c.height, func(z float64) bool { return z-z != 0 }); i >= 0 {
		return nil, nil, fmt.Errorf("the reference line has no height at its point %d", i+1)
	}
	c.line.arrange()
	if folded := c.line.describeFolds(); folded != "" {
		warnings = append(warnings, folded)
	}
	if seam := c.describeSeam(); seam != "" {
		warnings = append(warnings, seam)
	}
	return c, warnings, nil
}

// highestSeam is the step at the seam of a closed track above which it is worth a warning [m].
const highestSeam = 0.02

// describeSeam describes doubtful properties of the seam of a closed track: a step in its height, or long straight
// lines where the file has no road; "" for none.
func (c *crg) describeSeam() string {
	l := &c.line
	if !l.closure.closed() {
		return ""
	}
	highest, at := 0.0, 0.0
	for _, v := range c.v {
		end, _, _, there := c.heightAt(l.u0+l.length()*(1-1e-12), v)
		begin, _, _, here := c.heightAt(l.u0, v)
		if step := math.Abs(end - begin); there && here && step > highest {
			highest, at = step, v
		}
	}
	switch {
	case highest > highestSeam:
		return fmt.Sprintf("the closed track has a step of %.3g m at its seam, at v = %g m; are its last and its first "+
			"cross-section neighbours?", highest, at)
	case max(l.closure.before, l.closure.behind) > l.du:
		return fmt.Sprintf("the ends of the closed track are %.3g m apart and continue straight until they meet",
			l.closure.before+l.closure.behind)
	}
	return ""
}

// centredModifiers replaces modifiers of the position of a road.
func centredModifiers(m crgBlock) crgBlock {
	centred := crgBlock{"REFPOINT_U_FRACTION": 0}
	for name, v := range m {
		if !strings.HasPrefix(name, "REF") {
			centred[name] = v
		}
	}
	if m == nil {
		centred["GRID_NAN_MODE"] = nanKeepLast
	}
	return centred
}

// leastSpacing is the least distance of long sections [m].
const leastSpacing = 1e-6

// sections finds where the long sections lie.
func (c *crg) sections(f *crgFile) error {
	d := f.data
	n := len(d.sections)
	if n < 2 {
		return fmt.Errorf("the block $KD_DEFINITION defines %d long sections; 2 are needed", n)
	}
	numbered := d.channels[d.sections[0]].kind == decimaled
	for i, k := range d.sections {
		if (d.channels[k].kind == decimaled) != numbered {
			return errors.New("some long sections are numbered, others have a v; all must be of one kind")
		}
		if numbered && d.channels[k].position != float64(i+1) {
			return fmt.Errorf("the long sections are not numbered from 1 to %d: there is a number %g", n,
				d.channels[k].position)
		}
		c.v = append(c.v, d.channels[k].position)
	}
	if numbered {
		right, spacing := f.road.number("LONG_SECTION_V_RIGHT", math.NaN()),
			f.road.number("LONG_SECTION_V_INCREMENT", math.NaN())
		left := f.road.number("LONG_SECTION_V_LEFT", math.NaN())
		whole := float64(n - 1)
		switch {
		case right == right && left == left:
			if implied := (left - right) / whole; spacing == spacing &&
				math.Abs(spacing-implied) > 1e-3*math.Abs(implied) {
				return fmt.Errorf("LONG_SECTION_V_INCREMENT is %g m; from LONG_SECTION_V_RIGHT to "+
					"LONG_SECTION_V_LEFT %d sections have distances of %g m", spacing, n, implied)
			}
			spacing = (left - right) / whole
		case spacing != spacing:
			return errors.New("numbered long sections need LONG_SECTION_V_RIGHT and LONG_SECTION_V_LEFT, or " +
				"LONG_SECTION_V_INCREMENT")
		case right == right:
		case left == left:
			right = left - whole*spacing
		default:
			right = -whole / 2 * spacing
		}
		for i := range c.v {
			c.v[i] = right + float64(i)*spacing
		}
	}
	for i := 1; i < n; i++ {
		if !(c.v[i]-c.v[i-1] >= leastSpacing) {
			return fmt.Errorf("long sections at v = %g m and %g m are too near; they must be %g m apart or more",
				c.v[i-1], c.v[i], leastSpacing)
		}
	}
	return nil
}

// scale applies the factors of the modifiers.
func (c *crg) scale(f *crgFile) error {
	m := f.modifiers
	for _, name := range []string{"SCALE_Z_GRID", "SCALE_SLOPE", "SCALE_BANKING"} {
		if m.has(name) && m[name] == 0 {
			return fmt.Errorf("%s is 0: readers differ in whether that means 0 or no scaling; take the line out", name)
		}
	}
	for _, name := range []string{"SCALE_LENGTH", "SCALE_WIDTH"} {
		if !(m.number(name, 1) > 0) {
			return fmt.Errorf("%s is %g; it must be above 0", name, m[name])
		}
	}
	d := f.data
	for _, s := range []struct {
		name   string
		values []float64
	}{{"SCALE_SLOPE", d.slope}, {"SCALE_BANKING", d.banking}, {"SCALE_WIDTH", c.v}} {
		for i := range s.values {
			s.values[i] *= m.number(s.name, 1)
		}
	}
	if factor := float32(m.number("SCALE_Z_GRID", 1)); factor != 1 {
		for i := range d.z {
			if d.z[i] *= factor; math.Abs(float64(d.z[i])) > highest {
				return fmt.Errorf("by SCALE_Z_GRID = %g heights become %g m; at most %g m are allowed",
					m["SCALE_Z_GRID"], d.z[i], highest)
			}
		}
	}
	if m.has("SCALE_CURVATURE") && len(d.phi) > 1 {
		first := f.road.number("REFERENCE_LINE_START_PHI", d.phi[1])
		for i := range d.phi {
			d.phi[i] = first + m["SCALE_CURVATURE"]*(d.phi[i]-first)
		}
	}
	c.z = d.z
	return nil
}

// Values of GRID_NAN_MODE.
const (
	nanKeep     = 0
	nanZero     = 1
	nanKeepLast = 2
)

// fill replaces missing heights at the borders of cross-sections. A file without modifiers has
// the last height there; where modifiers say nothing they stay missing.
func (c *crg) fill(f *crgFile) error {
	mode, offset := float64(nanKeepLast), f.modifiers.number("GRID_NAN_OFFSET", 0)
	if f.modifiers != nil {
		mode = f.modifiers.number("GRID_NAN_MODE", nanKeep)
	}
	if mode != nanKeep && mode != nanZero && mode != nanKeepLast {
		return fmt.Errorf("GRID_NAN_MODE is %g; it must be 0, 1 or 2", mode)
	}
	n := len(c.v)
	for i := range f.data.count {
		row := c.z[i*n : (i+1)*n]
		present := func(z float32) bool { return z == z }
		first := slices.IndexFunc(row, present)
		if first < 0 {
			if mode == nanKeepLast {
				return fmt.Errorf("cross-section %d has no heights; give it some, or set GRID_NAN_MODE", i+1)
			}
			first = n
		}
		last := n - 1
		for last >= first && !present(row[last]) {
			last--
		}
		for k := range row {
			switch {
			case present(row[k]):
			case k > first && k < last:
				return fmt.Errorf("cross-section %d has a hole at v = %g m, between heights; fill it", i+1, c.v[k])
			case mode == nanZero:
				row[k] = float32(offset)
			case mode == nanKeepLast && k < first:
				row[k] = row[first] + float32(offset)
			case mode == nanKeepLast:
				row[k] = row[last] + float32(offset)
			}
		}
	}
	return nil
}

// integrate finds the reference line: from headings its points, from slopes its heights, each
// from the beginning; where the end is known too, the error is spread along the line.
func (c *crg) integrate(f *crgFile) error {
	road, d, m := f.road, f.data, f.modifiers
	n := d.count
	l := &c.line
	l.u0, l.du = road.number("REFERENCE_LINE_START_U", 0), road["REFERENCE_LINE_INCREMENT"]*m.number("SCALE_LENGTH", 1)
	l.right, l.left = c.v[0], c.v[len(c.v)-1]
	l.x, l.y, c.height = make([]float64, n), make([]float64, n), make([]float64, n)
	profile := func(channel []float64, first, last string) func(i int) float64 {
		if len(channel) > 0 {
			return func(i int) float64 { return channel[i] }
		}
		start := road.number(first, 0)
		end := road.number(last, start)
		return func(i int) float64 { return start + float64(i)/float64(n-1)*(end-start) }
	}
	heading := func(i int) float64 { return road.number("REFERENCE_LINE_START_PHI", 0) }
	if len(d.phi) > 0 {
		heading = func(i int) float64 { return d.phi[i] }
	}
	slope := profile(d.slope, "REFERENCE_LINE_START_S", "REFERENCE_LINE_END_S")
	banking := profile(d.banking, "REFERENCE_LINE_START_B", "REFERENCE_LINE_END_B")
	if len(d.slope) == 0 {
		s, factor := slope, m.number("SCALE_SLOPE", 1)
		slope = func(i int) float64 { return factor * s(i) }
	}
	if len(d.banking) == 0 {
		b, factor := banking, m.number("SCALE_BANKING", 1)
		banking = func(i int) float64 { return factor * b(i) }
	}
	for i := 1; i < n; i++ {
		p, s := heading(i), slope(i)
		for _, v := range []float64{p, s} {
			if v-v != 0 {
				return fmt.Errorf("cross-section %d has no heading or no slope", i+1)
			}
		}
		l.x[i], l.y[i] = l.x[i-1]+l.du*math.Cos(p), l.y[i-1]+l.du*math.Sin(p)
		c.height[i] = c.height[i-1] + l.du*s
	}
	if err := c.close(f); err != nil {
		return err
	}
	bank := make([]float64, n)
	for i := range bank {
		bank[i] = banking(i)
	}
	// the value of the first cross-section is not used in files that count it among the unused ones
	if bank[0] != bank[0] && n > 1 {
		bank[0] = bank[1]
	}
	if i := slices.IndexFunc(bank, func(b float64) bool { return b-b != 0 }); i >= 0 {
		return fmt.Errorf("cross-section %d has no banking", i+1)
	}
	if slices.ContainsFunc(bank, func(b float64) bool { return b != 0 }) {
		c.banking = bank
	}
	return nil
}

// close shifts the line to its beginning or end, and spreads the difference where both are given.
func (c *crg) close(f *crgFile) error {
	n := len(c.height)
	road, m := f.road, f.modifiers
	allowed := f.options.number("CHECK_TOL", 1e-4) + f.options.number("CHECK_EPS", 1e-6)*c.line.length()
	for _, axis := range []struct {
		name     string
		at       []float64
		unknowns []string // modifiers that move the given end
	}{
		{"X", c.line.x, []string{"SCALE_LENGTH", "SCALE_CURVATURE"}},
		{"Y", c.line.y, []string{"SCALE_LENGTH", "SCALE_CURVATURE"}},
		{"Z", c.height, []string{"SCALE_LENGTH", "SCALE_SLOPE"}},
	} {
		first, last := "REFERENCE_LINE_START_"+axis.name, "REFERENCE_LINE_END_"+axis.name
		start, end := road.number(first, 0), road.number(last, 0)
		total, spread := axis.at[n-1], 0.0
		switch {
		case !road.has(last) || m.has(axis.unknowns...):
		case !road.has(first):
			start = end - total
		default:
			if spread = end - start - total; math.Abs(spread) > allowed {
				return fmt.Errorf("the reference line ends at %s = %g m; from %s it leads to %g m, and the "+
					"difference may be %.2g m; correct %s, take it out, or raise CHECK_TOL in $ROAD_CRG_OPTS",
					axis.name, end, first, start+total, allowed, last)
			}
		}
		for i := range axis.at {
			axis.at[i] += start + float64(i)/float64(n-1)*spread
		}
	}
	return nil
}

// borders reads the options of evaluation.
func (c *crg) borders(f *crgFile) error {
	o := f.options
	for _, b := range []struct {
		at   *border
		axis string
	}{{&c.u, "U"}, {&c.w, "V"}} {
		mode := o.number("BORDER_MODE_"+b.axis, float64(borderKeep))
		if !slices.Contains([]float64{0, 1, 2, 3, 4}, mode) {
			return fmt.Errorf("BORDER_MODE_%s is %g; it must be 0, 1, 2, 3 or 4", b.axis, mode)
		}
		*b.at = border{borderMode(mode), o.number("BORDER_OFFSET_"+b.axis, 0)}
	}
	l := &c.line
	c.begin, c.end = o.number("BORDER_SMOOTH_UBEG", 0), o.number("BORDER_SMOOTH_UEND", 0)
	if !(c.begin >= 0 && c.end >= 0 && c.begin <= l.length() && c.end <= l.length()) {
		return fmt.Errorf("BORDER_SMOOTH_UBEG is %g m and BORDER_SMOOTH_UEND %g m; they must be between 0 and the "+
			"length of %g m", c.begin, c.end, l.length())
	}
	switch o.number("REFLINE_CONTINUATION", 0) {
	case 0:
	case 1:
		return l.close()
	default:
		return fmt.Errorf("REFLINE_CONTINUATION is %g; it must be 0 or 1", o["REFLINE_CONTINUATION"])
	}
	return nil
}

// move puts the road where modifiers want it: a point of the grid to a place, with a heading, or
// the whole line by an angle and an offset.
func (c *crg) move(m crgBlock) {
	l := &c.line
	pivotX, pivotY := l.x[0], l.y[0]
	var angle, dx, dy, dz float64
	if slices.ContainsFunc(crgNames[crgModifiers].known,
		func(name string) bool { return strings.HasPrefix(name, "REFPOINT_") && m.has(name) }) {
		width := l.left - l.right
		u := m.number("REFPOINT_U", l.u0+m.number("REFPOINT_U_FRACTION", 0)*l.length()) +
			m.number("REFPOINT_U_OFFSET", 0)
		v := m.number("REFPOINT_V", 0)
		if m.has("REFPOINT_V_FRACTION") {
			v = l.right + m["REFPOINT_V_FRACTION"]*width
		}
		v += m.number("REFPOINT_V_OFFSET", 0)
		x, y, heading := c.line.point(u, v)
		z, _, _, _ := c.heightAt(u, v)
		pivotX, pivotY = x, y
		angle = m.number("REFPOINT_PHI", 0) - heading
		dx, dy, dz = m.number("REFPOINT_X", 0)-x, m.number("REFPOINT_Y", 0)-y, m.number("REFPOINT_Z", 0)-z
	} else {
		pivotX, pivotY = m.number("REFLINE_ROTCENTER_X", pivotX), m.number("REFLINE_ROTCENTER_Y", pivotY)
		angle = m.number("REFLINE_OFFSET_PHI", 0)
		dx, dy, dz = m.number("REFLINE_OFFSET_X", 0), m.number("REFLINE_OFFSET_Y", 0), m.number("REFLINE_OFFSET_Z", 0)
	}
	sin, cos := math.Sincos(angle)
	for i := range l.x {
		x, y := l.x[i]-pivotX, l.y[i]-pivotY
		l.x[i], l.y[i] = pivotX+dx+cos*x-sin*y, pivotY+dy+sin*x+cos*y
		c.height[i] += dz
	}
}

// heightAt returns the height at u and v [m] and its derivatives; no ground where there is none.
func (c *crg) heightAt(u, v float64) (z, zu, zv float64, ground bool) {
	l := &c.line
	intervals, length := float64(len(c.height)-1), l.length()
	along := u - l.u0
	if l.closure.closed() {
		along = modulo(along+l.closure.before, l.period()) - l.closure.before
	}
	along, du, beyondU := c.u.within(along, length)
	across, dv, beyondV := c.w.within(v-l.right, l.left-l.right)
	offset := 0.0
	if beyondU || beyondV {
		if beyondU && c.u.mode == borderNone || beyondV && c.w.mode == borderNone {
			return 0, 0, 0, false
		}
		if beyondU {
			offset += c.u.offset
		}
		if beyondV {
			offset += c.w.offset
		}
		if beyondU && c.u.mode == borderZero || beyondV && c.w.mode == borderZero {
			return offset, 0, 0, true
		}
	}
	s := along / l.du
	i := int(min(s, intervals-1))
	s -= float64(i)
	j, t, width := c.section(l.right + across)
	n := len(c.v)
	lower, upper := c.z[i*n+j:i*n+j+2], c.z[(i+1)*n+j:(i+1)*n+j+2]
	z00, z01, z10, z11 := float64(lower[0]), float64(lower[1]), float64(upper[0]), float64(upper[1])
	at, next := z00+float64(t*(z01-z00)), z10+float64(t*(z11-z10))
	z = at + float64(s*(next-at))
	if z != z {
		return 0, 0, 0, false
	}
	zu = next - at + c.height[i+1] - c.height[i]
	zv = dv * ((z01 - z00) + float64(s*((z11-z10)-(z01-z00)))) / width
	z += c.height[i] + float64(s*(c.height[i+1]-c.height[i]))
	if c.banking != nil {
		banked := max(l.right, min(l.left, v))
		rise := c.banking[i+1] - c.banking[i]
		b := c.banking[i] + float64(s*rise)
		z += float64(banked * b)
		zu += float64(banked * rise)
		if !beyondV {
			zv += b
		}
	}
	zu *= du / l.du
	z, zu, zv = fade(c.begin, z, zu, zv, du, along, c.height[0])
	z, zu, zv = fade(c.end, z, zu, zv, -du, length-along, c.height[len(c.height)-1])
	return z + offset, zu, zv, true
}

// fade blends a height and its slopes into the height at an end of the road, over the distance length from that end. du
// is the slope of the distance.
func fade(length, z, zu, zv, du, distance, base float64) (float64, float64, float64) {
	if !(distance < length) {
		return z, zu, zv
	}
	share := distance / length
	zu = float64(share*zu) + du*(z-base)/length
	return base + float64(share*(z-base)), zu, zv * share
}

// within maps a position s relative to the border to one between 0 and the length, with the
// derivative.
func (b *border) within(s, length float64) (inside, derivative float64, beyond bool) {
	if s >= 0 && s <= length {
		return s, 1, false
	}
	switch b.mode {
	case borderRepeat:
		return modulo(s, length), 1, true
	case borderReflect:
		if s = modulo(s, 2*length); s > length {
			return 2*length - s, -1, true
		}
		return s, 1, true
	}
	return max(0, min(length, s)), 0, true
}

// modulo returns s modulo a length, from 0 on.
func modulo(s, length float64) float64 {
	if s = math.Mod(s, length); s < 0 {
		s += length
	}
	return s
}

// section returns the interval of v among the long sections, where in it v is, and its width.
func (c *crg) section(v float64) (j int, share, width float64) {
	last := len(c.v) - 2
	j = int(max(0, min(float64(last), float64(last+1)*(v-c.v[0])/(c.v[last+1]-c.v[0])))) // of equal sections
	for j > 0 && v < c.v[j] {
		j--
	}
	for j < last && v >= c.v[j+1] {
		j++
	}
	width = c.v[j+1] - c.v[j]
	return j, (v - c.v[j]) / width, width
}

// locate finds a position on the line.
func (c *crg) locate(q Query) lineCoordinates {
	l := &c.line
	if q.Near == q.Near {
		if k, ok := l.walk(l.chord(q.Near), q.X, q.Y); ok {
			if p := l.on(k, q.X, q.Y); l.inside(&p) {
				return p
			}
		}
		return l.search(q.X, q.Y, func(p lineCoordinates) float64 {
			distance := math.Abs(p.u - q.Near)
			if l.closure.closed() {
				distance = min(distance, math.Abs(l.period()-distance))
			}
			return distance
		})
	}
	return l.search(q.X, q.Y, func(p lineCoordinates) float64 {
		z, _, _, _ := c.heightAt(p.u, p.v)
		if z > q.Above {
			return 3*highest + z // behind all that is below
		}
		return -z
	})
}

func (c *crg) at(q Query) Point {
	p := c.locate(q)
	if beyond := 0 * (p.u + p.v); beyond != 0 {
		return Point{Height: beyond, Friction: 1, U: q.Near}
	}
	z, zu, zv, ground := c.heightAt(p.u, p.v)
	return Point{Height: z, SlopeX: float64(zu*p.ux) + float64(zv*p.vx), SlopeY: float64(zu*p.uy) + float64(zv*p.vy),
		Friction: 1, U: p.u, V: p.v, NoGround: !ground}
}
