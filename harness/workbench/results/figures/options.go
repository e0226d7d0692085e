package figures

import "skidpad/model/keys"

// Options are the numbers that the evaluation of a kind needs, which say how files give them.
type Options interface{ Numbers() []Option }

// Option is one of these numbers: its key in files, and the address of its value.
type Option struct {
	keys.Key
	Value *float64
}

// none are the options of a kind without.
type none struct{}

func (none) Numbers() []Option { return nil }

func noOptions() Options { return none{} }

// number is an option in an SI unit.
func number(value *float64, name, unit, text string) Option {
	return Option{keys.Key{Name: name, Unit: unit, Text: text}, value}
}

// above0 is an option that is positive.
func above0(value *float64, name, unit, text string) Option {
	o := number(value, name, unit, text)
	o.Positive = true
	return o
}

// from0 is an option that is not negative.
func from0(value *float64, name, unit, text string) Option {
	o := number(value, name, unit, text)
	o.Nonnegative = true
	return o
}

// or is an option with a default, as a file would have it.
func (o Option) or(value string) Option {
	o.Default = value
	return o
}

// share is an option from 0 to 1.
func share(value *float64, name, text string) Option {
	o := from0(value, name, "1", text)
	o.AtMostOne = true
	return o
}

// order is the order of a filter.
func order(value *float64, name, text string) Option {
	o := number(value, name, "1", text)
	o.Whole = &keys.Whole{Least: 2, Most: MostOrder}
	return o
}

// with makes of a function over the options of one kind one over any, as Kind has them.
func with[From, To any, O Options](f func(From, O) To) func(From, Options) To {
	return func(x From, o Options) To { return f(x, o.(O)) }
}
