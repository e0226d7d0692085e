package bounded

import (
	"path/filepath"
	"testing"
)

// Relative names lead from the folder of the file that has them.
func TestFilesBesideOthers(t *testing.T) {
	absolute, err := filepath.Abs("tire.tir")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{filepath.Join("models", "car.toml"), "../tires/a.toml", filepath.Join("tires", "a.toml")},
		{"car.toml", "a.toml", "a.toml"}, {filepath.Join("models", "car.toml"), absolute, absolute},
	} {
		if got := Beside(c[0], c[1]); got != c[2] {
			t.Errorf("%s beside %s is %s, want %s", c[1], c[0], got, c[2])
		}
	}
}
