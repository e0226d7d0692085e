package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/vehicle"
)

// pictured is a vehicle that is pictured as it stands at the start.
type pictured struct {
	model              string  // file in resources/models, without .toml
	azimuth, elevation float64 // from where it is seen, degrees: 0 is from ahead, -90 from the right
}

// What moves in a plane is seen from its right side, the others from the right and a little from ahead.
var vehicles = []pictured{
	{"passenger_car", -55, 22}, {"road_car", -55, 22}, {"formula_student", -55, 22}, {"generic4w", -55, 22},
	{"electric_car", -55, 22}, {"passenger_car_hydraulic_brakes", -55, 22}, {"passenger_car_active_roll", -55, 22},
	{"passenger_car_controlled", -55, 22},
	{"generic4w_fourpost", -55, 22}, {"skidder", -55, 22},
	{"car_trailer", -60, 22}, {"truck3", -60, 22}, {"tractor_semitrailer", -62, 22}, {"truck_trailer", -62, 35},
	{"bicycle", -65, 14}, {"bicycle_rolling", -65, 14}, {"bicycle_trailer", -60, 18}, {"redbike", -65, 14},
	{"redbike_gyroscope", -65, 14}, {"bluebike", -65, 14}, {"tricycle", -55, 22}, {"tilting_three_wheeler", -55, 22},
	{"wheel", -55, 18}, {"wheel_rolling", -55, 18}, {"disc", -55, 18}, {"halfcar", -55, 30},
	{"motorcycle2d_vertical", -90, 0}, {"motorcycle2d", -90, 0}, {"motorcycle3d", -65, 14},
	{"partial_vehicle2d", -90, 0}, {"partial_vehicle3d", -60, 16},
	{"fourwheel_pointmass", -55, 18}, {"pendulum", -60, 14}, {"double_pendulum", -60, 14}, {"point_pendulum", -90, 0},
}

// atStart reads all variables of a vehicle that was just initialised, as a run that stays at the start.
func (w *workshop) atStart(file string) (run *trace.Trace, err error) {
	v, err := w.library.Load(file, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, v.Close()) }()
	if err := v.Initialise(); err != nil {
		return nil, err
	}
	var names []string
	values := make([]float64, len(v.Variables))
	for i, x := range v.Variables {
		if err := v.Get([]uint32{x.Reference}, values[i:i+1]); err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		names = append(names, x.Name)
	}
	run = trace.New(trace.Named(names...), 2)
	run.Append(0, values)
	run.Append(1, values)
	return run, nil
}

// draw pictures the vehicle: shapes of its components where they stand, the far ones first.
func (v pictured) draw(w *workshop) ([]byte, error) {
	file := filepath.Join(w.resources, "models", v.model+".toml")
	m, err := vehicle.Read(file)
	if err != nil {
		return nil, err
	}
	start, err := w.atStart(file)
	if err != nil {
		return nil, err
	}
	scene, err := animation.New(m, start)
	if err != nil {
		return nil, err
	}
	return v.view(scene).svg(), nil
}

// piece is a part of a picture, and how near it is.
type piece struct {
	class  string
	closed bool
	points []vector
	radius float64 // of a ball [m]; 0 for lines and faces
	near   float64 // m, larger is nearer
}

type vector = [3]float64

// camera sees from afar, without perspective.
type camera struct{ right, up, towards vector }

func (v pictured) camera() camera {
	const degree = math.Pi / 180
	se, ce := math.Sincos(v.elevation * degree)
	sa, ca := math.Sincos(v.azimuth * degree)
	return camera{vector{-sa, ca, 0}, vector{-se * ca, -se * sa, ce}, vector{ce * ca, ce * sa, se}}
}

func dot(a, b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// view is the picture of a scene at its first moment.
func (v pictured) view(scene *animation.Scene) *drawing {
	return v.lay(scene.Title, v.camera().pieces(scene))
}

// lay lays pieces out on a picture.
func (v pictured) lay(title string, pieces []piece) *drawing {
	c := v.camera()
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.near, b.near) })
	const width, most, margin = 480, 300, 12.0
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, p := range pieces {
		for _, at := range p.points {
			for k, x := range [2]float64{dot(at, c.right), dot(at, c.up)} {
				low[k], high[k] = min(low[k], x-p.radius), max(high[k], x+p.radius)
			}
		}
	}
	scale := min((width-2*margin)/(high[0]-low[0]), (most-2*margin)/(high[1]-low[1]))
	d := &drawing{title: title, width: width, height: scale*(high[1]-low[1]) + 2*margin}
	project := func(at vector) [2]float64 {
		return [2]float64{width/2 + scale*(dot(at, c.right)-(low[0]+high[0])/2),
			margin + scale*(high[1]-dot(at, c.up))}
	}
	for _, p := range pieces {
		if p.radius > 0 {
			d.circle(p.class, project(p.points[0]), max(3.5, scale*p.radius))
			continue
		}
		var points [][2]float64
		for _, at := range p.points {
			points = append(points, project(at))
		}
		d.path(p.class, p.closed, points...)
	}
	return d
}

// pieces are the pieces of all shapes and of the ground below the shapes.
func (c camera) pieces(scene *animation.Scene) []piece {
	pieces := c.ground(scene)
	for _, s := range scene.Shapes {
		a := scene.Poses[s.Frames[0]]
		b := scene.Poses[s.Frames[len(s.Frames)-1]]
		from, to := vector(a[:3]), vector(b[:3])
		middle := vector{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2}
		switch s.Kind {
		case "box":
			pieces = append(pieces, c.box(a, s.Size)...)
		case "wheel":
			pieces = append(pieces, c.wheel(a, s.Size[0], s.Size[1])...)
		case "ball":
			pieces = append(pieces, piece{"ball", false, []vector{from}, s.Size[0], dot(from, c.towards)})
		case "spring":
			pieces = append(pieces, piece{"spring", false, c.coil(inGround(a, s.Size), to), 0, dot(middle, c.towards)})
		case "sleeve", "hinge", "bar":
			ends := []vector{inGround(a, vector{-s.Size[0], -s.Size[1], -s.Size[2]}), inGround(a, s.Size)}
			pieces = append(pieces, piece{"rod", false, ends, 0, dot(middle, c.towards)})
		default: // rod and line
			pieces = append(pieces, piece{s.Kind, false, []vector{from, to}, 0, dot(middle, c.towards)})
		}
	}
	return pieces
}

// inGround is a point of a frame in ground.
func inGround(pose [7]float64, at vector) vector {
	w, a, b, c := pose[3], pose[4], pose[5], pose[6]
	t := vector{2 * (b*at[2] - c*at[1]), 2 * (c*at[0] - a*at[2]), 2 * (a*at[1] - b*at[0])}
	return vector{pose[0] + at[0] + w*t[0] + b*t[2] - c*t[1], pose[1] + at[1] + w*t[1] + c*t[0] - a*t[2],
		pose[2] + at[2] + w*t[2] + a*t[1] - b*t[0]}
}

// box has the three faces that are seen.
func (c camera) box(pose [7]float64, edges vector) (faces []piece) {
	centre := vector(pose[:3])
	for k := range 3 {
		for _, side := range [2]float64{-1, 1} {
			var middle vector
			middle[k] = side * edges[k] / 2
			outward := inGround(pose, middle)
			for i := range outward {
				outward[i] -= centre[i]
			}
			if dot(outward, c.towards) <= 0 {
				continue
			}
			var corners []vector
			for _, s := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				at := middle
				at[(k+1)%3], at[(k+2)%3] = s[0]*edges[(k+1)%3]/2, s[1]*edges[(k+2)%3]/2
				corners = append(corners, inGround(pose, at))
			}
			faces = append(faces, piece{"box", true, corners, 0, dot(centre, c.towards)})
		}
	}
	return faces
}

// wheel is its tread with the nearer side and the rim in it.
func (c camera) wheel(pose [7]float64, radius, width float64) []piece {
	const corners, rim = 36, 0.62
	ring := func(radius, side float64) (points []vector) {
		for k := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
			points = append(points, inGround(pose, vector{radius * cos, side * width / 2, radius * sin}))
		}
		return points
	}
	nearer := 1.0
	if dot(ring(0, 1)[0], c.towards) < dot(ring(0, -1)[0], c.towards) {
		nearer = -1
	}
	near := dot(vector(pose[:3]), c.towards)
	return []piece{
		{"tread", true, c.hull(append(ring(radius, 1), ring(radius, -1)...)), 0, near},
		{"side", true, ring(radius, nearer), 0, near},
		{"rim", true, ring(rim*radius, nearer), 0, near},
	}
}

// hull is the outline of points as they are seen.
func (c camera) hull(points []vector) []vector {
	seen := func(p vector) [2]float64 { return [2]float64{dot(p, c.right), dot(p, c.up)} }
	slices.SortFunc(points, func(a, b vector) int {
		p, q := seen(a), seen(b)
		return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
	})
	half := func(points []vector) (list []vector) {
		for _, p := range points {
			for len(list) > 1 {
				a, b, q := seen(list[len(list)-2]), seen(list[len(list)-1]), seen(p)
				if (b[0]-a[0])*(q[1]-a[1])-(b[1]-a[1])*(q[0]-a[0]) > 0 {
					break
				}
				list = list[:len(list)-1]
			}
			list = append(list, p)
		}
		return list[:len(list)-1]
	}
	lower := half(points)
	slices.Reverse(points)
	return append(lower, half(points)...)
}

// coil is a spring between two points, with straight ends.
func (c camera) coil(from, to vector) (points []vector) {
	const parts, amplitude = 22, 0.035
	along := vector{to[0] - from[0], to[1] - from[1], to[2] - from[2]}
	across := vector{ // of it and the line of sight
		along[1]*c.towards[2] - along[2]*c.towards[1], along[2]*c.towards[0] - along[0]*c.towards[2],
		along[0]*c.towards[1] - along[1]*c.towards[0],
	}
	length := math.Sqrt(dot(across, across))
	for k := range parts + 1 {
		side := 0.0
		if k > 2 && k < parts-2 && length > 0 {
			side = amplitude * float64(2*(k%2)-1) / length
		}
		var p vector
		for i := range p {
			p[i] = from[i] + along[i]*float64(k)/parts + side*across[i]
		}
		points = append(points, p)
	}
	return points
}

// ground has lines half a metre apart below the vehicle, where it has one. All of it is farther than the vehicle.
func (c camera) ground(scene *animation.Scene) (lines []piece) {
	const spacing, margin = 0.5, 0.6
	low, high := vector{math.Inf(1), math.Inf(1)}, vector{math.Inf(-1), math.Inf(-1)}
	for _, s := range scene.Shapes {
		for _, f := range s.Frames {
			for k := range 2 {
				x := scene.Poses[f][k]
				low[k], high[k] = min(low[k], x-s.Size[0]/2), max(high[k], x+s.Size[0]/2)
			}
		}
	}
	for k := range 2 {
		low[k], high[k] = math.Floor((low[k]-margin)/spacing)*spacing, math.Ceil((high[k]+margin)/spacing)*spacing
	}
	for _, p := range scene.Ground {
		at := func(x, y float64) vector { return vector{x, y, heightOf(p, x, y)} }
		add := func(points ...vector) {
			lines = append(lines, piece{"ground", false, points, 0, math.Inf(-1)})
		}
		if c.up[2] == 1 { // from the side a line is all that is seen
			var line []vector
			for x := low[0]; x <= high[0]; x += spacing {
				line = append(line, at(x, 0))
			}
			add(line...)
			continue
		}
		for x := low[0]; x <= high[0]; x += spacing {
			add(at(x, low[1]), at(x, high[1]))
		}
		for y := low[1]; y <= high[1]; y += spacing {
			add(at(low[0], y), at(high[0], y))
		}
	}
	return lines
}

// heightOf is the height of the nearest corner of a patch.
func heightOf(p animation.Patch, x, y float64) float64 {
	index := func(at float64, range_ [2]float64, n int) int {
		share := (at - range_[0]) / (range_[1] - range_[0])
		return min(max(int(math.Round(share*float64(n-1))), 0), n-1)
	}
	return p.Z[index(y, p.Y, p.Ny)*p.Nx+index(x, p.X, p.Nx)]
}
