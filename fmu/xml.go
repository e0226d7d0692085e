package fmu

import (
	"math"
	"strconv"
	"strings"
	"time"

	"skidpad/fmu/markup"
)

func decimal[T ~uint32 | ~int](n T) string { return strconv.FormatUint(uint64(n), 10) }

// About describes the origin of a model description.
type About struct {
	Version   string // of the generating tool
	Generated time.Time
}

func (a About) Date() string { return a.Generated.UTC().Format("2006-01-02T15:04:05Z") }

// description is the text of the root element.
func (t *Table) description() string {
	text := t.Title
	if t.Source != "" {
		text = strings.TrimSpace(t.Title + "; " + t.Source)
	}
	if t.Tree != "" {
		text = strings.TrimPrefix(text+"; tree "+t.Tree, "; ")
	}
	return text
}

// common writes what is the same in both versions: units, categories, experiment.
func writeCommon(d *markup.Writer, t *Table) {
	writeUnits(d, t)
	d.Begin("LogCategories")
	for _, c := range Categories {
		d.Leaf("Category", "name", c.Name, "description", c.Text)
	}
	d.End()
	stop := t.StopTime
	if stop <= 0 {
		stop = 10
	}
	// below it CVODE fails at jumps of inputs
	const tolerance = 1e-4
	d.Leaf("DefaultExperiment", "startTime", "0", "stopTime", markup.Number(stop), "tolerance", markup.Number(tolerance),
		"stepSize", markup.Number(t.Step))
}

// originsType is the type of the annotation on the files of components.
const originsType = "org.skidpad.subsystems"

// writeOrigins writes the files of components.
func writeOrigins(d *markup.Writer, t *Table) {
	d.Begin("Subsystems")
	for _, o := range t.Origins {
		d.Leaf("Component", "name", o.Component, "from", o.Chain)
	}
	d.End()
}

// initialWord returns the attribute initial where it is written.
func (v *Variable) initialWord() string {
	if v.Causality == Parameter || v.Initial == None {
		return "" // parameters are exact by definition
	}
	return v.Initial.String()
}

// rangeAttributes returns the attributes min, max and nominal with their values, "" for those that v does not have.
func (v *Variable) rangeAttributes() []string {
	minimum, maximum, nominal := v.Range()
	return []string{"min", rangeNumber(minimum), "max", rangeNumber(maximum), "nominal", rangeNumber(nominal)}
}

func rangeNumber(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return markup.Number(x)
}

// list writes references or indices, separated by spaces.
func list(references []uint32, offset uint32) string {
	var words []string
	for _, r := range references {
		words = append(words, decimal(r+offset))
	}
	return strings.Join(words, " ") + markup.Explicit
}

func kinds(n int) string { return strings.TrimSpace(strings.Repeat("dependent ", n)) + markup.Explicit }
