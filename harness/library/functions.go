package library

import (
	"fmt"
	"slices"

	"github.com/ebitengine/purego"
)

// functions2 are the functions of FMI 2.0 that the harness calls.
type functions2 struct {
	instantiate func(name string, kind int32, guid, resources string, callbacks *callbacks2, visible,
		logging int32) uintptr
	free            func(c uintptr)
	setupExperiment func(c uintptr, toleranceDefined int32, tolerance, start float64, stopDefined int32,
		stop float64) int32
	enterInitialization func(c uintptr) int32
	exitInitialization  func(c uintptr) int32
	terminate           func(c uintptr) int32
	reset               func(c uintptr) int32
	getReal             func(c uintptr, references *uint32, n uint64, values *float64) int32
	setReal             func(c uintptr, references *uint32, n uint64, values *float64) int32
	getString           func(c uintptr, references *uint32, n uint64, values **byte) int32
	setString           func(c uintptr, references *uint32, n uint64, values **byte) int32
	setInputDerivatives func(c uintptr, references *uint32, n uint64, orders *int32, values *float64) int32
	doStep              func(c uintptr, t, h float64, noSetPrior int32) int32
	getState            func(c uintptr, state *uintptr) int32
	setState            func(c uintptr, state uintptr) int32
	freeState           func(c uintptr, state *uintptr) int32
	stateSize           func(c uintptr, state uintptr, size *uint64) int32
	serialize           func(c uintptr, state uintptr, bytes *byte, size uint64) int32
	deserialize         func(c uintptr, bytes *byte, size uint64, state *uintptr) int32
}

// callbacks2 is fmi2CallbackFunctions.
type callbacks2 struct {
	logger      uintptr
	_           [3]uintptr // memory and asynchronous steps, which are not used
	environment uintptr
}

func (f *functions2) table() map[string]any {
	return map[string]any{
		"fmi2Instantiate": &f.instantiate, "fmi2FreeInstance": &f.free,
		"fmi2SetupExperiment": &f.setupExperiment, "fmi2EnterInitializationMode": &f.enterInitialization,
		"fmi2ExitInitializationMode": &f.exitInitialization, "fmi2Terminate": &f.terminate, "fmi2Reset": &f.reset,
		"fmi2GetReal": &f.getReal, "fmi2SetReal": &f.setReal, "fmi2SetString": &f.setString, "fmi2GetString": &f.getString,
		"fmi2DoStep": &f.doStep, "fmi2GetFMUstate": &f.getState, "fmi2SetFMUstate": &f.setState,
		"fmi2FreeFMUstate":           &f.freeState,
		"fmi2SerializedFMUstateSize": &f.stateSize, "fmi2SerializeFMUstate": &f.serialize,
		"fmi2DeSerializeFMUstate": &f.deserialize,
	}
}

// functions3 are the functions of FMI 3.0 that the harness calls.
type functions3 struct {
	instantiate func(name, token, resources string, visible, logging, eventMode, earlyReturn bool, references uintptr,
		n uint64,
		environment, logger, update uintptr) uintptr
	free                func(c uintptr)
	enterInitialization func(c uintptr, toleranceDefined bool, tolerance, start float64, stopDefined bool,
		stop float64) int32
	exitInitialization func(c uintptr) int32
	terminate          func(c uintptr) int32
	reset              func(c uintptr) int32
	getFloat64         func(c uintptr, references *uint32, n uint64, values *float64, m uint64) int32
	setFloat64         func(c uintptr, references *uint32, n uint64, values *float64, m uint64) int32
	getString          func(c uintptr, references *uint32, n uint64, values **byte, m uint64) int32
	setString          func(c uintptr, references *uint32, n uint64, values **byte, m uint64) int32
	doStep             func(c uintptr, t, h float64, noSetPrior bool, event, terminate, early *bool,
		last *float64) int32
	getState    func(c uintptr, state *uintptr) int32
	setState    func(c uintptr, state uintptr) int32
	freeState   func(c uintptr, state *uintptr) int32
	stateSize   func(c uintptr, state uintptr, size *uint64) int32
	serialize   func(c uintptr, state uintptr, bytes *byte, size uint64) int32
	deserialize func(c uintptr, bytes *byte, size uint64, state *uintptr) int32
}

func (f *functions3) table() map[string]any {
	return map[string]any{
		"fmi3InstantiateCoSimulation": &f.instantiate, "fmi3FreeInstance": &f.free,
		"fmi3EnterInitializationMode": &f.enterInitialization, "fmi3ExitInitializationMode": &f.exitInitialization,
		"fmi3Terminate": &f.terminate, "fmi3Reset": &f.reset, "fmi3GetFloat64": &f.getFloat64,
		"fmi3SetFloat64": &f.setFloat64,
		"fmi3GetString":  &f.getString,
		"fmi3SetString":  &f.setString, "fmi3DoStep": &f.doStep, "fmi3GetFMUState": &f.getState,
		"fmi3SetFMUState": &f.setState, "fmi3FreeFMUState": &f.freeState, "fmi3SerializedFMUStateSize": &f.stateSize,
		"fmi3SerializeFMUState": &f.serialize, "fmi3DeserializeFMUState": &f.deserialize,
	}
}

// bind resolves functions by name.
func bind(library uintptr, table map[string]any) error {
	var names []string
	for name := range table {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		address, err := symbol(library, name)
		if err != nil {
			return fmt.Errorf("the library has no function %s: %w", name, err)
		}
		purego.RegisterFunc(table[name], address)
	}
	return nil
}

// Missing lists the functions that the standard prescribes and the library lacks.
func (f *FMU) Missing() []string {
	names := common2
	if f.Version == 3 {
		names = common3
	}
	var missing []string
	for _, name := range names {
		name = fmt.Sprintf("fmi%d%s", f.Version, name)
		if _, err := symbol(f.library, name); err != nil {
			missing = append(missing, name)
		}
	}
	return missing
}

// common2 and common3 are the functions that every FMU of the version exports.
var (
	common2 = []string{
		"GetTypesPlatform", "GetVersion", "SetDebugLogging", "Instantiate", "FreeInstance", "SetupExperiment",
		"EnterInitializationMode", "ExitInitializationMode", "Terminate", "Reset", "GetReal", "GetInteger",
		"GetBoolean",
		"GetString", "SetReal", "SetInteger", "SetBoolean", "SetString", "GetFMUstate", "SetFMUstate", "FreeFMUstate",
		"SerializedFMUstateSize", "SerializeFMUstate", "DeSerializeFMUstate", "GetDirectionalDerivative",
		"EnterEventMode",
		"NewDiscreteStates", "EnterContinuousTimeMode", "CompletedIntegratorStep", "SetTime", "SetContinuousStates",
		"GetDerivatives", "GetEventIndicators", "GetContinuousStates", "GetNominalsOfContinuousStates",
		"SetRealInputDerivatives", "GetRealOutputDerivatives", "DoStep", "CancelStep", "GetStatus", "GetRealStatus",
		"GetIntegerStatus", "GetBooleanStatus", "GetStringStatus",
	}
	common3 = []string{
		"GetVersion", "SetDebugLogging", "InstantiateModelExchange", "InstantiateCoSimulation",
		"InstantiateScheduledExecution",
		"FreeInstance", "EnterInitializationMode", "ExitInitializationMode", "EnterEventMode", "Terminate", "Reset",
		"GetFloat32", "GetFloat64", "GetInt8", "GetUInt8", "GetInt16", "GetUInt16", "GetInt32", "GetUInt32", "GetInt64",
		"GetUInt64", "GetBoolean", "GetString", "GetBinary", "GetClock", "SetFloat32", "SetFloat64", "SetInt8",
		"SetUInt8",
		"SetInt16", "SetUInt16", "SetInt32", "SetUInt32", "SetInt64", "SetUInt64", "SetBoolean", "SetString",
		"SetBinary",
		"SetClock", "GetNumberOfVariableDependencies", "GetVariableDependencies", "GetFMUState", "SetFMUState",
		"FreeFMUState",
		"SerializedFMUStateSize", "SerializeFMUState", "DeserializeFMUState", "GetDirectionalDerivative",
		"GetAdjointDerivative",
		"EnterConfigurationMode", "ExitConfigurationMode", "GetIntervalDecimal", "GetIntervalFraction",
		"GetShiftDecimal",
		"GetShiftFraction", "SetIntervalDecimal", "SetIntervalFraction", "SetShiftDecimal", "SetShiftFraction",
		"EvaluateDiscreteStates", "UpdateDiscreteStates", "EnterContinuousTimeMode", "CompletedIntegratorStep",
		"SetTime",
		"SetContinuousStates", "GetContinuousStateDerivatives", "GetEventIndicators", "GetContinuousStates",
		"GetNominalsOfContinuousStates", "GetNumberOfEventIndicators", "GetNumberOfContinuousStates", "EnterStepMode",
		"GetOutputDerivatives", "DoStep", "ActivateModelPartition",
	}
)
