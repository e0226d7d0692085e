package road

import (
	"fmt"
	"math"
	"strings"
)

// mesh is a surface of triangles (3D roads of road property files). Beside them there is no ground.
type mesh struct {
	cos, sin, x, y, z float64 // turn and place of the mesh
	triangles         []triangle
	cells             [][]int32 // triangles that meet a cell of a uniform grid, row by row
	cell              float64   // size of a cell [m]
	left, bottom      float64
	columns, rows     int
}

// triangle is z = a + b x + c y between three corners.
type triangle struct {
	x, y     [3]float64
	a, b, c  float64
	friction float64
}

// Limits of a mesh. Farthest is about as far as geographic coordinates reach, a hundred times.
const (
	mostTriangles = 10_000_000
	farthest      = 1e9 // m, of a corner from the origin, along x and y
)

// mesh reads [NODES] and [ELEMENTS], and where the mesh lies, [REFSYS] or [OFFSET].
func (f *teimOrbit) mesh() (*mesh, error) {
	length, err := f.unit("LENGTH")
	if err != nil {
		return nil, err
	}
	angle, err := f.unit("ANGLE")
	if err != nil {
		return nil, err
	}
	m := &mesh{cos: 1}
	if err := f.readPose(m, length, angle); err != nil {
		return nil, err
	}
	nodes, err := f.rows("NODES", "NUMBER_OF_NODES", 4, 4)
	if err != nil {
		return nil, err
	}
	elements, err := f.rows("ELEMENTS", "NUMBER_OF_ELEMENTS", 3, 4)
	if err != nil {
		return nil, err
	}
	if len(elements) == 0 || len(elements) > mostTriangles {
		return nil, fmt.Errorf("the mesh has %d elements; it must have from 1 to %d", len(elements), mostTriangles)
	}
	corner := make(map[float64]teimRow, len(nodes))
	for _, n := range nodes {
		if _, twice := corner[n.numbers[0]]; twice {
			return nil, fmt.Errorf("line %d: there are two nodes %g", n.line, n.numbers[0])
		}
		corner[n.numbers[0]] = n
	}
	for _, e := range elements {
		t, carries, err := e.triangle(corner, length)
		if err != nil {
			return nil, err
		}
		if carries {
			m.triangles = append(m.triangles, t)
		}
	}
	if len(m.triangles) == 0 {
		return nil, errEmpty
	}
	m.arrange()
	return m, nil
}

// triangle returns the triangle of an element, with corner coordinates in a unit of length [m]. A vertical face, a line
// seen from above, carries nothing.
func (e *teimRow) triangle(corner map[float64]teimRow, length float64) (t triangle, carries bool, err error) {
	t.friction = 1
	var z [3]float64
	for k := range 3 {
		n, ok := corner[e.numbers[k]]
		if !ok {
			return t, false, fmt.Errorf("line %d: there is no node %g", e.line, e.numbers[k])
		}
		t.x[k], t.y[k], z[k] = n.numbers[1]*length, n.numbers[2]*length, n.numbers[3]*length
		if !(max(math.Abs(t.x[k]), math.Abs(t.y[k])) <= farthest) {
			return t, false, fmt.Errorf("line %d: the node %g lies at x = %g m, y = %g m; at most %g m are allowed",
				n.line, e.numbers[k], t.x[k], t.y[k], farthest)
		}
	}
	if len(e.numbers) == 4 {
		if t.friction = e.numbers[3]; t.friction < 0 {
			return t, false, fmt.Errorf("line %d: the factor of friction is %g; it must not be negative",
				e.line, t.friction)
		}
	}
	ax, ay, az := t.x[1]-t.x[0], t.y[1]-t.y[0], z[1]-z[0]
	bx, by, bz := t.x[2]-t.x[0], t.y[2]-t.y[0], z[2]-z[0]
	area := ax*by - ay*bx
	if math.Abs(area) <= 1e-12*(ax*ax+ay*ay+bx*bx+by*by) {
		return t, false, nil
	}
	t.b, t.c = (az*by-bz*ay)/area, (bz*ax-az*bx)/area
	t.a = z[0] - t.b*t.x[0] - t.c*t.y[0]
	if sum := t.a + t.b + t.c + area; sum-sum != 0 {
		return t, false, fmt.Errorf("line %d: the corners of the element are too far apart", e.line)
	}
	return t, true, nil
}

// readPose reads where the mesh lies.
func (f *teimOrbit) readPose(m *mesh, length, angle float64) error {
	if s := f.sections["OFFSET"]; s != nil && len(s.rows) > 0 {
		row := s.rows[0]
		if len(row.numbers) != 3 {
			return fmt.Errorf("line %d: an offset has 3 numbers, not %d", row.line, len(row.numbers))
		}
		m.x, m.y, m.z = row.numbers[0]*length, row.numbers[1]*length, row.numbers[2]*length
	}
	s := f.sections["REFSYS"]
	if s == nil {
		return nil
	}
	if offset, ok := s.values["OFFSET"]; ok {
		fields := strings.Fields(offset.text)
		if len(fields) != 3 {
			return fmt.Errorf("line %d: OFFSET has %d numbers; it must have 3", offset.line, len(fields))
		}
		for k, to := range []*float64{&m.x, &m.y, &m.z} {
			v, err := decimal(fields[k])
			if err != nil {
				return fmt.Errorf("line %d: OFFSET: %w", offset.line, err)
			}
			*to = v * length
		}
	}
	turn, err := s.optional("ROTATION_ANGLE_XY_PLANE", angle, 0)
	m.sin, m.cos = math.Sincos(turn)
	return err
}

// rows returns the rows of a section, as many as it says, of at least and at most the given count of numbers.
func (f *teimOrbit) rows(section, count string, least, most int) ([]teimRow, error) {
	s, err := f.section(section)
	if err != nil {
		return nil, err
	}
	n, err := s.optional(count, 1, float64(len(s.rows)))
	if err != nil {
		return nil, err
	}
	if n != float64(len(s.rows)) {
		return nil, fmt.Errorf("line %d: %s is %g, but there are %d rows", s.values[count].line, count, n, len(s.rows))
	}
	for _, row := range s.rows {
		if len(row.numbers) < least || len(row.numbers) > most {
			return nil, fmt.Errorf("line %d: a row of [%s] with %d numbers", row.line, section, len(row.numbers))
		}
	}
	return s.rows, nil
}

// arrange sorts the triangles into cells, about as many as there are triangles.
func (m *mesh) arrange() {
	right, top := math.Inf(-1), math.Inf(-1)
	m.left, m.bottom = math.Inf(1), math.Inf(1)
	for i := range m.triangles {
		t := &m.triangles[i]
		for k := range 3 {
			m.left, right = min(m.left, t.x[k]), max(right, t.x[k])
			m.bottom, top = min(m.bottom, t.y[k]), max(top, t.y[k])
		}
	}
	width, height, n := right-m.left, top-m.bottom, float64(len(m.triangles))
	m.cell = max(math.Sqrt(width*height/n), max(width, height)/n)
	for {
		m.columns, m.rows = int(width/m.cell)+1, int(height/m.cell)+1
		entries := 0
		for i := range m.triangles {
			i0, j0, i1, j1 := m.cellsOf(&m.triangles[i])
			entries += (i1 - i0 + 1) * (j1 - j0 + 1)
		}
		if entries <= 32*len(m.triangles) || len(m.triangles) == 1 {
			break
		}
		m.cell *= 2 // triangles that are much larger than most
	}
	m.cells = make([][]int32, m.columns*m.rows)
	for i := range m.triangles {
		i0, j0, i1, j1 := m.cellsOf(&m.triangles[i])
		for j := j0; j <= j1; j++ {
			for k := i0; k <= i1; k++ {
				m.cells[j*m.columns+k] = append(m.cells[j*m.columns+k], int32(i))
			}
		}
	}
}

// cellsOf returns the range of columns and rows that can contain a triangle.
func (m *mesh) cellsOf(t *triangle) (i0, j0, i1, j1 int) {
	i0, j0 = m.cellOf(min(t.x[0], t.x[1], t.x[2]), min(t.y[0], t.y[1], t.y[2]))
	i1, j1 = m.cellOf(max(t.x[0], t.x[1], t.x[2]), max(t.y[0], t.y[1], t.y[2]))
	return i0, j0, i1, j1
}

// cellOf returns the column and the row of a place, or of the nearest existing cell.
func (m *mesh) cellOf(x, y float64) (column, row int) {
	return int(max(0, min(float64(m.columns-1), (x-m.left)/m.cell))),
		int(max(0, min(float64(m.rows-1), (y-m.bottom)/m.cell)))
}

// contains reports whether a place lies in the triangle or on its edge.
func (t *triangle) contains(x, y float64) bool {
	positive, negative := false, false
	for k := range 3 {
		n := (k + 1) % 3
		side := float64((t.x[n]-t.x[k])*(y-t.y[k])) - float64((t.y[n]-t.y[k])*(x-t.x[k]))
		positive, negative = positive || side > 0, negative || side < 0
	}
	return !(positive && negative)
}

// at: of overlapping triangles, the highest one not above the height of the query counts; if there is none, the lowest.
func (m *mesh) at(q Query) Point {
	if beyond := 0 * (q.X + q.Y); beyond != 0 {
		return Point{Height: beyond, Friction: 1, U: q.X, V: q.Y}
	}
	dx, dy := q.X-m.x, q.Y-m.y
	x, y := float64(m.cos*dx)+float64(m.sin*dy), float64(m.cos*dy)-float64(m.sin*dx)
	column, row := m.cellOf(x, y)
	best, height := -1, 0.0
	for _, i := range m.cells[row*m.columns+column] {
		t := &m.triangles[i]
		if !t.contains(x, y) {
			continue
		}
		z := t.a + float64(t.b*x) + float64(t.c*y) + m.z
		if best < 0 || isPreferredGround(z, height, q.Above) {
			best, height = int(i), z
		}
	}
	if best < 0 {
		return Point{Friction: 1, U: q.X, V: q.Y, NoGround: true}
	}
	t := &m.triangles[best]
	return Point{Height: height, SlopeX: float64(m.cos*t.b) - float64(m.sin*t.c),
		SlopeY: float64(m.sin*t.b) + float64(m.cos*t.c), Friction: t.friction, U: q.X, V: q.Y}
}

// isPreferredGround reports whether a surface at height z counts rather than one at height than.
func isPreferredGround(z, than, above float64) bool {
	if (z <= above) != (than <= above) {
		return z <= above
	}
	return (z > than) == (z <= above) && z != than
}
