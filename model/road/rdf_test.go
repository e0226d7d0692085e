package road

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/bounded"
)

const millimetres = "$ a road\n[MDI_HEADER]\nFILE_TYPE = " +
	"'rdf'\nFILE_VERSION=5.00\n(COMMENTS)\n{comment_string}\n'made by a test'\nwords, without quotes\n[UNITS]\n " +
	"LENGTH='mm'\nFORCE = 'newton' $ not used\nANGLE\t=\t'degree'\n"

func rdf(kind, parameters string) string {
	return millimetres + "[MODEL]\nMETHOD = '2D'\nROAD_TYPE = '" + kind + "'\n[PARAMETERS]\n" + parameters
}

func openRDF(t *testing.T, text string) *Surface {
	t.Helper()
	s, err := Shape{Kind: RDF, File: "road.rdf"}.Open(func(bounded.Kind, string) ([]byte, error) {
		return []byte(text), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The 2D roads and their expected heights, in metres, for x' and y' of the turned road.
var roads2D = map[string]struct {
	text string
	z    func(x, y float64) float64
}{
	"flat": {rdf("flat", ""), func(float64, float64) float64 { return 0 }},
	"plank": {rdf("PLANK", "HEIGHT = 20\nSTART = 3000\nLENGTH = 100\n"),
		func(x, _ float64) float64 { return box(0.02, x, 3, 3.1) }},
	"plank with bevelled edges": {rdf("PLANK", "HEIGHT = 20\nSTART = 3000\nLENGTH = 100\nBEVEL_EDGE_LENGTH = 5\n"),
		func(x, _ float64) float64 {
			return box(1, x, 3, 3.1) * min(0.02, 0.015+(x-3), 0.015+(3.1-x))
		}},
	"plank cut to a ridge": {rdf("PLANK", "HEIGHT = -20\nSTART = 3000\nLENGTH = 100\nBEVEL_EDGE_LENGTH = 30\n"),
		func(x, _ float64) float64 {
			return -box(1, x, 3, 3.1) * min(0.02, x-3, 3.1-x)
		}},
	"oblique plank": {rdf("PLANK",
		"HEIGHT = 20\nSTART = 3000\nLENGTH = 2000\nBEVEL_EDGE_LENGTH = 30\nDIRECTION = 30\n"), func(x,
		y float64) float64 {
		along := x + y*math.Tan(math.Pi/6)
		return box(1, along, 3, 5) * min(0.02, along-3, 5-along)
	}},
	"pot hole": {rdf("POT_HOLE", "DEPTH = -40\nSTART = 2000\nLENGTH = 500\n"),
		func(x, _ float64) float64 { return -box(0.04, x, 2, 2.5) }},
	"ramp": {rdf("RAMP", "HEIGHT = 300\nSTART = 2000\nSLOPE = 0.125\n"),
		func(x, _ float64) float64 { return max(0, min(0.3, 0.125*(x-2))) }},
	"ramp that falls": {rdf("RAMP", "HEIGHT = -300\nSTART = 2000\nSLOPE = 1\n"),
		func(x, _ float64) float64 { return -max(0, min(0.3, x-2)) }},
	"ramp of a length": {rdf("RAMP", "LENGTH_RAMP = 1000\nLENGTH_TOTAL = 3000\nSTART = 2000\nSLOPE = 30\n"),
		func(x, _ float64) float64 {
			return box(1, x, 2, 5) * min(1, x-2) * math.Tan(math.Pi/6)
		}},
	"roof": {rdf("ROOF", "HEIGHT = 50\nSTART = 2000\nLENGTH = 800\n"),
		func(x, _ float64) float64 { return max(0, 0.05*(1-math.Abs(x-2.4)/0.4)) }},
	"sine": {rdf("SINE", "AMPLITUDE = 30\nSTART = 1000\nWAVE_LENGTH = 700\n"), func(x, _ float64) float64 {
		return box(1, x, 1, 1e9) * 0.03 * math.Sin(2*math.Pi*(x-1)/0.7)
	}},
	"sine of a length": {rdf("SINE", "AMPLITUDE = 30\nSTART = 1000\nWAVE_LENGTH = 700\nLENGTH = 2000\n"),
		func(x, _ float64) float64 {
			return box(1, x, 1, 3) * 0.03 * math.Sin(2*math.Pi*(x-1)/0.7)
		}},
	"poly line": {rdf("POLY_LINE", "(XZ_DATA)\n{x z_left z_right}\n1000 0 10\n2000 100 10\n5.0E3 -1d2 -10\n"),
		func(x, y float64) float64 {
			if y < 0 {
				return max(-0.01, min(0.01, 0.01-0.02*(x-2)/3))
			}
			if x < 2 {
				return max(0, 0.1*(x-1))
			}
			return max(-0.1, 0.1-0.2*(x-2)/3)
		}},
}

// box is z from a to b, 0 elsewhere.
func box(z, x, a, b float64) float64 {
	if x < a || x >= b {
		return 0
	}
	return z
}

// Every type of 2D road equals its profile over the distance, for any rotation, offset and units, and its slopes are
// the derivatives.
func TestRoads2DAreTheirProfiles(t *testing.T) {
	for name, road := range roads2D {
		for _, turn := range []float64{0, 180, -37} {
			text := strings.Replace(road.text, "[PARAMETERS]\n",
				fmt.Sprintf("[PARAMETERS]\nOFFSET = 12\nROTATION_ANGLE_XY_PLANE = %g\nMU = 0.8\n", turn), 1)
			s := openRDF(t, text)
			cos, sin := math.Cos(turn*math.Pi/180), math.Sin(turn*math.Pi/180)
			random := rand.New(rand.NewPCG(1, 1))
			for range 1000 {
				u, v := 7*random.Float64(), 6*random.Float64()-3
				x, y := cos*u-sin*v, sin*u+cos*v
				p := s.under(x, y, 0, Unknown)
				if want := road.z(u, v) + 0.012; !(math.Abs(p.Height-want) <= 1e-12) {
					t.Fatalf("%s, turned by %g: height at %g, %g is %g, not %g", name, turn, u, v, p.Height, want)
				}
				if !(math.Abs(p.U-u) <= 1e-12) || !(math.Abs(p.V-v) <= 1e-12) || p.Friction != 0.8 {
					t.Fatalf("%s: %+v", name, p)
				}
				const h = 1e-6
				along, across := (road.z(u+h, v)-road.z(u-h, v))/(2*h), (road.z(u, v+h)-road.z(u, v-h))/(2*h)
				if !(math.Abs((road.z(u+h, v) + road.z(u-h, v) - 2*road.z(u, v))) <= 1e-9) || math.Abs(v) < 2*h ||
					!(math.Abs(along) <= 100) {
					continue // a corner
				}
				if !(math.Abs(p.SlopeX-(cos*along-sin*across)) <= 1e-6) ||
					!(math.Abs(p.SlopeY-(sin*along+cos*across)) <= 1e-6) {
					t.Fatalf("%s, turned by %g: slopes at %g, %g are %g and %g; along the road %g, across it %g", name,
						turn, u, v, p.SlopeX, p.SlopeY, along, across)
				}
			}
		}
	}
}

// A linear sweep has a frequency linear in the distance, a logarithmic sweep a linear wave length. The test integrates
// the frequency to the phase by a sum.
func TestSineSweeps(t *testing.T) {
	const parameters = "AMPLITUDE_AT_START = 40\nAMPLITUDE_AT_END = 10\nWAVE_LENGTH_AT_START = " +
		"2000\nWAVE_LENGTH_AT_END = 500\nSTART = 1000\nEND = 21000\nSWEEP_TYPE = %d\n"
	for sweep := range 2 {
		s := openRDF(t, rdf("SINE_SWEEP", fmt.Sprintf(parameters, sweep)))
		frequency := func(share float64) float64 {
			if sweep == 1 {
				return 1 / (2 + (0.5-2)*share)
			}
			return 1/2.0 + (1/0.5-1/2.0)*share
		}
		const steps = 20000
		phase := 0.0
		for i := range steps {
			middle := (float64(i) + 0.5) / steps
			phase += math.Pi * frequency(middle) * 20 / steps // to the middle
			p := s.under(1+20*middle, 0, 0, Unknown)
			if want := (0.04 - 0.03*middle) * math.Sin(phase); !(math.Abs(p.Height-want) <= 1e-6) {
				t.Fatalf("type %d: height at %g is %g, not %g", sweep, 1+20*middle, p.Height, want)
			}
			phase += math.Pi * frequency(middle) * 20 / steps
			const h = 1e-6
			if slope := (s.under(1+20*middle+h, 0, 0, Unknown).Height - s.under(1+20*middle-h, 0, 0,
				Unknown).Height) / (2 * h); !(math.Abs(slope-p.SlopeX) <= 1e-7) {
				t.Fatalf("type %d: slope %g, differences give %g", sweep, p.SlopeX, slope)
			}
		}
		for _, x := range []float64{0.99, 21.01} {
			if p := s.under(x, 0, 0, Unknown); p.Height != 0 || p.SlopeX != 0 {
				t.Errorf("type %d: beside the sweep %+v", sweep, p)
			}
		}
	}
}

// hills is a mesh over a square of n by n fields of 2 triangles, with a hole in one field.
func hills(n int, z func(x, y float64) float64, header string) string {
	var nodes, elements strings.Builder
	count, faces := 0, 0
	for j := range n + 1 {
		for i := range n + 1 {
			count++
			fmt.Fprintf(&nodes, "%d %.17g %.17g %.17g\n", count, float64(i), float64(j), z(float64(i), float64(j)))
			if i < n && j < n && (i != 1 || j != 1) {
				faces += 2
				a, b := count, count+n+1
				fmt.Fprintf(&elements, "%d %d %d 1.0\n%d %d %d 0.5\n", a, a+1, b+1, a, b, b+1)
			}
		}
	}
	return fmt.Sprintf("[UNITS]\nLENGTH = 'meters'\n[MODEL]\nMETHOD = '3D'\n%s[NODES]\nNUMBER_OF_NODES = %d\n{ node "+
		"x y z }\n%s[ELEMENTS]\nNUMBER_OF_ELEMENTS = %d\n{ n1 n2 n3 mu }\n%s", header, count, nodes.String(), faces,
		elements.String())
}

// A mesh is linear in its triangles, has their friction, and holes; turned and moved as its file says.
func TestMeshIsLinearInItsTriangles(t *testing.T) {
	z := func(x, y float64) float64 { return 0.1*x*x - 0.2*y*y + 0.05*x*y }
	const turn = 0.4
	cos, sin := math.Cos(turn), math.Sin(turn)
	plain, moved := openRDF(t, hills(7, z, "")), openRDF(t, hills(7, z, fmt.Sprintf("[REFSYS]\nOFFSET = 3 4 "+
		"5\nROTATION_ANGLE_XY_PLANE = %.17g\n", turn*180/math.Pi)))
	random := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		x, y := 9*random.Float64()-1, 9*random.Float64()-1
		p, q := plain.under(x, y, 0, Unknown), moved.under(3+cos*x-sin*y, 4+sin*x+cos*y, 0, Unknown)
		i, j := math.Floor(x), math.Floor(y)
		if x < 0 || y < 0 || x > 7 || y > 7 || i == 1 && j == 1 {
			if !p.NoGround || !q.NoGround {
				t.Fatalf("at %g, %g there is ground", x, y)
			}
			continue
		}
		// barycentric: in the lower triangle from (i, j) by (1, 0) and (1, 1), in the upper by (0, 1) and (1, 1)
		a, b := x-i, y-j
		want, friction := z(i, j)+(a-b)*(z(i+1, j)-z(i, j))+b*(z(i+1, j+1)-z(i, j)), 1.0
		sx, sy := z(i+1, j)-z(i, j), z(i+1, j+1)-z(i+1, j)
		if b > a {
			want, friction = z(i, j)+(b-a)*(z(i, j+1)-z(i, j))+a*(z(i+1, j+1)-z(i, j)), 0.5
			sx, sy = z(i+1, j+1)-z(i, j+1), z(i, j+1)-z(i, j)
		}
		if !(math.Abs(p.Height-want) <= 1e-12) || p.Friction != friction || !(math.Abs(p.SlopeX-sx) <= 1e-12) ||
			!(math.Abs(p.SlopeY-sy) <= 1e-12) {
			t.Fatalf("at %g, %g: %+v, not height %g, slopes %g, %g, friction %g", x, y, p, want, sx, sy, friction)
		}
		if !(math.Abs(q.Height-want-5) <= 1e-12) || !(math.Abs(q.SlopeX-(cos*sx-sin*sy)) <= 1e-12) ||
			!(math.Abs(q.SlopeY-(sin*sx+cos*sy)) <= 1e-12) {
			t.Fatalf("moved: %+v, not height %g", q, want+5)
		}
	}
}

// Of overlapping triangles, the one below the height of the query counts.
func TestLevelsOfAMesh(t *testing.T) {
	var text strings.Builder
	text.WriteString("[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '3D'\n[OFFSET]\n{x y z}\n0 0 1\n[NODES]\n")
	for level := range 3 {
		for k, at := range [][2]int{{-1, -1}, {3, -1}, {-1, 3}} {
			fmt.Fprintf(&text, "%d %d %d %d\n", 3*level+k+1, at[0], at[1], 4*level)
		}
	}
	text.WriteString("[ELEMENTS]\n4 5 6\n7 8 9\n1 2 3\n1 4 5\n")
	s := openRDF(t, text.String())
	for above, want := range map[float64]float64{-5: 1, 1: 1, 3: 1, 5: 5, 8.9: 5, 9: 9, 100: 9} {
		if got := s.At(Query{0.2, 0.3, 0, above, Unknown}).Height; got != want {
			t.Errorf("below %g m the height is %g, not %g", above, got, want)
		}
	}
}

// Units are known by their beginnings, and count.
func TestUnitsOfRoadFiles(t *testing.T) {
	for unit, want := range map[string]float64{"mm": 1e-3, "MILLIMETER": 1e-3, "cm": 1e-2, "meter": 1, "M": 1,
		"km": 1e3, "Foot": 0.3048, "inch": 0.0254, "mile": 1609.344} {
		s := openRDF(t, strings.Replace(rdf("FLAT", "OFFSET=2"), "'mm'", "'"+unit+"'", 1))
		if got := s.under(0, 0, 0, Unknown).Height; !(math.Abs(got-2*want) <= 1e-12) {
			t.Errorf("2 %s are %g m", unit, got)
		}
	}
	radians := strings.Replace(rdf("ROOF", "HEIGHT = 50\nSTART = 2000\nLENGTH = 800\nROTATION_ANGLE_XY_PLANE = "+
		"1.5707963267948966\n"), "'degree'", "\"RADIANS\"", 1)
	if got := openRDF(t, radians).under(0, 2.4, 0, Unknown).Height; !(math.Abs(got-0.05) <= 1e-12) {
		t.Errorf("turned by radians: %g", got)
	}
	if w := openRDF(t, rdf("POT_HOLE", "DEPTH = 40\nSTART = 0\nLENGTH = 500\n")); len(w.Warnings) != 1 ||
		w.under(0.1, 0, 0, Unknown).Height != -0.04 {
		t.Errorf("%q", w.Warnings)
	}
}

func TestFaultyRDF(t *testing.T) {
	mesh := hills(2, func(x, y float64) float64 { return x }, "")
	replaced := func(s, old, new string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(s, old, new, 1)
	}
	for _, c := range []struct{ data, want string }{
		{"", "no section [MODEL]"}, {"METHOD = '2D'\n", "line 1: \"METHOD = '2D'\" stands before the first section"},
		{"[MODEL\n", "lacks a closing bracket"}, {"[MODEL]\nhow\n", `line 2: "how" is neither`},
		{"[MODEL]\n", "lacks the key METHOD"}, {"[MODEL]\nMETHOD = '5D'\n", "line 2: the METHOD 5D is unknown"},
		{"[MODEL]\nMETHOD = '3D_SPLINE'\n", "3D_SPLINE is not read"},
		{"[MODEL]\nMETHOD='USER'\n", "calls a library of its host"},
		{rdf("", ""), "lacks the key ROAD_TYPE"}, {rdf("DUNES", ""), "the ROAD_TYPE DUNES is unknown"},
		{rdf("STOCHASTIC_UNEVEN", ""), "use a terrain of the kind iso8608"}, {rdf("DRUM", ""), "moves below the tire"},
		{"[MODEL]\nMETHOD = '2D'\nROAD_TYPE = 'FLAT'\n", "no section [UNITS]"}, {"[UNITS]\n[MODEL]\nMETHOD = " +
			"'2D'\nROAD_TYPE = 'FLAT'\n", "lacks the key LENGTH"}, {"[UNITS]\nLENGTH='yard'\n[MODEL]\nMETHOD = " +
			"'2D'\nROAD_TYPE = 'FLAT'\n", `line 2: "yard" is not a unit of length`},
		{"[MODEL]\nMETHOD = '2D'\nROAD_TYPE = 'SINE'\n", "no section [PARAMETERS]"},
		{rdf("ROOF", "HEIGHT = 50\nLENGTH = 800\n"), "the section in line 16 lacks the key START"},
		{rdf("ROOF", "HEIGHT = high\nSTART = 0\nLENGTH = 800\n"), `line 17: HEIGHT: "high" is not`},
		{rdf("ROOF", "HEIGHT = 1\nSTART = 0\nLENGTH = 0\n"), "line 19: LENGTH is 0; it must be above 0"},
		{rdf("PLANK", "HEIGHT = 20\nSTART = 0\nLENGTH = 100\nBEVEL_EDGE_LENGTH = 50\n"), "BEVEL_EDGE_LENGTH is 0.05 m"},
		{rdf("PLANK", "HEIGHT = 20\nSTART = 0\nLENGTH = 100\nDIRECTION = 90\n"), "between -90 and 90"},
		{rdf("RAMP", "HEIGHT = 20\nSTART = 0\nSLOPE = -1\n"), "a ramp that falls has a negative HEIGHT"},
		{rdf("RAMP", "LENGTH_RAMP = 20\nLENGTH_TOTAL=10\nSTART = 0\nSLOPE = 10\n"), "less than the LENGTH_RAMP"},
		{rdf("RAMP", "LENGTH_RAMP = 20\nLENGTH_TOTAL=20\nSTART = 0\nSLOPE = 90\n"), "too steep"},
		{rdf("FLAT", "MU = -1\n"), "MU is -1"}, {rdf("SINE", "AMPLITUDE = 1\nSTART = 0\nWAVE_LENGTH = 0\n"),
			"WAVE_LENGTH is 0"},
		{rdf("SINE_SWEEP", "AMPLITUDE_AT_START = 40\nAMPLITUDE_AT_END = 10\nWAVE_LENGTH_AT_START = "+
			"2000\nWAVE_LENGTH_AT_END = 500\nSTART = 1000\n"), "lacks the key END or LENGTH"},
		{rdf("SINE_SWEEP", "AMPLITUDE_AT_START = 40\nAMPLITUDE_AT_END = 10\nWAVE_LENGTH_AT_START = "+
			"2000\nWAVE_LENGTH_AT_END = 500\nSTART = 1000\nEND = 1000\n"), "where it starts or before"},
		{rdf("SINE_SWEEP", "AMPLITUDE_AT_START = 40\nAMPLITUDE_AT_END = 10\nWAVE_LENGTH_AT_START = "+
			"2000\nWAVE_LENGTH_AT_END = 500\nSTART = 0\nEND = 1\nSWEEP_TYPE = 2\n"), "it must be 0 or 1"},
		{rdf("POLY_LINE", ""), "needs rows of x, z_left and z_right"}, {rdf("POLY_LINE", "(XZ_DATA)\n1 2\n"),
			"line 18: 2 numbers"}, {rdf("POLY_LINE", "(XZ_DATA)\n1 2 3\n1 2 3\n"),
			"line 19: x = 1 after 1; x must increase"},
		{replaced(mesh, "'3D'\n", "'3D'\nROAD_TYPE = 'plank'\n"), "the ROAD_TYPE plank of the METHOD 3D is not read"},
		{replaced(mesh, "NUMBER_OF_NODES = 9", "NUMBER_OF_NODES = 8"), "NUMBER_OF_NODES is 8, but there are 9 rows"},
		{replaced(mesh, "[ELEMENTS]", "[FACES]"), "no section [ELEMENTS]"},
		{replaced(mesh, "\n2 1 0 1\n", "\n1 1 0 1\n"), "there are two nodes 1"},
		{replaced(mesh, "\n2 1 0 1\n", "\n2 1 0\n"), "a row of [NODES] with 3 numbers"},
		{replaced(mesh, "1 2 5 1.0", "1 2 99 1.0"), "there is no node 99"}, {replaced(mesh, "1 2 5 1.0", "1 2 5 -1.0"),
			"the factor of friction is -1"}, {replaced(mesh, "[NODES]", "[REFSYS]\nOFFSET = 1 2\n[NODES]"),
			"OFFSET has 2 numbers"},
		{"[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '3D'\n[NODES]\n1 0 0 0\n2 1 0 0\n3 1 0 1\n[ELEMENTS]\n1 2 3\n",
			"holds no heights"}, {"[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '3D'\n[NODES]\n[ELEMENTS]\n",
			"the mesh has 0 elements"},
	} {
		if _, err := (Shape{Kind: RDF, File: "f"}).Open(func(bounded.Kind, string) ([]byte, error) {
			return []byte(c.data), nil
		}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.300q: %v; want %s", c.data, err, c.want)
		}
	}
}

// Any file is rejected, or has heights or no ground.
func FuzzRDF(f *testing.F) {
	for _, road := range roads2D {
		fuzzinputs.Add(f, road.text, 1.0, 1.0)
	}
	fuzzinputs.Add(f, hills(3, func(x, y float64) float64 { return x * y }, "[REFSYS]\nOFFSET = 0 1 2\n"), 1.0, 2.0)
	f.Fuzz(func(t *testing.T, text string, x, y float64) {
		s, err := Shape{Kind: RDF, File: "f"}.Open(func(bounded.Kind, string) ([]byte, error) {
			return []byte(text), nil
		})
		if err == nil {
			s.under(x, y, 0, Unknown)
		}
	})
}
