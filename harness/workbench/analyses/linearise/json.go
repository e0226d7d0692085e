package linearise

import (
	"encoding/json"
	"io"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/workbench/results/output"
)

// linearJSON is a file linear.json: the minimal form, with rows of matrices as lists.
type linearJSON struct {
	Title     string         `json:"title"`
	Parameter string         `json:"parameter"` // what varies
	States    []namedJSON    `json:"states"`
	Inputs    []namedJSON    `json:"inputs"`
	Outputs   []namedJSON    `json:"outputs"`
	Systems   []matricesJSON `json:"systems"`
	Limits    []limitJSON    `json:"stability_limits,omitempty"`
}

// limitJSON is a stability limit: a value of the varied quantity, with the numbers of unstable modes below and from it.
type limitJSON struct {
	Value  float64      `json:"value"`
	Before unstableJSON `json:"before"`
	From   unstableJSON `json:"from"`
	Mode   string       `json:"mode,omitempty"` // that becomes stable or unstable, of a single-track vehicle with --modes
}

// unstableJSON counts unstable modes, oscillations once.
type unstableJSON struct {
	Oscillatory int `json:"oscillatory"`
	Real        int `json:"real"`
}

// namedJSON is a variable, of states with their participation.
type namedJSON struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Group string `json:"group,omitempty"`
}

// matricesJSON are the linear equations at a value, and the steady motion.
type matricesJSON struct {
	Value float64     `json:"value"`
	A     [][]float64 `json:"A"`
	B     [][]float64 `json:"B"`
	C     [][]float64 `json:"C"`
	D     [][]float64 `json:"D"`
	X     []float64   `json:"x"`
	Rates []float64   `json:"x_rate"`
	U     []float64   `json:"u"`
	Y     []float64   `json:"y"`

	Eigenvalues []modeJSON      `json:"eigenvalues,omitempty"`
	Modes       []namedModeJSON `json:"modes,omitempty"`
	Transfer    *transferJSON   `json:"transfer,omitempty"`
	Handling    *handlingJSON   `json:"handling,omitempty"`
	Response    []responseJSON  `json:"response,omitempty"`

	Reactions map[string]float64 `json:"reactions,omitempty"` // of --forces, by the names of forces.csv
}

// modeJSON is an eigenvalue [1/s] with its undamped frequency [rad/s] and damping ratio.
type modeJSON struct {
	Real      float64  `json:"real"`
	Imaginary float64  `json:"imaginary"`
	Frequency float64  `json:"frequency"`
	Damping   *float64 `json:"damping"`
}

// namedModeJSON is a mode, of a complex pair the one with the positive imaginary part, with what modes.csv has.
type namedModeJSON struct {
	Mode int    `json:"mode"` // the same number at all values of what varies
	Name string `json:"name"` // of a single-track vehicle's mode, or the group with the largest participation
	// How near the mode is to weave, wobble, capsize or castering, up to 1; of a single-track vehicle only.
	Likeness *float64 `json:"likeness,omitempty"`
	modeJSON
	Hertz         float64            `json:"hertz"`         // undamped
	TimeConstant  *float64           `json:"time_constant"` // s, null where it is infinite
	Participation map[string]float64 `json:"participation"` // by group
}

// transferJSON is a transfer function: poles and zeros are pairs of real and imaginary part [1/s].
type transferJSON struct {
	Input     string       `json:"input"`
	Output    string       `json:"output"`
	Gain      *float64     `json:"gain"` // null where it is infinite
	Cancelled int          `json:"cancelled"`
	Poles     [][2]float64 `json:"poles"`
	Zeros     [][2]float64 `json:"zeros"`
}

// handlingJSON has the columns of handling.csv.
type handlingJSON struct {
	Speed               float64  `json:"speed"`
	YawGain             *float64 `json:"yaw_gain"`
	LateralGain         *float64 `json:"lateral_gain"`
	UndersteerGradient  *float64 `json:"understeer_gradient"`
	CharacteristicSpeed *float64 `json:"characteristic_speed"`
	CriticalSpeed       *float64 `json:"critical_speed"`
	StaticMargin        *float64 `json:"static_margin"`
}

// responseJSON is a point of a frequency response.
type responseJSON struct {
	Omega     float64  `json:"omega"`        // rad/s
	Magnitude *float64 `json:"magnitude_dB"` // null where the response is 0
	Phase     float64  `json:"phase_deg"`
}

// results adds what is known of value i beside the matrices.
func (m *matricesJSON) results(l *Result, i int) {
	m.Reactions = l.forcesJSON(i)
	if l.Modes != nil {
		for _, e := range l.Modes[i] {
			m.Eigenvalues = append(m.Eigenvalues, modeJSON{real(e.Value), imag(e.Value), e.Frequency(),
				output.Number(e.Damping())})
		}
	}
	if l.Followed != nil {
		m.Modes = modesOf(l.Followed[i])
	}
	if l.Transfers != nil {
		t := l.Transfers[i]
		pairs := func(list []complex128) [][2]float64 {
			all := [][2]float64{}
			for _, x := range list {
				all = append(all, [2]float64{real(x), imag(x)})
			}
			return all
		}
		m.Transfer = &transferJSON{l.From, l.To, output.Number(t.Gain), t.Cancelled, pairs(t.Poles), pairs(t.Zeros)}
	}
	if l.Handling != nil {
		h := l.Handling[i]
		m.Handling = &handlingJSON{h.Speed, output.Number(h.YawGain), output.Number(h.LateralGain),
			output.Number(h.UndersteerGradient), output.Number(h.CharacteristicSpeed), output.Number(h.CriticalSpeed),
			output.Number(h.StaticMargin)}
	}
	if l.Responses != nil {
		for k, x := range l.Responses[i] {
			m.Response = append(m.Response, responseJSON{l.Frequencies[k], output.Number(decibel(x)), degrees(x)})
		}
	}
}

// modesOf are modes with their names, of a complex pair the one with the positive imaginary part.
func modesOf(modes []FollowedMode) (list []namedModeJSON) {
	for _, m := range modes {
		if imag(m.Value) < 0 {
			continue
		}
		named := namedModeJSON{
			Mode: m.Branch, Name: m.Name(), Hertz: m.Hertz(), TimeConstant: output.Number(m.TimeConstant()),
			modeJSON:      modeJSON{real(m.Value), imag(m.Value), m.Frequency(), output.Number(m.Damping())},
			Participation: map[string]float64{},
		}
		if m.Named != "" {
			named.Likeness = &m.Likeness
		}
		for _, s := range m.Shares {
			named.Participation[s.Group] = s.Value
		}
		list = append(list, named)
	}
	return list
}

// WriteJSON writes the linear equations in independent states, with names and units, and what was found of them.
func (l *Result) WriteJSON(to io.Writer) error {
	minimal, err := l.Minimal()
	if err != nil {
		return err
	}
	named := func(names, units, groups []string) []namedJSON {
		list := make([]namedJSON, len(names))
		for i := range names {
			list[i] = namedJSON{Name: names[i], Unit: units[i]}
			if groups != nil {
				list[i].Group = groups[i]
			}
		}
		return list
	}
	first := minimal[0]
	file := linearJSON{
		Title: l.Title, Parameter: l.Varied.Name,
		States: named(first.States, first.StateUnits, first.Groups), Inputs: named(first.Inputs, first.InputUnits, nil),
		Outputs: named(first.Outputs, first.OutputUnits, nil),
	}
	for i, s := range minimal {
		m := matricesJSON{
			Value: l.Varied.Values[i], A: rowsOf(s.A, len(s.States)), B: rowsOf(s.B, len(s.States)),
			C: rowsOf(s.C, len(s.Outputs)), D: rowsOf(s.D, len(s.Outputs)),
			X: s.X, Rates: s.Rates, U: append([]float64{}, s.U...), Y: append([]float64{}, s.Y...),
		}
		m.results(l, i)
		file.Systems = append(file.Systems, m)
	}
	for _, s := range l.Limits {
		file.Limits = append(file.Limits, limitJSON{s.Value, unstableJSON(s.Before), unstableJSON(s.From), s.Mode})
	}
	return json.NewEncoder(to).Encode(file)
}

// rowsOf are the rows of a matrix, which are empty without columns.
func rowsOf(m *mat.Dense, rows int) [][]float64 {
	list := make([][]float64, rows)
	for i := range list {
		list[i] = []float64{}
		if !m.IsEmpty() {
			list[i] = m.RawRowView(i)
		}
	}
	return list
}
