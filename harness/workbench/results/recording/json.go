package recording

import (
	"encoding/json"
	"io"

	"skidpad/harness/workbench/results/output"
)

// jsonFile is an object of facts, times, and signals with name, unit, text, role and values; what is not finite is
// null.
var jsonFile = format{ending: ".json", text: "an object of facts, time and signals", write: writeJSON}

func writeJSON(to io.Writer, r *Recording) error {
	type signal struct {
		Name   string     `json:"name"`
		Unit   string     `json:"unit"`
		Text   string     `json:"text"`
		Role   string     `json:"role,omitempty"`
		Values []*float64 `json:"values"`
	}
	numbers := func(values []float64) []*float64 {
		list := make([]*float64, len(values))
		for i, x := range values {
			list[i] = output.Number(x)
		}
		return list
	}
	facts := map[string]string{}
	for _, f := range r.Facts {
		facts[f.Name] = f.Text
	}
	signals := make([]signal, len(r.Channels))
	for i, c := range r.Channels {
		signals[i] = signal{c.Name, c.Unit, c.Text, c.Role, numbers(r.Values[i])}
	}
	return json.NewEncoder(to).Encode(struct {
		Facts   map[string]string `json:"facts"`
		Time    []*float64        `json:"time"`
		Signals []signal          `json:"signals"`
	}{facts, numbers(r.Time), signals})
}
