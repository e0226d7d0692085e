package animation

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/road"
	"skidpad/model/vehicle"
)

// onTerrain is a vehicle on a terrain of a table of keys, with the texts that are set.
func onTerrain(t *testing.T, keys string, set ...string) *Poser {
	t.Helper()
	m, err := vehicle.Parse([]byte(`name = "Mass"
[component.mass]
type = "point-mass"
mass = 2
[component.sand]
type = "terrain"
`+keys), "../../../../resources/models/mass.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(set); i += 2 {
		SetTerrain(m, []manoeuvre.FileSetting{{Setting: manoeuvre.Setting{Name: "sand." + set[i], Value: set[i+1]}}})
	}
	p, err := NewPoser(m, []string{"mass.x", "mass.y", "mass.z"}, []float64{0, 0, 0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// singles are the numbers of a tile.
func singles(t *testing.T, text string) []float32 {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) != 4*tilePoints*tilePoints {
		t.Fatal(len(data), err)
	}
	list := make([]float32, len(data)/4)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return list
}

// A tile has the heights and the friction of the ground at its points: rows along x. Tiles of a coarser level are four
// times as large.
func TestTilesHaveTheGround(t *testing.T) {
	p := onTerrain(t, "", "kind", "formula", "formula", "0.1*x+0.02*y^2", "friction_kind", "formula", "friction_formula",
		"0.5+0.01*x", "friction_left", "0.5", "height", "2")
	for _, c := range []struct {
		i, j, level  int
		x0, y0, size float64
	}{{0, 0, 0, 0, 0, 8}, {-3, 2, 0, -24, 16, 8}, {-1, 1, 1, -32, 32, 32}, {1, -1, 2, 128, -128, 128}} {
		tile, err := p.Tiles.Tile(c.i, c.j, c.level)
		if err != nil {
			t.Fatal(err)
		}
		if tile.X0 != c.x0 || tile.Y0 != c.y0 || tile.Size != c.size || tile.N != 33 {
			t.Errorf("%+v", tile)
		}
		heights, friction := singles(t, tile.Z), singles(t, tile.Mu)
		for row := range 33 {
			for column := range 33 {
				x, y := c.x0+c.size*float64(column)/32, c.y0+c.size*float64(row)/32
				mu := max(0, 0.5+0.01*x)
				if y >= 0 {
					mu *= 0.5
				}
				k := 33*row + column
				if math.Abs(float64(heights[k])-2-0.1*x-0.02*y*y) > 1e-4 || math.Abs(float64(friction[k])-mu) > 1e-6 {
					t.Fatalf("at %g, %g: %g m, %g", x, y, heights[k], friction[k])
				}
			}
		}
	}
	if !p.Ground[0].Tiled {
		t.Error("the patch at the start stays, below the tiles")
	}
}

// Where there is no ground, heights are not numbers. A plane with a map of friction has no heights, a plane without a
// map no tiles.
func TestTilesOfPlanesAndHoles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "triangle.rdf")
	if err := os.WriteFile(file, []byte("[UNITS]\nLENGTH = 'meters'\n[MODEL]\nMETHOD = '3D'\n[NODES]\n"+
		"NUMBER_OF_NODES = 3\n{ node x y z }\n1 -1 -1 0.5\n2 8 -1 0.5\n3 -1 8 0.5\n[ELEMENTS]\nNUMBER_OF_ELEMENTS = 1\n"+
		"{ n1 n2 n3 mu }\n1 2 3 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	hole := onTerrain(t, "", "kind", "rdf", "file", file)
	tile, err := hole.Tiles.Tile(0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	heights := singles(t, tile.Z)
	if first, last := heights[33+1], heights[len(heights)-1]; first != 0.5 || last == last {
		t.Errorf("the triangle has the height %g, the hole %g", first, last)
	}
	if tile.Mu != "" {
		t.Error("friction is the same everywhere")
	}
	split := onTerrain(t, "", "kind", "plane", "slope_x", "0.1", "friction_right", "0.3")
	if tile, err = split.Tiles.Tile(-1, -1, 0); err != nil || tile.Z != "" || singles(t, tile.Mu)[0] != 0.3 {
		t.Errorf("%v, %.10s", err, tile.Z)
	}
	if split.Ground[0].Tiled {
		t.Error("tiles replace a plane")
	}
	if plane := onTerrain(t, "", "kind", "plane", "slope_x", "0.1"); plane.Tiles != nil {
		t.Error("a plane has tiles")
	}
}

// Of several grounds, the highest one counts at each place.
func TestTheHighestGroundCounts(t *testing.T) {
	slope := func(by float64) *surface {
		return &surface{uneven: true, at: func(x, _ float64) road.Point { return road.Point{Height: by * x, Friction: by} }}
	}
	tile, err := newTiles([]*surface{slope(-1), slope(2), slope(1)}).Tile(-1, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if heights := singles(t, tile.Z); heights[0] != 8 || heights[32] != 0 {
		t.Errorf("%g m to %g m", heights[0], heights[32])
	}
	if tile, err = newTiles([]*surface{slope(-1), slope(2), slope(1)}).Tile(1, 0, 0); err != nil {
		t.Fatal(err)
	}
	if heights := singles(t, tile.Z); heights[0] != 16 {
		t.Errorf("%g m", heights[0])
	}
}

// Rough roads have the waves of their seed.
func TestTilesHaveTheSeed(t *testing.T) {
	p := onTerrain(t, "kind = \"iso8608\"\nseed = 3\n")
	tile, err := p.Tiles.Tile(0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	rough, err := road.Shape{Kind: road.ISO8608, Class: "C"}.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	rough.Seed(3)
	want := rough.At(road.Query{X: 0.25, Above: math.Inf(1), Near: road.Unknown}).Height
	if got := singles(t, tile.Z)[1]; math.Abs(float64(got)-want) > 1e-6 {
		t.Errorf("%g m, not %g m", got, want)
	}
}

// Tiles far away and of other levels are refused. A bounded number is kept.
func TestTilesAreBounded(t *testing.T) {
	p := onTerrain(t, "kind = \"formula\"\nformula = \"0*x\"\n")
	for _, c := range [][3]int{{0, 0, -1}, {0, 0, 3}, {125000, 0, 0}, {-125001, 0, 0}, {0, -125001, 0}, {0, 7812, 2},
		{math.MaxInt, 0, 0}, {math.MinInt, 0, 1}} {
		if _, err := p.Tiles.Tile(c[0], c[1], c[2]); err == nil {
			t.Errorf("tile %v", c)
		}
	}
	for _, c := range [][3]int{{124999, -125000, 0}, {-7812, 7811, 2}} {
		if _, err := p.Tiles.Tile(c[0], c[1], c[2]); err != nil {
			t.Error(err)
		}
	}
	if fine, err := p.Tiles.Tile(0, 0, 0); err != nil || fine.Size != 8 {
		t.Errorf("%g m, %v", fine.Size, err)
	}
	if coarse, err := p.Tiles.Tile(0, 0, 1); err != nil || coarse.Size != 32 {
		t.Errorf("the coarse tile at the place of a fine one has %g m, %v", coarse.Size, err)
	}
	for i := range 2*mostTiles + 5 {
		if _, err := p.Tiles.Tile(i, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.Tiles.kept); n > mostTiles || n < 3 {
		t.Errorf("%d tiles are kept", n)
	}
}

// Terrains take the texts and numbers of a vehicle, each under its name.
func TestTerrainsOfVehiclesAreRead(t *testing.T) {
	m, err := vehicle.Parse([]byte("name = \"M\"\n[component.mass]\ntype = \"point-mass\"\nmass = 1\n[component.sand]\n"+
		"type = \"terrain\"\n"), "m.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"sand.kind": "formula", "sand.formula": "x", "sand.file": "f", "sand.class": "B",
		"sand.friction_kind": "grid", "sand.friction_formula": "y", "sand.friction_file": "g"}
	numbers := map[string]float64{"sand.height": 1, "sand.slope_x": 2, "sand.slope_y": 3, "sand.seed": 4,
		"sand.friction_left": 5, "sand.friction_right": 6}
	err = ReadTerrain(m, func(name string) (string, error) { return texts[name], nil },
		func(name string) (float64, error) { return numbers[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	for c := range terrains(m) {
		if c.Kind != "formula" || c.Formula != "x" || c.File != "f" || c.Class != "B" || c.Friction.Kind != "grid" ||
			c.Friction.Formula != "y" || c.Friction.File != "g" || c.Height.Value != 1 || c.SlopeX.Value != 2 ||
			c.SlopeY.Value != 3 || c.Seed.Value != 4 || c.Friction.Left.Value != 5 || c.Friction.Right.Value != 6 {
			t.Errorf("%+v", c)
		}
	}
}
