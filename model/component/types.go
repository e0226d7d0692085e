package component

// Group lists types of components that the documentation describes together.
type Group struct {
	Title string
	Types []Type
}

// Groups are the types of components, in the order of the documentation.
var Groups = []Group{
	{"Bodies and rigid links", []Type{rigidBodyType, pointMassType, rigidArmType, weldType}},
	{"Joints", []Type{revoluteType, prismaticType, suspensionType, rockerType, sphericalType,
		strutType, freeJointType}},
	{"Drivers", []Type{motionDriverType, torqueDriverType, brakeType, forceDriverType, aerodynamicsType}},
	{"Steering and driveline", []Type{steeringType, brakeDistributionType, differentialType, engineType, gearboxType}},
	{"Springs", []Type{springDamperType, antiRollBarType, bushingType, complianceType}},
	{"Electrical networks", []Type{resistorType, switchType, diodeType, capacitorType, inductorType, voltageSourceType,
		currentSourceType, batteryType, converterType, dcMachineType, pmMachineType, motorType, probeType}},
	{"Hydraulic networks", []Type{pressureSourceType, flowSourceType, orificeType, valveType, fourWayValveType,
		checkValveType, lineType, volumeType, accumulatorType, pumpType, cylinderType, caliperType}},
	{"Thermal networks", []Type{heatCapacityType, heatResistanceType, temperatureSourceType, heatSourceType}},
	{"Constraints", []Type{rodType, rightAngleType, parallelogramType, rollingWheelType, relaxedWheelType}},
	{"Ground", []Type{sideForceType, terrainType, wheelContactType, roadType}},
	{"Measurement and equations", []Type{sensorType, linearEquationsType, equationsType,
		sampledEquationsType, controllerType}},
	{"Tires", []Type{tireForcesType, tireType}},
}

// Types lists the types of all groups.
var Types = types()

func types() (list []Type) {
	for _, g := range Groups {
		list = append(list, g.Types...)
	}
	return list
}
