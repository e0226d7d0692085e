package expr

// slab hands out room for what a pool keeps as long as it lives: many small pieces of a few large allocations.
type slab[T any] struct{ left []T }

// pieces is how many elements an allocation has room for.
const pieces = 1024

// take returns room for n elements, which are zero.
func (s *slab[T]) take(n int) []T {
	if n > len(s.left) {
		s.left = make([]T, max(n, pieces))
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
