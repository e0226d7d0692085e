package bounded

import (
	"path/filepath"
	"testing"
)

// Relative names lead from the folder of the file that has them.
func TestRelativeNamesStartAtTheFolder(t *testing.T) {
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

// A name stands for a shipped file where the folder has no file of that name, a folder of shipped files included.
func TestShippedFileStandsInForAMissingFile(t *testing.T) {
	const shipped = "skidpad:/tires/tmeasy_215_55R18.toml"
	for _, c := range [][3]string{
		{"skidpad:/models/tmeasy_215_55R18", "tmeasy_215_55R18", shipped},
		{"tmeasy_215_55R18", "tmeasy_215_55R18", shipped},
		{shipped, "tmeasy_215_55R18", shipped},
		{"skidpad:/tires/pacejka2002.tir", "tmeasy_215_55R18", "skidpad:/tires/pacejka2002.tir"},
		{"beside_test.go", "tmeasy_215_55R18", "beside_test.go"},
		{"skidpad:/models/nothing", "nothing", "skidpad:/models/nothing"},
	} {
		if got := OrShipped(c[0], c[1], "tires"); got != c[2] {
			t.Errorf("%s, or the shipped %s, is %s; want %s", c[0], c[1], got, c[2])
		}
	}
}
