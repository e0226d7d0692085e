package component

import (
	"math"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/road"
)

var terrainType = Type{
	Word: "terrain",
	Text: "uneven ground",
	Keys: []keys.Key{
		{Name: "frame", Shape: keys.FrameShape, Optional: true, Text: "frame at the origin of ground; default: the component's name"},
		{Name: "kind", Shape: keys.WordShape, Default: road.Flat, Choices: road.Kinds, Text: "kind"},
		scalar("height", "m", "0", "height of flat and plane at the origin, added to the others"),
		scalar("slope_x", "1", "0", "dz/dx of plane"),
		scalar("slope_y", "1", "0", "dz/dy of plane"),
		{Name: "formula", Shape: keys.TextShape, Optional: true, Text: "height in m over x, y in m and t in s, for the kind formula"},
		{Name: "file", Shape: keys.TextShape, Optional: true, Text: "file of the kinds table (CSV: x, z), grid (ESRI ASCII grid), crg (OpenCRG) and rdf (road property file), relative to the model file"},
		{Name: "modifiers", Shape: keys.WordShape, Default: "file", Choices: []string{"file", "centred"}, Text: "where a crg lies: where its file says, or with the beginning of its line at the origin, along x"},
		{Name: "class", Shape: keys.WordShape, Default: "C", Choices: road.Classes, Text: "of roughness, for the kind iso8608"},
		nonnegative("seed", "", "1", "whole number that chooses one of many roads of a class, for the kind iso8608"),
		{Name: "friction", Shape: keys.TableShape, Optional: true, Text: "factors on the tires' own friction, which multiply each other and the input mu", Keys: []keys.Key{
			nonnegative("left", "1", "1", "on the left of the line of the road, which is y = 0 where it has none"),
			nonnegative("right", "1", "1", "on the right of it"),
			{Name: "kind", Shape: keys.WordShape, Default: road.Flat, Choices: road.FrictionKinds, Text: "of a map that holds a factor in place of heights; flat: none"},
			{Name: "formula", Shape: keys.TextShape, Optional: true, Text: "factor over x, y in m and t in s, for the kind formula"},
			{Name: "file", Shape: keys.TextShape, Optional: true, Text: "file of the kinds table, grid and crg, relative to the model file"},
		}},
	},
	Read: readTerrain,
}

// Terrain is uneven ground, of the kinds of package road. Its frame is that of ground.
type Terrain struct {
	keys.Header
	Frame                  string
	Kind                   string
	Height, SlopeX, SlopeY keys.Scalar // m, 1, 1
	Formula, File          string
	Centred                bool        // a CRG begins at the origin, along x
	Class                  string      // of roughness (ISO 8608)
	Seed                   keys.Scalar // of random roughness
	Friction               TerrainFriction
}

// TerrainFriction holds factors on the tires' own friction.
type TerrainFriction struct {
	Left, Right         keys.Scalar // on either side of the line of the road
	Kind, Formula, File string      // of a map, with a factor in place of heights
}

// Shape is what the terrain is to package road.
func (t *Terrain) Shape() road.Shape {
	return road.Shape{Kind: t.Kind, Formula: t.Formula, File: t.File, Centred: t.Centred, Class: t.Class}
}

// Shape is what the map is to package road.
func (t *TerrainFriction) Shape() road.Shape {
	return road.Shape{Kind: t.Kind, Formula: t.Formula, File: t.File}
}

func readTerrain(h keys.Header, f *keys.Fields) Component {
	t := &Terrain{
		Header: h, Frame: f.Frame("frame", h.Name), Kind: f.Text("kind"),
		Height: f.Scalar("height"), SlopeX: f.Scalar("slope_x"), SlopeY: f.Scalar("slope_y"), Formula: f.Text("formula"), File: f.Text("file"),
		Centred: f.Text("modifiers") == "centred", Class: f.Text("class"), Seed: f.Scalar("seed"),
	}
	surface(f, t.Shape())
	if seed := t.Seed; seed.Value != math.Trunc(seed.Value) || seed.Value > road.LargestSeed {
		f.FaultAt(seed.Pos, "%s.seed is %s; it must be a whole number from 0 to %d", h.Name, seed.Text, road.LargestSeed)
	}
	friction := f.Sub("friction")
	t.Friction = TerrainFriction{Left: one, Right: one, Kind: road.Flat}
	if friction.Table != nil {
		t.Friction = TerrainFriction{friction.Scalar("left"), friction.Scalar("right"), friction.Text("kind"), friction.Text("formula"), friction.Text("file")}
		surface(friction, t.Friction.Shape())
	}
	return t
}

// surface opens what the keys kind, formula and file say, and notes what is wrong with it.
func surface(f *keys.Fields, shape road.Shape) {
	if _, err := shape.Open(f.Reader.Open); err != nil {
		at := f.Node("kind")
		for _, key := range []string{"formula", "file"} {
			if n := f.Table.Field(key); n != nil && shape.Needs(key) {
				at = n
			}
		}
		if at == nil {
			at = f.Table
		}
		f.Reader.AtEach(at, f.Path, err)
	}
}

// one is a number that is not given.
var one = keys.Scalar{Text: "1", Value: 1}

func (c *Terrain) Frames() Frames {
	return Frames{Joins: onGround(c.Frame), Carries: true}
}

// Edges: its frame Q is that of ground.
//
//	T1 Ground -> Q  r = 0
//	R1 Ground -> Q  R = 1
func (c *Terrain) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame},
		{Name: "R1", Domain: graph.Rotation, From: graph.GroundFrame, To: c.Frame},
	}
}
