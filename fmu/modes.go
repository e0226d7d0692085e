package fmu

import "fmt"

// Status is the result of a call, as in FMI 2.0 and 3.0.
type Status int32

// The statuses in use. Fatal, which ends all instances of a process, is never
// returned: no failure of one instance harms another.
const (
	OK Status = iota
	Warning
	Discard
	Error
)

// mode is a state of the state machines of FMI 2.0 and 3.0, usable as a bit set.
type mode uint16

const (
	instantiated   mode = 1 << iota
	initialization      // Initialization Mode
	event               // Event Mode
	continuous          // Continuous-Time Mode
	step                // Step Mode; StepComplete of FMI 2.0
	stepFailed          // FMI 2.0: after a discarded step
	stepping            // a step pauses, and no call of the importer may come between
	intermediate        // Intermediate Update Mode
	terminated
	failed // after an error
)

// String names a single mode as the standard does.
func (m mode) String() string {
	switch m {
	case instantiated:
		return "Instantiated"
	case initialization:
		return "Initialization Mode"
	case event:
		return "Event Mode"
	case continuous:
		return "Continuous-Time Mode"
	case step:
		return "Step Mode"
	case stepFailed:
		return "the state after a discarded step, which Reset, Terminate and setting an FMU state end"
	case stepping:
		return "the middle of a step"
	case intermediate:
		return "Intermediate Update Mode"
	case terminated:
		return "Terminated"
	}
	return "the state after an error, which Reset and setting an FMU state end"
}

const (
	running = event | continuous | step
	anytime = instantiated | initialization | running | stepFailed | terminated | failed
)

// Call is a function of the interface whose order the standard prescribes.
type Call uint8

// The calls.
const (
	CallSetDebugLogging Call = iota
	CallSetupExperiment
	CallEnterInitializationMode
	CallExitInitializationMode
	CallTerminate
	CallReset
	CallGet
	CallSet
	CallGetState
	CallSetState
	CallDerivatives
	CallEnterEventMode
	CallUpdateDiscreteStates
	CallEvaluateDiscreteStates
	CallEnterContinuousTimeMode
	CallEnterStepMode
	CallCompletedIntegratorStep
	CallSetTime
	CallSetContinuousStates
	CallGetContinuousStates
	CallGetNominals
	CallCount
	CallDoStep
	CallSetInputDerivatives
	CallGetOutputDerivatives
	CallGetStatus
)

// rule says when a call is legal.
type rule struct {
	name   string
	me, cs mode
	three  mode
}

// order lists for each call the modes in which it is legal: in FMI 2.0 for model exchange and co-simulation, and in 3.0
// for both.
var order = [...]rule{
	CallSetDebugLogging:         {"SetDebugLogging", anytime, anytime, anytime},
	CallSetupExperiment:         {"SetupExperiment", instantiated, instantiated, 0},
	CallEnterInitializationMode: {"EnterInitializationMode", instantiated, instantiated, instantiated},
	CallExitInitializationMode:  {"ExitInitializationMode", initialization, initialization, initialization},
	CallTerminate:               {"Terminate", event | continuous, step | stepFailed, running},
	CallReset:                   {"Reset", anytime, anytime, anytime},
	CallGet:                     {"Get", anytime, anytime, anytime | intermediate},
	CallSet: {"Set", instantiated | initialization | event | continuous,
		instantiated | initialization | step, instantiated | initialization | running | intermediate},
	CallGetState: {"GetFMUState", anytime &^ failed, anytime &^ failed, anytime},
	CallSetState: {"SetFMUState", anytime, anytime, anytime},
	CallDerivatives: {"GetDirectionalDerivative", initialization | event | continuous | terminated,
		initialization | step | stepFailed | terminated, initialization | running | terminated},
	CallEnterEventMode:          {"EnterEventMode", continuous, 0, continuous | step},
	CallUpdateDiscreteStates:    {"UpdateDiscreteStates", event, 0, event},
	CallEvaluateDiscreteStates:  {"EvaluateDiscreteStates", 0, 0, initialization | event},
	CallEnterContinuousTimeMode: {"EnterContinuousTimeMode", event, 0, event},
	CallEnterStepMode:           {"EnterStepMode", 0, 0, event},
	CallCompletedIntegratorStep: {"CompletedIntegratorStep", continuous, 0, continuous},
	CallSetTime:                 {"SetTime", event | continuous, 0, continuous},
	CallSetContinuousStates:     {"SetContinuousStates", continuous, 0, continuous},
	CallGetContinuousStates: {"reading states, derivatives and event indicators",
		initialization | event | continuous | terminated | failed, 0,
		initialization | event | continuous | terminated | failed},
	CallGetNominals:         {"GetNominalsOfContinuousStates", anytime, 0, anytime},
	CallCount:               {"counting states and event indicators", 0, 0, anytime},
	CallDoStep:              {"DoStep", 0, step, step},
	CallSetInputDerivatives: {"SetRealInputDerivatives", 0, instantiated | initialization | step, 0},
	// FMI 2.0 contradicts itself about Initialization Mode, and masters ask there: wherever outputs can be read
	CallGetOutputDerivatives: {"GetOutputDerivatives", 0, anytime, anytime | intermediate},
	CallGetStatus:            {"GetStatus", 0, step | stepFailed | terminated, 0},
}

// checkCallAllowed reports whether a call may be made now, and why not.
func (c *Component) checkCallAllowed(call Call) error {
	o := &order[call]
	allowed := o.modes(call, c.settings.Version, c.settings.Interface)
	if allowed&c.mode != 0 {
		return nil
	}
	if allowed == 0 {
		return fmt.Errorf("%s does not belong to this kind of instance", o.name)
	}
	return fmt.Errorf("%s is not allowed in %v", o.name, c.mode)
}

// modes returns the legal modes of a call, for a version and a kind of instance.
func (o *rule) modes(call Call, version int, kind Interface) mode {
	switch {
	case version == 2 && kind == ModelExchange:
		return o.me
	case version == 2:
		return o.cs
	case kind == CoSimulation && o.cs == 0 && o.me != 0 && call != CallEnterEventMode && call != CallUpdateDiscreteStates:
		return 0 // of model exchange alone
	case kind == ModelExchange && (o.me == 0 && o.cs != 0 || call == CallEnterStepMode):
		return 0 // of co-simulation alone
	}
	return o.three
}

// Rule lists the legal modes of a call: bits, by kind of instance.
type Rule struct {
	Name  string
	Modes [2]uint16 // by Interface
}

// Rules returns the rules of a version of FMI, by Call. Sources of FMUs are written by them.
func Rules(version int) (list []Rule) {
	for call := range order {
		o := &order[call]
		list = append(list, Rule{o.name, [2]uint16{
			ModelExchange: uint16(o.modes(Call(call), version, ModelExchange)),
			CoSimulation:  uint16(o.modes(Call(call), version, CoSimulation)),
		}})
	}
	return list
}

// Modes are the names of the modes, by bit.
func Modes() (names []string) {
	for m := instantiated; m <= failed; m <<= 1 {
		names = append(names, m.String())
	}
	return names
}

// Anytime are the modes that a saved state can have.
const Anytime = uint16(anytime)
