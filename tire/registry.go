package tire

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"skidpad/tire/external"
)

// registry holds the tire functions by name. It is filled by builtin and by Register.
var registry = struct {
	sync.RWMutex
	kinds   []*Kind
	loaders [schemes]Loader
	allowed map[libraryFunction]bool // by AllowLibrary
}{allowed: map[libraryFunction]bool{}}

// builtin registers a function of this package. Hosts know coefficients by numbers, which count through all functions
// in the order of their positions: a new function takes the next position, and none ever changes.
func builtin(position int, k *Kind) {
	k.position = position
	i, taken := slices.BinarySearchFunc(registry.kinds, position,
		func(k *Kind, wanted int) int { return k.position - wanted })
	if taken {
		panic(fmt.Sprintf("tire functions %s and %s have place %d both", registry.kinds[i].Name, k.Name, position))
	}
	registry.kinds = slices.Insert(registry.kinds, i, k)
}

// Lookup returns the tire function of that name; the error lists the available names.
func Lookup(name string) (*Kind, error) {
	registry.RLock()
	defer registry.RUnlock()
	if k := find(name); k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("there is no tire function %q; there are %s", name, strings.Join(names(), ", "))
}

// find looks a name up; the caller holds the lock.
func find(name string) *Kind {
	for _, k := range registry.kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Names lists the registered tire functions, sorted.
func Names() []string {
	registry.RLock()
	defer registry.RUnlock()
	return names()
}

func names() []string {
	var list []string
	for _, k := range registry.kinds {
		list = append(list, k.Name)
	}
	slices.Sort(list)
	return list
}

// Register adds a tire function under a name that is not taken.
func Register(k Kind) error {
	if _, _, foreign := schemeOf(k.Name); k.Name == "" || foreign || (k.New == nil) == (k.Open == nil) ||
		len(k.Inputs) == 0 || len(k.Outputs) == 0 {
		return fmt.Errorf("function %q needs a name that does not begin with %s, inputs, outputs and one "+
			"constructor", k.Name, strings.Join(prefixes[:], " or "))
	}
	registry.Lock()
	defer registry.Unlock()
	if find(k.Name) != nil {
		return fmt.Errorf("function %q exists already", k.Name)
	}
	registry.kinds = append(registry.kinds, &k)
	return nil
}

// Scheme is a kind of function in libraries.
type Scheme uint8

// The schemes.
const (
	Plugin Scheme = iota // by skidpad_tire.h
	STI                  // by the Standard Tyre Interface
	schemes
)

// prefixes begin the names of functions in libraries.
var prefixes [schemes]string = external.Prefixes

// schemeOf tells the scheme of a name, and what stands behind it.
func schemeOf(name string) (s Scheme, target string, foreign bool) {
	for s, prefix := range prefixes {
		if target, found := strings.CutPrefix(name, prefix); found {
			return Scheme(s), target, true
		}
	}
	return 0, "", false
}

// NamesLibrary reports whether a text names a library tire function, also where Find does not because of spaces or
// capital letters. Files must not set such a text unless the user allows it: it makes code run.
func NamesLibrary(text string) bool { return external.Names(text) }

// LookupForFile is Lookup for a name that a model or tire file gives: a file cannot name a library.
func LookupForFile(name string) (*Kind, error) {
	if NamesLibrary(name) {
		return nil, fmt.Errorf("%q names a library, which a model or tire file cannot do, so that reading a file "+
			"never runs foreign code; name a built-in function here, and set <tire>.model to the library with --set, "+
			"SetString or skidpad_set_text", name)
	}
	return Lookup(name)
}

// Loader finds a function in a library by the symbol of its entry; options are what stands
// behind a question mark.
type Loader func(library, symbol, options string) (*Kind, error)

// SetLoader says how Find opens libraries of a scheme.
func SetLoader(s Scheme, l Loader) {
	registry.Lock()
	defer registry.Unlock()
	registry.loaders[s] = l
}

// libraryFunction is a library tire function, with the path that is loaded.
type libraryFunction struct {
	scheme                   Scheme
	library, symbol, options string
}

// resolve reads the name of a library tire function. A library with a path is looked for relative to dir, one without
// in dir and then where the system finds libraries.
func resolve(scheme Scheme, name, target, dir string) (libraryFunction, error) {
	f := libraryFunction{scheme: scheme}
	var ok bool
	f.library, f.symbol, ok = cutLast(target, "#")
	if scheme == STI {
		f.symbol, f.options, _ = strings.Cut(f.symbol, "?")
	}
	if !ok || f.library == "" || f.symbol == "" {
		return f, fmt.Errorf("function %q: a function in a library must be named %sLIBRARY#SYMBOL", name,
			prefixes[scheme])
	}
	if beside := filepath.Join(dir, filepath.FromSlash(f.library)); !filepath.IsAbs(f.library) {
		if _, err := os.Stat(beside); err == nil || strings.ContainsAny(f.library, `/\`) {
			f.library = beside
		}
	}
	return f, nil
}

// Find returns a registered function, or the one that plugin:LIBRARY#SYMBOL or
// sti:LIBRARY#ROUTINE?OPTIONS names.
// A LIBRARY with a path is looked for relative to dir, one without in dir and then
// where the system finds libraries.
func Find(name, dir string) (*Kind, error) {
	scheme, target, foreign := schemeOf(name)
	if !foreign {
		return Lookup(name)
	}
	f, err := resolve(scheme, name, target, dir)
	if err != nil {
		return nil, err
	}
	registry.RLock()
	load := registry.loaders[scheme]
	registry.RUnlock()
	if load == nil {
		return nil, fmt.Errorf("function %q: libraries can be loaded by the shared library of Skidpad only", name)
	}
	return load(f.library, f.symbol, f.options)
}

// AllowLibrary notes that the host has named a library tire function, which is allowed. Other texts change nothing.
func AllowLibrary(name, dir string) {
	if f, ok := libraryOf(name, dir); ok {
		registry.Lock()
		defer registry.Unlock()
		registry.allowed[f] = true
	}
}

// LibraryAllowed reports whether Find accepts this name without permission of the host: the name is not a library
// function, or AllowLibrary was called for the library in this process.
func LibraryAllowed(name, dir string) bool {
	f, ok := libraryOf(name, dir)
	registry.RLock()
	defer registry.RUnlock()
	return !ok || registry.allowed[f]
}

// libraryOf returns the library tire function that Find would look for.
func libraryOf(name, dir string) (f libraryFunction, ok bool) {
	scheme, target, foreign := schemeOf(name)
	if !foreign {
		return f, false
	}
	f, err := resolve(scheme, name, target, dir)
	return f, err == nil
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}

// OrderParameters puts parameter values into the function's order. It returns the missing parameters and the unknown
// names, both in a fixed order. Optional parameters follow if one of them is given.
func (k *Kind) OrderParameters(values map[string]float64) (ordered []float64, missing, unknown []string) {
	known := map[string]bool{}
	for _, p := range k.Parameters {
		known[p.Name] = true
		v, ok := values[p.Name]
		if !ok {
			missing = append(missing, p.Name)
		}
		ordered = append(ordered, v)
	}
	required := len(ordered)
	given := false
	for _, p := range k.Optional {
		known[p.Name] = true
		v, ok := values[p.Name]
		if !ok {
			v = p.Default
		}
		given = given || ok
		ordered = append(ordered, v)
	}
	if !given {
		ordered = ordered[:required]
	}
	for name := range values {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return ordered, missing, unknown
}

// parameterError is an error in one parameter.
type parameterError struct{ parameter, text string }

func (e *parameterError) Error() string { return e.text }

// check refuses a parameter list of the wrong length and values that are not finite. Parameters named by positive must
// be above zero, those named by sized must not be below it, and those named by nonzero must not be zero.
// Its error holds all faults, one per line.
func check(name string, list []ParameterInfo, values []float64, positive, sized []string, nonzero ...string) error {
	if len(values) != len(list) {
		return fmt.Errorf("tire function %s takes %d parameters, not %d", name, len(list), len(values))
	}
	var faults []error
	for i, p := range list {
		v, must := values[i], ""
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			must = "finite"
		case slices.Contains(positive, p.Name) && v <= 0:
			must = "positive"
		case slices.Contains(sized, p.Name) && v < 0:
			must = "zero or positive"
		case slices.Contains(nonzero, p.Name) && v == 0:
			must = "other than zero: it is the friction at the nominal load, a divisor of the slope factor"
		}
		if must != "" {
			faults = append(faults, &parameterError{p.Name, fmt.Sprintf("parameter %s of %s (%s, unit %s) is %g; it "+
				"must be %s", p.Name, name, p.Text, p.Unit, v, must)})
		}
	}
	return errors.Join(faults...)
}
