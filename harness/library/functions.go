package library

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/ebitengine/purego"
)

// access gets or sets m values of n value references, as they lie in memory.
type access func(c uintptr, references *uint32, n uint64, values unsafe.Pointer, m uint64) int32

// common are the functions that both versions have with the same meaning; those that a library lacks are nil.
type common struct {
	get, set            [bases]access
	free                func(c uintptr)
	enterInitialization func(c uintptr, tolerance float64) int32 // which is 0 without
	exitInitialization  func(c uintptr) int32
	terminate           func(c uintptr) int32
	reset               func(c uintptr) int32

	getState    func(c uintptr, state *uintptr) int32
	setState    func(c uintptr, state uintptr) int32
	freeState   func(c uintptr, state *uintptr) int32
	stateSize   func(c uintptr, state uintptr, size *uint64) int32
	serialize   func(c uintptr, state uintptr, bytes *byte, size uint64) int32
	deserialize func(c uintptr, bytes *byte, size uint64, state *uintptr) int32

	// model exchange
	enterEventMode          func(c uintptr) int32
	enterContinuousTimeMode func(c uintptr) int32
	updateStates            func(c uintptr) (eventInfo, int32) // discrete ones
	completedStep           func(c uintptr) (event, terminate bool, status int32)
	setTime                 func(c uintptr, t float64) int32
	setStates               func(c uintptr, x *float64, n uint64) int32
	states                  func(c uintptr, x *float64, n uint64) int32
	rates                   func(c uintptr, dx *float64, n uint64) int32
	indicators              func(c uintptr, z *float64, n uint64) int32
	nominals                func(c uintptr, x *float64, n uint64) int32
}

// eventInfo is the result of an update of the discrete states.
type eventInfo struct {
	again, terminate, nominals, states, timed bool
	next                                      float64 // with timed: time of the next event [s]
}

// functions2 are functions of FMI 2.0 alone.
type functions2 struct {
	instantiate func(name string, kind int32, guid, resources string, callbacks *callbacks2, visible,
		logging int32) uintptr
	setInputDerivatives func(c uintptr, references *uint32, n uint64, orders *int32, values *float64) int32
	doStep              func(c uintptr, t, h float64, noSetPrior int32) int32
	realStatus          func(c uintptr, kind int32, value *float64) int32
	booleanStatus       func(c uintptr, kind int32, value *int32) int32
}

// callbacks2 is fmi2CallbackFunctions.
type callbacks2 struct {
	logger, allocate, release uintptr
	_                         uintptr // asynchronous steps, which are not used
	environment               uintptr
}

// functions3 are functions of FMI 3.0 alone.
type functions3 struct {
	instantiateCoSimulation func(name, token string, resources *byte, visible, logging, eventMode, earlyReturn bool,
		references uintptr, n uint64, environment, logger, update uintptr) uintptr
	instantiateModelExchange func(name, token string, resources *byte, visible, logging bool, environment,
		logger uintptr) uintptr
	instantiateScheduled func(name, token string, resources *byte, visible, logging bool, environment, logger, update,
		lock, unlock uintptr) uintptr
	doStep func(c uintptr, t, h float64, noSetPrior bool, event, terminate, early *bool,
		last *float64) int32
	enterConfiguration, exitConfiguration func(c uintptr) int32
	enterStepMode                         func(c uintptr) int32
	setClocks                             func(c uintptr, references *uint32, n uint64, values *bool) int32
	numberOfStates, numberOfIndicators    func(c uintptr, n *uint64) int32
}

// binder finds functions by their names.
type binder struct {
	library uintptr
	missing []error // of functions that must be there
}

// find reports whether the library has a function; function takes it.
func (b *binder) find(name string, function any) bool {
	address, err := symbol(b.library, name)
	if err == nil {
		purego.RegisterFunc(function, address)
	}
	return err == nil
}

// need resolves a function that must be there.
func (b *binder) need(name string, function any) {
	if !b.find(name, function) {
		b.missing = append(b.missing, fmt.Errorf("the library has no function %s", name))
	}
}

// demand is need where wanted, and find elsewhere.
func (b *binder) demand(wanted bool, name string, function any) {
	if wanted {
		b.need(name, function)
	} else {
		b.find(name, function)
	}
}

// bind resolves the functions of the library. An error names all missing functions that interface and variables need.
func (f *FMU) bind() error {
	b := &binder{library: f.library}
	needed := map[base]bool{}
	for _, at := range f.places {
		needed[at.base] = true
	}
	c := &f.common
	*c = common{}
	prefix := fmt.Sprintf("fmi%d", f.Version)
	b.need(prefix+"FreeInstance", &c.free)
	b.need(prefix+"ExitInitializationMode", &c.exitInitialization)
	b.need(prefix+"Terminate", &c.terminate)
	b.find(prefix+"Reset", &c.reset)
	state, serialize, deserialize := "State", "SerializeFMUState", "DeserializeFMUState"
	if f.Version == 2 {
		state, serialize, deserialize = "state", "SerializeFMUstate", "DeSerializeFMUstate"
	}
	b.demand(f.SavesState, prefix+"GetFMU"+state, &c.getState)
	b.demand(f.SavesState, prefix+"SetFMU"+state, &c.setState)
	b.demand(f.SavesState, prefix+"FreeFMU"+state, &c.freeState)
	b.demand(f.SerializesState, prefix+"SerializedFMU"+state+"Size", &c.stateSize)
	b.demand(f.SerializesState, prefix+serialize, &c.serialize)
	b.demand(f.SerializesState, prefix+deserialize, &c.deserialize)
	if f.Interface == ModelExchange {
		rates := "GetDerivatives"
		if f.Version == 3 {
			rates = "GetContinuousStateDerivatives"
		}
		b.need(prefix+"EnterEventMode", &c.enterEventMode)
		b.need(prefix+"EnterContinuousTimeMode", &c.enterContinuousTimeMode)
		b.need(prefix+"SetTime", &c.setTime)
		b.need(prefix+"SetContinuousStates", &c.setStates)
		b.need(prefix+"GetContinuousStates", &c.states)
		b.need(prefix+rates, &c.rates)
		b.need(prefix+"GetEventIndicators", &c.indicators)
		b.find(prefix+"GetNominalsOfContinuousStates", &c.nominals)
	}
	if f.Version == 2 {
		f.bind2(b, needed)
	} else {
		f.bind3(b, needed)
	}
	return errors.Join(b.missing...)
}

// bind2 resolves the functions of FMI 2.0, and makes those of both versions that differ.
func (f *FMU) bind2(b *binder, needed map[base]bool) {
	f.two = &functions2{}
	c, two := &f.common, f.two
	b.need("fmi2Instantiate", &two.instantiate)
	var setup func(c uintptr, toleranceDefined int32, tolerance, start float64, stopDefined int32, stop float64) int32
	var enter func(c uintptr) int32
	b.need("fmi2SetupExperiment", &setup)
	b.need("fmi2EnterInitializationMode", &enter)
	c.enterInitialization = func(c uintptr, tolerance float64) int32 {
		defined := int32(0)
		if tolerance > 0 {
			defined = 1
		}
		if s := setup(c, defined, tolerance, 0, 0, 0); s > statusWarning {
			return s
		}
		return enter(c)
	}
	for _, of := range []base{float64Base, int32Base, boolean2, text} {
		for verb, table := range map[string]*[bases]access{"Get": &c.get, "Set": &c.set} {
			var function func(c uintptr, references *uint32, n uint64, values unsafe.Pointer) int32
			name := "fmi2" + verb + of.function(2)
			if b.find(name, &function) {
				table[of] = func(c uintptr, references *uint32, n uint64, values unsafe.Pointer, _ uint64) int32 {
					return function(c, references, n, values)
				}
			} else if needed[of] && verb == "Get" { // what nothing sets needs no other
				b.missing = append(b.missing, fmt.Errorf("the library has no function %s", name))
			}
		}
	}
	b.demand(f.Interface == CoSimulation, "fmi2DoStep", &two.doStep)
	b.demand(f.Interpolates, "fmi2SetRealInputDerivatives", &two.setInputDerivatives)
	b.find("fmi2GetRealStatus", &two.realStatus)
	b.find("fmi2GetBooleanStatus", &two.booleanStatus)
	if f.Interface != ModelExchange {
		return
	}
	var update func(c uintptr, info *eventInfo2) int32
	b.need("fmi2NewDiscreteStates", &update)
	c.updateStates = func(c uintptr) (eventInfo, int32) {
		var i eventInfo2
		status := update(c, &i)
		return eventInfo{i.again != 0, i.terminate != 0, i.nominals != 0, i.states != 0, i.timed != 0, i.next}, status
	}
	var completed func(c uintptr, noSetPrior int32, event, terminate *int32) int32
	b.demand(f.CompletesSteps, "fmi2CompletedIntegratorStep", &completed)
	c.completedStep = func(c uintptr) (bool, bool, int32) {
		var event, terminate int32
		status := completed(c, 1, &event, &terminate)
		return event != 0, terminate != 0, status
	}
}

// eventInfo2 is fmi2EventInfo.
type eventInfo2 struct {
	again, terminate, nominals, states, timed int32
	next                                      float64
}

// bind3 resolves the functions of FMI 3.0, and makes those of both versions that differ.
func (f *FMU) bind3(b *binder, needed map[base]bool) {
	f.three = &functions3{}
	c, three := &f.common, f.three
	var enter func(c uintptr, toleranceDefined bool, tolerance, start float64, stopDefined bool, stop float64) int32
	b.need("fmi3EnterInitializationMode", &enter)
	c.enterInitialization = func(c uintptr, tolerance float64) int32 {
		return enter(c, tolerance > 0, tolerance, 0, false, 0)
	}
	for of := range bases {
		if of == boolean2 || of == other {
			continue
		}
		b.demand(needed[of], "fmi3Get"+of.function(3), &c.get[of])
		b.find("fmi3Set"+of.function(3), &c.set[of]) // what nothing sets needs none
	}
	b.find("fmi3EnterConfigurationMode", &three.enterConfiguration)
	b.find("fmi3ExitConfigurationMode", &three.exitConfiguration)
	switch f.Interface {
	case CoSimulation:
		b.need("fmi3InstantiateCoSimulation", &three.instantiateCoSimulation)
		b.need("fmi3DoStep", &three.doStep)
		if f.handlesEvents {
			b.need("fmi3EnterEventMode", &c.enterEventMode)
			b.need("fmi3EnterStepMode", &three.enterStepMode)
			b.demand(len(f.clocks) > 0, "fmi3SetClock", &three.setClocks)
			b.updateStates3(c)
		}
	case ScheduledExecution:
		b.need("fmi3InstantiateScheduledExecution", &three.instantiateScheduled)
	case ModelExchange:
		b.need("fmi3InstantiateModelExchange", &three.instantiateModelExchange)
		b.need("fmi3GetNumberOfContinuousStates", &three.numberOfStates)
		b.need("fmi3GetNumberOfEventIndicators", &three.numberOfIndicators)
		b.updateStates3(c)
		var completed func(c uintptr, noSetPrior bool, event, terminate *bool) int32
		b.demand(f.CompletesSteps, "fmi3CompletedIntegratorStep", &completed)
		c.completedStep = func(c uintptr) (event, terminate bool, status int32) {
			status = completed(c, true, &event, &terminate)
			return event, terminate, status
		}
	}
}

func (b *binder) updateStates3(c *common) {
	var update func(c uintptr, again, terminate, nominals, states, timed *bool, next *float64) int32
	b.need("fmi3UpdateDiscreteStates", &update)
	c.updateStates = func(c uintptr) (i eventInfo, status int32) {
		status = update(c, &i.again, &i.terminate, &i.nominals, &i.states, &i.timed, &i.next)
		return i, status
	}
}

// lacks is the error of a function that is wanted and that the library has not.
func (f *FMU) lacks(name string) error {
	return fmt.Errorf("the library of %s has no function fmi%d%s, which this needs", f.ModelName, f.Version, name)
}

// Missing lists the functions that the standard prescribes for the FMU and the library lacks.
func (f *FMU) Missing() []string {
	names := prescribed3
	if f.Version == 2 {
		names = common2
		if f.SavesState {
			names = slices.Concat(names, []string{"GetFMUstate", "SetFMUstate", "FreeFMUstate"})
		}
		if f.SerializesState {
			names = slices.Concat(names, []string{"SerializedFMUstateSize", "SerializeFMUstate", "DeSerializeFMUstate"})
		}
		names = slices.Concat(names, interface2[f.Interface])
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

// FMI 2.0 prescribes the functions of all FMUs, those of each interface, and those of capabilities; FMI 3.0 prescribes
// all of them for every FMU.
var (
	common2 = []string{
		"GetTypesPlatform", "GetVersion", "SetDebugLogging", "Instantiate", "FreeInstance", "SetupExperiment",
		"EnterInitializationMode", "ExitInitializationMode", "Terminate", "Reset", "GetReal", "GetInteger",
		"GetBoolean", "GetString", "SetReal", "SetInteger", "SetBoolean", "SetString",
	}
	interface2 = map[Interface][]string{
		CoSimulation: {
			"DoStep", "CancelStep", "GetStatus", "GetRealStatus", "GetIntegerStatus", "GetBooleanStatus", "GetStringStatus",
		},
		ModelExchange: {
			"EnterEventMode", "NewDiscreteStates", "EnterContinuousTimeMode", "CompletedIntegratorStep", "SetTime",
			"SetContinuousStates", "GetDerivatives", "GetEventIndicators", "GetContinuousStates",
			"GetNominalsOfContinuousStates",
		},
	}
	prescribed3 = []string{
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
