package hardpoints

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// corner is a left corner in ISO axes [mm].
var corner = map[string][3]float64{
	"wheel_centre": {0, 740, 300}, "lower_front": {150, 360, 200}, "lower_rear": {-190, 370, 195},
	"lower_outer": {10, 680, 180}, "upper_front": {110, 420, 440}, "upper_rear": {-150, 425, 425},
	"upper_outer": {-25, 640, 465}, "tie_inner": {-140, 355, 240}, "tie_outer": {-130, 665, 232},
}

const tableOfTheCorner = `name,x,y,z
hpl_wheel_center,0,740,300
hpl_lca_front,150,360,200
hpl_lca_rear,-190,370,195
hpl_lca_outer,10,680,180
hpl_uca_front,110,420,440
hpl_uca_rear,-150,425,425
hpl_uca_outer,-25,640,465
hpl_tierod_inner,-140,355,240
hpl_tierod_outer,-130,665,232
`

const subsystemOfTheCorner = `$-----------------------------------HARDPOINTS
[UNITS]
 LENGTH = 'mm'
 ANGLE = 'degrees'
[HARDPOINT]
{hardpoint_name symmetry x_value y_value z_value}
 'wheel_center' 'left/right' 0.0 -740.0 300.0
 'lca_front' 'left/right' -150.0 -360.0 200.0
 'lca_rear' 'left/right' 190.0 -370.0 195.0
 'lca_outer' 'left/right' -10.0 -680.0 180.0
 'uca_front' 'left/right' -110.0 -420.0 440.0
 'uca_rear' 'left/right' 150.0 -425.0 425.0
 'uca_outer' 'left/right' 25.0 -640.0 465.0
 'tierod_inner' 'left/right' 140.0 -355.0 240.0
 'tierod_outer' 'left/right' 130.0 -665.0 232.0
[PARAMETER]
 'toe' 'single' 0
`

// Two forms of printed listings; a y of either sign is the same corner.
const listingOfTheCorner = `FRONT SUSPENSION - COORDINATES
   -150.0   360.0   200.0   POINT:1  Lower wishbone front pivot
    190.0   370.0   195.0   POINT:2  Lower wishbone rear pivot
    -10.0   680.0   180.0   POINT:3  Lower wishbone outer ball joint
   -110.0   420.0   440.0   POINT:5  Upper wishbone front pivot
    150.0   425.0   425.0   POINT:6  Upper wishbone rear pivot
     25.0   640.0   465.0   POINT:7  Upper wishbone outer ball joint
    130.0   665.0   232.0   POINT:11 Outer track rod ball joint
    140.0   355.0   240.0   POINT:12 Inner track rod ball joint
      0.0   740.0   300.0   POINT:19 Wheel centre point
STATIC VALUES
CASTOR ANGLE (deg)  7.001
KINGPIN ANGLE (deg) 7.99
`

func wantCorner(t *testing.T, in *Import) {
	t.Helper()
	if len(in.Left) != len(corner) || len(in.Right) != 0 {
		t.Errorf("%d left and %d right points, want %d and 0", len(in.Left), len(in.Right), len(corner))
	}
	for _, p := range in.Left {
		want, ok := corner[p.Name]
		if !ok {
			t.Errorf("point %s is none of the corner", p.Name)
		}
		for k := range want {
			if math.Abs(p.Place[k]-want[k]/1000) > 1e-15 {
				t.Errorf("%s is at %v m, want %v mm", p.Name, p.Place, want)
				break
			}
		}
	}
}

func read(t *testing.T, text string, o Options) *Import {
	t.Helper()
	in, err := Read([]byte(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// All forms and axes of one corner give the same points.
func TestFormsOfOneCornerAgree(t *testing.T) {
	v4 := regexp.MustCompile(`POINT:(\d+)`).ReplaceAllString(listingOfTheCorner, "POINT ( $1 ) =")
	var otherSide, inches strings.Builder
	for line := range strings.Lines(listingOfTheCorner) {
		if m := listingRow.FindStringSubmatch(line); m != nil {
			line = strings.Replace(line, " "+m[2], " -"+m[2], 1)
		}
		otherSide.WriteString(line)
	}
	inches.WriteString("name, x [in], y [in], z [in]\n")
	for name, p := range corner {
		inches.WriteString(name)
		for _, x := range p {
			inches.WriteString(", " + millimetres([3]float64{x / 25.4 / 1000})[0])
		}
		inches.WriteString("\n")
	}
	for name, c := range map[string]struct {
		text string
		o    Options
	}{
		"table":              {tableOfTheCorner, Options{Axes: "iso"}},
		"subsystem":          {subsystemOfTheCorner, Options{Axes: "adams"}},
		"listing":            {listingOfTheCorner, Options{}},
		"older listing":      {v4, Options{Axes: "lotus"}},
		"listing, left side": {otherSide.String(), Options{}},
	} {
		t.Run(name, func(t *testing.T) { wantCorner(t, read(t, c.text, c.o)) })
	}
	in := read(t, inches.String(), Options{Axes: "iso"})
	if len(in.Left) != len(corner) {
		t.Errorf("%d points in inches, want %d", len(in.Left), len(corner))
	}
	for _, p := range in.Left {
		want := corner[p.Name]
		if d := distance(p.Place, [3]float64{want[0] / 1e3, want[1] / 1e3, want[2] / 1e3}); d > 1e-9 {
			t.Errorf("%s in inches is %g m away", p.Name, d)
		}
	}
}

// Axes and units turn and scale each coordinate.
func TestAxesAndUnits(t *testing.T) {
	const subsystem = "[UNITS]\nLENGTH = '%'\n[HARDPOINT]\n'wheel_center' 'single' 10 20 -30\n"
	for name, c := range map[string]struct {
		text string
		o    Options
		want [3]float64
	}{
		"sae":        {"wheel_centre,10,-20,30\n", Options{Axes: "sae"}, [3]float64{0.01, 0.02, -0.03}},
		"adams":      {"wheel_centre,10,-20,30\n", Options{Axes: "adams"}, [3]float64{-0.01, 0.02, 0.03}},
		"cm":         {"wheel_centre,10,20,30\n", Options{Unit: "cm"}, [3]float64{0.1, 0.2, 0.3}},
		"in":         {strings.Replace(subsystem, "%", "inch", 1), Options{Axes: "iso"}, [3]float64{0.254, 0.508, -0.762}},
		"m":          {strings.Replace(subsystem, "%", "meter", 1), Options{Axes: "iso"}, [3]float64{10, 20, -30}},
		"plane of y": {"hps_wheel_center,10,0,30\n", Options{}, [3]float64{0.01, 0, 0.03}},
	} {
		in, err := Read([]byte(c.text), c.o)
		if name == "m" {
			if err == nil {
				t.Error("a point 37 m away is read")
			}
			continue
		}
		if err != nil || distance(in.Left[0].Place, c.want) > 1e-15 {
			t.Errorf("%s: %v, %+v; want %v", name, err, in, c.want)
		}
	}
}

// Names from a file cannot move the cursor of a terminal.
func TestNamesHaveNoControlCharacters(t *testing.T) {
	in := read(t, tableOfTheCorner+"bolt\x1b[2J,1,2,3\n", Options{})
	if len(in.Ignored) != 1 || strings.Contains(in.Ignored[0], "\x1b") || !strings.Contains(in.Ignored[0], "bolt [2J") {
		t.Errorf("ignored: %q", in.Ignored)
	}
}

// What is written is read again to the same bits.
func TestWrittenPointsAreRead(t *testing.T) {
	first := read(t, tableOfTheCorner, Options{Axes: "iso"})
	var text strings.Builder
	if err := WriteCSV(&text, first.Left); err != nil {
		t.Fatal(err)
	}
	again := read(t, text.String(), Options{Axes: "iso"})
	for i, p := range again.Left {
		if p.Place != first.Left[i].Place || p.Name != first.Left[i].Name {
			t.Errorf("%v is read as %v", first.Left[i], p)
		}
	}
	if slices.ContainsFunc(again.Notes, func(n string) bool { return strings.Contains(n, "unit") }) {
		t.Errorf("the unit of the header is not read: %v", again.Notes)
	}
}

// A listing states figures with a sign of its own, and the radius of the tires.
func TestFiguresOfAListing(t *testing.T) {
	in := read(t, listingOfTheCorner+"Castor Trail (hub) (mm): 1.5\nKingpin Offset (w/c) (mm): 92\nTYRE ROLLING "+
		"RADIUS (mm): "+
		"225.00\nWHEELBASE (mm): 1550.00\nTYPE 6 Double Wishbone, damper to upper wishbone\nMade by nobody\n", Options{})
	for figure, want := range map[string]float64{"castor": 7.001 * math.Pi / 180, "inclination": 7.99 * math.Pi / 180,
		"hub_trail": -0.0015, "hub_offset": 0.092} {
		i := slices.IndexFunc(in.Printed, func(p Printed) bool { return p.Figure == figure })
		if i < 0 || math.Abs(in.Printed[i].Value-want) > 1e-15 {
			t.Errorf("%s: %+v, want %g", figure, in.Printed, want)
		}
	}
	if len(in.Printed) != 4 || in.Radius != 0.225 {
		t.Errorf("%d figures, radius %g m", len(in.Printed), in.Radius)
	}
	if len(in.Options) != 1 || in.Options[0].Name != "spring_on" || in.Options[0].Choice != "upper" {
		t.Errorf("options %+v", in.Options)
	}
	for _, want := range []string{"WHEELBASE", "Made by nobody", "STATIC VALUES"} {
		if !slices.Contains(in.Ignored, want) {
			t.Errorf("ignored: %q, without %s", in.Ignored, want)
		}
	}
}

// A Chrono file in metres keeps its points; other keys are listed.
func TestChronoPoints(t *testing.T) {
	const text = `{"Name": "n", "Type": "Suspension", "Template": "SemiTrailingArm",
"Spindle": {"COM": [0, 1.1, 0], "Mass": 1}, "Trailing Arm": {"Location Chassis Outer": [0.5, 0.9, 0],
"Location Chassis Inner": [0.42, 0.6, -0.05]}, "Spring": {"Location Chassis": [0.3, 0.8, 0.4], "Location Arm": [0.3,
	0.8, 0],
/* as [N/m] */ "Spring Coefficient": 350000, "Free Length": 0.356}} // "end"`
	in := read(t, text, Options{})
	want := map[string][3]float64{"wheel_centre": {0, 1.1, 0}, "arm_outer_pivot": {0.5, 0.9, 0},
		"arm_inner_pivot": {0.42, 0.6, -0.05}, "spring_top": {0.3, 0.8, 0.4}, "spring_bottom": {0.3, 0.8, 0}}
	for _, p := range in.Left {
		if p.Place != want[p.Name] {
			t.Errorf("%s is at %v, want %v", p.Name, p.Place, want[p.Name])
		}
	}
	values := map[string]float64{}
	for _, v := range in.Values {
		values[v.Parameter] = v.Value
	}
	if len(values) != 2 || values["stiffness"] != 350000 || math.Abs(values["load"]+15400) > 1e-9 ||
		!strings.Contains(strings.Join(in.Notes, "\n"), "pulls with 1.54e+04 N") {
		t.Errorf("values %v, notes %v", values, in.Notes)
	}
	if len(in.Left) != len(want) || !slices.Contains(in.Ignored, "Spindle/Mass") ||
		!strings.Contains(strings.Join(in.Notes, "\n"), "Shock/Location Chassis is missing: no point damper_top") {
		t.Errorf("%d points, ignored %v, notes %v", len(in.Left), in.Ignored, in.Notes)
	}
}

// Moments of inertia are turned into axes of the vehicle; others than those of a body are not read.
func TestInertiasOfChronoFiles(t *testing.T) {
	const text = `{"Template": "SemiTrailingArm", "Spindle": {"COM": [0, 1, 0]}, "Camber Angle (deg)": -1.5,
"Trailing Arm": {"Inertia": [3, 4, 6], "COM": [0.1, 0.8, 0], "Location Chassis Outer": [0.5, 0.8, 0],
"Location Chassis Inner": [AT], "Location Spindle": [0, 0.9, 0]}}`
	moments := func(text string) (of [3]float64, notes string) {
		in := read(t, text, Options{})
		for i, axis := range []string{"xx", "yy", "zz"} {
			for _, v := range in.Values {
				if v.Parameter == "arm_"+axis && v.Unit == "kg.m2" {
					of[i] = v.Value
				}
				if v.Parameter == "camber" && (v.Value != -1.5 || v.Unit != "deg") {
					t.Errorf("camber %+v", v)
				}
			}
		}
		return of, strings.Join(in.Notes, "\n")
	}
	at := func(inner string) string { return strings.Replace(text, "AT", inner, 1) }
	for inner, want := range map[string][3]float64{
		"0.5, 0.4, 0": {4, 3, 6}, // x of the arm is y of the vehicle
		"0.1, 0.4, 0": {3.5, 3.5, 6},
	} {
		got, notes := moments(at(inner))
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("pivot at %s: %v, want %v", inner, got, want)
				break
			}
		}
		if strings.Contains(notes, "products of inertia up to 0.5") != (inner == "0.1, 0.4, 0") {
			t.Errorf("pivot at %s: %s", inner, notes)
		}
	}
	for name, faulty := range map[string]string{
		"no plane": at("1, 0.7, 0"), "no pivot": strings.Replace(at("0, 0, 0"), "Inner", "Other", 1),
		"no inertia": strings.Replace(at("0.5, 0.4, 0"), "[3, 4, 6]", "[3, 4]", 1),
	} {
		if got, _ := moments(faulty); got != [3]float64{} {
			t.Errorf("%s: %v", name, got)
		}
	}
	got, notes := moments(strings.Replace(at("0.5, 0.4, 0"), "[3, 4, 6]", "[3, 4, 8]", 1))
	if got != [3]float64{} || !strings.Contains(notes, "no body has the moments 4, 3 and 8 kg.m2") {
		t.Errorf("moments of no body: %v, %s", got, notes)
	}
	// products of a wishbone, which are in axes of the vehicle if the file says so
	const arm = `{"Template": "DoubleWishbone", "Spindle": {"COM": [0, 1, 0]}, %s "Lower Control Arm": {"Moments of Inertia":
[3, 4, 6], "Products of Inertia": [0.5, 0, 0], "Location Chassis Front": [0.2, 0.4, 0], "Location Chassis Back": [-0.2,
0, 0], "Location Upright": [0, 0.8, 0]}}`
	if got, _ := moments(strings.Replace(arm, "%s", `"Vehicle-Frame Inertia": true,`, 1)); got != [3]float64{3, 4, 6} {
		t.Errorf("in axes of the vehicle: %v", got)
	}
	got, _ = moments(strings.Replace(arm, "%s", "", 1))
	for i, want := range [3]float64{3, 4, 6} { // x of the arm at 45 deg, moments 3.5 without the product
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("in axes of the arm: %v", got)
			break
		}
	}
}

// A free length without the spring or its points is ignored; a text may have signs of comments.
func TestFreeLengthAlone(t *testing.T) {
	const head = `{"Name": "a//b /*", "Template": "DoubleWishbone", "Spindle": {"COM": [0, 1, 0]}, "Spring": {`
	for name, entries := range map[string]string{
		"no stiffness": `"Location Chassis": [0, 0.5, 1], "Location Arm": [0, 0.5, 0.7], "Free Length": 0.3`,
		"no top":       `"Location Arm": [0, 0.5, 0.7], "Spring Coefficient": 1, "Free Length": 0.3`,
		"no bottom":    `"Location Chassis": [0, 0.5, 1], "Spring Coefficient": 1, "Free Length": 0.3`,
	} {
		in := read(t, head+entries+"}}", Options{})
		for _, v := range in.Values {
			if v.Parameter != "stiffness" {
				t.Errorf("%s: %+v", name, v)
			}
		}
		if !slices.Contains(in.Ignored, "Spring/Free Length") {
			t.Errorf("%s: ignored %q", name, in.Ignored)
		}
	}
}

// The body of spring and damper of a listing.
func TestSpringOfAListing(t *testing.T) {
	in := read(t, listingOfTheCorner+"TYPE 2 Double Wishbone, Damper to Upright\n", Options{})
	if len(in.Options) != 1 || in.Options[0].Choice != "carrier" {
		t.Errorf("options %+v", in.Options)
	}
}

// Every name of a point in a template of Chrono is a name of Skidpad, of a point on the body where the file says so.
func TestChronoNamesAreKnown(t *testing.T) {
	for template, points := range chronoPoints {
		for path, names := range points {
			name, second, _ := strings.Cut(names, ", ")
			for _, one := range []string{name, second} {
				if _, ok := otherNames[one]; !ok && one != "" {
					t.Errorf("%s: %s is %s, an unknown name", template, path, one)
				}
			}
			ends := `_(front|rear|inner|top|pivot)$`
			if template == "SolidAxle" { // its links lead from front to rear
				ends = `_(front|top|chassis)$`
			}
			onBody := regexp.MustCompile(ends).MatchString(name)
			if onBody != strings.Contains(path, "Location Chassis") {
				t.Errorf("%s: %s is %s", template, path, name)
			}
		}
	}
}

// Sides that differ stay two sets for the left side, or are averaged.
func TestSidesThatDiffer(t *testing.T) {
	text := tableOfTheCorner + "hpr_lca_front,150,-364,200\nhpr_lca_rear,-190,-370.05,195\n"
	in := read(t, text, Options{Axes: "iso"})
	if len(in.Right) != len(in.Left) {
		t.Fatalf("%d right points, want as many as on the left, %d", len(in.Right), len(in.Left))
	}
	at := func(points []Point, name string) float64 {
		return points[slices.IndexFunc(points, func(p Point) bool { return p.Name == name })].Place[1]
	}
	if l, r := at(in.Left, "lower_front"), at(in.Right, "lower_front"); l != 0.36 || r != 0.364 {
		t.Errorf("lower_front is at y %g and %g m, want 0.36 and 0.364, both on the left", l, r)
	}
	if !strings.Contains(strings.Join(in.Notes, "\n"), "differ in 1 points, by up to 4 mm (lower_front)") {
		t.Errorf("notes %v", in.Notes)
	}
	if in = read(t, tableOfTheCorner+"hpr_lca_rear,-190,-370.2,195\n", Options{}); len(in.Right) == 0 {
		t.Error("sides that differ by 0.2 mm become one")
	}
	in = read(t, text, Options{Axes: "iso", Symmetric: true})
	if y := at(in.Left, "lower_front"); len(in.Right) != 0 || math.Abs(y-0.362) > 1e-15 {
		t.Errorf("the average of y is %g m, want 0.362", y)
	}
	in = read(t, tableOfTheCorner+"hpr_lca_rear,-190,-370.05,195\n", Options{Axes: "iso"})
	if y := at(in.Left, "lower_rear"); len(in.Right) != 0 || y != 0.37 {
		t.Errorf("sides that differ by 0.05 mm: y is %g m with %d right points, want 0.37 and none", y, len(in.Right))
	}
}

// Each fault has a message with place and remedy.
func TestFaultyFilesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		o    Options
		want []string
	}{
		"no axes in a subsystem text": {subsystemOfTheCorner, Options{}, []string{"add --axes",
			"iso: lower_front is not ahead of lower_rear", "adams: the points lie as their names say"}},
		"wrong axes": {tableOfTheCorner, Options{Axes: "adams"}, []string{"lower_front is not ahead of lower_rear",
			"iso: the points lie as their names say"}},
		"table in other axes": {"lca_front,-100,-200,300\nlca_rear,100,-200,300\n", Options{},
			[]string{"in the axes iso", "adams: the points lie as their names say"}},
		"left and right mixed": {strings.Replace(tableOfTheCorner, "10,680,180", "10,-680,180", 1), Options{Axes: "iso"},
			[]string{"lower_outer of the left side lies on the other side (y = -0.68 m)"}},
		"upside down": {strings.Replace(tableOfTheCorner, "640,465", "640,165", 1), Options{Axes: "iso"},
			[]string{"upper_outer is not above lower_outer"}},
		"axes unknown": {tableOfTheCorner, Options{Axes: "din"},
			[]string{`axes "din"`, "iso, adams, sae, lotus"}},
		"unit unknown": {tableOfTheCorner, Options{Axes: "iso", Unit: "ft"},
			[]string{`unit "ft"`, "m, mm, cm or in"}},
		"unit contradicts": {listingOfTheCorner, Options{Unit: "m"},
			[]string{"--unit m contradicts the file, which has mm"}},
		"axes contradict": {listingOfTheCorner, Options{Axes: "iso"},
			[]string{"--axes iso contradicts the file, which has lotus"}},
		"millimetres as metres": {tableOfTheCorner, Options{Unit: "m"},
			[]string{"wheel_center is 798 m from the origin", "--unit mm"}},
		"metres as millimetres": {"lca_front,0.1,0.2,0.3\nlca_rear,-0.1,0.2,0.3\n", Options{},
			[]string{"all within 0.374 mm", "--unit m"}},
		"two units": {"name,x [mm],y [m],z [mm]\n", Options{},
			[]string{"line 1", "one unit is allowed"}},
		"columns": {"name,y,x,z\n", Options{},
			[]string{"line 1", "the columns are name, x, y, z"}},
		"a point twice": {tableOfTheCorner + "hpl_lca_front,1,2,3\n", Options{Axes: "iso"},
			[]string{"line 11", "twice", "line 3"}},
		"semicolons": {"name;x;y;z\nlca_front;1;2;3\n", Options{}, []string{"separate them by commas"}},
		"two names of one": {tableOfTheCorner + "lower_front,1,2,3\n", Options{Axes: "iso"},
			[]string{"line 11", "as is lca_front in line 3"}},
		"a coordinate": {tableOfTheCorner + "spring_top,1,2,two\n", Options{Axes: "iso"},
			[]string{"line 11", `"two" is not a finite number`}},
		"NaN": {tableOfTheCorner + "spring_top,1,2,NaN\n", Options{Axes: "iso"},
			[]string{"line 11", "finite"}},
		"fields": {tableOfTheCorner + "spring_top,1,2\n", Options{Axes: "iso"},
			[]string{"line 11", "3 fields"}},
		"empty": {"", Options{Axes: "iso"},
			[]string{"no point is read", "--help"}},
		"unknown names only": {"bolt,100,200,300\n", Options{Axes: "iso"},
			[]string{"none of the points", "bolt", "--names"}},
		"right side only": {"hpr_lca_front,100,-200,300\n", Options{Axes: "iso"},
			[]string{"right side only"}},
		"right without left": {tableOfTheCorner + "hpr_spring_top,1,-2,3\n", Options{Axes: "iso"},
			[]string{"spring_top", "right side and not"}},
		"row of a subsystem": {"[HARDPOINT]\n'lca_front' left 1 2 3\n", Options{},
			[]string{"line 2", "'name' 'left/right' x y z"}},
		"side of a subsystem": {"[HARDPOINT]\n'lca_front' 'both' 1 2 3\n", Options{},
			[]string{"line 2", "side \"both\""}},
		"unit of a subsystem": {"[UNITS]\nLENGTH = 'furlong'\n[HARDPOINT]\n", Options{},
			[]string{"furlong", "inch"}},
		"template": {`{"Template": "DeDionAxle"}`, Options{},
			[]string{"DeDionAxle", "DoubleWishbone, MacPhersonStrut"}},
		"no template": {`{"Type": "Suspension"}`, Options{},
			[]string{`"Template" is missing`}},
		"broken JSON": {`{"Template": `, Options{},
			[]string{"cannot be read"}},
		"two coordinates": {`{"Template": "DoubleWishbone", "Spindle": {"COM": [1, 2]}}`, Options{},
			[]string{"Spindle/COM", "three numbers"}},
		"four coordinates": {`{"Template": "DoubleWishbone", "Spindle": {"COM": [1, 2, 3, 4]}}`, Options{},
			[]string{"three numbers"}},
		"mass": {`{"Template": "DoubleWishbone", "Upright": {"Mass": -1}}`, Options{},
			[]string{"Upright/Mass", "at least 0"}},
		"camber": {`{"Template": "DoubleWishbone", "Camber Angle (deg)": "none"}`, Options{},
			[]string{"Camber Angle (deg)", "a number"}},
		"axis": {`{"Template": "MultiLink", "Trailing Link": {"Universal Joint Axis Link": [0, 0, 0]}}`, Options{},
			[]string{"Trailing Link/Universal Joint Axis Link", "not all 0"}},
		"mass as a text": {`{"Template": "DoubleWishbone", "Upright": {"Mass": "heavy"}}`, Options{},
			[]string{"Upright/Mass", "a number"}},
		"name of no point": {tableOfTheCorner, Options{Axes: "iso", Names: map[string]string{"lca": "lower_front"}},
			[]string{"[names] lca", "wheel_center"}},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := Read([]byte(c.text), c.o)
			if err == nil {
				t.Fatalf("it is read: %+v", in)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the message has no %q: %v", w, err)
				}
			}
		})
	}
}

// Unknown names are ignored with the nearest name; names of the user map them.
func TestNamesOfTheUser(t *testing.T) {
	text := tableOfTheCorner + "bellcrank pivot,-10,400,500\nlowr outer,1,2,3\n"
	in := read(t, text, Options{Axes: "iso", Names: map[string]string{"bellcrank pivot": "rocker_pivot"}})
	if !slices.ContainsFunc(in.Left, func(p Point) bool { return p.Name == "rocker_pivot" }) {
		t.Error("the name of the user is not taken")
	}
	if len(in.Ignored) != 1 || !strings.Contains(in.Ignored[0], "lowr outer") ||
		!strings.Contains(in.Ignored[0], "lower_outer") {
		t.Errorf("ignored: %v", in.Ignored)
	}
	file := filepath.Join(t.TempDir(), "names.toml")
	for content, want := range map[string]string{
		"[names]\n\"bellcrank pivot\" = \"rocker_pivot\"\n": "",
		"[name]\nx = \"y\"\n":                               "[names] is missing",
		"[names]\nx = 1\n":                                  "names.toml:2",
		"other = 1\n[names]\nx = \"y\"\n":                   "key other is unknown",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		names, err := ReadNames(file)
		if want == "" && (err != nil || names["bellcrank pivot"] != "rocker_pivot") ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", content, names, err)
		}
	}
}

// A text from anyone is read or refused; points that are read are finite and have names of their own.
func FuzzRead(f *testing.F) {
	for _, text := range []string{tableOfTheCorner, subsystemOfTheCorner, listingOfTheCorner,
		`{"Template": "DoubleWishbone", "Spindle": {"COM": [1, 2, 3]}}`} {
		for _, axes := range []string{"", "iso", "adams"} {
			f.Add([]byte(text), axes)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, axes string) {
		in, err := Read(text, Options{Axes: axes})
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, p := range in.Left {
			if seen[p.Name] || !identifier.MatchString(p.Name) {
				t.Errorf("name %q", p.Name)
			}
			seen[p.Name] = true
			for _, x := range p.Place {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%s is at %v", p.Name, p.Place)
				}
			}
		}
	})
}
