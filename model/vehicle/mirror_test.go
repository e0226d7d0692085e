package vehicle_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Every key that can differ between the sides says how, so that a new component answers for its own: vectors, axes,
// curves, and numbers without a bound.
func TestEveryKeySaysHowItIsMirrored(t *testing.T) {
	var walk func(path string, list []keys.Key)
	walk = func(path string, list []keys.Key) {
		for _, k := range list {
			bounded := k.Nonnegative || k.Positive
			switch k.Shape {
			case keys.ScalarShape, keys.ScalarsShape, keys.VectorShape, keys.CurveShape, keys.AxisShape, keys.MatrixShape:
				if k.Mirror == keys.NotSaid && !bounded {
					t.Errorf("%s.%s does not say how it is mirrored", path, k.Name)
				}
			case keys.WordShape:
				if slices.Contains(k.Choices, "left") != (k.Mirror == keys.Side) {
					t.Errorf("%s.%s: left and right are sides", path, k.Name)
				}
			}
			switch k.Mirror {
			case keys.Opposite, keys.OfCoordinate:
				if bounded {
					t.Errorf("%s.%s changes its sign and has a bound", path, k.Name)
				}
			case keys.Polar, keys.Axial, keys.EulerAngles:
				if k.Shape != keys.VectorShape {
					t.Errorf("%s.%s is no vector", path, k.Name)
				}
			}
			walk(path+"."+k.Name, k.Keys)
		}
	}
	for i := range component.Types {
		if c := &component.Types[i]; !c.Middle {
			walk(c.Word, c.Keys)
		}
	}
}

// someNode is a random value of a key.
func someNode(r *rand.Rand, k *keys.Key) *document.Node {
	number := func() *document.Node {
		x := math.Round(1e4*r.NormFloat64()) / 1e3
		switch {
		case k.Nonnegative || k.Positive:
			x = math.Abs(x)
		case r.IntN(8) == 0:
			x = 0
		}
		n := &document.Node{Kind: document.Number, Number: x, Text: fmt.Sprint(x)}
		if k.Shape != keys.CurveShape && k.Shape != keys.AxisShape && r.IntN(3) == 0 {
			text := []string{"a", "-a", "-(a + b)", "-(a)*(b)", "a*sin(b) - 2.5e-3", "24.4 N/mm", "-3 deg"}[r.IntN(7)]
			n = &document.Node{Kind: document.Text, Text: text}
		}
		return n
	}
	numbers := func(count int) *document.Node {
		n := &document.Node{Kind: document.List}
		for range count {
			n.Items = append(n.Items, number())
		}
		return n
	}
	list := &document.Node{Kind: document.List}
	switch k.Shape {
	case keys.VectorShape:
		return numbers(3)
	case keys.AxisShape:
		if r.IntN(2) == 0 {
			return &document.Node{Kind: document.Text, Text: string("xyz"[r.IntN(3)])}
		}
		return numbers(3)
	case keys.CurveShape:
		columns := 2
		if k.Second != "" && r.IntN(2) == 0 {
			columns = 3
		}
		for range 1 + r.IntN(4) {
			list.Items = append(list.Items, numbers(columns))
		}
		return list
	case keys.WordShape:
		return &document.Node{Kind: document.Text, Text: k.Choices[r.IntN(len(k.Choices))]}
	case keys.ListShape:
		list.Items = append(list.Items, someNode(r, k.Value), someNode(r, k.Value))
		return list
	case keys.MatrixShape:
		for range 6 {
			list.Items = append(list.Items, numbers(6))
		}
		return list
	case keys.TableShape:
		return someTable(r, k.Keys)
	case keys.TablesShape:
		list.Items = append(list.Items, someTable(r, k.Keys), someTable(r, k.Keys))
		return list
	case keys.ScalarShape:
		return number()
	}
	return &document.Node{Kind: document.Text, Text: "name"}
}

func someTable(r *rand.Rand, list []keys.Key) *document.Node {
	n := &document.Node{Kind: document.Table, Fields: map[string]*document.Node{}}
	for i := range list {
		k := &list[i]
		filled := k.Mirror == keys.Side && k.Default != "" || k.Mirror == keys.ThirdAxis // given afterwards
		if filled || r.IntN(5) > 0 {
			n.Keys = append(n.Keys, k.Name)
			n.Fields[k.Name] = someNode(r, k)
		}
	}
	return n
}

// Mirroring twice returns the original component, bit by bit, for any content.
func TestMirroredTwiceIsTheOriginal(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	for i := range component.Types {
		c := &component.Types[i]
		changed := false
		for range 300 {
			before := someTable(r, c.Keys)
			on := keys.CoordinateOf(before, c.Keys)
			if before.Field("joint") != nil || before.Field("joints") != nil {
				on = keys.Coordinate{Flips: r.IntN(2) == 0, Steered: r.IntN(2) == 0}
			}
			once := keys.Mirrored(before, c.Keys, on)
			if keys.CoordinateOf(once, c.Keys) != keys.CoordinateOf(before, c.Keys) {
				t.Fatalf("%s: the mirrored one is mirrored in another way: %s", c.Word, text(before))
			}
			twice := keys.Mirrored(once, c.Keys, on)
			if got, want := text(twice), text(before); got != want {
				t.Fatalf("%s: mirrored twice:\n%s\nbefore:\n%s", c.Word, got, want)
			}
			changed = changed || text(once) != text(before)
		}
		if sided := hasSide(c.Keys); changed != sided {
			t.Errorf("%s: a mirrored one differs: %v, but its keys say %v", c.Word, changed, sided)
		}
	}
}

func hasSide(list []keys.Key) bool {
	return slices.ContainsFunc(list, func(k keys.Key) bool {
		return k.Mirror != keys.NotSaid && k.Mirror != keys.Stays || hasSide(k.Keys)
	})
}

// text is a node as TOML; axes as three numbers, the ends of a coordinate by value.
func text(n *document.Node) string {
	var b strings.Builder
	sorted := *n
	sorted.Keys = slices.Sorted(slices.Values(n.Keys)) // a lower end may come behind the upper one
	sorted.Fields = maps.Clone(n.Fields)
	for _, key := range []string{"axis", "along"} {
		if axis := n.Field(key); axis != nil {
			sorted.Fields[key] = asNumbers(axis)
		}
	}
	if axes := n.Field("axes"); axes != nil {
		list := &document.Node{Kind: document.List}
		for _, axis := range axes.Items {
			list.Items = append(list.Items, asNumbers(axis))
		}
		sorted.Fields["axes"] = list
	}
	if err := document.Write(&b, &sorted, "", nil); err != nil {
		panic(err)
	}
	return b.String()
}

// asNumbers is an axis as three numbers.
func asNumbers(axis *document.Node) *document.Node {
	if axis.Kind != document.Text || len(axis.Text) != 1 {
		return axis
	}
	numbers := &document.Node{Kind: document.List}
	for _, letter := range "xyz" {
		item := &document.Node{Kind: document.Number, Text: "0"}
		if string(letter) == axis.Text {
			item = &document.Node{Kind: document.Number, Number: 1, Text: "1"}
		}
		numbers.Items = append(numbers.Items, item)
	}
	return numbers
}

// matrix returns the matrix of rotations about axes of a sequence, each about the axis after the earlier rotations.
func matrix(sequence string, angles [3]float64) [3][3]float64 {
	m := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for k, angle := range angles {
		axis := int(sequence[k] - '1')
		a, b := (axis+1)%3, (axis+2)%3
		var r [3][3]float64
		r[axis][axis] = 1
		r[a][a], r[b][b] = math.Cos(angle), math.Cos(angle)
		r[a][b], r[b][a] = -math.Sin(angle), math.Sin(angle)
		m = times(m, r)
	}
	return m
}

func times(a, b [3][3]float64) (c [3][3]float64) {
	for i := range c {
		for j := range c {
			for k := range c {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

// reflected is S m S with S = diag(1, -1, 1).
func reflected(m [3][3]float64) [3][3]float64 {
	for _, i := range []int{0, 2} {
		m[i][1], m[1][i] = -m[i][1], -m[1][i]
	}
	return m
}

func values(n *document.Node) (x [3]float64) {
	for i := range x {
		x[i] = n.Items[i].Number
	}
	return x
}

// A mirrored component is the mirror image of the original: S R S of rotations, S I S of inertia, S r of points, and a
// rotation by the coordinate of a joint.
func TestMirroredComponentsAreMirrorImages(t *testing.T) {
	parsed := func(word, body string) (*document.Node, *component.Type) {
		n, err := document.Parse([]byte(body), "part.toml")
		if err != nil {
			t.Fatal(err)
		}
		return n, &component.Types[slices.IndexFunc(component.Types, func(c component.Type) bool { return c.Word == word })]
	}
	for _, sequence := range []string{"321", "312", "313", "123", "132", "213", "231"} {
		body := fmt.Sprintf(`angles = [0.3, -0.7, 1.1]
sequence = %q
translation = [1, 2, 3]
`, sequence)
		if sequence == "321" {
			body = strings.Replace(body, "sequence = \"321\"\n", "", 1) // by default
		}
		n, c := parsed("rigid-arm", body)
		m := keys.Mirrored(n, c.Keys, keys.CoordinateOf(n, c.Keys))
		got, want := matrix(sequence, values(m.Field("angles"))), reflected(matrix(sequence, values(n.Field("angles"))))
		for i := range want {
			for j := range want {
				if math.Abs(got[i][j]-want[i][j]) > 1e-15 {
					t.Errorf("angles %s: %v, want %v", sequence, got, want)
				}
			}
		}
		if values(m.Field("translation")) != [3]float64{1, -2, 3} {
			t.Errorf("a point is mirrored to %v", values(m.Field("translation")))
		}
	}
	n, c := parsed("rigid-body", "inertia = { xx = 3, yy = 4, zz = 5, xy = 0.1, xz = 0.2, yz = 0.3 }\n"+
		"start = { angular_velocity = [1, 2, 3], velocity = [4, 5, 6] }\n")
	m := keys.Mirrored(n, c.Keys, keys.CoordinateOf(n, c.Keys))
	j := m.Field("inertia")
	want := reflected([3][3]float64{{3, 0.1, 0.2}, {0.1, 4, 0.3}, {0.2, 0.3, 5}})
	for key, x := range map[string]float64{"xx": want[0][0], "yy": want[1][1], "zz": want[2][2], "xy": want[0][1],
		"xz": want[0][2], "yz": want[1][2]} {
		if j.Field(key).Number != x {
			t.Errorf("inertia %s is %g, want %g", key, j.Field(key).Number, x)
		}
	}
	if start := m.Field("start"); values(start.Field("velocity")) != [3]float64{4, -5, 6} ||
		values(start.Field("angular_velocity")) != [3]float64{-1, 2, -3} {
		t.Errorf("start values are %s", text(start))
	}
}

// Surfaces over a steering are f(x, -y) in the mirror, and surfaces over the travel of another suspension do not
// change; the same holds for points of a file.
func TestMirroredSurfacesOfSuspensions(t *testing.T) {
	c := component.Types[slices.IndexFunc(component.Types, func(c component.Type) bool { return c.Word == "suspension" })]
	const points = "[[0, -1, 2], [0, 1, 3], [1, -1, 4], [1, 1, 5]]"
	const of = `{ file = "k.csv", column = "toe", over = `
	for _, x := range []struct{ body, want string }{
		{"toe = " + points + "\nsteer = \"rack\"", "[[0,1,2],[0,-1,3],[1,1,4],[1,-1,5]]"},
		{"toe = { points = " + points + " }\nsteer = \"rack\"", "{points=[[0,1,2],[0,-1,3],[1,1,4],[1,-1,5]]}"},
		{"toe = " + points + "\nother = \"susp_FR\"", "[[0,-1,2],[0,1,3],[1,-1,4],[1,1,5]]"},
		{"toe = " + of + `["q", "s"] }` + "\nsteer = \"rack\"", `{column="toe",file="k.csv",mirrored="yes",over=["q","s"]}`},
		{"toe = " + of + `["q", "s"], mirrored = "yes" }` + "\nsteer = \"rack\"",
			`{column="toe",file="k.csv",mirrored="no",over=["q","s"]}`},
		{"toe = " + of + `"q" }` + "\nsteer = \"rack\"", `{column="toe",file="k.csv",over="q"}`},
		{"toe = " + of + `["q", "s"] }` + "\nother = \"susp_FR\"", `{column="toe",file="k.csv",over=["q","s"]}`},
		{"toe = [[0, 1], [1, 2]]\nsteer = \"rack\"", "[[0,1],[1,2]]"},
	} {
		n, err := document.Parse([]byte(x.body), "part.toml")
		if err != nil {
			t.Fatal(err)
		}
		if got := plainText(keys.Mirrored(n, c.Keys, keys.CoordinateOf(n, c.Keys)).Field("toe")); got != x.want {
			t.Errorf("%s is mirrored to %s, want %s", x.body, got, x.want)
		}
	}
	files := map[string]string{"t.csv": "q [m],s [m],toe [rad]\n0,-1,2\n0,2,3\n1,-1,4\n1,2,5\n"}
	m, err := sprungWith("[[0, 0], [1, 0]]",
		"{ file = \"t.csv\", column = \"toe\", over = [\"q\", \"s\"], mirrored = \"yes\" }\nsteer = \"slide\"", files)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range m.Components {
		if s, is := k.(*component.Suspension); is {
			for _, w := range [][3]float64{{0, 1, 2}, {0, -2, 3}, {1, 1, 4}, {1, -2, 5}} {
				if z, _, _ := s.Surfaces[3].At(w[0], w[1]); math.Abs(z-w[2]) > 1e-12 {
					t.Errorf("mirrored at (%g, %g): %g, want %g", w[0], w[1], z, w[2])
				}
			}
		}
	}
}

// plainText is a value with sorted keys and without blanks.
func plainText(n *document.Node) string {
	var parts []string
	switch n.Kind {
	case document.List:
		for _, item := range n.Items {
			parts = append(parts, plainText(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case document.Table:
		for _, key := range slices.Sorted(slices.Values(n.Keys)) {
			parts = append(parts, key+"="+plainText(n.Field(key)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case document.Number:
		return fmt.Sprint(n.Number)
	}
	return fmt.Sprintf("%q", n.Text)
}

// turn is the matrix of a rotation about an axis.
func turn(axis [3]float64, angle float64) (m [3][3]float64) {
	length := math.Sqrt(axis[0]*axis[0] + axis[1]*axis[1] + axis[2]*axis[2])
	var u [3]float64
	for i := range u {
		u[i] = axis[i] / length
	}
	s, c := math.Sincos(angle)
	cross := [3][3]float64{{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}}
	for i := range m {
		for j := range m {
			m[i][j] = (1-c)*u[i]*u[j] + s*cross[i][j]
			if i == j {
				m[i][j] += c
			}
		}
	}
	return m
}

// The axis of a mirrored joint, with the mirrored coordinate, gives the mirror image of the motion. The axis, or the
// key mirror, decides whether the coordinate keeps its sign.
func TestAxesOfMirroredJoints(t *testing.T) {
	for _, x := range []struct {
		word, axis, mirror string
		flips              bool
	}{
		{"revolute", `"y"`, "", false}, {"revolute", `"x"`, "", true}, {"revolute", `"z"`, "", true},
		{"revolute", `[0.2, 1, -0.3]`, "", false}, {"revolute", `[0.3, 0.2, 1]`, "", true},
		{"revolute", `[-1, 0.9, 0]`, "", true}, {"revolute", `[1, 1, 0]`, "", true},
		{"revolute", `"x"`, "same", false}, {"revolute", `[0.2, 1, -0.3]`, "opposite", true},
		{"revolute", `"y"`, "opposite", true}, {"motion-driver", `"z"`, "", true}, {"brake", `"y"`, "", false},
		{"torque-driver", `[1, 0, 0]`, "", true}, {"prismatic", `[0.1, 0.2, -1]`, "", false},
		{"prismatic", `"y"`, "", false}, {"strut", `[0.1, -0.3, 1]`, "", false}, {"strut", `"y"`, "", false},
		{"prismatic", `"x"`, "opposite", true}, {"force-driver", `"y"`, "", false},
	} {
		body := "axis = " + x.axis + "\nstart = { phi = 0.4, s = 0.4 }\n"
		if x.mirror != "" {
			body += "mirror = \"" + x.mirror + "\"\n"
		}
		n, err := document.Parse([]byte(body), "joint.toml")
		if err != nil {
			t.Fatal(err)
		}
		c := component.Types[slices.IndexFunc(component.Types, func(c component.Type) bool { return c.Word == x.word })]
		on := keys.CoordinateOf(n, c.Keys)
		if on.Flips != x.flips {
			t.Errorf("%s about %s: the coordinate changes its sign: %v", x.word, x.axis, on.Flips)
		}
		read := func(n *document.Node) [3]float64 {
			r := keys.NewReader("joint.toml", n, nil)
			return r.Fields(n, "joint", []keys.Key{{Name: "axis", Shape: keys.AxisShape, Optional: true},
				{Name: "start", Shape: keys.TableShape, Optional: true}, {Name: "mirror", Shape: keys.WordShape,
					Optional: true}}).Axis("axis")
		}
		m := keys.Mirrored(n, c.Keys, on)
		before, after, q, own := read(n), read(m), 0.4, 0.4
		if on.Flips {
			own = -q
		}
		if x.word == "revolute" {
			if got := m.Field("start").Field("phi").Number; got != own {
				t.Errorf("%s about %s starts at %g, want %g", x.word, x.axis, got, own)
			}
		}
		if slices.Contains([]string{"prismatic", "strut", "force-driver"}, x.word) {
			for i, s := range []float64{1, -1, 1} {
				if math.Abs(own*after[i]-s*q*before[i]) > 1e-15 {
					t.Errorf("%s along %s: %v, want the image of %v", x.word, x.axis, after, before)
				}
			}
			continue
		}
		got, want := turn(after, own), reflected(turn(before, q))
		for i := range want {
			for k := range want {
				if math.Abs(got[i][k]-want[i][k]) > 1e-15 {
					t.Fatalf("%s about %s: %v, want %v", x.word, x.axis, got, want)
				}
			}
		}
	}
}

// A law on a coordinate that changes its sign is -f(-x), with its ends exchanged; a law on another coordinate does not
// change.
func TestLawsOnMirroredCoordinates(t *testing.T) {
	n, err := document.Parse([]byte(`joint = "j"
stiffness = 5
free_length = 0.1
length_min = -0.2
length_max = "top"
spring_force = [[-1, -10], [0, 1], [2, 30]]
damper_force = [[-1, 0, -4], [1, 0, 5], [-1, 2, -6], [1, 2, 7]]
`), "law.toml")
	if err != nil {
		t.Fatal(err)
	}
	c := component.Types[slices.IndexFunc(component.Types, func(c component.Type) bool {
		return c.Word == "spring-damper"
	})]
	if got := keys.Mirrored(n, c.Keys, keys.CoordinateOf(n, c.Keys)); !reflect.DeepEqual(text(got), text(n)) {
		t.Errorf("a law on a coordinate that stays becomes %s", text(got))
	}
	want, err := document.Parse([]byte(`joint = "j"
stiffness = 5
free_length = -0.1
length_max = 0.2
length_min = "-(top)"
spring_force = [[-2, -30], [0, -1], [1, 10]]
damper_force = [[-1, 2, -7], [1, 2, 6], [-1, 0, -5], [1, 0, 4]]
`), "law.toml")
	if err != nil {
		t.Fatal(err)
	}
	if got := keys.Mirrored(n, c.Keys, keys.Coordinate{Flips: true}); text(got) != text(want) {
		t.Errorf("got\n%s\nwant\n%s", text(got), text(want))
	}
}

// Curves of a bushing over z, and over rotations about x and y, change their signs where the bushing is mirrored.
func TestCurvesOfMirroredBushings(t *testing.T) {
	c := component.Types[slices.IndexFunc(component.Types, func(c component.Type) bool { return c.Word == "bushing" })]
	count := 0
	for _, k := range c.Keys {
		if k.Shape != keys.CurveShape {
			continue
		}
		count++
		want := keys.Stays
		if strings.HasSuffix(k.Name, "force_z") || strings.HasSuffix(k.Name, "moment_x") ||
			strings.HasSuffix(k.Name, "moment_y") {
			want = keys.OddCurve
		}
		if k.Mirror != want {
			t.Errorf("%s is mirrored by %d, want %d", k.Name, k.Mirror, want)
		}
	}
	if count != 12 {
		t.Errorf("%d curves, want 12", count)
	}
}
