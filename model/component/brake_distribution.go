package component

import (
	"math"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var brakeDistributionType = Type{
	Word: "brake-distribution",
	Text: "one input for several brakes",
	Keys: []keys.Key{
		{Name: "axles", Shape: keys.TablesShape, Text: "groups of brakes", Keys: []keys.Key{
			{Name: "brakes", Shape: keys.TextsShape, Names: keys.Components,
				Text: "brakes of the group, which share its torque equally"},
			fraction("share", "", "share of the torque that the whole group receives; the shares of all groups add up to 1"),
		}},
	},
	Read: readBrakeDistribution,
}

// BrakeDistribution shares the input <name>.torque among brakes.
type BrakeDistribution struct {
	keys.Header
	Axles []BrakedAxle
}

// BrakedAxle is a group of brakes with equal torques.
type BrakedAxle struct {
	Brakes []string
	Share  keys.Scalar // 1, of all of them together
	Pos    keys.Position
}

func readBrakeDistribution(h keys.Header, f *keys.Fields) Component {
	d := &BrakeDistribution{Header: h}
	sum, before := 0.0, f.Reader.Len()
	for _, a := range f.NonEmptyList("axles") {
		axle := BrakedAxle{a.Texts("brakes"), a.Scalar("share"), a.Position("brakes")}
		if n := a.Table; n != nil && a.Given("brakes") && len(axle.Brakes) == 0 {
			f.Reader.At(n.Place("brakes"), "%s.brakes is empty; it needs at least one brake", a.Path)
		}
		sum += axle.Share.Value
		d.Axles = append(d.Axles, axle)
	}
	if math.Abs(sum-1) > 1e-9 && len(d.Axles) > 0 && f.Reader.Len() == before {
		f.Fault("axles", "%s.axles share %.6g of the torque; the shares must make 1", h.Name, sum)
	}
	return d
}

// Shares implements Sharing.
func (c *BrakeDistribution) Shares() []BrakedAxle { return c.Axles }

func (*BrakeDistribution) Frames() Frames { return Frames{} }

// Edges: it gives brakes their inputs.
func (*BrakeDistribution) Edges(*Scope) []graph.Edge { return nil }

// Check has nothing to add to the keys and to Acts.
func (*BrakeDistribution) Check(*Scope, *keys.Reader) {}

// Terminal returns the driver's terminal.
func (*BrakeDistribution) Terminal() Terminal { return Terminal{} }

// Acts are the torques of the brakes.
func (c *BrakeDistribution) Acts() []Act {
	var list []Act
	for _, a := range c.Axles {
		for _, name := range a.Brakes {
			list = append(list, Act{On: name, Part: Braked, Needs: "brakes", Pos: a.Pos})
		}
	}
	return list
}

// Law: brakes ask for their shares.
func (*BrakeDistribution) Law(Builder) {}

// Share is the torque of a brake: the brakes of an axle have equal parts of its share.
func (c *BrakeDistribution) Share(b Builder, brake string) *expr.Expr {
	p := b.Pool()
	at := slices.IndexFunc(c.Axles, func(a BrakedAxle) bool { return slices.Contains(a.Brakes, brake) })
	axle := &c.Axles[at]
	total := b.Input("torque", "N.m", "sum of the magnitudes of all brake torques", 0)
	share := b.Scalar(axle.Brakes[0]+"_share", "1", axle.Share)
	return p.Define("distributed_"+brake, p.Scale(expr.Fraction(1, int64(len(axle.Brakes))), p.Mul(share, total)))
}
