package replay

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// tape is a vehicle whose state is its inputs, added up.
type tape struct {
	inputs int
	state  []byte
}

func (v *tape) References(names ...string) ([]uint32, error) {
	for _, name := range names {
		if name == "" {
			return nil, errors.New("no variable \"\"")
		}
	}
	return make([]uint32, len(names)), nil
}

func (v *tape) Advance(_ float64, in []uint32, inputs []float64, _ []uint32, outputs []float64) error {
	if len(in) != len(inputs) {
		return errors.New("another number of inputs")
	}
	v.inputs += len(inputs)
	if len(v.state) > 0 {
		v.state[0]++
	}
	clear(outputs)
	return nil
}

func (v *tape) Get(_ []uint32, values []float64) error { clear(values); return nil }
func (v *tape) Save() ([]byte, error)                  { return v.state, nil }
func (v *tape) Restore(state []byte) error {
	if len(state) == 0 {
		return errors.New("no state")
	}
	v.state = bytes.Clone(state)
	return nil
}

// zipped is an archive of files.
func zipped(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var all bytes.Buffer
	z := zip.NewWriter(&all)
	for name, data := range files {
		if err := add(z, name, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}

// Whatever an archive holds, reading and repeating it ends with an error or with as many rows as it has inputs, and
// all states that are compared are equal. The archive is given as bytes, or by its files.
func FuzzDrives(f *testing.F) {
	state := []byte{1, 2, 3}
	after := bytes.Clone(state)
	after[0] += 2
	sum := sha256.Sum256(after)
	facts, err := json.Marshal(Facts{Format: Format, Step: 1e-3, Inputs: []string{"a", "b"}, Model: "car.toml",
		Segments: []Segment{{Slices: 2, Digests: []Digest{{2, hex.EncodeToString(sum[:])}}}}})
	if err != nil {
		f.Fatal(err)
	}
	inputs := make([]byte, 32)
	f.Add(false, []byte{}, facts, state, inputs)
	f.Add(true, zipped(f, map[string][]byte{factsName: facts, vehicleFolder + "car.toml": {}, "state_1.bin": state,
		"inputs_1.f64": inputs}), []byte{}, []byte{}, []byte{})
	path := filepath.Join(f.TempDir(), "drive.zip")
	f.Fuzz(func(t *testing.T, whole bool, data, facts, state, inputs []byte) {
		if !whole {
			data = zipped(t, map[string][]byte{factsName: facts, vehicleFolder + "car.toml": {}, "state_1.bin": state,
				"inputs_1.f64": inputs, "state_2.bin": state, "inputs_2.f64": {}})
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(path)
		if err != nil {
			return
		}
		defer d.Close()
		rows, want := 0, 0
		for i := range d.Segments {
			want += 1 + d.Segments[i].Slices
		}
		v := &tape{}
		for _, compare := range []bool{true, false} {
			rows, v.inputs = 0, 0
			result, err := d.Repeat(v, 0, []string{"x"}, compare, func(_, slice int, values []float64) error {
				if rows++; rows > 1<<20 {
					return io.EOF
				}
				if slice < 0 || len(values) != 1 {
					t.Errorf("slice %d with %d values", slice, len(values))
				}
				return nil
			})
			if rows > want {
				t.Errorf("%d rows of %d", rows, want)
			}
			if err != nil {
				continue
			}
			if rows != want || v.inputs != len(d.Inputs)*(want-len(d.Segments)) || result.Equal != result.Compared ||
				!compare && result.Compared != 0 {
				t.Errorf("%d rows of %d, %d inputs, %+v", rows, want, v.inputs, result)
			}
		}
	})
}
