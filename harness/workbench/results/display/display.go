// Package display is the units in which a user reads numbers.
package display

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/unit"
)

// Units are the units that a reader wants, by the units in which numbers are: SI.
type Units struct{ list []shown }

// shown is a unit with the one in place of which it stands.
type shown struct {
	si, name string
	factor   float64 // SI value of one of the unit
}

// Degrees has degrees for angles, and SI units otherwise.
func Degrees() *Units {
	u := &Units{}
	for _, s := range [][2]string{{"rad", "deg"}, {"rad/s", "deg/s"}, {"rad2/s", "deg2/s"}} {
		u.put(shown{s[0], s[1], Factor(s[1])})
	}
	return u
}

// Default are the units of reports of set-ups: degrees for angles, km/h for speeds.
func Default() *Units {
	u := Degrees()
	u.put(shown{"m/s", "km/h", Factor("km/h")})
	return u
}

// Acceleration has accelerations in g or in m/s2.
func (u *Units) Acceleration(name string) error {
	switch name {
	case "", "m/s2":
		return nil
	case "g":
		u.put(shown{"m/s2", "g", 9.80665})
		return nil
	}
	return fmt.Errorf("accelerations in %q; they are shown in g or in m/s2", name)
}

// put adds a unit in place of the one that is there.
func (u *Units) put(s shown) {
	u.list = append(slices.DeleteFunc(u.list, func(o shown) bool { return o.si == s.si }), s)
}

// Read adds the units of a file with a table [display], such as "m/s" = "km/h", N = "kN".
func (u *Units) Read(path string) error {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return err
	}
	return u.parse(data, path)
}

// FileKeys are the keys of files of units.
var FileKeys = []keys.Key{{Name: "display", Shape: keys.NamedShape, Text: "units that are shown, by the SI units in " +
	"place of which they are, such as \"m/s\" = \"km/h\"",
	Value: &keys.Key{Shape: keys.TextShape, Text: "name of a unit"}}}

func (u *Units) parse(data []byte, path string) error {
	root, err := document.Parse(data, path)
	if err != nil {
		return err
	}
	r := keys.NewReader(path, root, nil)
	units := r.Fields(root, "the file of units", FileKeys).Sub("display")
	for _, si := range units.Names() {
		name := units.Text(si)
		if name == "" {
			continue // reported
		}
		from, err := unit.Parse(si)
		to, wrong := unit.Parse(name)
		switch {
		case err != nil:
			units.Fault(si, "%v", err)
		case from.Factor != 1 || from.Offset != 0:
			units.Fault(si, "%q is not an SI unit; the unit on the left is the one in files, such as m/s", si)
		case wrong != nil:
			units.Fault(si, "%v", wrong)
		case to.Offset != 0:
			units.Fault(si, "%q is a point of a scale, which differences do not have", name)
		case from.Exponents != to.Exponents:
			units.Fault(si, "%q is not a unit of the same kind as %q", name, si)
		default:
			u.put(shown{si, name, to.Factor})
		}
	}
	return r.Err()
}

// Of is the unit in which a number of an SI unit is shown, and the SI value of one of it. What is per another unit,
// such as deg/(m/s2), follows the first.
func (u *Units) Of(si string) (name string, factor float64) {
	for _, s := range u.list {
		if s.si == si {
			return s.name, s.factor
		}
	}
	for _, s := range u.list {
		if rest, is := strings.CutPrefix(si, s.si); is && (rest[0] == '/' || rest[0] == '.') && !strings.Contains(s.si, "/") {
			return s.name + rest, s.factor
		}
	}
	return si, 1
}
