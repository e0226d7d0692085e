package verify

import (
	"path/filepath"

	"skidpad/model/bounded"
	"skidpad/model/document"
)

// Source holds what Morency (2007), chapter 5, states: resources/references/morency2007.toml.
type Source struct {
	Costs      []SourceCost      `toml:"cost"`
	Adams      []SourceCost      `toml:"adams"`
	Statements []SourceStatement `toml:"statement"`
}

// SourceCost is one row of the tables of Morency (2007); 0 means that it is not given there.
type SourceCost struct {
	Vehicle, Variant string
	Operations       [4]int  // additions, multiplications, divisions, functions
	Sine, Braking    float64 // s, for 10 s of simulated time
	Formulation      float64 // s, to generate the code
}

// SourceStatement is a statement of the source about results, in words.
type SourceStatement struct{ Name, Text string }

// ReadSource reads the source's tables and statements.
func ReadSource(resources string) (*Source, error) {
	path := filepath.Join(resources, "references", "morency2007.toml")
	text, err := bounded.Facts.Read(path)
	if err != nil {
		return nil, err
	}
	s := &Source{}
	if err := document.Decode(text, path, s); err != nil {
		return nil, err
	}
	return s, nil
}
