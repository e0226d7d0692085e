package formulate_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// law is a small model at one state, and what its equations must be there by hand: rates by the names of states, then
// outputs. Gravity is 10 m/s^2 downwards, states and inputs that are not given keep their start values.
type law struct {
	text           string
	states, inputs values
	rates, outputs values
}

type values = map[string]float64

// a disc on an axle that stands in ground, with 2 kg m^2 about it, and another with 3
const axles = `
[component.axle]
type = "revolute"
from = "ground"
to = "disc"
axis = "y"
[component.disc]
type = "rigid-body"
mass = 5
inertia = { axial = 2, transverse = 1 }
[component.shaft]
type = "revolute"
from = "ground"
to = "wheel"
axis = "y"
[component.wheel]
type = "rigid-body"
mass = 5
inertia = { axial = 3, transverse = 2 }
`

// two masses, of 2 kg and 4 kg, that slide up and down
const lifts = `
[component.first]
type = "prismatic"
from = "ground"
to = "two"
axis = "z"
[component.two]
type = "point-mass"
mass = 2
[component.second]
type = "prismatic"
from = "ground"
to = "four"
axis = "z"
[component.four]
type = "point-mass"
mass = 4
`

const hull = `
[component.hull]
type = "rigid-body"
mass = 1000
inertia = { xx = 400, yy = 1500, zz = 1700 }
`

const stick = `
[component.stick]
type = "rigid-arm"
from = "foot"
to = "bob"
translation = [0, 0, -2]
[component.bob]
type = "point-mass"
mass = 3
`

// overHeight are points of the coefficient c + slope beta + byHeight z + twist beta z.
func overHeight(c, slope, byHeight, twist float64) string {
	var rows []string
	for _, beta := range []float64{-0.6, -0.1, 0.4} {
		for _, z := range []float64{-0.2, 0.1, 0.3} {
			rows = append(rows, fmt.Sprintf("[%g, %g, %g]", beta, z, c+slope*beta+byHeight*z+twist*beta*z))
		}
	}
	return "[" + strings.Join(rows, ", ") + "]"
}

func flights() values { return values{"hull.vx": 20, "hull.vy": 3} }

var (
	airspeed2    = 20.0*20 + 3*3
	sideslip     = math.Atan(3 / math.Sqrt(400+1e-4))
	pressureArea = 0.5 * 1.2 * airspeed2 * 2
	ackermann    = math.Atan(2.7 * math.Sin(0.3) / (2.7*math.Cos(0.3) - 0.75*math.Sin(0.3)))
	crank        = "[component.box]\ntype = \"gearbox\"\ninput = \"axle\"\ndrives = \"shaft\"\nratios = [4, " +
		"2]\nreverse = 3\ncapacity = 50\nsliding_speed = 10\n" + axles
)

var laws = map[string][]law{
	"rigid-body": {{ // Euler's equations with damping, and v' + w x v = g
		text: "[component.hull]\ntype = \"rigid-body\"\nmass = 2\ninertia = { xx = 2, yy = 3, zz = 5 }\nangular_damping " +
			"= 0.4\n",
		states: values{"hull.vx": 1, "hull.vy": 2, "hull.vz": 3, "hull.wx": 0.5, "hull.wy": 0.7, "hull.wz": -0.2},
		rates: values{
			"hull.wx": ((3-5)*0.7*-0.2 - 0.4*0.5) / 2, "hull.wy": ((5-2)*-0.2*0.5 - 0.4*0.7) / 3,
			"hull.wz": ((2-3)*0.5*0.7 + 0.4*0.2) / 5,
			"hull.vx": -(0.7*3 + 0.2*2), "hull.vy": -(-0.2*1 - 0.5*3), "hull.vz": -(0.5*2 - 0.7*1) - 10,
		},
	}},
	"point-mass": {{text: "[component.ball]\ntype = \"point-mass\"\nmass = 2\ninertial_mass = [1, 1, 5]\n",
		rates: values{"ball.vz": -4, "ball.vx": 0}}},
	"revolute": {{text: "[component.hinge]\ntype = \"revolute\"\nfrom = \"ground\"\nto = \"foot\"\naxis = " +
		"\"y\"\ntorque = \"input\"\n" + stick, states: values{"hinge.phi": 0.4}, inputs: values{"hinge.torque": 7},
		rates: values{"hinge.omega": (7 - 3*10*2*math.Sin(0.4)) / 12}}},
	"rigid-arm": {{text: "[component.hinge]\ntype = \"revolute\"\nfrom = \"ground\"\nto = \"foot\"\naxis = \"x\"\n" +
		stick, states: values{"hinge.phi": 0.4, "hinge.omega": 2}, rates: values{"hinge.omega": -5 * math.Sin(0.4)},
		outputs: values{"bob.y": 2 * math.Sin(0.4), "bob.vz": 4 * math.Sin(0.4)}}},
	"weld": {{text: "[component.hinge]\ntype = \"revolute\"\nfrom = \"ground\"\nto = \"toe\"\naxis = " +
		"\"x\"\n[component.seam]\ntype = \"weld\"\nfrom = \"toe\"\nto = \"foot\"\n" + stick, states: values{"hinge.phi": 0.4},
		rates: values{"hinge.omega": -5 * math.Sin(0.4)}}},
	"prismatic": {{text: "[component.chute]\ntype = \"prismatic\"\nfrom = \"ground\"\nto = \"ball\"\naxis = [0.6, " +
		"0, 0.8]\n[component.ball]\ntype = \"point-mass\"\nmass = 2\n", rates: values{"chute.s_dot": -8}}},
	"spherical": {{text: "[component.ball]\ntype = \"spherical\"\nfrom = \"ground\"\nto = " +
		"\"top\"\n[component.top]\ntype = \"rigid-body\"\nmass = 2\ninertia = { xx = 2, yy = 3, zz = 5 }\n",
		states: values{"ball.wx": 0.5, "ball.wy": 0.7, "ball.wz": -0.2},
		rates: values{"ball.wx": (3 - 5) * 0.7 * -0.2 / 2, "ball.wy": (5 - 2) * -0.2 * 0.5 / 3,
			"ball.wz": (2 - 3) * 0.5 * 0.7 / 5}}},
	"motion-driver": {{text: "[component.turn]\ntype = \"motion-driver\"\nfrom = \"ground\"\nto = \"table\"\naxis = " +
		"\"z\"\n[component.groove]\ntype = \"prismatic\"\nfrom = \"table\"\nto = \"ball\"\naxis = " +
		"\"x\"\n[component.ball]\ntype = \"point-mass\"\nmass = 2\n", states: values{"groove.s": 0.5},
		inputs: values{"turn.rate": 3, "turn.angle": 1}, rates: values{"groove.s_dot": 4.5}}},
	"torque-driver": {
		// on frames that are fixed to disc and wheel, and turned; one of them by way of another
		{text: "[component.motor]\ntype = \"torque-driver\"\nfrom = \"ground\"\nto = \"post\"\naxis = \"y\"\n" +
			"[component.mast]\ntype = \"rigid-arm\"\nfrom = \"disc\"\nto = \"top\"\nangles = [0.3, 0.2, 0.5]\n" +
			"[component.boom]\ntype = \"rigid-arm\"\nfrom = \"top\"\nto = \"post\"\nangles = [-0.1, 0.4, 0.7]\n" +
			"[component.flag]\ntype = \"point-mass\"\nframe = \"post\"\nmass = 1\n" + axles,
			inputs: values{"motor.torque": 6}, rates: values{"axle.omega": 3, "shaft.omega": 0}},
		{text: "[component.motor]\ntype = \"torque-driver\"\nfrom = \"disc\"\nto = \"wheel\"\naxis = \"y\"\n" + axles,
			inputs: values{"motor.torque": 6}, rates: values{"axle.omega": -3, "shaft.omega": 2}}},
	"brake": {
		{text: "[component.shoe]\ntype = \"brake\"\nfrom = \"ground\"\nto = \"disc\"\naxis = \"y\"\n" + axles,
			states: values{"axle.omega": -5}, inputs: values{"shoe.torque": 6}, rates: values{"axle.omega": 3}},
		{text: "[component.shoe]\ntype = \"brake\"\nfrom = \"ground\"\nto = \"disc\"\naxis = " +
			"\"y\"\n[component.motor]\ntype = \"torque-driver\"\nfrom = \"ground\"\nto = \"disc\"\naxis = \"y\"\n" + axles,
			inputs: values{"shoe.torque": 6, "motor.torque": 5}, rates: values{"axle.omega": 0}},
		{text: "[component.shoe]\ntype = \"brake\"\nfrom = \"ground\"\nto = \"disc\"\naxis = " +
			"\"y\"\n[component.motor]\ntype = \"torque-driver\"\nfrom = \"ground\"\nto = \"disc\"\naxis = \"y\"\n" + axles,
			inputs: values{"shoe.torque": 6, "motor.torque": -9}, rates: values{"axle.omega": -1.5}},
	},
	"force-driver": {{text: "[component.jack]\ntype = \"force-driver\"\nfrom = \"two\"\nto = \"four\"\naxis = \"z\"\n" +
		lifts, inputs: values{"jack.force": 8}, rates: values{"first.s_dot": -10 - 4, "second.s_dot": -10 + 2}}},
	// a lift at the front raises the nose: negative about y, which points to the left; a gust from the left pushes to the
	// right and turns the nose into the lee
	"aerodynamics": {{
		text: "[component.air]\ntype = \"aerodynamics\"\nframe = \"hull\"\narea = 2\nlength = 2.5\ndensity = 1.2\ndrag " +
			"= 0.3\nlift_front = 0.4\nlift_rear = 0.1\nside_force = 2\nroll_moment = 0.5\nyaw_moment = 0.6\n" + hull,
		states: flights(),
		outputs: values{
			"air.Fx": -pressureArea * 0.3, "air.Fy": -pressureArea * 2 * sideslip, "air.Fz": pressureArea * 0.5,
			"air.Mx": pressureArea * 2.5 * 0.5 * sideslip, "air.My": -pressureArea * 1.25 * (0.4 - 0.1),
			"air.Mz": -pressureArea * 2.5 * 0.6 * sideslip,
		},
		rates: values{"hull.vx": -pressureArea * 0.3 / 1000, "hull.vz": pressureArea*0.5/1000 - 10,
			"hull.wx": pressureArea * 2.5 * 0.5 * sideslip / 400, "hull.wy": -pressureArea * 1.25 * 0.3 / 1500,
			"hull.wz": -pressureArea * 2.5 * 0.6 * sideslip / 1700},
	}, { // coefficients that are bilinear in angle and height, which every surface has exactly
		text: "[component.air]\ntype = \"aerodynamics\"\nframe = \"hull\"\narea = 2\nlength = 2.5\ndensity = 1.2\ndrag " +
			"= 0.3\ndrag_curve = " + overHeight(0.1, 2, 3, 4) + "\nlift_front_curve = " + overHeight(0.5, 1, -2, 0) +
			"\nlift_rear_curve = " + overHeight(0, 0, -1, 3) + "\nside_force_curve = " + overHeight(0, 2, 0, 5) +
			"\nroll_moment_curve = " + overHeight(0, 1, 0, 7) + "\nyaw_moment_curve = " + overHeight(0, 3, 0, -6) + "\n" +
			hull,
		states: values{"hull.vx": 20, "hull.vy": 3, "hull.z": 0.15},
		outputs: values{
			"air.height": 0.15,
			"air.Fx":     -pressureArea * (0.3 + 0.1 + 2*sideslip + 3*0.15 + 4*0.15*sideslip),
			"air.Fy":     -pressureArea * (2 + 5*0.15) * sideslip,
			"air.Fz":     pressureArea * (0.5 + sideslip - 2*0.15 - 0.15 + 3*0.15*sideslip),
			"air.Mx":     pressureArea * 2.5 * (1 + 7*0.15) * sideslip,
			"air.My":     -pressureArea * 1.25 * (0.5 + sideslip - 2*0.15 + 0.15 - 3*0.15*sideslip),
			"air.Mz":     -pressureArea * 2.5 * (3 - 6*0.15) * sideslip,
		},
	}},
	"steering": {
		{ // Ackermann: all axes meet on the axle, cot(outer) - cot(inner) = track/wheelbase
			text: "[component.rack]\ntype = \"steering\"\nratio = 16\nwheelbase = 2.7\nwheels = [{ driver = \"left\", " +
				"lateral = 0.75 }, { driver = \"right\", lateral = -0.75 }]\n[component.left]\ntype = \"motion-driver\"\nfrom = " +
				"\"ground\"\nto = \"a\"\naxis = \"z\"\n[component.right]\ntype = \"motion-driver\"\nfrom = \"ground\"\nto = " +
				"\"b\"\naxis = \"z\"\n[component.a]\ntype = \"rigid-body\"\nmass = 1\ninertia = { xx = 1, yy = 1, zz = 1 " +
				"}\n[component.b]\ntype = \"rigid-body\"\nmass = 1\ninertia = { xx = 1, yy = 1, zz = 1 }\n" + lifts,
			inputs: values{"rack.angle": 16 * 0.3}, outputs: values{"left.angle": ackermann,
				"right.angle": math.Atan(1 / (1/math.Tan(ackermann) + 1.5/2.7))},
		},
		{ // a free steering wheel with an inertia of 0.5 kg m^2 and a wheel of 3, which turns 1/2 as far
			text: "[component.rack]\ntype = \"steering\"\nratio = 2\nwheels = [{ driver = \"turn\" }]\nhand_wheel = { " +
				"inertia = 0.5, damping = 0.2, friction = 3, sliding_speed = 0.5, hold_stiffness = 40, hold_damping = 6 " +
				"}\n[component.turn]\ntype = \"motion-driver\"\nfrom = \"ground\"\nto = \"a\"\naxis = " +
				"\"z\"\n[component.a]\ntype = \"rigid-body\"\nmass = 1\ninertia = { xx = 2, yy = 2, zz = 3 }\n",
			states: values{"rack.wheel_angle": 0.1, "rack.wheel_rate": 0.3},
			inputs: values{"rack.angle": 0.4, "rack.rate": 0.8, "rack.acceleration": 2, "rack.torque": 1.5, "rack.hold": 0.5},
			rates:  values{"rack.wheel_rate": (1.5 + 0.5*(40*0.3+6*0.5+0.5*2) - 0.2*0.3 - 3*math.Tanh(0.6)) / (0.5 + 3.0/4)},
		},
	},
	"brake-distribution": {{text: "[component.pedal]\ntype = \"brake-distribution\"\naxles = [{ brakes = [\"one\", " +
		"\"two\"], share = 0.6 }, { brakes = [\"three\"], share = 0.4 }]\n[component.one]\ntype = \"brake\"\nfrom = " +
		"\"ground\"\nto = \"disc\"\naxis = \"y\"\n[component.two]\ntype = \"brake\"\nfrom = \"ground\"\nto = " +
		"\"wheel\"\naxis = \"y\"\n[component.three]\ntype = \"brake\"\nfrom = \"ground\"\nto = \"wheel\"\naxis = \"y\"\n" +
		axles, states: values{"axle.omega": 5, "shaft.omega": 5}, inputs: values{"pedal.torque": 100},
		rates: values{"axle.omega": -15, "shaft.omega": -70.0 / 3}}},
	"differential": {{text: "[component.bevel]\ntype = \"differential\"\noutputs = [\"axle\", \"shaft\"]\nratio " +
		"= 3\nshare = 0.4\npreload = 5\nlock_drive = 0.1\nviscosity = 2\nsliding_speed = 4\n" + axles,
		states: values{"axle.omega": 7, "shaft.omega": 5}, inputs: values{"bevel.torque": 20},
		rates: values{"axle.omega": (0.4*60 - (11*math.Tanh(0.5)+4)/2) / 2,
			"shaft.omega": (0.6*60 + (11*math.Tanh(0.5)+4)/2) / 3}, outputs: values{"bevel.speed": 3 * (0.4*7 + 0.6*5)}},
		// a tenth of the power of the side that drives is lost
		{text: "[component.bevel]\ntype = \"differential\"\noutputs = [\"axle\", \"shaft\"]\nratio = 3\nefficiency = 0.9\n" +
			axles, states: values{"axle.omega": 8, "shaft.omega": 8}, inputs: values{"bevel.torque": 20},
			rates: values{"axle.omega": 60 * (1 - 0.1*math.Tanh(8)) / 4, "shaft.omega": 60 * (1 - 0.1*math.Tanh(8)) / 6}},
		{text: "[component.bevel]\ntype = \"differential\"\noutputs = [\"axle\", \"shaft\"]\nratio = 3\nefficiency = 0.9\n" +
			axles, states: values{"axle.omega": 8, "shaft.omega": 8}, inputs: values{"bevel.torque": -20},
			rates: values{"axle.omega": -60 * (1 + math.Tanh(8)/9) / 4, "shaft.omega": -60 * (1 + math.Tanh(8)/9) / 6}}},
	"engine": {{text: "[component.motor]\ntype = \"engine\"\ndrives = \"axle\"\nratio = 2\nfull_load = " +
		"[[0, 100], [200, 100]]\ndrag = [[0, -20], [200, -20]]\n" + axles, states: values{"axle.omega": 30},
		inputs: values{"motor.throttle": 0.25}, rates: values{"axle.omega": 2 * (-20 + 0.25*120) / 2},
		outputs: values{"motor.speed": 60}},
		{text: "[component.motor]\ntype = \"engine\"\ndrives = \"axle\"\nratio = 2\nfull_load = { points = [[0, 0, -20], " +
			"[0, 1, 100], [200, 0, -40], [200, 1, 120]], smooth = \"linear\" }\n" + axles, states: values{"axle.omega": 30},
			inputs:  values{"motor.throttle": 0.25},
			rates:   values{"axle.omega": 2 * (0.75*(-20-20*0.3) + 0.25*(100+20*0.3)) / 2},
			outputs: values{"motor.speed": 60, "motor.torque": 0.75*-26 + 0.25*106}},
		// the throttle beyond its range is limited
		{text: "[component.motor]\ntype = \"engine\"\ndrives = \"axle\"\nfull_load = [[0, 0, -20], [0, 1, 100], [200, 0, " +
			"-20], [200, 1, 100]]\n" + axles, states: values{"axle.omega": 30}, inputs: values{"motor.throttle": 7},
			outputs: values{"motor.torque": 100}}},
	"gearbox": {{text: crank, states: values{"axle.omega": 25, "shaft.omega": 10},
		inputs: values{"box.gear": 2, "box.clutch": 0.8},
		rates:  values{"axle.omega": -40 * math.Tanh(0.5) / 2, "shaft.omega": 80 * math.Tanh(0.5) / 3}},
		{text: crank, states: values{"axle.omega": 25, "shaft.omega": -10}, inputs: values{"box.gear": -1, "box.clutch": 1},
			rates: values{"axle.omega": 50 * math.Tanh(0.5) / 2, "shaft.omega": 150 * math.Tanh(0.5) / 3}},
		{text: strings.Replace(crank, "reverse = 3", "efficiency = [1, 0.8]\nreverse = 3", 1),
			states: values{"axle.omega": 25, "shaft.omega": 10},
			inputs: values{"box.gear": 2, "box.clutch": 0.8},
			rates: values{"axle.omega": -40 * math.Tanh(0.5) / 2,
				"shaft.omega": 80 * math.Tanh(0.5) * (1 - 0.2*math.Tanh(2)) / 3}}},
	"spring-damper": {{text: "[component.coil]\ntype = \"spring-damper\"\nfrom = \"two\"\nto = " +
		"\"four\"\nstiffness = 40\ndamping = 3\nquadratic_damping = 0.5\nfree_length = 1.2\n" + lifts,
		states: values{"first.s": 0, "second.s": 1, "second.s_dot": -2},
		rates:  values{"first.s_dot": -10 - 16.0/2, "second.s_dot": -10 + 16.0/4}},
		// a damper whose force grows with the rate of its length times 1 + current
		{text: "[component.coil]\ntype = \"spring-damper\"\nfrom = \"two\"\nto = \"four\"\ndamper_force = { points = " +
			"[[-4, 0, -12], [-4, 2, -36], [4, 0, 12], [4, 2, 36]], smooth = \"linear\" }\n" + lifts,
			states: values{"first.s": 0, "second.s": 1, "second.s_dot": -2}, inputs: values{"coil.current": 0.5},
			rates: values{"first.s_dot": -10 - 9.0/2, "second.s_dot": -10 + 9.0/4}}},
	"anti-roll-bar": {
		{text: "[component.bar]\ntype = \"anti-roll-bar\"\nleft = \"first\"\nright = \"second\"\nstiffness = 40\ndamping " +
			"= 3\n" + lifts, states: values{"first.s": 0.3, "second.s": 0.1, "first.s_dot": 1},
			rates: values{"first.s_dot": -10 - 11.0/2, "second.s_dot": -10 + 11.0/4}}},
	"rod": {{text: "[component.line]\ntype = \"rod\"\nfrom = \"ground\"\nto = \"ball\"\nlength = " +
		"2\n[component.ball]\ntype = \"point-mass\"\nmass = 3\n", states: values{"ball.z": -2, "ball.vx": 3},
		rates: values{"ball.vz": 9.0 / 2, "ball.vx": 0}}},
	"side-force": {{text: "[component.keel]\ntype = \"side-force\"\nframe = \"hull\"\ncoefficient = 50\n" + hull,
		states: flights(), rates: values{"hull.vy": -50 * 3.0 / 1000, "hull.vx": 0}, outputs: values{"keel.force": -150}}},
	"road": {
		{text: "[component.hill]\ntype = \"road\"\nangles = [0, 0.2, 0]\n" +
			"[component.eye]\ntype = \"sensor\"\nto = \"hill\"\n" + lifts,
			inputs: values{"hill.z": 0.5, "hill.z_dot": 0.1},
			outputs: values{"eye.x": 0.5 * math.Sin(0.2), "eye.z": 0.5 * math.Cos(0.2),
				"eye.vz": 0.1 * math.Cos(0.2)}}},
	"sensor": {{text: "[component.eye]\ntype = \"sensor\"\nfrom = \"two\"\nto = \"four\"\n" + lifts,
		states: values{"second.s": 1, "first.s_dot": 2}, outputs: values{"eye.z": 1, "eye.vz": -2, "eye.az": 0}}},
	// r = (2, 0, 0), e = (0, 1, 0): r.e" + e.r" + 2 r'.e' = 0, by forces along e on the end of r and along r on that of e
	"right-angle": {{
		text: "[component.knee]\ntype = \"right-angle\"\ncorner = \"ground\"\nfrom = \"a\"\nto = " +
			"\"b\"\n[component.a]\ntype = \"point-mass\"\nmass = 1\nstart = { position = [2, 0, 0], velocity = [0, -2, 0] " +
			"}\n[component.b]\ntype = \"point-mass\"\nmass = 1\nstart = { position = [0, 1, 0], velocity = [1, 3, 0] }\n",
		rates: values{"a.vy": 2.4, "b.vx": 4.8, "a.vx": 0, "b.vy": 0, "a.vz": -10},
	}},
	"parallelogram": {{ // a" + c" = b" + d"
		text: "[component.frame]\ntype = \"parallelogram\"\ncorner = \"a\"\nfrom = \"b\"\nopposite = \"c\"\nto = " +
			"\"d\"\n[component.a]\ntype = \"point-mass\"\nmass = 1\nstart = { position = [0, 0, 0] }\n[component.b]\ntype = " +
			"\"point-mass\"\nmass = 1\nstart = { position = [1, 0, 0] }\n[component.c]\ntype = \"point-mass\"\nmass = " +
			"1\nstart = { position = [1, 1, 0] }\n[component.d]\ntype = \"point-mass\"\nmass = 1\nstart = { position = [0, " +
			"1, 0] }\n[component.jack]\ntype = \"force-driver\"\nfrom = \"ground\"\nto = \"a\"\naxis = \"z\"\n",
		inputs: values{"jack.force": 8}, rates: values{"a.vz": 6 - 10, "b.vz": 2 - 10, "c.vz": -2 - 10, "d.vz": 2 - 10},
	}},
	"rolling-wheel": {{ // (J + m r^2) w' = T
		text: "[component.contact]\ntype = \"rolling-wheel\"\nframe = \"hoop\"\nroad = \"street\"\nradius = " +
			"0.5\n[component.street]\ntype = \"road\"\n[component.hoop]\ntype = \"rigid-body\"\nmass = 5\ninertia = { xx = " +
			"1.5, yy = 2, zz = 1.5 }\nstart = { position = [0, 0, 0.5], velocity = [2, 0, 0], angular_velocity = [0, 4, 0] " +
			"}\n[component.motor]\ntype = \"torque-driver\"\nfrom = \"ground\"\nto = \"hoop\"\naxis = \"y\"\n",
		inputs: values{"motor.torque": 7}, rates: values{"hoop.wy": 7 / 3.25, "hoop.vx": 3.5 / 3.25, "hoop.vy": 0,
			"hoop.wx": 0}, outputs: values{"contact.Fx": 5 * 3.5 / 3.25, "contact.Fy": 0, "contact.Fz": 50},
	}},
	"terrain": {{text: "[component.meadow]\ntype = \"terrain\"\nheight = 0.3\n[component.eye]\ntype = \"sensor\"\nto = " +
		"\"meadow\"\n" + lifts, outputs: values{"eye.x": 0, "eye.z": 0, "eye.yaw": 0}}},
	"wheel-contact": { // resistance to rolling on the rim, along the plane, in mode 1 only
		{text: rolling, states: values{"rim.vx": 4, "rim.vz": 1}, inputs: values{"contact.mode": 1},
			rates: values{"rim.vx": -6, "rim.vz": -10}},
		{text: rolling, states: values{"rim.vx": 4, "rim.vz": 1}, inputs: values{"contact.mode": 2},
			rates: values{"rim.vx": 0, "rim.vz": -10}},
	},
}

const rolling = "[component.contact]\ntype = \"wheel-contact\"\ncontact = \"pebble\"\nrim = \"rim\"\nterrain = " +
	"\"meadow\"\nfriction = 3\n[component.meadow]\ntype = \"terrain\"\n[component.pebble]\ntype = \"point-mass\"\nmass " +
	"= 1\n[component.rim]\ntype = \"point-mass\"\nmass = 2\n"

// lawOf names the tests of laws that need more than a line: each must stand in this package.
var lawOf = map[string]string{
	"suspension":       "TestGuidesObeyLagrange",
	"relaxed-wheel":    "TestRelaxedWheelInClosedForm",
	"linear-equations": "TestLinearEquationsAreThoseOfTheirMatrices",
	"equations":        "TestEquationsAreTheirFormulas",
	"tire-forces":      "TestTireForcesAreThoseOfTheFunction",
	"tire":             "TestTirePosesOnMovingRoads",
}

// Every type of component has a law, which is checked here by hand or by a test of its own.
func TestEveryComponentObeysItsLaw(t *testing.T) {
	var tests strings.Builder
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	for _, kind := range component.Types {
		if name := lawOf[kind.Word]; name != "" {
			if !regexp.MustCompile(`(?m)^func ` + name + `\(t \*testing.T\)`).MatchString(tests.String()) {
				t.Errorf("%s: there is no test %s", kind.Word, name)
			}
		} else if len(laws[kind.Word]) == 0 {
			t.Errorf("%s has no law that is checked", kind.Word)
		}
		for _, l := range laws[kind.Word] {
			t.Run(kind.Word, func(t *testing.T) { l.check(t) })
		}
	}
}

func (l *law) check(t *testing.T) {
	m, err := vehicle.Parse([]byte("name = \"Law\"\ngravity = [0, 0, -10]\n"+l.text), "law.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, machine := machine(t, m, formulate.Options{})
	x, u, dx, y := make([]float64, len(p.States)), make([]float64, len(p.Inputs)), make([]float64, len(p.States)),
		make([]float64, len(p.Outputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	machine.Start(u, x)
	put(t, p.States, x, l.states)
	put(t, p.Inputs, u, l.inputs)
	machine.Derivatives(0, x, u, dx)
	machine.Outputs(y)
	agree(t, "rate of ", p.States, dx, l.rates)
	agree(t, "", p.Outputs, y, l.outputs)
}

func put(t *testing.T, list []program.Variable, to []float64, given values) {
	t.Helper()
	for name, v := range given {
		to[place(t, list, name)] = v
	}
}

func agree(t *testing.T, what string, list []program.Variable, got []float64, want values) {
	t.Helper()
	for name, v := range want {
		if x := got[place(t, list, name)]; !(math.Abs(x-v) <= 1e-12*(1+math.Abs(v))) {
			t.Errorf("%s%s is %.15g, by hand %.15g", what, name, x, v)
		}
	}
}

func place(t *testing.T, list []program.Variable, name string) int {
	t.Helper()
	for i, v := range list {
		if v.Name == name {
			return i
		}
	}
	t.Fatalf("there is no %s", name)
	return -1
}

// A body that a suspension guides has one freedom q with the energy J(q) q'^2/2, J = m |r_q|^2 + a.I a, in which a is
// the angular velocity for a rate of 1: so J q” + J_q q'^2/2 = -m g z_q. The turns are about z, the new x and the new
// y; J and its slope are differences here.
func TestGuidesObeyLagrange(t *testing.T) {
	const mass = 20.0
	inertia := [3]float64{2, 3, 5}
	text := `name = "Law"
gravity = [0, 0, -10]
[component.guide]
type = "suspension"
from = "ground"
to = "carrier"
x = [[-1, 0.3], [0, 0], [1, 0.2]]
y = [[-1, -0.4], [0, 0], [1, 0.1]]
z = [[-1, -1.1], [0, 0], [1, 0.9]]
toe = [[-1, 0.3], [0, 0], [1, 0.5]]
camber = [[-1, -0.5], [0, 0], [1, 0.3]]
castor = [[-1, 0.6], [0, 0], [1, 0.2]]
[component.carrier]
type = "rigid-body"
mass = 20
inertia = { xx = 2, yy = 3, zz = 5 }
`
	m, err := vehicle.Parse([]byte(text), "law.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	curves := map[string]*curve.Curve{}
	for name, y := range map[string][]float64{"x": {0.3, 0, 0.2}, "y": {-0.4, 0, 0.1}, "z": {-1.1, 0, 0.9},
		"toe": {0.3, 0, 0.5}, "camber": {-0.5, 0, 0.3}, "castor": {0.6, 0, 0.2}} {
		if curves[name], err = curve.Smooth([]float64{-1, 0, 1}, y); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string, q float64) float64 { v, _, _ := curves[name].At(q); return v }
	slope := func(name string, q float64) float64 { _, s, _ := curves[name].At(q); return s }
	energy := func(q float64) float64 { // J
		// angular velocity in the carrier's axes, turned back step by step: left side, so that all turns are negative
		phi, theta := -at("camber", q), -at("castor", q)
		psiq, phiq, thetaq := -slope("toe", q), -slope("camber", q), -slope("castor", q)
		sp, cp := math.Sincos(phi)
		st, ct := math.Sincos(theta)
		a := [3]float64{phiq*ct - psiq*cp*st, thetaq + psiq*sp, phiq*st + psiq*cp*ct}
		j := 0.0
		for k, name := range []string{"x", "y", "z"} {
			j += mass*math.Pow(slope(name, q), 2) + inertia[k]*a[k]*a[k]
		}
		return j
	}
	p, machine := machine(t, m, formulate.Options{})
	for _, q := range []float64{-0.6, 0.2, 0.7} {
		const rate, h = 1.7, 1e-5
		x, dx := make([]float64, len(p.States)), make([]float64, len(p.States))
		put(t, p.States, x, values{"guide.travel": q, "guide.travel_dot": rate})
		machine.Derivatives(0, x, nil, dx)
		want := -((energy(q+h)-energy(q-h))/(2*h)/2*rate*rate + mass*10*slope("z", q)) / energy(q)
		if got := dx[place(t, p.States, "guide.travel_dot")]; !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
			t.Errorf("travel %g: acceleration %.12g, by Lagrange %.12g", q, got, want)
		}
	}
}
