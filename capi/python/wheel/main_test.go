package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"strings"
	"testing"
)

// A library that no wheel could carry is refused, and why is said.
func TestPlatformRefusesOtherLibraries(t *testing.T) {
	header := func(machine elf.Machine) string {
		var h bytes.Buffer
		if err := binary.Write(&h, binary.LittleEndian, elf.Header64{
			Ident:   [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
			Type:    uint16(elf.ET_DYN),
			Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Ehsize: 64,
		}); err != nil {
			t.Fatal(err)
		}
		return h.String()
	}
	for library, reason := range map[string]string{
		"a text":                   "neither a library of Linux nor of Windows",
		"":                         "neither a library of Linux nor of Windows",
		header(elf.EM_RISCV):       "a library of Linux for EM_RISCV",
		header(elf.EM_X86_64):      "no symbol section",
		header(elf.EM_X86_64)[:20]: "neither a library of Linux nor of Windows",
	} {
		if tag, err := platform([]byte(library)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.10q...: tag %q, error %v; it must say %q", library, tag, err, reason)
		}
	}
}

// Every file of the package gets the version of the wheel, so that it need not ask the library for it.
func TestTheVersionIsFilledIn(t *testing.T) {
	if got := string(withVersion([]byte(`__version__ = "@VERSION@"`), "1.2.3")); got != `__version__ = "1.2.3"` {
		t.Error(got)
	}
}
