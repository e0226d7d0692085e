package bench

import (
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
)

func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}
