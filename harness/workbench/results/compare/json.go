package compare

import (
	"io"

	"skidpad/harness/workbench/results/output"
)

// resultJSON is the output of skidpad compare --json.
type resultJSON struct {
	Title     string         `json:"title"`
	Ours      string         `json:"ours"`
	Reference string         `json:"reference"`
	Shift     float64        `json:"shift"` // of the reference's time [s]
	Pass      bool           `json:"pass"`
	Corridors []corridorJSON `json:"corridors"`
	Figures   []figureJSON   `json:"figures"`
	Residuals []residualJSON `json:"residuals,omitempty"` // of runs less a measurement, in SI units
}

type corridorJSON struct {
	Run     string   `json:"run"`
	X       string   `json:"x"`
	Y       string   `json:"y"`
	Samples int      `json:"samples"`
	Inside  *float64 `json:"inside"` // share of the samples
	Worst   *float64 `json:"worst"`  // distance by the half width
	At      *float64 `json:"at"`     // s
	Pass    bool     `json:"pass"`
}

type residualJSON struct {
	Run         string   `json:"run"`
	Variable    string   `json:"variable"`
	Unit        string   `json:"unit"`
	Samples     int      `json:"samples"`
	RMS         float64  `json:"rms"`
	Largest     float64  `json:"largest"`
	At          float64  `json:"at"`        // s
	Explained   *float64 `json:"explained"` // share of the measured variance
	Shift       float64  `json:"shift"`     // of the measured time [s]
	Correlation *float64 `json:"correlation,omitempty"`
}

type figureJSON struct {
	Run       string   `json:"run"`
	Figure    string   `json:"figure"`
	Unit      string   `json:"unit"`
	Reference *float64 `json:"reference"`
	Ours      *float64 `json:"ours"`
	Allowed   *float64 `json:"allowed,omitempty"` // difference
	Pass      bool     `json:"pass"`
}

// WriteJSON writes the comparison; a missing value is null.
func (c *Result) WriteJSON(to io.Writer) error {
	shift := c.Shift
	if len(c.Runs) > 0 {
		shift = c.Runs[0].Shift
	}
	data := resultJSON{Title: c.Title, Ours: c.Ours, Reference: c.Reference, Shift: shift, Pass: c.Pass(),
		Corridors: []corridorJSON{}, Figures: []figureJSON{}}
	for _, r := range c.Runs {
		for _, w := range r.Within {
			data.Corridors = append(data.Corridors, corridorJSON{r.Name, w.X, w.Y, w.Samples, output.Number(w.Inside),
				output.Number(w.Worst), output.Number(w.At), w.Pass()})
		}
	}
	for _, r := range c.Runs {
		for _, d := range r.Residuals {
			line := residualJSON{r.Name, d.Measured.Name, d.Measured.Unit, len(d.Values), d.RMS, d.Largest, d.At,
				output.Number(d.Explained), r.Shift, nil}
			if r.Found != nil {
				line.Correlation = &r.Found.Coefficient
			}
			data.Residuals = append(data.Residuals, line)
		}
	}
	for i := range c.Figures {
		d := &c.Figures[i]
		f := figureJSON{Run: d.Run, Figure: d.Figure, Unit: d.Unit, Reference: output.Number(d.Reference),
			Ours: output.Number(d.Ours), Pass: d.Pass()}
		if d.Tolerance != nil {
			f.Allowed = output.Number(d.Allowed())
		}
		data.Figures = append(data.Figures, f)
	}
	return output.WriteJSON(to, data)
}
