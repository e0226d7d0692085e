package expr

// slab allocates the permanent data of a pool: many small pieces in a few large allocations.
type slab[T any] struct {
	left []T
	next int // elements that the next allocation has room for
}

// An allocation has room for fewest to most elements, each for twice as many as the one before: most pools hold one
// formula.
const fewest, most = 16, 1024

// take returns room for n elements, which are zero.
func (s *slab[T]) take(n int) []T {
	if n > len(s.left) {
		s.next = min(max(fewest, 2*s.next), most)
		s.left = make([]T, max(n, s.next))
	}
	room := s.left[:n:n]
	s.left = s.left[n:]
	return room
}

// copied is a copy of a list.
func (s *slab[T]) copied(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	room := s.take(len(list))
	copy(room, list)
	return room
}
