package main

import (
	"bytes"
	"debug/elf"
	"fmt"
)

// soname is the name by which programs find a library of Linux.
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
