// Package curve interpolates the tables of a model by piecewise cubic polynomials.
//
//	points (x, y) -> Monotone: one continuous derivative, no overshoot; forces
//	              -> Smooth:   two continuous derivatives; kinematics
//	Curve -> At(x): value, slope, curvature
//	Curve -> Table: arrays in which an index finds the piece, whatever the number of points
//
// Every curve goes through its points, reproduces straight lines, and goes on beyond its first and last point along its
// tangents there. The package does not know the meaning of its numbers.
package curve
