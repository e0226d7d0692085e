package library

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"
)

// batch is how variables are got and set: a call for each base type among them.
type batch struct {
	references []uint32 // of the caller
	calls      []call
}

// call is about the variables of one base type.
type call struct {
	base     base
	fmi      []uint32 // value references
	count    int      // of their values
	from, at []int    // which of the caller's values are where
	values   []uint64 // as memory, aligned for all types
	partial  bool     // elements of an array are missing among the caller's
}

// batchOf finds the calls for references, or makes them.
func (c *Instance) batchOf(references []uint32) (*batch, error) {
	for _, b := range c.batches {
		if slices.Equal(b.references, references) {
			return b, nil
		}
	}
	b := &batch{references: slices.Clone(references)}
	indices := map[base]int{}
	starts := map[uint32]int{} // of arrays, by value references
	for i, r := range references {
		at := c.fmu.places[r]
		if at.base >= text {
			return nil, fmt.Errorf("%s is not a number", c.list[r].Name)
		}
		k, known := indices[at.base]
		if !known {
			k, indices[at.base] = len(b.calls), len(b.calls)
			b.calls = append(b.calls, call{base: at.base})
		}
		l := &b.calls[k]
		start, known := starts[at.reference]
		if !known || at.count == 1 { // in FMI 2.0 types have references of their own
			start, starts[at.reference] = l.count, l.count
			l.fmi = append(l.fmi, at.reference)
			l.count += at.count
		}
		l.from, l.at = append(l.from, i), append(l.at, start+at.element)
	}
	for k := range b.calls {
		l := &b.calls[k]
		l.values = make([]uint64, (l.count*infos[l.base].size+7)/8)
		taken := map[int]bool{}
		for _, at := range l.at {
			taken[at] = true
		}
		l.partial = len(taken) < l.count
	}
	const most = 8
	if len(c.batches) == most {
		c.batches = slices.Delete(c.batches, 0, 1)
	}
	c.batches = append(c.batches, b)
	return b, nil
}

// do makes a call.
func (l *call) do(c *Instance, verb string, table *[bases]access) error {
	f := table[l.base]
	if f == nil {
		return c.fmu.lacks(verb + l.base.function(c.fmu.Version))
	}
	return c.check(f(c.handle, &l.fmi[0], uint64(len(l.fmi)), unsafe.Pointer(&l.values[0]), uint64(l.count)))
}

// address points to value i of a call.
func (l *call) address(i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(&l.values[0]), i*infos[l.base].size)
}

// Get reads numbers.
func (c *Instance) Get(references []uint32, values []float64) error {
	b, err := c.batchOf(references)
	if err != nil {
		return err
	}
	for k := range b.calls {
		l := &b.calls[k]
		if err := l.do(c, "Get", &c.fmu.common.get); err != nil {
			return err
		}
		for i, from := range l.from {
			values[from] = l.base.load(l.address(l.at[i]))
		}
	}
	return nil
}

// Set sets numbers.
func (c *Instance) Set(references []uint32, values []float64) error {
	jump := false
	if c.integrator != nil && c.begun {
		references, values, jump = c.integrator.changes(references, values)
	}
	b, err := c.batchOf(references)
	if err != nil {
		return err
	}
	for k := range b.calls {
		l := &b.calls[k]
		for _, from := range l.from {
			if err := l.base.check(values[from]); err != nil {
				return fmt.Errorf("%s: %w", c.list[references[from]].Name, err)
			}
		}
	}
	leave, err := c.prepareToSet(references, jump)
	if err != nil {
		return err
	}
	for k := range b.calls {
		l := &b.calls[k]
		if l.partial { // the other elements keep their values
			if err := l.do(c, "Get", &c.fmu.common.get); err != nil {
				return err
			}
		}
		for i, from := range l.from {
			l.base.store(l.address(l.at[i]), values[from])
		}
		if err := l.do(c, "Set", &c.fmu.common.set); err != nil {
			return err
		}
	}
	return leave()
}

// prepareToSet enters the mode for setting values; leave leaves the mode. With jump it is event mode.
func (c *Instance) prepareToSet(references []uint32, jump bool) (leave func() error, err error) {
	structural := false
	for _, r := range references {
		at := c.fmu.places[r]
		structural = structural || at.structural
		if at.dimension {
			return nil, fmt.Errorf("%s is the size of an array, which keeps that of the FMU's description; "+
				"export the FMU with the size that you need", c.list[r].Name)
		}
	}
	if structural && !c.begun {
		f := c.fmu.three
		if f.enterConfiguration == nil || f.exitConfiguration == nil {
			return nil, c.fmu.lacks("EnterConfigurationMode")
		}
		if len(references) > 1 {
			return nil, errors.New("structural parameters are set one by one")
		}
		return func() error { return c.check(f.exitConfiguration(c.handle)) }, c.check(f.enterConfiguration(c.handle))
	}
	if jump {
		return c.integrator.update, c.check(c.fmu.common.enterEventMode(c.handle))
	}
	return func() error { return nil }, nil
}

// textPlace finds a text.
func (c *Instance) textPlace(name string) (location, error) {
	v, err := c.Find(name)
	if err != nil {
		return location{}, err
	}
	if v.Kind != Text {
		return location{}, fmt.Errorf("%s is not a text", name)
	}
	return c.fmu.places[v.Reference], nil
}

// texts reads the texts of a value reference; they are the FMU's.
func (c *Instance) texts(at location) ([]*byte, error) {
	all := make([]*byte, at.count)
	get := c.fmu.common.get[text]
	if get == nil {
		return nil, c.fmu.lacks("GetString")
	}
	return all, c.check(get(c.handle, &at.reference, 1, unsafe.Pointer(&all[0]), uint64(at.count)))
}

// SetText sets a text by name, or a Boolean to true or false.
func (c *Instance) SetText(name, value string) error {
	if v, err := c.Find(name); err == nil && v.Kind == Number {
		if b := c.fmu.places[v.Reference].base; b == boolean2 || b == boolean3 {
			x, err := b.parse(value)
			if err != nil {
				return fmt.Errorf("%s is a Boolean, so %q cannot be its value: true or false", name, value)
			}
			return c.SetNamed(name, x)
		}
	}
	at, err := c.textPlace(name)
	if err != nil {
		return err
	}
	all := make([]*byte, at.count)
	if at.count > 1 {
		read, err := c.texts(at)
		if err != nil {
			return err
		}
		for i, t := range read {
			all[i] = &append([]byte(goString(t)), 0)[0]
		}
	}
	all[at.element] = &append([]byte(value), 0)[0]
	set := c.fmu.common.set[text]
	if set == nil {
		return c.fmu.lacks("SetString")
	}
	return c.check(set(c.handle, &at.reference, 1, unsafe.Pointer(&all[0]), uint64(at.count)))
}

// Text reads a text by name.
func (c *Instance) Text(name string) (string, error) {
	at, err := c.textPlace(name)
	if err != nil {
		return "", err
	}
	all, err := c.texts(at)
	if err != nil {
		return "", err
	}
	return goString(all[at.element]), nil
}
