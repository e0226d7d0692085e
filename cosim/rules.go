package cosim

import (
	"slices"
	"strings"

	"skidpad/tire"
)

// rule is a kind of warning: the table of all that the engine warns of. Texts of the model file are written where it is
// read (package plausible).
type rule struct {
	name   string
	limit  string // of what is watched in a run: what the limit is
	remedy string // what to do, where the text does not say it
	once   bool   // news of a row come once in a run
	// news says that a row has left its limits, below or above, with places for numbers; see fillIn.
	news func(r *watchedRow, above bool) string
}

// What holds before a run, or at its start.
var (
	modelRule      = &rule{name: "model"}       // what the model file may say and hardly means
	parametersRule = &rule{name: "parameters"}  // of parameter files of tires
	roadRule       = &rule{name: "road"}        // of files of terrains
	ledgerRule     = &rule{name: "ledger"}      // there is none
	powerRule      = &rule{name: "power"}       // tires make or lose some
	carcassRule    = &rule{name: "carcass"}     // at the start
	startRule      = &rule{name: "start"}       // of the model file
	loadsRule      = &rule{name: "start-loads"} // the vehicle falls or jumps
	nominalRule    = &rule{name: "nominal-load"}
	rollingRule    = &rule{name: "start-rolling"}
	speedRule      = &rule{name: "start-speed"}
	rimRule        = &rule{name: "rim"}  // of a wheel contact
	stepRule       = &rule{name: "step"} // too long for wheel contacts
	reactionsRule  = &rule{name: "reactions"}
)

// ofFiles are the rules about files.
var ofFiles = []*rule{modelRule, parametersRule, roadRule, ledgerRule}

// What is watched in a run.
var (
	rangeRule = &rule{
		name: "range", limit: "outside of the range of the tire's parameters",
		remedy: "forces are those at the end of the range; take parameters that were measured over this range",
		news: func(r *watchedRow, _ bool) string {
			return "at {0t} s " + r.quantity + " is {4x}, outside of the range of the tire's parameters, which ends at {4e}"
		},
	}
	leaningRule = &rule{
		name: "leaning", limit: "beyond what the contact of the tire is meant for",
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
	endRule = &rule{name: "end", remedy: "what follows is beyond what the model is for; end the run there"}
)

// What functions of tires say, and steps that take too long.
var (
	functionRule = &rule{name: "function"}
	slowRule     = &rule{name: "slow-step"}
)

// Warning is a row of the table of warnings: what has been noticed in the model file, at the start, or in a run.
type Warning struct {
	Rule, Subject  string  // which rule, and the component; "" for the vehicle
	Quantity, Unit string  // that is watched in a run; "" where nothing is
	Low, High      float64 // its limits; infinite where there is none
	Count          int     // how often it has left them; 1 where nothing is watched
	First          float64 // when it did first [s]
	Worst, When    float64 // the value farthest from the limits, and when it was [s]
	OfFiles        bool    // it follows from the model file and parameter files, whatever values are set
	Text, Remedy   string  // all of that in a line, and what to do, where the text does not say it
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

// WarningPrefix begins every warning about the model file and the start, which are for its author.
const WarningPrefix = "warning: "

// warnings are lines with the prefix, as notices.
func warnings(r *rule, lines ...string) (list []notice) {
	for _, line := range lines {
		list = append(list, notice{r, WarningPrefix + line})
	}
	return list
}

// mostHeard bounds what is kept of what functions say.
const mostHeard = 64

// hear takes over what is said once.
func (in notes) hear(r *rule, texts ...string) {
	in.unread = append(in.unread, texts...)
	list := noticed(r, texts...)
	in.heard = append(in.heard, list[:min(len(list), max(0, mostHeard-len(in.heard)))]...)
}

// RangeWarnings says what tire functions warn of, which tires and springs have left the ranges in which their
// parameters, their contacts or their limits hold, since the last call, and which condition has ended the run. A row
// says so each time it leaves its limits, one of a length once in a run. The state that has been reached is looked at,
// too, which needs an evaluation.
func (in *Instance) RangeWarnings() []string {
	notes{in}.lookAtPresent()
	return in.NewWarnings()
}

// NewWarnings is RangeWarnings without the state that has been reached, at which the next step begins.
func (in *Instance) NewWarnings() []string {
	if in.tires == nil {
		return nil
	}
	notes{in}.collect()
	list := in.unread
	in.unread = nil
	return append(append(list, in.ends.news()...), in.watch.rangeNews()...)
}

// lookAtPresent looks at the state that has been reached.
func (in notes) lookAtPresent() {
	if in.tires != nil && in.initialised && len(in.watch.of.rows) > 0 && in.refresh() == nil {
		in.watch.lookAtAll(in.t)
	}
}

// collect takes over what there is to be said.
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

// Report is the table of warnings: what has been noticed in the files, at the start and up to the state that has been
// reached, which is looked at, too. Rows of a run stay when the state has come back. The table goes on where a saved
// state is restored.
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
