package resources

import (
	"path/filepath"
	"strings"
	"testing"
)

// Where there is nothing to list, the error says where it was looked for.
func TestMissingFilesAreAnError(t *testing.T) {
	root := shelf(t, "work", "bin/skidpad", map[string]string{"bin/skidpad": "", "work/resources/models/car.toml": ""})
	if err := Models.Missing(); err != nil {
		t.Error(err)
	}
	err := Subsystems.Missing()
	for _, folder := range []string{"work/resources/subsystems", "bin/resources/subsystems"} {
		if err == nil || !strings.Contains(err.Error(), filepath.Join(root, folder)) {
			t.Errorf("%v; want %s", err, folder)
		}
	}
}
