package main

import (
	"bytes"
	"debug/elf"
	"fmt"
)

// oldest is the minor version of the oldest supported glibc.
const oldest = 28

// checkSymbols refuses a file of Linux that asks for a newer glibc. Other files pass.
func checkSymbols(content []byte) error {
	if !bytes.HasPrefix(content, []byte(elf.ELFMAG)) {
		return nil
	}
	f, err := elf.NewFile(bytes.NewReader(content))
	if err != nil {
		return err
	}
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		var major, minor int
		if n, _ := fmt.Sscanf(s.Version, "GLIBC_%d.%d", &major, &minor); n == 2 && (major != 2 || minor > oldest) {
			return fmt.Errorf("it needs %s of %s, newer than glibc 2.%d; compile it for glibc 2.%d", s.Name, s.Version,
				oldest, oldest)
		}
	}
	return nil
}

// soname is the name under which programs load a library of Linux.
func soname(library []byte) (string, error) {
	f, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return "", err
	}
	names, err := f.DynString(elf.DT_SONAME)
	if err == nil && len(names) != 1 {
		err = fmt.Errorf("the library has %d names of its own; it must have one", len(names))
	}
	if err != nil {
		return "", err
	}
	return names[0], nil
}
