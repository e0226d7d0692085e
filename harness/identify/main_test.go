package identify

import (
	"testing"

	"skidpad/harness/built"
	"skidpad/harness/library"
)

// Tests that load a library start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}
