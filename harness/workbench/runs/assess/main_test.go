package assess

import (
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
)

// Tests that load a library start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}
