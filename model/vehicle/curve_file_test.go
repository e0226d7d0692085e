package vehicle_test

import (
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/vehicle"
)

// onTables is a model with a spring by a curve, and a suspension; %s stand for the curves.
const onTables = `name = "Sprung"
[component.slide]
type = "prismatic"
from = "ground"
to = "body"
axis = "z"
[component.body]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "slide"
spring_force = %s
[component.susp]
type = "suspension"
from = "body"
to = "carrier"
side = "left"
toe = %s
[component.carrier]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`

const table = "\ufeff# measured\n travel [mm], force [kN],toe [deg], \"a, b [m]\"\n\n-50, -1,0.5,1\n0,0,0,2\n" +
	"# a comment\n100,4,-1,3\n"

// sprungWith reads the model with curves; files by name are at hand.
func sprungWith(force, toe string, files map[string]string) (*vehicle.Model, error) {
	return vehicle.Parse(fmt.Appendf(nil, onTables, force, toe), "sprung.toml",
		func(kind bounded.Kind, name string) ([]byte, error) {
			if text, ok := files[name]; ok && kind == bounded.Curves {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
}

// Curves of a CSV file equal curves of the same points in the model file, in SI units, with comments, quotes and empty
// lines.
func TestCurvesOfAFile(t *testing.T) {
	x, force, toe := []float64{-0.05, 0, 0.1}, []float64{-1000, 0, 4000}, []float64{0.5, 0, -1}
	for i := range toe {
		toe[i] *= math.Pi / 180
	}
	for _, c := range []struct {
		options string
		want    func(x, y []float64) (*curve.Curve, error)
		hold    bool
	}{
		{"", curve.Monotone, false},
		{`, smooth = "spline"`, curve.Smooth, false},
		{`, smooth = "linear", outside = "hold"`, curve.Linear, true},
		{`, outside = "tangent"`, curve.Monotone, false},
	} {
		m, err := sprungWith(`{ file = "k&c/t.csv", column = "force", over = "travel"`+c.options+" }",
			`{ file = "k&c/t.csv", column = "toe", over = "travel" }`, map[string]string{"k&c/t.csv": table})
		if err != nil {
			t.Fatal(err)
		}
		wantForce, err := c.want(x, force)
		if err != nil {
			t.Fatal(err)
		}
		wantToe, err := curve.Smooth(x, toe)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range m.Components {
			for at := -0.15; at < 0.2; at += 0.013 {
				var got, want float64
				limit := 1e-9
				switch k := k.(type) {
				case *component.SpringDamper:
					got, _, _ = k.SpringForce.At(at)
					want, _, _ = wantForce.At(at)
					if c.hold && at < x[0] {
						want = force[0]
					} else if c.hold && at > x[2] {
						want = force[2]
					}
				case *component.Suspension:
					got, _, _ = k.Toe.At(at)
					want, _, _ = wantToe.At(at)
					limit = 1e-15
				default:
					continue
				}
				if !(math.Abs(got-want) <= limit) {
					t.Errorf("%s at %g: %.17g, want %.17g", c.options, at, got, want)
				}
			}
		}
	}
}

// A list of points may have options, too.
func TestPointsWithOptions(t *testing.T) {
	m, err := sprungWith(`{ points = [[0, 0], [1, 2], [2, 2]], smooth = "linear" }`, `[[0, 0], [1, 0]]`, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range m.Components {
		if s, is := k.(*component.SpringDamper); is {
			if y, slope, _ := s.SpringForce.At(0.5); y != 1 || slope != 2 {
				t.Errorf("%g, slope %g, want 1, 2", y, slope)
			}
		}
	}
}

// A surface of a CSV has the points in any order and all units in SI.
func TestSurfacesOfAFile(t *testing.T) {
	table := "rate [mm/s],elongation [mm],force [kN]\n0,100,4\n0,0,1\n2000,0,2\n2000,100,-3\n"
	m, err := sprungWith(`{ file = "t.csv", column = "force", over = ["elongation", "rate"] }`, "[[0, 0], [1, 0]]",
		map[string]string{"t.csv": table})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range m.Components {
		if s, is := k.(*component.SpringDamper); is {
			if s.SpringForce != nil {
				t.Error("a curve beside the surface")
			}
			for _, w := range [][3]float64{{0, 0, 1000}, {0.1, 0, 4000}, {0, 2, 2000}, {0.1, 2, -3000}, {0.05, 1, 1000}} {
				if z, _, _ := s.SpringSurface.At(w[0], w[1]); !(math.Abs(z-w[2]) < 1e-9) {
					t.Errorf("at (%g, %g): %.12g, want %g", w[0], w[1], z, w[2])
				}
			}
		}
	}
}

// Errors in a table name the file and the line.
func TestInvalidCurvesOfAFile(t *testing.T) {
	rows := func(header string, lines ...string) map[string]string {
		return map[string]string{"t.csv": header + "\n" + strings.Join(lines, "\n")}
	}
	const head, named = "x [m],f [N]", `{ file = "t.csv", column = "f", over = "x" }`
	many := make([]string, curve.Most+1)
	for i := range many {
		many[i] = fmt.Sprintf("%d,1", i)
	}
	for _, c := range []struct {
		force string
		files map[string]string
		want  string
	}{
		{named, nil, "sprung.toml:14:25: spring.spring_force.file: file does not exist"},
		{named, rows(""), "spring.spring_force.file: t.csv: is empty"},
		{named, rows(head), "t.csv:1:1: spring.spring_force, f over x, has 0 points; a curve has 2 to"},
		{named, rows(head, "0,1"), "t.csv:1:1: spring.spring_force, f over x, has 1 points"},
		{named, rows(head, "0,1", "0,2"), "t.csv:3:1: spring.spring_force, f over x, has x = 0 after 0"},
		{named, rows(head, "# no", "2,1", "", "1,2"), "t.csv:5:1:"},
		{named, rows(head, "0,1", "1"), "t.csv: line 3 has 1 fields, the first row has 2"},
		{named, rows(head, "0,1", "1,NaN"), `t.csv:3:3: "NaN" is not a finite number`},
		{named, rows(head, "0,1", "1,1e999"), `t.csv:3:3: "1e999" is not a finite number`},
		{named, rows(head, "0,1", "1,"), `t.csv:3:3: "" is not a finite number`},
		{named, rows(head, many...), "t.csv:10002:1: is point 10001; there may be 10000"},
		{named, rows("x [m],f", "0,1"), "t.csv:1:7: column f lacks its unit; write f [N]"},
		{named, rows("x [m],f [N", "0,1"), "t.csv:1:7: column f lacks its unit"},
		{named, rows("x [m],f [foo]", "0,1"), "t.csv:1:7: column f: "},
		{named, rows("x [rad],f [N]", "0,1"), "t.csv:1:1: column x: rad is not a unit for what must be in m"},
		{named, rows("x [m],f [N.m]", "0,1"), "column f: N.m is not a unit for what must be in N"},
		{named, rows("x [m],force [N]", "0,1"), `t.csv has no column "f"`},
		{named, rows("x [m],f [N],f [kN]", "0,1,2"), "t.csv:1:13: is a second column f; rename one"},
		{`{ file = "t.csv", column = "f", over = ["x", "v"] }`,
			rows("x [m],v [m/s],f [N]", "0,0,1", "0,1,2", "1,0,2", "1,0,3"),
			"t.csv:5:1: spring.spring_force, f over x and v, is (1, 0) once more"},
		{`{ file = "t.csv", column = "f", over = ["x", "v"] }`, rows("x [m],v [m],f [N]", "0,0,1"),
			"t.csv:1:7: column v: m is not a unit for what must be in m/s"},
		{`{ file = "t.csv", column = "f", over = ["x", "w"] }`, rows("x [m],v [m/s],f [N]"),
			`spring_force.over: t.csv has no column "w"`},
		{`{ file = "t.csv", column = "f", over = ["x", "v", "w"] }`, rows(head), "names 3 columns; it must name one, or two"},
		{`{ file = "t.csv", column = "f", over = [] }`, rows(head), "names 0 columns"},
		{`{ file = "t.csv", column = "f", over = 3 }`, rows(head), "spring_force.over is 3"},
		{`[[0, 0, 1], [0, 1]]`, nil, "spring_force[1] is a list of 2; it must be a point [x, y, z], three numbers"},
		{`[[0, 0, 1], [0, 1, 1], [1, 1, 1]]`, nil, "spring_force has 3 points; a surface has 4 to 40000"},
		{`[[0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 2, 1]]`, nil, "spring_force has no point at (0, 2)"},
		{`{ file = "t.csv", column = "f" }`, rows(head), "spring_force needs either points or all of file, column and over"},
		{`{ file = "t.csv", column = "f", over = "x", points = [] }`, rows(head), "needs either points or all of"},
		{`{ points = 3 }`, nil, "spring_force.points is 3; it must be a list of points"},
		{`{ points = [[0, 1]] }`, nil, "spring_force.points has 1 points"},
		{`{ points = [[0, 1], [1, 1]], smooth = "round" }`, nil, "one of the words monotone, spline, linear"},
		{`{ points = [[0, 1], [1, 1]], outside = "stop" }`, nil, "one of the words tangent, hold, error"},
		{`{ fil = "t.csv" }`, nil, `unknown key "fil"`},
		{`3`, nil, "spring_force is 3; it must be a curve"},
	} {
		_, err := sprungWith(c.force, "[[0, 0], [1, 0]]", c.files)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %.60q: want %q, got %.300v", c.force, c.files["t.csv"], c.want, err)
		}
	}
	for _, c := range []struct{ toe, want string }{
		{`[[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]`, "susp has surfaces, which need a second variable: steer"},
		{"[[0, 0], [1, 0]]\nsteer = \"slide\"", "susp follows slide, and none of its curves is a surface"},
		{`[[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]
steer = "slide"
other = "susp"`,
			"susp has both steer and other"},
		{"[[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]\nsteer = \"slid\"",
			`susp follows "slid", which no component is called; did you mean "slide"?`},
		{"[[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]\nother = \"susp\"",
			`sprung.toml:21:9: susp.other is "susp"; it must be another suspension`},
		{"[[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]\nother = \"slide\"",
			`susp.other is "slide"; it must be another suspension`},
		{"[[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]\nsteer = \"body\"",
			`sprung.toml:21:9: susp.steer is "body", which is a rigid-body; it must be a prismatic or revolute joint`},
		{"[[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]\nsteer = \"susp\"", `susp.steer is "susp", which is a suspension`},
		{"[[0, \"3 deg\", 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]\nsteer = \"slide\"",
			`susp.toe[0][1] is "3 deg": deg is not a unit for what must be in m`},
	} {
		_, err := sprungWith("[[0, 0], [1, 0]]", c.toe, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", c.toe, c.want, err)
		}
	}
	_, err := sprungWith("[[0, 0], [1, 0]]",
		"{ file = \"t.csv\", column = \"f\", over = [\"x\", \"v\"] }\nsteer = \"slide\"", rows("x [m],v [rad],f [rad]"))
	if err == nil || !strings.Contains(err.Error(), "t.csv:1:7: column v: rad is not a unit for what must be in m") {
		t.Errorf("a rack in rad: %v", err)
	}
	steering := `[[0, 0], [1, 0]]
[component.steering]
type = "steering"
[[component.steering.wheels]]
driver = "slide"
angle_curve = `
	_, err = sprungWith("[[0, 0], [1, 0]]", steering+`[[0, 0, 1], [1, 0, 1]]`, nil)
	if err == nil || !strings.Contains(err.Error(), "angle_curve[0] is a list of 3; it must be a point [x, y], two") {
		t.Errorf("a surface where a curve is: %v", err)
	}
	_, err = sprungWith("[[0, 0], [1, 0]]", steering+`{ file = "t.csv", column = "f", over = ["x", "v"] }`, nil)
	if err == nil || !strings.Contains(err.Error(), "names two columns; this key is a curve over one") {
		t.Errorf("a curve over two columns: %v", err)
	}
}

// Kinematics run as natural splines where nothing is said, else as forces can, with the same ends.
func TestKinematicsByOtherRules(t *testing.T) {
	x, y := []float64{-0.1, 0, 0.03, 0.1}, []float64{0.01, 0, 0.02, -0.01}
	for _, c := range []struct {
		options string
		want    func(x, y []float64) (*curve.Curve, error)
		hold    bool
	}{
		{"", curve.Smooth, false}, {`, smooth = "spline", outside = "hold"`, curve.Smooth, true},
		{`, smooth = "monotone"`, curve.Monotone, false}, {`, smooth = "linear", outside = "hold"`, curve.Linear, true},
	} {
		m, err := sprungWith("[[0, 0], [1, 0]]",
			"{ points = [[-0.1, 0.01], [0, 0], [0.03, 0.02], [0.1, -0.01]]"+c.options+" }", nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.want(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if c.hold {
			want = want.Hold()
		}
		for _, k := range m.Components {
			if s, is := k.(*component.Suspension); is {
				for at := -0.2; at < 0.2; at += 0.007 {
					value, slope, curvature := s.Toe.At(at)
					if v, d, e := want.At(at); value != v || slope != d || curvature != e {
						t.Errorf("%s at %g: %g, %g, %g; want %g, %g, %g", c.options, at, value, slope, curvature, v, d, e)
					}
				}
			}
		}
	}
}

// forceMatrix has the elongation down, rate to the right.
const forceMatrix = "elongation [mm] \\ rate [mm/s] \\ force [kN], 0, 2000\n0, 1, 2\n# a comment\n100, 4, -3\n"

// A matrix is the surface of its points, whichever variable goes down.
func TestSurfacesOfAMatrix(t *testing.T) {
	turned := "rate [mm/s]\\elongation [mm]\\force [kN],0,100\n0,1,4\n2000,2,-3\n"
	for _, text := range []string{forceMatrix, turned} {
		m, err := sprungWith(`{ file = "t.csv", column = "force", over = ["elongation", "rate"] }`, "[[0, 0], [1, 0]]",
			map[string]string{"t.csv": text})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range m.Components {
			if s, is := k.(*component.SpringDamper); is {
				for _, w := range [][3]float64{{0, 0, 1000}, {0.1, 0, 4000}, {0, 2, 2000}, {0.1, 2, -3000}} {
					if z, _, _ := s.SpringSurface.At(w[0], w[1]); !(math.Abs(z-w[2]) < 1e-9) {
						t.Errorf("at (%g, %g): %.12g, want %g", w[0], w[1], z, w[2])
					}
				}
			}
		}
	}
}

// Errors in a matrix name the field.
func TestInvalidMatrices(t *testing.T) {
	const corner = `x [m]\v [m/s]\f [N]`
	for _, c := range []struct{ over, text, want string }{
		{`["x", "v"]`, corner + ",0,1\n0,1,2\n0,3,4", "t.csv:3:1: 0 is not above the one before it; x [m] must increase"},
		{`["x", "v"]`, corner + ",0,0\n0,1,2\n1,3,4", "t.csv:1:23: 0 is not above the one before it; v [m/s] must increase"},
		{`["x", "v"]`, corner + ",0,1\n0,1,2\n1,3", "t.csv: line 3 has 2 fields"},
		{`["x", "v"]`, corner + ",0,1\n0,1,\n1,3,4", `t.csv:2:5: "" is not a finite number`},
		{`["x", "v"]`, corner + ",0,1\n0,1,inf\n1,3,4", `t.csv:2:5: "inf" is not a finite number`},
		{`["x", "v"]`, corner + ",a,1\n0,1,2\n1,3,4", `t.csv:1:21: "a" is not a finite number`},
		{`["x", "v"]`, corner + ",0,1\nb,1,2\n1,3,4", `t.csv:2:1: "b" is not a finite number`},
		{`["x", "v"]`, corner + ",0,1", "t.csv:1:1: spring.spring_force, f over x and v, has 0 points"},
		{`["x", "v"]`, corner + ",0\n0,1\n1,2\n2,2\n3,3", "has 4 and 1 different arguments"},
		{`["x", "v"]`, `x [m]\v [m/s]\f [kg],0,1` + "\n0,1,2", "column f: kg is not a unit"},
		{`["x", "v"]`, `x [m]\v [m/s]\f,0,1` + "\n0,1,2", "column f lacks its unit"},
		{`["x", "w"]`, corner + ",0,1\n0,1,2\n1,3,4", `spring_force.over: t.csv has no column "w"`},
		{`["x", "v"]`, `x [m]\f [N]\v [m/s],0,1` + "\n0,1,2\n1,3,4", "names v [m/s] where the value of the matrix is"},
		{`["x", "v"]`, `x [m]\v [m/s],0,1` + "\n0,1,2\n1,3,4", "is the corner of a matrix; it must be down [unit]"},
		{`"x"`, corner + ",0,1\n0,1,2\n1,3,4", "is the corner of a matrix; it must be down [unit]"},
	} {
		_, err := sprungWith(`{ file = "t.csv", column = "f", over = `+c.over+` }`, "[[0, 0], [1, 0]]",
			map[string]string{"t.csv": c.text})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: want %q, got %.300v", c.text, c.want, err)
		}
	}
}

// Spring forces over an angle are in rad and N.m.
func TestCurvesOfAFileOnRevoluteJoints(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(onTables, `{ file = "t.csv", column = "f", over = "x" }`, "[[0, 0], [1, 0]]"),
		"prismatic", "revolute", 1)
	read := func(header string) error {
		_, err := vehicle.Parse([]byte(text), "sprung.toml", func(bounded.Kind, string) ([]byte, error) {
			return []byte(header + "\n0,1\n1,2\n"), nil
		})
		return err
	}
	if err := read("x [deg], f [kN.m]"); err != nil {
		t.Error(err)
	}
	if err := read("x [m], f [N]"); err == nil || !strings.Contains(err.Error(), "must be in rad") {
		t.Errorf("a force over a length on a revolute joint: %v", err)
	}
}
