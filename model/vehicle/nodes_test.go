package vehicle_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

const inverter = `kind = "subsystem"
frames = ["axle"]
nodes = ["dc"]
[parameters]
ratio = { value = 0.5, unit = "1" }
[component]
inverter = { type = "converter", supply = ["dc", "ground"], load = ["phase", "ground"], ratio = "ratio*(1 + 0*time)" }
machine = { type = "dc-machine", from = "phase", resistance = 0.1, constant = 2, joint = "axle" }
relay = { type = "switch", from = "phase", to = "spare", closed = "input" }
rest = { type = "resistor", from = "spare", resistance = 10 }
`

const carOfMachines = `name = "Car"
[component.spin]
type = "revolute"
from = "ground"
to = "wheel"
axis = "y"
[component.wheel]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component]
pack = { type = "battery", to = "dc", open_voltage = 300, resistance = 0.1, charge = "60 A.h" }
[use.F]
file = "parts/inverter.toml"
at = ["a", "b"]
frames = { axle = "spin" }
nodes = { dc = "dc" }
[use.F.component]
relay = { to = "other" }
sense = { type = "resistor", from = "other", to = "dc", resistance = 5 }
[component.link]
type = "resistor"
from = "phase_Fa"
to = "phase_Fb"
resistance = 1
`

func nodesModel(text string, more map[string]string) (*vehicle.Model, error) {
	files := map[string]string{"parts/inverter.toml": inverter}
	for name, content := range more {
		files[name] = content
	}
	return vehicle.Parse([]byte(text), "car.toml", inMemory(files))
}

// endsOf are the nodes of all scalar edges of a model by component.
func endsOf(m *vehicle.Model) string {
	var list []string
	for _, c := range m.Components {
		for _, e := range component.ScalarEdges(m.Scope(), c) {
			list = append(list, c.Head().Name+" "+e.From+"-"+e.To)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// Nodes of instances have their suffix, except for the nodes that the use gives, and for the ground. Changes of a use
// can name nodes of the file, of the user, and new ones of the instance.
func TestNodesOfInstances(t *testing.T) {
	m, err := nodesModel(carOfMachines, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{"inverter_Fa dc-ground", "inverter_Fa phase_Fa-ground", "inverter_Fb dc-ground",
		"inverter_Fb phase_Fb-ground", "link phase_Fa-phase_Fb", "machine_Fa phase_Fa-ground", "machine_Fb phase_Fb-ground",
		"pack ground-dc", "relay_Fa phase_Fa-other_Fa", "relay_Fb phase_Fb-other_Fb", "rest_Fa spare_Fa-ground",
		"rest_Fb spare_Fb-ground", "sense_Fa other_Fa-dc", "sense_Fb other_Fb-dc"}, "\n")
	if got := endsOf(m); got != want {
		t.Errorf("nodes\n%s\nwant\n%s", got, want)
	}
	if ratio := m.Scope().Find("inverter_Fb").(*component.Converter).Ratio; ratio.Formula != "ratio_Fb*(1 + 0*time)" {
		t.Errorf("the ratio is %q", ratio.Formula)
	}
	if closed := m.Scope().Find("relay_Fa").(*component.Switch).Closed; !closed.Input {
		t.Errorf("the relay is not closed by an input: %+v", closed)
	}
}

// A file passes nodes on between the files that it uses, and each of its instances has its own.
func TestNodesOfNestedUses(t *testing.T) {
	m, err := nodesModel(`name = "Car"
[use.A]
file = "parts/unit.toml"
at = ["x", "y"]
nodes = { out = "rail" }
[component]
load = { type = "resistor", from = "rail", resistance = 1 }
far = { type = "resistor", from = "link_Ay", resistance = 3 }
deep = { type = "resistor", from = "inside_Axs", resistance = 4 }
`, map[string]string{"parts/unit.toml": `kind = "subsystem"
nodes = ["out"]
[use.s]
file = "source.toml"
nodes = { plus = "link" }
[use.t]
file = "source.toml"
nodes = { plus = "link" }
[component]
fuse = { type = "resistor", from = "link", to = "out", resistance = 0.1 }
`, "parts/source.toml": `kind = "subsystem"
nodes = ["plus"]
[component]
cell = { type = "voltage-source", to = "inside", voltage = 12 }
wire = { type = "resistor", from = "inside", to = "plus", resistance = 0.2 }
`})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"wire_Axs inside_Axs-link_Ax", "wire_Ayt inside_Ayt-link_Ay", "fuse_Ax link_Ax-rail",
		"fuse_Ay link_Ay-rail", "far link_Ay-ground", "deep inside_Axs-ground"} {
		if got := endsOf(m); !strings.Contains(got+"\n", want+"\n") {
			t.Errorf("no edge %s in\n%s", want, got)
		}
	}
}

// On the right side nodes and signs of flow stay, and the machine follows the coordinate of its joint.
func TestMirroredMachines(t *testing.T) {
	corner := `kind = "subsystem"
sides = "left"
nodes = ["dc"]
[component]
hinge = { type = "revolute", from = "ground", to = "arm", axis = "x" }
arm = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
wire = { type = "resistor", from = "dc", to = "coil", resistance = 0.2 }
machine = { type = "dc-machine", from = "coil", resistance = 0.1, constant = 2, joint = "hinge" }
`
	m, err := nodesModel(`name = "Car"
[component]
u = { type = "voltage-source", to = "dc", voltage = 12 }
[use.F]
file = "parts/corner.toml"
at = ["L", "R"]
nodes = { dc = "dc" }
`, map[string]string{"parts/corner.toml": corner})
	if err != nil {
		t.Fatal(err)
	}
	left, right := m.Scope().Find("machine_FL").(*component.DCMachine), m.Scope().Find("machine_FR").(*component.DCMachine)
	if left.Constant.Value != 2 || right.Constant.Value != -2 || right.Resistance.Value != 0.1 ||
		right.From != "coil_FR" ||
		right.To != "ground" {
		t.Errorf("the machines are %+v and %+v", left, right)
	}
	if wire := m.Scope().Find("wire_FR").(*component.Resistor); wire.From != "dc" || wire.To != "coil_FR" {
		t.Errorf("the wire leads from %s to %s", wire.From, wire.To)
	}
}

// Errors about nodes tell the place, the names and the remedy.
func TestFaultsOfNodes(t *testing.T) {
	for _, c := range []struct{ name, file, old, by, want string }{
		{"missing", "car", "nodes = { dc = \"dc\" }\n", "",
			`car.toml:13:6: use F lacks the nodes dc that parts/inverter.toml wants; write nodes = { dc = "..." }`},
		{"misspelt", "car", `nodes = { dc = "dc" }`, `nodes = { dx = "dc" }`,
			`car.toml:17:16: use F.nodes gives "dx", which parts/inverter.toml does not want; did you mean "dc"? it wants dc`},
		{"frame given as node", "car", `nodes = { dc = "dc" }`, `nodes = { dc = "bus" }`,
			`car.toml:17:16: use F.nodes.dc is "bus", a node that no component and no other use names; nodes here: dc, ` +
				`other_Fa, ` +
				`other_Fb, phase_Fa, phase_Fb, spare_Fa, spare_Fb`},
		{"no name", "car", `nodes = { dc = "dc" }`, `nodes = { dc = 1 }`, `car.toml:17:16: use F.nodes.dc is 1; it ` +
			`must be a name`},
		{"twice", "inverter", `nodes = ["dc"]`, `nodes = ["dc", "dc"]`, `parts/inverter.toml:3:16: nodes lists "dc" ` +
			`twice...`},
		{"ground", "inverter", `nodes = ["dc"]`, `nodes = ["dc", "ground"]`,
			`parts/inverter.toml:3:16: nodes lists "ground", which every file has; take it out...`},
		{"wrong name", "inverter", `["dc", "ground"]`, `["dc-", "ground"]`,
			`parts/inverter.toml:7:44: node "dc-_Fa" is not an identifier: a letter, then letters, digits and _...`},
		{"one node", "inverter", `["dc", "ground"]`, `["dc"]`,
			`parts/inverter.toml:7:34: inverter_Fa.supply has 1 of two nodes; write two, such as ["dc", "ground"]...`},
		{"a frame", "car", `from = "phase_Fa"`, `from = "wheel"`,
			`car.toml:23:8: resistor link: "wheel" is a frame, and no other component has the electrical node "wheel"; ` +
				`nodes are ` +
				`named by components of their domain, frames by bodies and joints; electrical nodes: dc, ...`},
		{"a node as frame", "car", `from = "ground"`, `from = "dc"`,
			`car.toml:4:8: frame "dc" of component spin leads to nothing: no body, joint or load uses it; "dc" is a node ` +
				`of the ` +
				`electrical domain`},
		{"a node as a used frame", "car", "[component]\n", "[component]\neye = { type = \"sensor\", to = \"dc\" }\n",
			`car.toml:12:31: component eye uses the frame "dc", which no body, joint, arm or road has; "dc" is a node of the ` +
				`electrical domain; frames: ground, wheel`},
		{"both ends", "car", `to = "phase_Fb"`, `to = "phase_Fa"`,
			`car.toml:21:12: resistor link: from and to are both the node "phase_Fa", so that it does nothing; name two ` +
				`nodes (a ` +
				`missing one is the ground)`},
		{"unknown in a formula", "inverter", "ratio*(1 + 0*time)", "rato*time",
			`parts/inverter.toml:7:97: the formula "rato*time" names rato, which is no parameter of this file; ...`},
	} {
		files := map[string]string{"car": carOfMachines, "inverter": inverter}
		files[c.file] = edited(t, files[c.file], c.old, c.by)
		_, err := nodesModel(files["car"], map[string]string{"parts/inverter.toml": files["inverter"]})
		if err == nil {
			t.Errorf("%s is accepted", c.name)
		} else if !alike(err.Error(), c.want) && err.Error() != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, err, c.want)
		}
	}
	// Two uses that make the same node.
	_, err := nodesModel(strings.Replace(carOfMachines, "[use.F]", `[use.Fa]
file = "parts/other.toml"
[use.F]`, 1), map[string]string{"parts/other.toml": `kind = "subsystem"
[component]
extra = { type = "resistor", from = "phase", resistance = 1 }
`})
	want := `use F makes the node phase_Fa, which is a node of `
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a node of two uses: %v", err)
	}
}
