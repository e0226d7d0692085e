// Package replay records drives, and repeats them bit by bit.
//
//	live.Loop -> events, rows -> Writer -> drive.zip -> Open -> Drive.Repeat -> rows
//
// A drive has the files of the vehicle and segments. A segment is a saved state and the inputs of the slices behind it;
// digests of states show that a repetition is the same. drive.json describes the drive:
//
//	drive.json      format, version, architecture, model, slice, inputs, segments with digests, events
//	vehicle/...     the files of the vehicle
//	state_1.bin     the saved state at the begin of segment 1
//	inputs_1.f64    its inputs: a row of little-endian numbers of 64 bits for each slice
package replay

import "encoding/hex"

// Format is the version of the format of drives.
const Format = 1

// Facts are the content of drive.json.
type Facts struct {
	Format       int       `json:"format"`
	Version      string    `json:"version"`      // of Skidpad
	Architecture string    `json:"architecture"` // GOARCH; other architectures give other bits
	Vehicle      string    `json:"vehicle"`
	Model        string    `json:"model"` // in the folder vehicle
	Tree         string    `json:"tree,omitempty"`
	Step         float64   `json:"step"` // of a slice [s]
	Inputs       []string  `json:"inputs"`
	Plugins      []Text    `json:"plugins,omitempty"` // texts that name libraries
	Segments     []Segment `json:"segments"`
	Events       []Event   `json:"events,omitempty"`
}

// Text is a string variable of the vehicle with its value.
type Text struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Segment is a part of a drive without a jump.
type Segment struct {
	Time    float64  `json:"time"` // of the vehicle at the begin [s]
	Slices  int      `json:"slices"`
	Digests []Digest `json:"digests,omitempty"`

	number int // of the loop
}

// Digest is the SHA-256 of the saved state after a slice.
type Digest struct {
	Slice int    `json:"slice"`
	Sum   string `json:"sha256"`
}

// Event is something that happened at a slice.
type Event struct {
	Segment int    `json:"segment"`
	Slice   int    `json:"slice"`
	Text    string `json:"text"`
}

func digestOf(slice int, sum [32]byte) Digest { return Digest{slice, hex.EncodeToString(sum[:])} }
