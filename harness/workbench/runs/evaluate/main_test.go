package evaluate

import (
	"math"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
)

const degree = math.Pi / 180

// Tests that load a library start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}
