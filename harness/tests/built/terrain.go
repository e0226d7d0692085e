package built

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Terrain copies a shipped model whose road is a plane or terrain, and makes its road a flat terrain with a changeable
// kind. The folder also has tables and grids of heights and of friction: heights.csv, heights.asc, friction.csv,
// friction.asc; road property files: profile.rdf, with two sides, and mesh.rdf, with a hole and two levels; and
// road.crg, a winding road.
func Terrain(t testing.TB, model string) (file string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "models")
	for _, name := range []string{"models", "subsystems", "tires"} {
		if err := os.CopyFS(filepath.Join(folder, "..", name), os.DirFS(Path("resources", name))); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{"heights.csv": "x,z\n-1,0\n3,0.03\n9,0.01\n9,0.04\n30,0\n",
		"friction.csv": "x,z\n0,1\n5,0.4\n10,1.2\n20,-0.1\n25,1\n",
		"profile.rdf": "[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '2D'\nROAD_TYPE = 'POLY_LINE'\n[PARAMETERS]\nMU = 0.9\n" +
			"OFFSET = 0.01\nROTATION_ANGLE_XY_PLANE = 7\n(XZ_DATA)\n-1 0 0\n3 0.03 0.02\n9 0.01 -0.02\n30 0 0\n",
		"mesh.rdf": meshFile(), "road.crg": crgFile()}
	for name, size := range map[string]float64{"heights": 0.03, "friction": 0.9} {
		grid := "ncols 40\nnrows 20\nxllcorner -3\nyllcenter -4\ncellsize 0.7\n"
		for k := range 800 {
			grid += fmt.Sprintf("%.4f ", size*math.Sin(float64(k*k)))
		}
		files[name+".asc"] = grid
	}
	file = filepath.Join(folder, model+".toml")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files[model+".toml"] = strings.Replace(string(source), "[component.road]\ntype = \"road\"\n",
		"[component.road]\ntype = \"terrain\"\nkind = \"flat\"\n", 1)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// crgFile is a road of 50 m that begins 5 m behind the origin.
func crgFile() string {
	var b strings.Builder
	b.WriteString("$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 0.5\nREFERENCE_LINE_START_X = -5\n$\n$KD_DEFINITION\n#:LRFI\n" +
		"U:reference line u,m,0,0.5\nD:reference line phi,rad\n")
	for _, v := range []float64{-4, -1, 0.5, 4} {
		fmt.Fprintf(&b, "D:long section at v = %g,m\n", v)
	}
	b.WriteString("$\n$$$$$$$$$$$$$$$$$$$$\n*missing**")
	for i := range 100 {
		if i > 0 {
			fmt.Fprintf(&b, "%10.6f", 0.1*math.Sin(0.15*float64(i)))
		}
		for k := range 4 {
			fmt.Fprintf(&b, "%10.6f", 0.02*math.Sin(float64(i*i+3*k)))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// meshFile is a mesh of 30 m by 12 m about the road, with a hole, and with a bridge above it.
func meshFile() string {
	var nodes, elements strings.Builder
	const columns, rows = 16, 7
	for k := range columns * rows {
		x, y := float64(k%columns)*2-3, float64(k/columns)*2-6
		fmt.Fprintf(&nodes, "%d %g %g %.4f\n", k, x, y, 0.02*math.Sin(float64(k*k)))
		if k%columns < columns-1 && k < columns*(rows-1) && k != 2*columns+9 {
			fmt.Fprintf(&elements, "%d %d %d 1.0\n%d %d %d 0.8\n", k, k+1, k+columns+1, k, k+columns+1, k+columns)
		}
	}
	fmt.Fprintf(&nodes, "1001 4 -6 3\n1002 8 -6 3\n1003 6 9 3\n")
	fmt.Fprintf(&elements, "1001 1002 1003 0.5\n")
	return "[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '3D'\n[REFSYS]\nOFFSET = 0.1 0 0\nROTATION_ANGLE_XY_PLANE = 3\n" +
		"[NODES]\n" + nodes.String() + "[ELEMENTS]\n" + elements.String()
}
