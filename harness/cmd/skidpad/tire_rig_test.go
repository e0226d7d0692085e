package main

import (
	"slices"
	"testing"
)

// Files are called by their names without endings, except where these are equal; library tire functions by their own.
func TestTiresOfTheRigHaveNames(t *testing.T) {
	for _, c := range []struct{ tires, names []string }{
		{[]string{"a/fiala.toml", "b/calspan.toml"}, []string{"fiala", "calspan"}},
		{[]string{"a/pac.toml", "a/pac.tir", "x.tir"}, []string{"pac.toml", "pac.tir", "x"}},
		{[]string{"plugin:lib.so#one", "plugin:lib.so#two"}, []string{"one", "two"}},
		{[]string{"a/fiala.toml", "b/fiala.toml"}, nil},
		{[]string{"x.tir", "y.tir", "x.tir"}, nil},
		{[]string{"plugin:a.so#one", "plugin:b.so#one"}, nil},
	} {
		names, err := namesOfTires(c.tires)
		if (err != nil) != (c.names == nil) || !slices.Equal(names, c.names) {
			t.Errorf("%q: %q, %v", c.tires, names, err)
		}
	}
}
