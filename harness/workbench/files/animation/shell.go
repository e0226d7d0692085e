package animation

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// Shell is the outside of a body as flat faces at a frame: of a vehicle around its wheels, or of a trailer.
type Shell struct {
	Frame  int      `json:"frame"`
	Kind   string   `json:"kind"` // sedan, van, truck, formula, box, trailer
	Eye    vector   `json:"eye"`  // of the driver
	Points []vector `json:"points"`
	Faces  []Face   `json:"faces"`
}

// Face is a flat, convex face. Its points go round counter-clockwise, seen from outside.
type Face struct {
	Points []int  `json:"p"`
	Paint  string `json:"c"`           // paint, glass, dark, lamp, tail, metal
	Over   bool   `json:"o,omitempty"` // it lies on another face
}

// shellWheel is a wheel in the axes of the chassis.
type shellWheel struct {
	at            vector
	radius, width float64
}

// shellMaker builds a shell. x is forward, y to the left, z up, and road is the height of the road.
type shellMaker struct {
	*Shell
	outline *roles.Outline
	wheels  []shellWheel
	road    float64
	radius  float64 // of the largest wheel
	front   float64 // of the foremost axle
	rear    float64 // of the rearmost axle
}

// shell adds the shells of a vehicle and its trailers. Without an outline in the roles, the outline follows from the
// wheels: of vehicles with roles, trucks and combinations. There is no shell where a unit or a wheel was not recorded,
// and no trailer without a vehicle.
func (s *Scene) shell(m *vehicle.Model, known map[string]pose, number func(frame string) int) {
	list, named := units(m, known)
	for i, u := range list {
		b := &shellMaker{Shell: &Shell{}, front: math.Inf(-1), rear: math.Inf(1), wheels: u.wheels}
		if i > 0 {
			if both, _ := u.sides(); both && s.Shell != nil && b.measure() {
				b.trailer(u)
				b.Frame = number(u.frame)
				s.Trailers = append(s.Trailers, b.Shell)
			}
			continue
		}
		axles := 0
		if named {
			b.outline, axles = m.Roles.Outline, len(m.Roles.Axles)
		}
		if b.outline != nil && !b.inside(m, u, known) {
			return
		}
		if len(b.wheels) < 3 || !b.measure() {
			continue
		}
		if b.outline == nil {
			both, half := u.sides()
			if !both || !named && !u.tows && b.radius <= largeWheel {
				continue
			}
			b.outline = b.around(half, u.tows)
		}
		kind := b.kind(axles)
		if named && m.Roles.Shell != "" {
			kind = m.Roles.Shell
		}
		b.build(kind, u.tows)
		b.Frame = number(u.frame)
		if s.Shell = b.Shell; !named {
			s.Chassis = b.Frame
		}
	}
}

// inside takes the wheels of the axles of the roles that are within the outline: wheels of trailers stand behind it.
func (b *shellMaker) inside(m *vehicle.Model, u *unit, known map[string]pose) bool {
	b.wheels = nil
	for _, axle := range m.Roles.Axles {
		for _, w := range axle.Wheels() {
			frame, radius, width := wheelOf(m, w.Tire)
			at, found := known[frame]
			if !found || radius == 0 {
				return false
			}
			b.wheels = append(b.wheels, shellWheel{u.back.then(at).r, radius, width})
		}
	}
	b.wheels = slices.DeleteFunc(b.wheels, func(w shellWheel) bool {
		return w.at[0] > b.outline.Front || w.at[0] < -b.outline.Rear
	})
	return true
}

// measure finds the axles, the largest wheel and the road, if there are wheels.
func (b *shellMaker) measure() bool {
	for _, w := range b.wheels {
		b.radius = max(b.radius, w.radius)
		b.road += (w.at[2] - w.radius) / float64(len(b.wheels))
		b.front, b.rear = max(b.front, w.at[0]), min(b.rear, w.at[0])
	}
	return len(b.wheels) > 0
}

// around is an outline about wheels, which reach half as far to each side. Usual vehicles have these overhangs.
func (b *shellMaker) around(half float64, tows bool) *roles.Outline {
	const beside = 1.02
	o := &roles.Outline{Width: 2 * beside * half}
	switch wheelbase := b.front - b.rear; {
	case b.radius <= largeWheel:
		o.Front, o.Rear = b.front+0.31*wheelbase, 0.37*wheelbase-b.rear
	case tows:
		o.Front, o.Rear = b.front+2.7*b.radius, 1.5*b.radius-b.rear
	default:
		o.Front, o.Rear = b.front+2.7*b.radius, 3.4*b.radius-b.rear
	}
	return o
}

// wheelOf is the frame of a wheel, its radius and its width.
func wheelOf(m *vehicle.Model, name string) (frame string, radius, width float64) {
	for _, c := range m.Components {
		if c.Head().Name != name {
			continue
		}
		if w, is := c.(component.Wheeled); is {
			return w.Wheel().Frame, w.Wheel().Radius.Value, widthOf(c)
		}
	}
	return "", 0, 0
}

// Sizes that decide the kind of body [m].
const (
	largeWheel = 0.42 // radius of wheels of trucks
	smallWheel = 0.27 // of racing cars with open wheels
	highCentre = 0.7  // height of the chassis of vans
)

// build makes the shell of a kind.
func (b *shellMaker) build(kind string, tows bool) {
	switch b.Kind = kind; kind {
	case "truck":
		b.truck(tows)
	case "formula":
		b.formula()
	case "van":
		b.van()
	case "box":
		b.plain()
	default:
		b.sedan()
	}
	b.Eye[2] += b.road
}

// kind is the kind of a body on axles.
func (b *shellMaker) kind(axles int) string {
	switch {
	case b.radius > largeWheel || axles > 3:
		return "truck"
	case b.radius < smallWheel:
		return "formula"
	case -b.road > highCentre:
		return "van"
	}
	return "sedan"
}

// face adds a face by its points.
func (b *shellMaker) face(paint string, points ...vector) {
	f := Face{Paint: paint}
	for _, p := range points {
		p[2] += b.road
		i := slices.Index(b.Points, p)
		if i < 0 {
			i, b.Points = len(b.Points), append(b.Points, p)
		}
		if !slices.Contains(f.Points, i) {
			f.Points = append(f.Points, i)
		}
	}
	if len(f.Points) > 2 {
		b.Faces = append(b.Faces, f)
	}
}

// over adds faces that lie on others.
func (b *shellMaker) over(add func()) {
	before := len(b.Faces)
	add()
	for i := range b.Faces[before:] {
		b.Faces[before+i].Over = true
	}
}

// both adds a face of the left side, and its mirror image on the right.
func (b *shellMaker) both(paint string, points ...vector) {
	b.face(paint, points...)
	mirrored := slices.Clone(points)
	slices.Reverse(mirrored)
	for i := range mirrored {
		mirrored[i][1] = -mirrored[i][1]
	}
	b.face(paint, mirrored...)
}

// box adds a box between two corners: low has the smaller coordinates.
func (b *shellMaker) box(paint string, low, high vector) {
	at := func(x, y, z int) vector {
		p := low
		for k, upper := range [...]int{x, y, z} {
			if upper == 1 {
				p[k] = high[k]
			}
		}
		return p
	}
	b.face(paint, at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1))
	b.face(paint, at(0, 1, 0), at(0, 0, 0), at(0, 0, 1), at(0, 1, 1))
	b.face(paint, at(1, 1, 0), at(0, 1, 0), at(0, 1, 1), at(1, 1, 1))
	b.face(paint, at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1))
	b.face(paint, at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1))
	b.face("dark", at(0, 1, 0), at(1, 1, 0), at(1, 0, 0), at(0, 0, 0))
}

// section is a cross-section of a body: half widths and heights of its lower and upper edge.
type section struct{ x, low, top, below, above float64 }

// loft adds the skin over sections, from the rear to the front: sides, top and bottom.
func (b *shellMaker) loft(paint string, sections []section) {
	for i := 1; i < len(sections); i++ {
		r, f := sections[i-1], sections[i]
		b.both(paint, vector{f.x, f.below, f.low}, vector{r.x, r.below, r.low}, vector{r.x, r.above, r.top},
			vector{f.x, f.above, f.top})
		b.face(paint, vector{r.x, -r.above, r.top}, vector{f.x, -f.above, f.top}, vector{f.x, f.above, f.top},
			vector{r.x, r.above, r.top})
		b.face("dark", vector{r.x, r.below, r.low}, vector{f.x, f.below, f.low}, vector{f.x, -f.below, f.low},
			vector{r.x, -r.below, r.low})
	}
	f, r := sections[len(sections)-1], sections[0]
	b.face(paint, vector{f.x, -f.below, f.low}, vector{f.x, f.below, f.low}, vector{f.x, f.above, f.top},
		vector{f.x, -f.above, f.top})
	b.face(paint, vector{r.x, r.below, r.low}, vector{r.x, -r.below, r.low}, vector{r.x, -r.above, r.top},
		vector{r.x, r.above, r.top})
}

// line is a polygonal line: its height at x, with x falling from point to point.
type line [][2]float64

func (l line) at(x float64) float64 {
	for i := 1; i < len(l); i++ {
		if a, b := l[i-1], l[i]; x >= b[0] {
			return a[1] + (b[1]-a[1])*min(1, max(0, (a[0]-x)/(a[0]-b[0])))
		}
	}
	return l[len(l)-1][1]
}

// sedan is a car with a bonnet, a cabin and a boot, and arches over its wheels.
func (b *shellMaker) sedan() {
	o, wheelbase := b.outline, b.front-b.rear
	half := b.halfOver()
	height := max(0.83*o.Width, 2.2*b.radius)
	sill := 0.55 * b.radius
	screen, roofFront := b.front-0.2*wheelbase, b.front-0.47*wheelbase
	roofRear, window := b.rear+0.22*wheelbase, b.rear-0.1*wheelbase
	belt := line{{o.Front, 0.4 * height}, {o.Front - 0.1, 0.47 * height}, {o.Front - 0.45, 0.54 * height},
		{screen, 0.62 * height}, {window, 0.65 * height}, {-o.Rear + 0.08, 0.63 * height}, {-o.Rear, 0.55 * height}}
	plan := line{{o.Front, 0.74 * half}, {o.Front - 0.16, 0.9 * half}, {o.Front - 0.5, half}, {-o.Rear + 0.5, half},
		{-o.Rear + 0.14, 0.92 * half}, {-o.Rear, 0.8 * half}}
	b.skin("paint", sill, belt, plan, 0.95)
	b.Eye = vector{screen - 0.32*wheelbase, 0.4 * half, 0.83 * height}
	b.cabin([4]float64{screen, roofFront, roofRear, window}, belt, height, 0.9*half, 0.68*half)
	b.over(func() { b.lamps(0.74*half, 0.8*half, 0.3*height, 0.38*height, 0.42*height, 0.52*height) })
}

// skin adds a body between a sill and a line above, as wide as a plan, whose upper edge is narrower by a factor. It has
// arches over the wheels.
func (b *shellMaker) skin(paint string, sill float64, above, plan line, narrower float64) {
	const (
		arch  = 1.14 // by the radius of the wheel
		steps = 8
	)
	low := func(x float64) float64 {
		z := sill
		for _, w := range b.wheels {
			if d := x - w.at[0]; math.Abs(d) < (1-1e-9)*arch*w.radius { // the sill goes on at the ends
				z = max(z, w.radius+math.Sqrt(arch*arch*w.radius*w.radius-d*d))
			}
		}
		return min(z, above.at(x)-0.04)
	}
	var stations []float64
	for _, l := range []line{above, plan} {
		for _, p := range l {
			stations = append(stations, p[0])
		}
	}
	for _, w := range b.wheels {
		for k := range steps + 1 {
			stations = append(stations, w.at[0]-arch*w.radius*math.Cos(math.Pi*float64(k)/steps))
		}
	}
	slices.Sort(stations)
	var sections []section
	for _, x := range stations {
		if k := len(sections); k > 0 && x-sections[k-1].x < 0.02 || x < -b.outline.Rear || x > b.outline.Front {
			continue
		}
		y := plan.at(x)
		sections = append(sections, section{x, low(x), above.at(x), y, narrower * y})
	}
	b.loft(paint, sections)
}

// cabin adds the windows and the roof: screen, begin and end of the roof, and rear window along x.
func (b *shellMaker) cabin(x [4]float64, belt line, height, base, roof float64) {
	const frame = 0.05 // of windows
	at := func(k int, y, z float64) vector { return vector{x[k], y, z} }
	screen, window := belt.at(x[0]), belt.at(x[3])
	b.face("glass", at(0, -base, screen), at(0, base, screen), at(1, roof, height), at(1, -roof, height))
	b.face("glass", at(3, base, window), at(3, -base, window), at(2, -roof, height-frame), at(2, roof, height-frame))
	b.face("paint", at(2, -roof, height-frame), at(1, -roof, height), at(1, roof, height), at(2, roof, height-frame))
	// a side is not flat: its strips and windows are parts of one surface
	side := func(s, up, out float64) vector { // s along from the screen, up from the belt
		low := vector{x[0] + (x[3]-x[0])*s, base, screen + (window-screen)*s}
		high := vector{x[1] + (x[2]-x[1])*s, roof, height - frame*s}
		p := vector{}
		for k := range p {
			p[k] = low[k] + (high[k]-low[k])*up
		}
		p[1] += out
		return p
	}
	strips := [...]float64{0, 0.07, 0.28, 0.5, 0.54, 0.73, 0.92, 1}
	for i := 1; i < len(strips); i++ {
		f, r := strips[i-1], strips[i]
		b.both("paint", side(f, 0, 0), side(r, 0, 0), side(r, 1, 0), side(f, 1, 0))
		if i == 1 || i == 4 || i == 7 { // pillars
			continue
		}
		const out = 0.006
		b.over(func() {
			b.both("glass", side(f, 0.08, out), side(r, 0.08, out), side(r, 0.88, out), side(f, 0.88, out))
		})
	}
}

// lamps adds lamps and a grille at half widths and heights of the front and the rear.
func (b *shellMaker) lamps(front, rear, low, high, lowRear, highRear float64) {
	const ahead = 0.006
	x := b.outline.Front + ahead
	b.both("lamp", vector{x, 0.55 * front, low}, vector{x, 0.92 * front, low}, vector{x, 0.92 * front, high},
		vector{x, 0.55 * front, high})
	b.face("dark", vector{x, -0.48 * front, 0.7 * low}, vector{x, 0.48 * front, 0.7 * low},
		vector{x, 0.48 * front, high}, vector{x, -0.48 * front, high})
	x = -b.outline.Rear - ahead
	b.both("tail", vector{x, 0.95 * rear, lowRear}, vector{x, 0.6 * rear, lowRear}, vector{x, 0.6 * rear, highRear},
		vector{x, 0.95 * rear, highRear})
}

// van is a car with a short bonnet and one volume behind it.
func (b *shellMaker) van() {
	const (
		narrower = 0.93 // the roof
		out      = 0.008
	)
	o := b.outline
	half, height := b.halfOver(), max(1.12*o.Width, 3.2*b.radius)
	front := o.Front
	screen, roof := front-0.62, front-1.3 // begin and end of the windscreen
	above := line{{front, 0.4 * height}, {front - 0.06, 0.46 * height}, {screen, 0.6 * height}, {roof, 0.97 * height},
		{roof - 0.5, height}, {-o.Rear + 0.15, height}, {-o.Rear, 0.97 * height}}
	plan := line{{front, 0.82 * half}, {front - 0.25, 0.94 * half}, {screen, half}, {-o.Rear + 0.1, half},
		{-o.Rear, 0.97 * half}}
	sill := 0.55 * b.radius
	b.skin("paint", sill, above, plan, narrower)
	b.Eye = vector{roof - 0.2, 0.4 * half, 0.8 * height}
	b.over(func() {
		pane := func(share float64) (x, z float64) { // along the windscreen, upward
			return screen + (roof-screen)*share + out, (0.6+0.37*share)*height + out
		}
		x0, z0 := pane(0.08)
		x1, z1 := pane(0.94)
		y := 0.9 * narrower * half
		b.face("glass", vector{x0, -y, z0}, vector{x0, y, z0}, vector{x1, y, z1}, vector{x1, -y, z1})
		side := func(x, z float64) vector { // on the left side
			return vector{x, half*(1-(1-narrower)*(z-sill)/(above.at(x)-sill)) + out, z}
		}
		b.both("glass", side(screen-0.35, 0.62*height), side(roof-0.75, 0.62*height), side(roof-0.75, 0.9*height),
			side(roof-0.08, 0.9*height))
		x := -o.Rear - out
		b.both("glass", vector{x, 0.8 * half, 0.6 * height}, vector{x, 0.08 * half, 0.6 * height},
			vector{x, 0.08 * half, 0.85 * height}, vector{x, 0.78 * half, 0.85 * height})
		b.lamps(0.82*half, 0.97*half, 0.27*height, 0.35*height, 0.3*height, 0.45*height)
	})
}

// plain is a box with arches over its wheels.
func (b *shellMaker) plain() {
	o := b.outline
	half, height := b.halfOver(), max(0.75*o.Width, 2.6*b.radius)
	b.skin("paint", 0.6*b.radius, line{{o.Front, height}, {-o.Rear, height}}, line{{o.Front, half}, {-o.Rear, half}}, 1)
	b.Eye = vector{o.Front - 0.3, 0, height + 0.2}
	b.over(func() { b.lamps(half, 0.9*half, 0.5*height, 0.62*height, 0.5*height, 0.62*height) })
}

// halfOver is half of a width that covers the wheels.
func (b *shellMaker) halfOver() float64 {
	half := b.outline.Width / 2
	for _, w := range b.wheels {
		half = max(half, math.Abs(w.at[1])+w.width/2+0.01)
	}
	return half
}

// truck is a cab over the front axle, and behind it a box, or the frame alone if it tows.
func (b *shellMaker) truck(tows bool) {
	o := b.outline
	half, height := o.Width/2, 1.2*o.Width
	sill, deck := 0.9*b.radius, 2.1*b.radius
	cab := b.front - 0.75
	top := 0.97 * half
	const lean = 0.18 // of the screen
	b.Eye = vector{b.front, 0.5 * half, 0.74 * height}
	b.loft("paint", []section{{cab, sill + 0.3, height, half, top}, {o.Front - lean, sill, height, half, top},
		{o.Front, sill, 0.5 * height, half, half}})
	x := o.Front + 0.01
	b.over(func() {
		b.face("glass", vector{x, -0.9 * half, 0.52 * height}, vector{x, 0.9 * half, 0.52 * height},
			vector{x - lean, 0.88 * half, 0.85 * height}, vector{x - lean, -0.88 * half, 0.85 * height})
		b.both("glass", vector{o.Front - 0.35, half + 0.005, 0.55 * height},
			vector{cab + 0.35, half + 0.005, 0.55 * height}, vector{cab + 0.35, half, 0.82 * height},
			vector{o.Front - 0.45, half, 0.82 * height})
	})
	b.over(func() { b.lamps(half, 0.9*half, sill+0.15, sill+0.35, 0.9*deck-0.15, 0.9*deck-0.02) })
	b.box("dark", vector{-o.Rear, -0.42, 0.85*deck - 0.1}, vector{cab, 0.42, 0.85*deck + 0.15})
	if !tows {
		b.box("metal", vector{-o.Rear, -half, deck}, vector{cab - 0.12, half, 1.1 * height})
	}
}

// formula is a racing car with open wheels and wings.
func (b *shellMaker) formula() {
	o := b.outline
	wheelbase := b.front - b.rear
	tip, cockpit, hoop := o.Front, b.front-0.3*wheelbase, b.front-0.62*wheelbase
	b.Eye = vector{hoop + 0.25, 0, 0.74}
	b.loft("paint", []section{{-o.Rear + 0.12, 0.16, 0.3, 0.12, 0.1}, {b.rear, 0.1, 0.42, 0.22, 0.16},
		{hoop, 0.06, 0.62, 0.32, 0.2}, {hoop + 0.02, 0.06, 0.5, 0.32, 0.27}, {cockpit, 0.06, 0.52, 0.3, 0.24},
		{b.front, 0.08, 0.46, 0.22, 0.18}, {tip - 0.12, 0.1, 0.26, 0.12, 0.09}, {tip, 0.12, 0.2, 0.07, 0.05}})
	inner := math.Inf(1)
	for _, w := range b.wheels {
		inner = min(inner, math.Abs(w.at[1])-w.width/2)
	}
	for _, side := range []float64{-1, 1} {
		y := vector{side * 0.31, side * min(0.62, inner), 0}
		b.box("dark", vector{hoop - 0.12*wheelbase, min(y[0], y[1]), 0.06}, vector{cockpit, max(y[0], y[1]), 0.3})
		// of the wings
		end := 0.48 * o.Width
		b.box("dark", vector{tip - 0.3, min(side*end, side*(end+0.01)), 0.05},
			vector{tip, max(side*end, side*(end+0.01)), 0.2})
		b.box("dark", vector{-o.Rear, min(side*0.45, side*0.46), 0.55},
			vector{-o.Rear + 0.3, max(side*0.45, side*0.46), 0.95})
	}
	b.box("paint", vector{tip - 0.28, -0.48 * o.Width, 0.06}, vector{tip - 0.02, 0.48 * o.Width, 0.09})
	b.box("paint", vector{-o.Rear + 0.02, -0.45, 0.86}, vector{-o.Rear + 0.28, 0.45, 0.89})
	for _, y := range []float64{-0.2, 0.17} { // the main hoop
		b.box("metal", vector{hoop - 0.03, y, 0.55}, vector{hoop, y + 0.03, 0.95})
	}
	b.box("metal", vector{hoop - 0.03, -0.2, 0.92}, vector{hoop, 0.2, 0.95})
	b.helmet(vector{hoop + 0.18, 0, 0.68}, 0.13)
}

// helmet adds a driver's head.
func (b *shellMaker) helmet(at vector, radius float64) {
	const around, up = 8, 4
	p := func(i, j int) vector {
		s, c := math.Sincos(2 * math.Pi * float64(i) / around)
		sz, cz := math.Sincos(math.Pi * (float64(j)/up - 0.5))
		return vector{at[0] + radius*cz*c, at[1] + radius*cz*s, at[2] + radius*sz}
	}
	for i := range around {
		for j := range up {
			paint := "lamp"
			if j == 2 && (i == 0 || i == around-1) {
				paint = "dark"
			}
			b.face(paint, p(i, j), p(i+1, j), p(i+1, j+1), p(i, j+1))
		}
	}
}
