package cosim

import (
	"slices"
	"strings"

	"skidpad/model/program"
	"skidpad/tire"
)

// rule is a kind of warning. The rules together are the table of all warnings of the engine. Warnings about the model
// file are worded where the file is read (package plausible).
type rule struct {
	name   string
	limit  string // for a watched quantity: description of the limit
	remedy string // what to do, if the message does not say it
	once   bool   // a row is reported once in a run
	// news returns the message that a row has left its limits, below or above, with placeholders; see fillIn.
	news func(r *watchedRow, above bool) string
}

// Rules checked before a run, or at its start.
var (
	modelRule      = &rule{name: "model"}       // allowed in the model file but hardly intended
	parametersRule = &rule{name: "parameters"}  // of parameter files of tires
	roadRule       = &rule{name: "road"}        // of files of terrains
	ledgerRule     = &rule{name: "ledger"}      // the model has no ledger
	powerRule      = &rule{name: "power"}       // tires make or lose power
	carcassRule    = &rule{name: "carcass"}     // at the start
	assembledRule  = &rule{name: "assembled"}   // the start was changed to satisfy constraints
	startRule      = &rule{name: "start"}       // of the model file
	loadsRule      = &rule{name: "start-loads"} // the vehicle falls or jumps
	nominalRule    = &rule{name: "nominal-load"}
	rollingRule    = &rule{name: "start-rolling"}
	speedRule      = &rule{name: "start-speed"}
	rimRule        = &rule{name: "rim"}  // of a wheel contact
	stepRule       = &rule{name: "step"} // solver step too long for wheel contacts
	networkRule    = &rule{name: "network-step"}
	reactionsRule  = &rule{name: "reactions"}
)

// ofFiles are the rules about files.
var ofFiles = []*rule{modelRule, parametersRule, roadRule, ledgerRule}

// Rules watched in a run.
var (
	rangeRule = &rule{
		name: "range", limit: "outside of the range of the tire's parameters",
		remedy: "forces are computed at the end of the range; take parameters that were measured over this range",
		news: func(r *watchedRow, _ bool) string {
			return "at {0t} s " + r.quantity + " is {4x}, outside of the range of the tire's parameters, which ends at {4e}"
		},
	}
	leaningRule = &rule{
		name: "leaning", limit: "beyond the purpose of the contact of the tire",
		news: func(r *watchedRow, _ bool) string { return "at {0t} s the inclination is {3s} rad: " + r.about },
	}
	lyingRule = &rule{
		name: "lying", limit: "more than 45 degrees",
		news: func(r *watchedRow, _ bool) string {
			return "at {0t} s the inclination is {3s} rad, above 45 degrees: " + r.about
		},
	}
	crushedRule = &rule{
		name: "crushed", limit: "deeper than the tire is",
		remedy: "its rim would touch the road; look at loads and heights, or at the vertical stiffness",
		news: func(*watchedRow, bool) string {
			return "at {0t} s the deflection is {3x} m, deeper than the tire is, which has {3h} m from its free radius to its " +
				"side"
		},
	}
	lengthRule = &rule{
		name: "length", limit: "beyond the limit of the spring", once: true,
		remedy: "no force acts there; add a stop, or correct length_min or length_max",
		news: func(r *watchedRow, above bool) string {
			limit := "below length_min"
			if above {
				limit = "above length_max"
			}
			return "at {0t} s the " + r.quantity + " is {4x} " + r.unit + ", " + limit + "; this is reported once in a run"
		},
	}
	chargeRule = &rule{
		name: "charge", limit: "outside of 0 to 1", once: true,
		remedy: "the voltage there is the one of the end of its curve; take a larger charge, or end the run",
		news: func(_ *watchedRow, above bool) string {
			limit := "below 0: the battery is empty"
			if above {
				limit = "above 1: the battery is full"
			}
			return "at {0t} s the state of charge is {4x}, " + limit + "; this is reported once in a run"
		},
	}
	supplyRule = &rule{
		name: "supply", limit: "above the largest power that the network can supply", once: true,
		remedy: "the load gets the largest power; lower its demand, or the resistance of its supply",
		news: func(r *watchedRow, _ bool) string {
			about := r.about
			if about != "" {
				about = ", " + about + ","
			}
			return "at {0t} s the demanded power is {4x} W, and its network" + about + " can supply {3h} W at most; this is " +
				"reported once in a run"
		},
	}
	// limitRules are the rules of limits, by their kind.
	limitRules = [...]*rule{
		program.LengthLimit: lengthRule, program.ChargeLimit: chargeRule, program.SupplyLimit: supplyRule,
	}
	endRule = &rule{name: "end", remedy: "later results are beyond the purpose of the model; end the run there"}
)

// Rules of messages from tire functions, and of steps that take too long.
var (
	functionRule = &rule{name: "function"}
	slowRule     = &rule{name: "slow-step"}
)

// Warning is a row of the table of warnings, found in the model file, at the start, or in a run.
type Warning struct {
	Rule, Subject  string  // name of the rule, and the component; "" for the vehicle
	Quantity, Unit string  // watched quantity and its unit; "" if nothing is watched
	Low, High      float64 // limits of the quantity; infinite where there is none
	Count          int     // how often the quantity has left its limits; 1 if nothing is watched
	First          float64 // time of the first violation [s]
	Worst, When    float64 // value farthest from the limits, and its time [s]
	OfFiles        bool    // the warning follows from the model file and parameter files, whatever values are set
	Text, Remedy   string  // the message in one line, and what to do if the message does not say it
}

// notice is a warning that holds for a whole run.
type notice struct {
	rule *rule
	text string
}

// noticed makes notices of texts.
func noticed(r *rule, texts ...string) (list []notice) {
	for _, text := range texts {
		list = append(list, notice{r, text})
	}
	return list
}

// WarningPrefix begins every warning about the model file and the start. These warnings are for the author of the
// model.
const WarningPrefix = "warning: "

// warnings returns lines with the prefix, as notices.
func warnings(r *rule, lines ...string) (list []notice) {
	for _, line := range lines {
		list = append(list, notice{r, WarningPrefix + line})
	}
	return list
}

// mostHeard limits the number of stored messages of functions.
const mostHeard = 64

// hear stores messages that are reported once.
func (in notes) hear(r *rule, texts ...string) {
	in.unread = append(in.unread, texts...)
	list := noticed(r, texts...)
	in.heard = append(in.heard, list[:min(len(list), max(0, mostHeard-len(in.heard)))]...)
}

// RangeWarnings returns new warnings since the last call: warnings of tire functions, tires and springs outside of
// their ranges, and the condition that ended the run. The ranges are the ranges of parameters, contacts and spring
// lengths. A row is reported each time it leaves its limits, a length only once in a run. The call also checks the
// state reached, which needs an evaluation.
func (in *Instance) RangeWarnings() []string {
	notes{in}.lookAtPresent()
	return in.NewWarnings()
}

// NewWarnings is RangeWarnings without the check of the state reached, at which the next step begins.
func (in *Instance) NewWarnings() []string {
	if in.tires == nil {
		return nil
	}
	notes{in}.collect()
	list := in.unread
	in.unread = nil
	return append(append(list, in.ends.news()...), in.watch.rangeNews()...)
}

// lookAtPresent checks the state reached.
func (in notes) lookAtPresent() {
	if in.tires != nil && in.initialised && len(in.watch.of.rows) > 0 && in.refresh() == nil {
		in.watch.lookAtAll(in.t)
	}
}

// collect stores pending messages of slow steps and tire functions.
func (in notes) collect() {
	in.hear(slowRule, in.slow.texts...)
	in.slow.texts = nil
	for i, f := range in.tires.functions {
		if w, ok := f.(tire.WarningSource); ok {
			for _, text := range w.Warnings() {
				in.hear(functionRule, in.tires.names[i]+": "+text)
			}
		}
	}
}

// Report returns the table of warnings: about the files, at the start and up to the state reached, which is checked,
// too. Rows of a run stay in the table when the quantity has come back. After restoring a saved state the table
// continues from that state.
func (in *Instance) Report() (table []Warning) {
	if in.tires == nil {
		return nil
	}
	n := notes{in}
	n.lookAtPresent()
	n.collect()
	for _, of := range slices.Concat(n.notices(), in.heard) {
		table = append(table, Warning{Rule: of.rule.name, Count: 1, OfFiles: slices.Contains(ofFiles, of.rule),
			Text: strings.TrimPrefix(of.text, WarningPrefix)})
	}
	return slices.Concat(table, in.ends.summary(), in.watch.summaries())
}
