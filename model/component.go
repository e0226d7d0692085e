package model

import (
	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// What components and keys are is said in packages component and keys; these are the names by which
// users of models know them.
type (
	Position = keys.Position
	Scalar   = keys.Scalar
	Vector   = keys.Vector
	Header   = keys.Header
	Key      = keys.Key

	Component         = component.Component
	ComponentType     = component.Type
	RigidBody         = component.RigidBody
	PointMass         = component.PointMass
	RigidArm          = component.RigidArm
	Revolute          = component.Revolute
	Prismatic         = component.Prismatic
	Suspension        = component.Suspension
	AntiRollBar       = component.AntiRollBar
	Spherical         = component.Spherical
	MotionDriver      = component.MotionDriver
	TorqueDriver      = component.TorqueDriver
	ForceDriver       = component.ForceDriver
	Aerodynamics      = component.Aerodynamics
	Steering          = component.Steering
	HandWheel         = component.HandWheel
	SteeredWheel      = component.SteeredWheel
	BrakeDistribution = component.BrakeDistribution
	BrakedAxle        = component.BrakedAxle
	Differential      = component.Differential
	Engine            = component.Engine
	Gearbox           = component.Gearbox
	SpringDamper      = component.SpringDamper
	Rod               = component.Rod
	RightAngle        = component.RightAngle
	Parallelogram     = component.Parallelogram
	RollingWheel      = component.RollingWheel
	RelaxedWheel      = component.RelaxedWheel
	SideForce         = component.SideForce
	Terrain           = component.Terrain
	TerrainFriction   = component.TerrainFriction
	WheelContact      = component.WheelContact
	Road              = component.Road
	Sensor            = component.Sensor
	LinearEquations   = component.LinearEquations
	LinearVariable    = component.LinearVariable
	Equations         = component.Equations
	EquationVariable  = component.EquationVariable
	TireForces        = component.TireForces
	Tire              = component.Tire
	Enveloping        = component.Enveloping
	RollingRadius     = component.RollingRadius
	Slip              = component.Slip
	TireFunction      = component.TireFunction
	Inertia           = component.Inertia
	FreeStart         = component.FreeStart
)

// GroundFrame is the name of the inertial frame.
const GroundFrame = graph.GroundFrame

// VectorShape is the shape of keys whose parameters have the names of three axes.
const VectorShape = keys.VectorShape

// ComponentTypes lists all component types of the dialect.
var ComponentTypes = component.Types
