package cosim

import (
	"fmt"
	"io"
	"slices"

	"skidpad/tire"
)

// controlled is the slot of the function of a controller.
type controlled struct {
	*slot
	sampler int // index into the program's samplers
}

// controller is a bound function of a sampler. It has no part in rates and outputs: it is called at samples only.
type controller struct {
	tire.Function
	name      string // of the component
	sampler   int
	arguments []int // places of its arguments behind the next values of the side Samples
	in, out   []float64
}

// openControllers opens the functions of controllers that texts name; their identities go into the digest.
func (s *System) openControllers(b *bindings, texts []string, digest io.Writer) error {
	before := 0 // arguments of the functions of samplers before
	for _, t := range s.controllers {
		first := before
		before += len(t.of.Inputs)
		if texts[t.text] == "" {
			continue
		}
		k, f, identity, _, err := s.function(b, t.slot, texts, nil)
		if err != nil {
			return err
		}
		c := &controller{Function: f, name: t.name, sampler: t.sampler, in: make([]float64, len(k.Inputs)),
			out: make([]float64, len(k.Outputs))}
		b.controllers, b.opened = append(b.controllers, c), append(b.opened, f)
		for _, name := range k.Inputs {
			c.arguments = append(c.arguments, first+slices.Index(t.of.Inputs, name))
		}
		if k.Join != nil {
			if err := k.Join([]tire.Function{f}); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
		fmt.Fprintf(digest, "%s %q", t.of.Name, identity)
	}
	return nil
}

// controller returns the bound function of a sampler, nil for none.
func (b *bindings) controller(sampler int) *controller {
	for _, c := range b.controllers {
		if c.sampler == sampler {
			return c
		}
	}
	return nil
}

// call calls the function with the arguments that value tells, and writes the results to next.
func (c *controller) call(value func(argument int) float64, next []float64) error {
	for k, a := range c.arguments {
		c.in[k] = value(a)
	}
	c.Eval(c.in, c.out)
	if f, is := c.Function.(tire.Fallible); is {
		if err := f.Fault(); err != nil {
			return fmt.Errorf("%s: %w: %w", c.name, ErrFunction, err)
		}
	}
	copy(next, c.out)
	return nil
}
