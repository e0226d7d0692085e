package animation

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// Shell is the outside of a vehicle's body as flat faces at the frame of the chassis. It is drawn for vehicles with an
// outline in their roles, around their wheels.
type Shell struct {
	Frame  int      `json:"frame"`
	Kind   string   `json:"kind"` // sedan, truck, formula
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

// shell adds the shell to the scene. There is none without an outline, or where the chassis or a wheel was not
// recorded.
func (s *Scene) shell(m *vehicle.Model, known map[string]pose, number func(frame string) int) {
	if m.Roles == nil || m.Roles.Outline == nil {
		return
	}
	chassis, found := known[m.Roles.Chassis]
	if !found {
		return
	}
	b := &shellMaker{Shell: &Shell{}, outline: m.Roles.Outline, front: math.Inf(-1), rear: math.Inf(1)}
	back := chassis.inverse()
	for _, axle := range m.Roles.Axles {
		for _, w := range axle.Wheels() {
			frame, radius, width := wheelOf(m, w.Tire)
			at, found := known[frame]
			if !found || radius == 0 {
				return
			}
			b.wheels = append(b.wheels, shellWheel{back.then(at).r, radius, width})
		}
	}
	// wheels of trailers stand behind the outline
	b.wheels = slices.DeleteFunc(b.wheels, func(w shellWheel) bool {
		return w.at[0] > b.outline.Front || w.at[0] < -b.outline.Rear
	})
	if len(b.wheels) < 3 {
		return
	}
	for _, w := range b.wheels {
		b.radius = max(b.radius, w.radius)
		b.road += (w.at[2] - w.radius) / float64(len(b.wheels))
		b.front, b.rear = max(b.front, w.at[0]), min(b.rear, w.at[0])
	}
	b.build(len(m.Roles.Axles), len(m.Roles.Trailers) > 0)
	b.Frame = number(m.Roles.Chassis)
	s.Shell = b.Shell
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

// Radii of wheels that decide the kind of body [m].
const (
	largeWheel = 0.42 // of trucks
	smallWheel = 0.27 // of racing cars with open wheels
)

// build makes the shell of its kind.
func (b *shellMaker) build(axles int, tows bool) {
	switch b.Kind = b.kind(axles); b.Kind {
	case "truck":
		b.truck(tows)
	case "formula":
		b.formula()
	default:
		b.sedan()
	}
	b.Eye[2] += b.road
}

func (b *shellMaker) kind(axles int) string {
	switch {
	case b.radius > largeWheel || axles > 3:
		return "truck"
	case b.radius < smallWheel:
		return "formula"
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
	half := o.Width / 2
	for _, w := range b.wheels { // fenders cover the wheels
		half = max(half, math.Abs(w.at[1])+w.width/2+0.01)
	}
	height := max(0.83*o.Width, 2.2*b.radius)
	sill := 0.55 * b.radius
	screen, roofFront := b.front-0.2*wheelbase, b.front-0.47*wheelbase
	roofRear, window := b.rear+0.22*wheelbase, b.rear-0.1*wheelbase
	belt := line{{o.Front, 0.4 * height}, {o.Front - 0.1, 0.47 * height}, {o.Front - 0.45, 0.54 * height},
		{screen, 0.62 * height}, {window, 0.65 * height}, {-o.Rear + 0.08, 0.63 * height}, {-o.Rear, 0.55 * height}}
	plan := line{{o.Front, 0.74 * half}, {o.Front - 0.16, 0.9 * half}, {o.Front - 0.5, half}, {-o.Rear + 0.5, half},
		{-o.Rear + 0.14, 0.92 * half}, {-o.Rear, 0.8 * half}}
	const arch = 1.14
	low := func(x float64) float64 {
		z := sill
		for _, w := range b.wheels {
			if d := x - w.at[0]; math.Abs(d) < arch*w.radius {
				z = max(z, w.radius+math.Sqrt(arch*arch*w.radius*w.radius-d*d))
			}
		}
		return min(z, belt.at(x)-0.04)
	}
	var stations []float64
	for _, l := range []line{belt, plan} {
		for _, p := range l {
			stations = append(stations, p[0])
		}
	}
	const steps = 8 // of an arch
	for _, x := range []float64{b.front, b.rear} {
		for k := range steps + 1 {
			stations = append(stations, x-arch*b.radius*math.Cos(math.Pi*float64(k)/steps))
		}
	}
	slices.Sort(stations)
	var sections []section
	for _, x := range stations {
		if k := len(sections); k > 0 && x-sections[k-1].x < 0.02 || x < -o.Rear || x > o.Front {
			continue
		}
		y := plan.at(x)
		sections = append(sections, section{x, low(x), belt.at(x), y, 0.95 * y})
	}
	b.loft("paint", sections)
	b.Eye = vector{screen - 0.32*wheelbase, 0.4 * half, 0.83 * height}
	b.cabin([4]float64{screen, roofFront, roofRear, window}, belt, height, 0.9*half, 0.68*half)
	b.over(func() { b.lamps(0.74*half, 0.8*half, 0.3*height, 0.38*height, 0.42*height, 0.52*height) })
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
