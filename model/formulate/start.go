package formulate

// starts gives every state its start value.
func (f *Formulation) starts() {
	set := func(list []State) {
		for i := range list {
			s := &list[i]
			s.Start = f.startValue(s.Name, s.Unit, s.start)
		}
	}
	set(f.Speeds)
	set(f.Coordinates)
	set(f.Internal)
}
