package animation

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"skidpad/model/road"
	"skidpad/model/vehicle"
)

// surface is the ground of a component.
type surface struct {
	at     func(x, y float64) road.Point
	uneven bool // not a plane
	mapped bool // its friction differs from place to place
}

// Patch is a piece of ground: heights over a rectangle.
type Patch struct {
	X, Y   [2]float64
	Nx, Ny int
	Z      []float64 // row by row
	Tiled  bool      `json:",omitempty"` // tiles replace it, where there are some
}

// surfaces opens the ground of all components.
func surfaces(m *vehicle.Model) (list []*surface, err error) {
	for _, c := range m.Components {
		if e, is := elementOf(c).(ground); is {
			s, err := e.ground(m)
			if err != nil {
				return nil, err
			}
			if s != nil {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// ground makes patches below the way of the vehicle, and a margin about it [m].
func (s *Scene) ground(all []*surface, margin float64) {
	low, high := vector{math.Inf(1), math.Inf(1)}, vector{math.Inf(-1), math.Inf(-1)}
	for _, p := range s.Poses {
		for k := range 2 {
			low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
		}
	}
	for k := range 2 {
		low[k], high[k] = math.Floor(low[k])-margin, math.Ceil(high[k])+margin
	}
	for _, of := range all {
		s.patch(low, high, of)
	}
}

// patch adds a piece of ground, with lines no closer than a metre and not too many.
func (s *Scene) patch(low, high vector, of *surface) {
	count := func(length float64) int { return int(min(max(math.Ceil(length), 2), 120)) + 1 }
	p := Patch{
		X: [2]float64{low[0], high[0]}, Y: [2]float64{low[1], high[1]},
		Nx: count(high[0] - low[0]), Ny: count(high[1] - low[1]), Tiled: of.uneven,
	}
	for j := range p.Ny {
		y := low[1] + (high[1]-low[1])*float64(j)/float64(p.Ny-1)
		for i := range p.Nx {
			x := low[0] + (high[0]-low[0])*float64(i)/float64(p.Nx-1)
			p.Z = append(p.Z, of.at(x, y).Height)
		}
	}
	s.Ground = append(s.Ground, p)
}

// Tiles of ground.
const (
	tilePoints = 33 // along an edge; neighbours share those on their borders
	tileLevels = 3
	finest     = 8   // edge of a tile of level 0 [m]; an edge of the next level is coarser times as long
	coarser    = 4   // thus a tile of a level covers 16 of the level below
	farthest   = 1e6 // of a tile from the origin, along an axis [m]
	mostTiles  = 128 // that are kept
)

// Tiles are pieces of the uneven ground of a vehicle, made on request. They hold the ground at the time 0. All methods
// can be called from several goroutines.
type Tiles struct {
	mutex    sync.Mutex
	surfaces []*surface // uneven ones, and those with a map of friction
	kept     map[[3]int]Tile
}

// Tile is a square of the ground: n by n points, x along rows, the first one at x0 and y0. Z and Mu are little-endian
// numbers of 32 bits in base64, row by row: heights [m], NaN where there is no ground, and factors of friction. Mu is
// "" where friction is the same everywhere, Z where all ground is a plane.
type Tile struct {
	X0   float64 `json:"x0"`
	Y0   float64 `json:"y0"`
	Size float64 `json:"size"` // of an edge [m]
	N    int     `json:"n"`
	Z    string  `json:"z"`
	Mu   string  `json:"mu"`
}

// newTiles returns nil if all ground is planes with the same friction everywhere.
func newTiles(all []*surface) *Tiles {
	t := &Tiles{kept: map[[3]int]Tile{}}
	for _, of := range all {
		if of.uneven || of.mapped {
			t.surfaces = append(t.surfaces, of)
		}
	}
	if len(t.surfaces) == 0 {
		return nil
	}
	return t
}

// Tile is tile i along x and j along y of a level, 0 for the finest.
func (t *Tiles) Tile(i, j, level int) (Tile, error) {
	if level < 0 || level >= tileLevels {
		return Tile{}, fmt.Errorf("tile of level %d; there are the levels 0 to %d", level, tileLevels-1)
	}
	size := finest * math.Pow(coarser, float64(level))
	if most := int(farthest / size); i < -most || i >= most || j < -most || j >= most {
		return Tile{}, fmt.Errorf("tile %d, %d of level %d; i and j are from %d to %d", i, j, level, -most, most-1)
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	key := [3]int{i, j, level}
	if tile, is := t.kept[key]; is {
		return tile, nil
	}
	tile := t.make(float64(i)*size, float64(j)*size, size)
	if len(t.kept) >= mostTiles {
		clear(t.kept)
	}
	t.kept[key] = tile
	return tile, nil
}

// make computes a tile. Of several grounds, the highest one counts.
func (t *Tiles) make(x0, y0, size float64) Tile {
	var heights, friction []byte
	uneven, mapped := false, false
	for j := range tilePoints {
		y := y0 + size*float64(j)/(tilePoints-1)
		for i := range tilePoints {
			x := x0 + size*float64(i)/(tilePoints-1)
			height, mu := math.NaN(), math.NaN()
			for _, of := range t.surfaces {
				uneven, mapped = uneven || of.uneven, mapped || of.mapped
				if p := of.at(x, y); !p.NoGround && !(height >= p.Height) {
					height, mu = p.Height, p.Friction
				}
			}
			heights = binary.LittleEndian.AppendUint32(heights, math.Float32bits(float32(height)))
			friction = binary.LittleEndian.AppendUint32(friction, math.Float32bits(float32(mu)))
		}
	}
	tile := Tile{X0: x0, Y0: y0, Size: size, N: tilePoints}
	if uneven {
		tile.Z = base64.StdEncoding.EncodeToString(heights)
	}
	if mapped {
		tile.Mu = base64.StdEncoding.EncodeToString(friction)
	}
	return tile
}
