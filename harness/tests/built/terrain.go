package built

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Terrain copies a shipped model whose road is a plane, or is terrain already, and makes its road a flat terrain, whose
// kind can be changed. Tables and grids of heights and of friction lie beside it: heights.csv, heights.asc,
// friction.csv, friction.asc.
func Terrain(t testing.TB, model string) (file string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "models")
	for _, name := range []string{"models", "subsystems", "tires"} {
		if err := os.CopyFS(filepath.Join(folder, "..", name), os.DirFS(Path("resources", name))); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{"heights.csv": "x,z\n-1,0\n3,0.03\n9,0.01\n9,0.04\n30,0\n",
		"friction.csv": "x,z\n0,1\n5,0.4\n10,1.2\n20,-0.1\n25,1\n"}
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
