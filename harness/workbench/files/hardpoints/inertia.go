package hardpoints

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// chronoInertia are the moments of inertia of a body in a Chrono file. Its axes are those of the vehicle, or follow
// from three points of the file: x along the difference of the first two, z across the plane of all three; or z along
// it, and y across.
type chronoInertia struct {
	object, prefix string    // in the file, and of the parameters _xx, _yy, _zz
	axes           [3]string // points by their names here, or keys of the object
	along          int       // axis along the difference of the first two points: 0 for x, 2 for z
}

// chronoInertias, by template.
var chronoInertias = map[string][]chronoInertia{
	"DoubleWishbone": {{object: "Upright", prefix: "carrier"}, {"Lower Control Arm", "arm",
		[3]string{"lower_front", "lower_rear", "lower_outer"}, 0}},
	"MacPhersonStrut": {{object: "Upright", prefix: "carrier"}},
	"MultiLink": {{object: "Upright", prefix: "carrier"}, {"Trailing Link", "fore",
		[3]string{"lower_fore_inner", "lower_fore_outer", "spring_bottom"}, 2}},
	"SemiTrailingArm": {{"Trailing Arm", "arm", [3]string{"arm_outer_pivot", "arm_inner_pivot", "Location Spindle"}, 0}},
	"SolidAxle":       {{object: "Axle Tube", prefix: "axle"}},
}

// vehicleAxes is a key of files whose moments of inertia are all in axes of the vehicle.
const vehicleAxes = "Vehicle-Frame Inertia"

// readInertias adds moments of inertia in axes of the vehicle. Products of inertia have no place in the corners.
func (c *content) readInertias(kind string, file map[string]json.RawMessage) {
	var turned bool
	if json.Unmarshal(file[vehicleAxes], &turned) == nil && turned {
		c.notes = append(c.notes, "moments of inertia are in axes of the vehicle")
	}
	for _, of := range chronoInertias[kind] {
		var entries map[string]json.RawMessage
		if json.Unmarshal(file[of.object], &entries) != nil {
			continue
		}
		from, tensor := of.object+"/Inertia", [3][3]float64{}
		moments, plain := three(entries["Inertia"])
		if !plain {
			from = of.object + "/Moments of Inertia"
			var given bool
			if moments, given = three(entries["Moments of Inertia"]); !given {
				continue
			}
		}
		products, _ := three(entries["Products of Inertia"]) // xy, xz, yz as they stand in the matrix
		for i, m := range moments {
			tensor[i][i] = m
		}
		for i, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			tensor[pair[0]][pair[1]], tensor[pair[1]][pair[0]] = products[i], products[i]
		}
		if of.axes[0] != "" && !turned {
			axes, plane := c.axesOf(of, entries)
			if !plane {
				continue
			}
			tensor = inVehicle(tensor, axes)
		}
		if xx, yy, zz := tensor[0][0], tensor[1][1], tensor[2][2]; min(xx, yy, zz) <= 0 || 2*max(xx, yy, zz) > xx+yy+zz {
			c.notes = append(c.notes, fmt.Sprintf("%s is not read: no body has the moments %.4g, %.4g and %.4g kg.m2", from, xx,
				yy, zz))
			continue
		}
		for i, axis := range []string{"_xx", "_yy", "_zz"} {
			c.values = append(c.values, Value{Parameter: of.prefix + axis, Value: tensor[i][i], Unit: "kg.m2", From: from})
		}
		if left := max(math.Abs(tensor[0][1]), math.Abs(tensor[0][2]), math.Abs(tensor[1][2])); left > 0 {
			c.notes = append(c.notes, fmt.Sprintf("%s: products of inertia up to %.2g kg.m2 in axes of the vehicle are left "+
				"out", of.object, left))
		}
	}
}

// inertiaKey reports whether readInertias reads a key.
func inertiaKey(kind, object, key string) bool {
	return slices.ContainsFunc(chronoInertias[kind], func(of chronoInertia) bool {
		return of.object == object && (strings.HasSuffix(key, "Inertia") || slices.Contains(of.axes[:], key))
	})
}

// three reads a list of three numbers.
func three(text json.RawMessage) (v [3]float64, ok bool) {
	var list []float64
	if json.Unmarshal(text, &list) != nil || len(list) != 3 {
		return v, false
	}
	return [3]float64(list), true
}

// axesOf are the axes of a body in axes of the vehicle, as rows; false where the points are on a line.
func (c *content) axesOf(of chronoInertia, object map[string]json.RawMessage) (axes [3][3]float64, ok bool) {
	var at [3][3]float64
	for i, name := range of.axes {
		if k := c.row(name); k >= 0 {
			at[i] = c.rows[k].place
		} else if at[i], ok = three(object[name]); !ok {
			return axes, false
		}
	}
	along, one := unit(minus(at[0], at[1]))
	across, two := unit(cross(minus(at[1], at[2]), minus(at[0], at[2])))
	next := (of.along + 1) % 3
	axes[of.along], axes[next], axes[3-of.along-next] = along, cross(across, along), across
	return axes, one && two
}

// inVehicle is a tensor in axes of the vehicle, from one in axes that are rows.
func inVehicle(tensor, axes [3][3]float64) (out [3][3]float64) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				for l := range 3 {
					out[i][j] += axes[k][i] * tensor[k][l] * axes[l][j]
				}
			}
		}
	}
	return out
}

func minus(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit is the direction of a vector; false for none.
func unit(v [3]float64) ([3]float64, bool) {
	size := distance(v, [3]float64{})
	if size < 1e-9 {
		return v, false
	}
	return [3]float64{v[0] / size, v[1] / size, v[2] / size}, true
}
