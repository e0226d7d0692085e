package vehicle_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/vehicle"
)

const pointRows = `# from a drawing
name, x [mm], y [cm], z [m]
wheel_centre, 1, 74.1, 0.301
lower_front, 151, 36.1, 0.201
lower_rear, -191, 37.1, 0.196

lower_outer, 11, 68.1, 0.181
upper_front, 111, 42.1, 0.441
upper_rear, -151, 42.6, 0.426
upper_outer, -26, 64.1, 0.466
tie_inner, -141, 35.6, 0.241
tie_outer, -131, 66.6, 0.233
spring_top, -11, 48.1, 0.691
spring_bottom, 1, 58.1, 0.206
`

// Both sides take the points of the table. A parameter of the use replaces a point of the table.
func TestPointsOfAFile(t *testing.T) {
	car, corner := designed(t)
	use := "frames = { chassis = \"body\", rack = \"rack\" }"
	car = edited(t, car, use, use+"\npoints = { file = \"front.csv\" }\nparameters = { tie_outer = [-132, 667, 234] }")
	files := map[string]string{"design_corner.toml": corner, "front.csv": pointRows}
	m, err := vehicle.Parse([]byte(car), "car.toml", inMemory(files))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"wheel_centre_FL_x": 0.001, "wheel_centre_FL_y": 0.741, "wheel_centre_FR_y": -0.741, "wheel_centre_FR_z": 0.301,
		"lower_outer_F_y": 0.681, "spring_bottom_FR_x": 0.001, "upper_rear_FR_y": -0.426, "tie_inner_FL_x": -0.141,
		"tie_outer_FL_x": -0.132, "tie_outer_FR_y": -0.667,
	} {
		i := slices.IndexFunc(m.Parameters, func(p vehicle.Parameter) bool { return p.Name == name })
		if i < 0 || math.Abs(float64(m.Parameters[i].Value.Value)-want) > 1e-15 {
			t.Errorf("%s is not %v: %v", name, want, m.Parameters)
		}
	}
	files["front.csv"] = edited(t, pointRows, "0.206", "0.207")
	other, err := vehicle.Parse([]byte(car), "car.toml", inMemory(files))
	if err != nil {
		t.Fatal(err)
	}
	if other.Fingerprint == m.Fingerprint {
		t.Error("another point leaves the fingerprint as it is")
	}
}

// A table needs no row for a direction, and may have points that options remove.
func TestPointsOfAFileAndOptions(t *testing.T) {
	car, corner := designed(t)
	use := "frames = { chassis = \"body\", rack = \"rack\" }"
	car = edited(t, car, use, use+"\npoints = { file = \"front.csv\" }")
	corner = edited(t, corner, "[parameters]", "[options]\nkind_of_bar = [\"none\", \"short\"]\n[parameters]\nslide = "+
		"{ value = [0, 0, 1], unit = \"1\", kind = \"direction\" }\n"+
		"bar_end = { value = [1, 2, 3], unit = \"mm\", when = \"kind_of_bar == short\" }")
	rows := pointRows + "bar_end, 4, 5, 6\n"
	m, err := vehicle.Parse([]byte(car), "car.toml", inMemory(map[string]string{"design_corner.toml": corner,
		"front.csv": rows}))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Parameters {
		if strings.HasPrefix(p.Name, "bar_end") {
			t.Errorf("%s exists", p.Name)
		}
	}
}

// manyRows are 1000 points, and the name of another one.
func manyRows() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "p%d, 0, 0, 0\n", i)
	}
	return b.String() + "tie_outer,"
}

func TestFaultsOfFilesOfPoints(t *testing.T) {
	car, corner := designed(t)
	use := "frames = { chassis = \"body\", rack = \"rack\" }"
	const given = "points = { file = \"front.csv\" }"
	car = edited(t, car, use, use+"\n"+given)
	corner = edited(t, corner, "[component.lower]", "preload = { value = 0, unit = \"N\" }\n[component.lower]")
	corner = edited(t, corner, "690], unit = \"mm\"", "690], unit = \"mm\", kind = \"position\"")
	for _, c := range []struct{ name, file, old, by, want string }{
		{"missing", "front.csv", "tie_outer, -131, 66.6, 0.233\nspring_top, -11, 48.1, 0.691\n", "",
			`car.toml:33:19: use F.points.file: front.csv lacks the points tie_outer, spring_top of design_corner.toml; add a ` +
				`row for each, or give it in [use.F.parameters]`},
		{"unknown", "front.csv", "tie_outer,", "tie_outr,", `front.csv:12:1: use F.points has "tie_outr", which is no ` +
			`point ` +
			`of design_corner.toml; did you mean "tie_outer"? its points: wheel_centre, ...`},
		{"twice", "front.csv", "tie_outer,", "tie_inner,", `front.csv:12:1: use F.points has the point tie_inner twice, ` +
			`first in line 11; remove one row`},
		{"no number", "front.csv", "66.6", "wide", `front.csv:12:17: use F.points: y of tie_outer is "wide"; it must be a ` +
			`finite number`},
		{"NaN", "front.csv", "66.6", "NaN", `front.csv:12:...y of tie_outer is "NaN"; it must be a finite number`},
		{"no unit", "front.csv", "x [mm]", "x", `front.csv:2:1: use F.points has the header "name, x, y [cm], z [m]"; ` +
			`it must ` +
			`be name, x [mm], y [mm], z [mm], or have another unit of length`},
		{"no length", "front.csv", "x [mm]", "x [kg]", `front.csv:2:1: use F.points has the header ...`},
		{"name of the header", "front.csv", "name,", "point,", `front.csv:2:1: use F.points has the header ...`},
		{"no point but a number", "front.csv", "tie_outer,", "preload, 1, 2, 3\ntie_outer,", `front.csv:12:1: use F.points ` +
			`has "preload", which is no point of design_corner.toml; ...`},
		{"too many", "front.csv", "tie_outer,", manyRows(), `front.csv:1004:1: use F.points has more than 1000 points, the ` +
			`most that are read`},
		{"exchanged", "front.csv", "x [mm], y [cm]", "y [cm], x [mm]", `front.csv:2:1: use F.points has the header ...`},
		{"too few fields", "front.csv", "-131, 66.6, 0.233", "-131, 66.6", `car.toml:33:19: use F.points.file: ` +
			`front.csv: line ` +
			`12 has 3 fields, the first row has 4; ...`},
		{"empty", "front.csv", pointRows, "", `car.toml:33:19: use F.points.file: front.csv has no point; it needs the ` +
			`header ` +
			`name, x [mm], y [mm], z [mm] and a row for each point`},
		{"no file", "car.toml", given, `points = { file = "frnt.csv" }`, `car.toml:33:19: use F.points.file: file does ` +
			`not exist; ...`},
		{"key misspelt", "car.toml", given, `points = { fil = "front.csv" }`, `car.toml:...use F.points...file...`},
		{"no table", "car.toml", given, `points = "front.csv"`, `car.toml:33:10: use F.points is "front.csv"; it must ` +
			`be a table`},
	} {
		files := map[string]string{"car.toml": car, "design_corner.toml": corner, "front.csv": pointRows}
		files[c.file] = edited(t, files[c.file], c.old, c.by)
		_, err := vehicle.Parse([]byte(files["car.toml"]), "car.toml", inMemory(files))
		switch {
		case err == nil:
			t.Errorf("%s is accepted", c.name)
		case !alike(err.Error(), c.want):
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, err, c.want)
		case strings.Contains(err.Error(), "Inf"):
			t.Errorf("%s: %s", c.name, err)
		}
	}
}

// Any table gives a model, or errors with places.
func FuzzPointsOfAFile(f *testing.F) {
	fuzzinputs.Add(f, pointRows)
	fuzzinputs.Add(f, "name, x [m], y [m], z [m]\n\"a\", 1e400, \"2\",\n")
	f.Fuzz(func(t *testing.T, rows string) {
		car, corner := designed(t)
		car = strings.Replace(car, "at = [", "points = { file = \"front.csv\" }\nat = [", 1)
		m, err := vehicle.Parse([]byte(car), "car.toml", inMemory(map[string]string{"design_corner.toml": corner,
			"front.csv": rows}))
		if err != nil && m != nil || err == nil && m == nil {
			t.Fatalf("%v, %v", m, err)
		}
		if err != nil && !strings.Contains(err.Error(), ":") {
			t.Fatalf("a fault without a place: %v", err)
		}
	})
}
