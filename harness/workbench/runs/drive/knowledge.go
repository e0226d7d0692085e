package drive

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Knowledge is what a driver knows of a vehicle, as a file keeps it from one run to the next.
type Knowledge struct {
	Vehicle  string            // name of its model
	Mass     float64           // of the vehicle [kg]; 0 where it is not known
	Vehicles []preview.Vehicle // by rising speeds; u is the angle of the steering wheel
	Limit    preview.Limit
}

// Bounds of a file of a driver. Those of numbers are far beyond any vehicle, and keep exponentials of them finite.
const (
	mostSpeeds  = 100
	mostPoints  = 10_000
	mostSpeed   = 200.0  // m/s
	mostCurve   = 1000.0 // m/s2 and rad
	mostRate    = 1e4    // SI
	mostHeavier = 0.01   // difference of masses, as a share
)

// KnowledgeKeys are the keys of files of drivers.
var KnowledgeKeys = []keys.Key{
	{Name: "vehicle", Shape: keys.TextShape, Text: "name of the model that the driver knows"},
	{Name: "mass", Unit: "kg", Plain: true, Positive: true, Optional: true, Text: "of the vehicle, where it is known"},
	{Name: "speed", Shape: keys.TablesShape, Text: "motions of the vehicle, by rising speeds", Keys: []keys.Key{
		{Name: "speed", Unit: "m/s", Plain: true, Positive: true, Text: "forward speed"},
		{Name: "lateral", Shape: keys.ScalarsShape, Plain: true, Text: "change of the lateral velocity by lateral velocity " +
			"[1/s], yaw rate [m/s] and angle of the steering wheel [m/s2]"},
		{Name: "yaw", Shape: keys.ScalarsShape, Plain: true, Text: "change of the yaw rate by lateral velocity [1/(m.s)], " +
			"yaw rate [1/s] and angle of the steering wheel [1/s2]"},
	}},
	{Name: "curve", Shape: keys.TableShape, Text: "steady curve beyond the linear range", Keys: []keys.Key{
		{Name: "lateral", Shape: keys.ScalarsShape, Unit: "m/s2", Plain: true,
			Text: "rising lateral accelerations from 0 to the largest"},
		{Name: "more", Shape: keys.ScalarsShape, Unit: "rad", Plain: true,
			Text: "angle of the steering wheel beside that of the linear motion"},
	}},
}

// ReadKnowledge reads a file of a driver. Everything wrong with it is reported together, with file, line and column.
func ReadKnowledge(path string) (*Knowledge, error) {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return nil, err
	}
	return parseKnowledge(data, path)
}

func parseKnowledge(data []byte, path string) (*Knowledge, error) {
	root, err := document.Parse(data, path)
	if err != nil {
		return nil, err
	}
	r := keys.NewReader(path, root, nil)
	f := r.Fields(root, "the file of a driver", KnowledgeKeys)
	k := &Knowledge{Vehicle: f.Text("vehicle")}
	if f.Given("mass") {
		k.Mass = f.Number("mass")
	}
	speeds := f.NonEmptyList("speed")
	if len(speeds) > mostSpeeds {
		f.Fault("speed", "%d speeds; at most %d are read", len(speeds), mostSpeeds)
		return nil, r.Err()
	}
	for i, s := range speeds {
		v := preview.Vehicle{Speed: s.Number("speed")}
		lateral, yaw := numbers(s, "lateral", 3, mostRate), numbers(s, "yaw", 3, mostRate)
		if lateral == nil || yaw == nil {
			continue // reported
		}
		v.Self = [2][2]float64{{lateral[0], lateral[1]}, {yaw[0], yaw[1]}}
		v.Steer = [2]float64{lateral[2], yaw[2]}
		switch gain := v.Lateral(); {
		case v.Speed > mostSpeed:
			s.Fault("speed", "%g m/s is more than %g m/s, the most that is read", v.Speed, mostSpeed)
		case i > 0 && len(k.Vehicles) == i && v.Speed <= k.Vehicles[i-1].Speed:
			s.Fault("speed", "%g m/s is not above the speed before, %g m/s; write them in rising order", v.Speed,
				k.Vehicles[i-1].Speed)
		case !(gain > 0) || math.IsInf(gain, 0):
			s.FaultOfTable("by these numbers the vehicle does not turn to the side of its steering wheel; adapt the " +
				"driver again by skidpad driver adapt")
		}
		k.Vehicles = append(k.Vehicles, v)
	}
	c := f.Sub("curve")
	k.Limit.Lateral = numbers(c, "lateral", 0, mostCurve)
	k.Limit.More = numbers(c, "more", len(k.Limit.Lateral), mostCurve)
	for i, a := range k.Limit.Lateral {
		if i == 0 && a != 0 || i > 0 && a <= k.Limit.Lateral[i-1] {
			c.Fault("lateral", "value %d is %g m/s2; the first must be 0, and each other above the one before", i+1, a)
			break
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return k, nil
}

// numbers are the numbers of a list, count of them, or any for 0, none of them larger than most; nil where one is
// wrong.
func numbers(f *keys.Fields, name string, count int, most float64) []float64 {
	list := f.Numbers(name)
	switch {
	case list == nil: // reported
	case count > 0 && len(list) != count:
		f.Fault(name, "%s has %d numbers; it must have %d", f.PathOf(name), len(list), count)
		return nil
	case len(list) > mostPoints:
		f.Fault(name, "%s has %d numbers; at most %d are read", f.PathOf(name), len(list), mostPoints)
		return nil
	}
	for i, x := range list {
		if math.Abs(x) > most {
			f.Fault(name, "%s[%d] is %g; at most %g, to both sides, is read", f.PathOf(name), i, x, most)
			return nil
		}
	}
	return list
}

// Write writes the file of a driver, which ReadKnowledge reads back bit by bit.
func (k *Knowledge) Write(to io.Writer) error {
	var b strings.Builder
	list := func(values ...float64) string {
		texts := make([]string, len(values))
		for i, x := range values {
			texts[i] = strconv.FormatFloat(x, 'g', -1, 64)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	fmt.Fprintf(&b, "# What a driver knows of a vehicle: skidpad driver adapt has found it (docs/drivers.md).\n"+
		"vehicle = %q\n", k.Vehicle)
	if k.Mass > 0 {
		fmt.Fprintf(&b, "mass = %s # kg\n", strconv.FormatFloat(k.Mass, 'g', -1, 64))
	}
	for _, v := range k.Vehicles {
		fmt.Fprintf(&b, "\n[[speed]]\nspeed = %s # m/s\nlateral = %s\nyaw = %s\n",
			strconv.FormatFloat(v.Speed, 'g', -1, 64), list(v.Self[0][0], v.Self[0][1], v.Steer[0]),
			list(v.Self[1][0], v.Self[1][1], v.Steer[1]))
	}
	fmt.Fprintf(&b, "\n[curve]\nlateral = %s # m/s2\nmore = %s # rad\n", list(k.Limit.Lateral...), list(k.Limit.More...))
	_, err := io.WriteString(to, b.String())
	return err
}

// Driver is the driver of a manoeuvre, who knows the vehicle by the file and has his own hands. A vehicle of another
// name is refused, and one whose mass [kg] differs by more than 1 %; 0 stands for a mass that is not known.
func (k *Knowledge) Driver(m *manoeuvre.Manoeuvre, vehicle string, mass float64) (*preview.Driver, error) {
	const remedy = "adapt him by skidpad driver adapt, with the --set of the run"
	switch {
	case m.Driver == nil:
		return nil, fmt.Errorf("--driver: manoeuvre %s has no table [driver], so that no driver in it looks ahead; leave "+
			"--driver out", m.Name)
	case vehicle != k.Vehicle:
		return nil, fmt.Errorf("--driver: the driver knows the vehicle %s, and not %s; %s", k.Vehicle, vehicle, remedy)
	case k.Mass > 0 && mass > 0 && math.Abs(mass-k.Mass) > mostHeavier*k.Mass:
		return nil, fmt.Errorf("--driver: the driver knows %s with %.6g kg, and not with %.6g kg; %s", vehicle, k.Mass, mass,
			remedy)
	}
	return preview.NewDriver(slices.Clone(k.Vehicles), k.Limit, hands(m.Driver))
}
