package check

import (
	"slices"
	"strconv"
	"strings"
)

// structureLists holds the paths of outputs, derivatives and initial unknowns.
var structureLists = map[int][3][]string{
	2: {{"ModelStructure", "Outputs", "Unknown"}, {"ModelStructure", "Derivatives", "Unknown"},
		{"ModelStructure", "InitialUnknowns", "Unknown"}},
	3: {{"ModelStructure", "Output"}, {"ModelStructure", "ContinuousStateDerivative"},
		{"ModelStructure", "InitialUnknown"}},
}

// structure checks outputs, derivatives and initial unknowns.
func (c *checker) structure() {
	lists := structureLists[c.version]
	var sets [3]map[*checkedVariable]bool
	for k, path := range lists {
		sets[k] = c.unknowns(path, k == 2)
	}
	c.compare("F-MST-1", "Outputs", sets[0], func(v *checkedVariable) (belongs, may bool) {
		return v.causes == "output", false
	})
	states := map[*checkedVariable]bool{}
	for _, v := range c.list {
		if !sets[1][v] {
			continue
		}
		if state := c.byNumber[v.value.attribute("derivative")]; state != nil {
			states[state] = true
		} else {
			c.find("F-MST-2", v.attribute("name"), "it is listed as a derivative but names no state")
		}
	}
	c.compare("F-MST-3", "InitialUnknowns", sets[2], func(v *checkedVariable) (belongs, may bool) {
		if v.initial != "calculated" && v.initial != "approx" || v.kind == "Clock" || v.has("clocks") {
			return false, v.kind == "Clock" || v.has("clocks") // which an FMU may initialise
		}
		return v.causes == "output" || v.causes == "calculatedParameter" || states[v] || sets[1][v], false
	})
	for k, path := range lists {
		for _, e := range c.root.all(path...) {
			c.dependencies(e, strings.Join(path[1:], "/"), k == 2, states)
		}
	}
	seen := map[string]bool{}
	for _, e := range c.root.all("ModelStructure", "EventIndicator") {
		number := e.attribute("valueReference")
		v := c.byNumber[number]
		switch {
		case v == nil:
			c.find("F-MST-5", "EventIndicator", "%q is the number of no variable", number)
		case seen[number]:
			c.find("F-MST-6", v.attribute("name"), "it comes twice in EventIndicator")
		case v.changes != "continuous" || !slices.Contains(floats, v.kind) || v.causes != "local" && v.causes != "output":
			c.find("F-MST-4", v.attribute("name"), "the event indicator is no continuous local or output")
		case sets[2][v] && !sets[1][v] && v.causes != "output":
			c.find("F-MST-4", v.attribute("name"), "an event indicator must not be an initial unknown")
		}
		seen[number] = true
	}
	for _, e := range c.root.all("ModelStructure", "ClockedState") {
		if v := c.byNumber[e.attribute("valueReference")]; v == nil {
			c.find("F-MST-5", "ClockedState", "%q is the number of no variable", e.attribute("valueReference"))
		} else if !v.has("previous") || !v.has("clocks") {
			c.find("F-MST-9", v.attribute("name"), "a clocked state needs the attributes previous and clocks")
		}
	}
}

// reference returns the variable that an entry of the structure is about.
func (c *checker) reference(e *element) (v *checkedVariable, text string) {
	text = e.attribute(map[int]string{2: "index", 3: "valueReference"}[c.version])
	return c.byNumber[text], text
}

// unknowns reads a list of the structure. Those of initial unknowns ascend in FMI 2.0.
func (c *checker) unknowns(path []string, ascending bool) map[*checkedVariable]bool {
	set := map[*checkedVariable]bool{}
	listPath := strings.Join(path[1:], "/")
	last := 0
	for _, e := range c.root.all(path...) {
		v, text := c.reference(e)
		if v == nil {
			c.find("F-MST-5", listPath, "%q is the number of no variable", text)
			continue
		}
		if set[v] {
			c.find("F-MST-6", v.attribute("name"), "it comes twice in %s", listPath)
		}
		set[v] = true
		if index, err := strconv.Atoi(text); c.version == 2 && ascending && err == nil {
			if index < last {
				c.find("F-MST-6", v.attribute("name"), "its index %d comes after %d in %s; they have to ascend",
					index, last, listPath)
			}
			last = index
		}
	}
	return set
}

// dependencies checks what an unknown depends on, and how.
func (c *checker) dependencies(e *element, listPath string, initial bool, states map[*checkedVariable]bool) {
	v, _ := c.reference(e)
	if v == nil {
		return
	}
	name := v.attribute("name")
	numbers, kinds := strings.Fields(e.attribute("dependencies")), strings.Fields(e.attribute("dependenciesKind"))
	if e.has("dependenciesKind") && (!e.has("dependencies") || len(kinds) != len(numbers)) {
		c.find("F-MST-5", name, "%d kinds for %d dependencies in %s", len(kinds), len(numbers), listPath)
	}
	seen := map[string]bool{}
	for _, number := range numbers {
		d := c.byNumber[number]
		switch {
		case d == nil:
			c.find("F-MST-5", name, "its dependency %s in %s is no variable", number, listPath)
		case seen[number]:
			c.find("F-MST-7", name, "its dependency %s comes twice in %s", d.attribute("name"), listPath)
		case !c.isKnown(d, initial, states[d]):
			c.find("F-MST-7", name, "its dependency %s in %s is nothing that can be known there",
				d.attribute("name"), listPath)
		}
		seen[number] = true
	}
	for _, kind := range kinds {
		running := kind == "fixed" || kind == "tunable" || kind == "discrete"
		if kind != "dependent" && kind != "constant" && (!running || initial) {
			c.find("F-MST-5", name, "the kind of dependency %q is not allowed in %s", kind, listPath)
		}
	}
}

// isKnown reports whether unknowns can depend on a variable: always on inputs, the independent variable and clocks, and
// at the start also on variables with initial = "exact". Later unknowns can also depend on states, variables that
// change at events, and parameters. FMI 2.0 does not list the last two, but its reference FMUs do.
func (c *checker) isKnown(v *checkedVariable, initial, state bool) bool {
	switch {
	case v.causes == "input" || v.causes == "independent" || v.kind == "Clock":
		return true
	case initial:
		return v.initial == "exact"
	}
	return state || v.changes == "discrete" || v.causes == "parameter" || v.causes == "structuralParameter"
}

// compare checks that a list holds all required variables, and besides them only allowed ones.
func (c *checker) compare(rule, listPath string, got map[*checkedVariable]bool,
	want func(*checkedVariable) (belongs, may bool)) {
	for _, v := range c.list {
		switch belongs, may := want(v); {
		case belongs && !got[v]:
			c.find(rule, v.attribute("name"), "it is missing in %s", listPath)
		case !belongs && !may && got[v]:
			c.find(rule, v.attribute("name"), "it does not belong to %s", listPath)
		}
	}
}
