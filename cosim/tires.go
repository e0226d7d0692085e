package cosim

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"skidpad/model/bounded"
	"skidpad/model/program"
	"skidpad/model/road"
	"skidpad/model/shelf"
	"skidpad/tire"
)

// slot is a replaceable function, before initialisation: forces or relaxation of a tire, a law, or a controller.
type slot struct {
	name           string // of the component
	of             *program.Call
	number         int    // among the slots
	text           int    // index of the text that names the function; the text that names its file follows
	function, file string // of the model file
}

// findTires lists the slots: every call, then the functions of samplers.
func (s *System) findTires() {
	add := func(c *program.Call) *slot {
		t := &slot{name: c.Component(), of: c, number: len(s.slots), function: c.Function, file: c.File}
		s.slots = append(s.slots, t)
		return t
	}
	for i := range s.program.Calls {
		c := &s.program.Calls[i]
		if t := add(c); !c.IsRelaxation() && !c.IsLaw() {
			s.tires = append(s.tires, mounted{slot: t})
		}
	}
	for i, sampler := range s.program.Samplers {
		if sampler.Function != nil {
			s.controllers = append(s.controllers, controlled{add(sampler.Function), i})
		}
	}
}

// mounted is a tire with its force function and the data of its property file.
type mounted struct {
	*slot
	sizes []tireSize
}

// slotOf returns the function that text i configures, nil if the text configures something else.
func (s *System) slotOf(i int) *slot {
	for _, t := range s.slots {
		if i == t.text || i == t.text+1 {
			return t
		}
	}
	return nil
}

// connect finds or opens all tire functions that texts request, with the numbers that were set.
func (s *System) connect(texts []string, set []assignment) (*bindings, error) {
	if err := s.checkAssignments(set, texts); err != nil {
		return nil, err
	}
	b := &bindings{}
	hash := sha256.New()
	hash.Write(s.curves.content)
	for i, c := range s.program.Calls {
		k, f, identity, warnings, err := s.function(b, s.slots[i], texts, set)
		if err != nil {
			b.close()
			return nil, err
		}
		b.functions, b.kinds, b.names = append(b.functions, f), append(b.kinds, k), append(b.names, c.Component())
		b.opened = append(b.opened, f)
		source, _ := s.chosen(i, c, texts)
		b.sources = append(b.sources, source)
		hash.Write(identity)
		if c.Carcass != nil {
			fmt.Fprintln(hash, *c.Carcass, amplifies(texts))
		}
		for _, w := range warnings {
			b.warnings = append(b.warnings, c.Component()+": "+w)
		}
	}
	err := b.join() // before carcasses, whose setup can call functions
	if err == nil {
		err = s.openControllers(b, texts, hash)
	}
	if err == nil {
		b.callees, err = program.Callees(s.program.Calls, b.kinds, b.functions, amplifies(texts))
	}
	if err == nil {
		err = s.openTerrains(b, texts, hash)
	}
	hash.Sum(b.digest[:0])
	if err != nil {
		b.close()
		return nil, err
	}
	b.watched = s.watch(b)
	s.listAbilities(b)
	b.texts, b.plain = slices.Clone(texts), len(set) == 0 && s.isPlain(b, texts)
	return b, nil
}

// isPlain reports whether functions made again would be the same, whatever has happened since. Replaced files of
// curves, opened functions, functions with parameters that the model file does not name, functions of controllers, and
// files of terrains are not plain.
func (s *System) isPlain(b *bindings, texts []string) bool {
	if s != s.curves.own || len(b.controllers) > 0 {
		return false
	}
	for i, c := range s.program.Calls {
		name, file := s.chosen(i, c, texts)
		if b.kinds[i].Open != nil || len(b.kinds[i].Parameters) > 0 && (name != c.Function || file != c.File) {
			return false
		}
	}
	for i := range s.program.Terrains {
		if of := texts[s.texts.terrains+terrainTexts*i:]; of[groundFile] != "" || of[frictionFile] != "" {
			return false
		}
	}
	return true
}

// openTerrains opens the surfaces that texts describe; their contents go into the digest, too.
func (s *System) openTerrains(b *bindings, texts []string, digest io.Writer) error {
	for i, t := range s.program.Terrains {
		of := texts[s.texts.terrains+terrainTexts*i:]
		ground := road.Shape{
			Kind: of[groundKind], Formula: of[groundFormula], File: of[groundFile], Class: of[groundClass],
			Centred: t.Centred,
		}
		friction := road.Shape{Kind: of[frictionKind], Formula: of[frictionFormula], File: of[frictionFile]}
		surface, err := road.Open(ground, friction, func(kind bounded.Kind, file string) ([]byte, error) {
			data, err := kind.Read(s.path(file))
			digest.Write(data)
			return data, err
		})
		if err != nil {
			return fmt.Errorf("terrain %s: %w", t.Name, err)
		}
		b.surfaces = append(b.surfaces, surface)
		fmt.Fprintln(digest, ground, friction)
	}
	return nil
}

// listAbilities notes which functions have states, can fail, and receive poses and steps.
func (s *System) listAbilities(b *bindings) {
	at := len(s.program.States)
	for i, f := range b.functions {
		if d, ok := f.(tire.Stateful); ok {
			x, _ := d.Memory()
			b.stateful = append(b.stateful, statefulFunction{d, at, b.names[i]})
			at += len(x)
		}
		if _, ok := f.(tire.Fallible); ok {
			b.fallible = append(b.fallible, i)
		}
		if p, ok := f.(tire.PoseReceiver); ok {
			b.receivers = append(b.receivers, poseReceiver{p, s.wheels(i)})
		}
		if f, ok := f.(tire.StepObserver); ok {
			b.observers = append(b.observers, f)
		}
	}
	b.states = at - len(s.program.States)
}

// chosen returns the function and the parameter file that the texts choose for call i.
func (s *System) chosen(i int, c program.Call, texts []string) (function, file string) {
	t := s.slots[i]
	return texts[t.text], texts[t.text+1]
}

// function creates the function of a slot. Functions with different results have different identities, as far as can be
// known and without set numbers. warnings come from its parameter file.
func (s *System) function(vehicle *bindings, t *slot, texts []string, set []assignment) (k *tire.Kind,
	f tire.Function, identity []byte, warnings []string, err error) {
	c, name, file := *t.of, texts[t.text], texts[t.text+1]
	if k, err = c.Find(name, s.folder); err != nil {
		return nil, nil, nil, nil, fmt.Errorf("%s: %w", c.Owner(), err)
	}
	identity = append([]byte(name), 0)
	if k.Open != nil {
		if file != "" {
			file = s.path(file)
			data, err := bounded.TireData.Read(file)
			if err != nil {
				return nil, nil, nil, nil, fmt.Errorf("%s.file: %w", c.Owner(), err)
			}
			identity = append(identity, data...)
		}
		f, err = k.Open(tire.OpenRequest{Vehicle: vehicle, Tire: c.Component(), File: file})
	} else {
		var values []float64
		if values, warnings, err = s.parameters(c, k, name, file); err == nil {
			for _, v := range values {
				identity = binary.LittleEndian.AppendUint64(identity, math.Float64bits(v))
			}
			f, err = k.Make(s.assigned(t.number, k, values, set, texts), c.Combined)
		}
	}
	if err != nil {
		return nil, nil, nil, nil, fmt.Errorf("%s: %w", c.Owner(), err)
	}
	if needsWheel(f) && !c.Wheel {
		if closer, ok := f.(interface{ Close() }); ok {
			closer.Close()
		}
		return nil, nil, nil, nil, fmt.Errorf("%s: function %s computes its own load or needs the pose of its wheel, "+
			"but this component has no wheel; use it for a component of type tire", c.Owner(), name)
	}
	return k, f, identity, warnings, nil
}

// needsWheel reports whether a function does more than return forces for its arguments.
func needsWheel(f tire.Function) bool {
	_, bearing := f.(tire.NormalForceSource)
	_, placed := f.(tire.PoseReceiver)
	return bearing || placed
}

// wheels returns the number of calls before call i that have a wheel.
func (s *System) wheels(i int) int {
	n := 0
	for _, c := range s.program.Calls[:i] {
		if c.Wheel {
			n++
		}
	}
	return n
}

// parameters returns the parameters of a built-in function, with the warnings of their file.
func (s *System) parameters(c program.Call, k *tire.Kind, name, file string) (values []float64,
	warnings []string, err error) {
	switch {
	case name == c.Function && file == c.File:
		return c.Parameters, c.Warnings, nil
	case len(k.Parameters) == 0:
		return nil, nil, nil
	case file == "":
		return nil, nil, fmt.Errorf("function %s needs %d parameters: set %s.file to its parameter file", name,
			len(k.Parameters), c.Owner())
	}
	path := s.path(file)
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, nil, err
	}
	p, err := tire.ReadFile(data, path, tire.ReadOptions{Function: name, Side: c.Side, Downgrade: c.Downgrade,
		Combined: c.Combined, Radius: c.Radius})
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s.model and %s.file must be set together", err, c.Owner(), c.Owner())
	}
	return p.Values, p.Warnings, nil
}

// path resolves a file name of a text parameter.
func (s *System) path(file string) string {
	return bounded.OrShipped(bounded.In(s.folder, file), file, shelf.Tires, shelf.Roads)
}

// findCarcasses notes the states of carcasses.
func (s *System) findCarcasses() {
	s.carcassStates = map[int][2]int{}
	for i, c := range s.program.Calls {
		if c.Carcass == nil {
			continue
		}
		var at [2]int
		for k, key := range [...]string{".p1", ".p2"} {
			name := c.Component() + key
			at[k] = slices.IndexFunc(s.program.States, func(v program.Variable) bool { return v.Name == name })
		}
		s.carcassStates[i] = at
	}
}

// statesOfCarcasses lists the states of carcasses in the order of the calls.
func (s *System) statesOfCarcasses() (list []int) {
	for _, i := range slices.Sorted(maps.Keys(s.carcassStates)) {
		at := s.carcassStates[i]
		list = append(list, at[0], at[1])
	}
	return list
}
