package formulate

import "skidpad/model"

// answering gives components their answers.
func answering(list []model.Component) []model.Component {
	with := make([]model.Component, len(list))
	for i, c := range list {
		with[i] = withAnswers(c)
	}
	return with
}

// withAnswers is the one place that knows the types of components.
func withAnswers(c model.Component) model.Component {
	switch c := c.(type) {
	case *model.RigidBody:
		return rigidBody{c}
	case *model.PointMass:
		return pointMass{c}
	case *model.RigidArm:
		return rigidArm{c}
	case *model.Revolute:
		return revolute{c}
	case *model.Prismatic:
		return prismatic{c}
	case *model.Suspension:
		return suspension{c}
	case *model.TorqueDriver:
		return torqueDriver{c}
	case *model.ForceDriver:
		return forceDriver{c}
	case *model.Aerodynamics:
		return aerodynamics{c}
	case *model.Steering:
		return steering{c}
	case *model.BrakeDistribution:
		return brakeDistribution{c}
	case *model.Differential:
		return differential{c}
	case *model.Engine:
		return engine{c}
	case *model.Gearbox:
		return gearbox{c}
	case *model.SpringDamper:
		return springDamper{c}
	case *model.AntiRollBar:
		return antiRollBar{c}
	case *model.Rod:
		return rod{c}
	case *model.RightAngle:
		return rightAngle{c}
	case *model.Parallelogram:
		return parallelogram{c}
	case *model.RollingWheel:
		return rollingWheel{c}
	case *model.RelaxedWheel:
		return relaxedWheel{c}
	case *model.SideForce:
		return sideForce{c}
	case *model.Terrain:
		return terrain{c}
	case *model.WheelContact:
		return wheelContact{c}
	case *model.Road:
		return road{c}
	case *model.Sensor:
		return sensor{c}
	case *model.LinearEquations:
		return linearEquations{c}
	case *model.Equations:
		return equations{c}
	case *model.TireForces:
		return tireForces{c}
	case *model.Tire:
		return tireOnRoad{c}
	}
	return c // a spherical joint, a motion driver: their edges say everything
}
