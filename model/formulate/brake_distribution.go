package formulate

import (
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
)

type brakeDistribution struct{ *model.BrakeDistribution }

// Brakes reports whether it gives a brake its torque.
func (c brakeDistribution) Brakes(name string) bool { return c.axle(name) >= 0 }

func (c brakeDistribution) axle(brake string) int {
	return slices.IndexFunc(c.Axles, func(a model.BrakedAxle) bool { return slices.Contains(a.Brakes, brake) })
}

// Share is the torque of a brake: the brakes of an axle have equal parts of its share.
func (c brakeDistribution) Share(b Builder, brake string) *expr.Expr {
	p, axle := b.Pool(), &c.Axles[c.axle(brake)]
	total := b.Input("torque", "N.m", "magnitude of all brake torques together", 0)
	share := b.Scalar(axle.Brakes[0]+"_share", "1", axle.Share)
	return p.Define("distributed_"+brake, p.Scale(expr.Fraction(1, int64(len(axle.Brakes))), p.Mul(share, total)))
}
