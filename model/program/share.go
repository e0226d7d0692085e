package program

import (
	"cmp"
	"math/bits"
	"slices"
)

func sortRefs(r []ref) {
	slices.SortFunc(r, func(a, b ref) int {
		if c := cmp.Compare(a.node, b.node); c != 0 {
			return c
		}
		switch {
		case a.neg == b.neg:
			return 0
		case a.neg:
			return 1
		}
		return -1
	})
}

// pair holds two operands that occur together in a sum or product. Pairs are ordered by their nodes.
type pair uint64

// pairOf returns the pair of two operands with their relative sign.
func pairOf(x, y ref) pair {
	if x.node > y.node {
		x, y = y, x
	}
	p := pair(x.node)<<32 | pair(y.node)<<1
	if x.neg != y.neg {
		p |= 1
	}
	return p
}

func (p pair) a() int32       { return int32(p >> 32) }
func (p pair) b() int32       { return int32(uint32(p) >> 1) }
func (p pair) opposite() bool { return p&1 == 1 }

// sharePairs splits sums and products of many operands so that their common parts become nodes. It replaces the most
// frequent pair of operands by a node, repeatedly, until no pair occurs twice.
func (g *graph) sharePairs(live []int32, f form) {
	s := &sharing{g: g, form: f}
	about := 0
	for _, i := range live {
		if n := len(g.nodes[i].operands); g.nodes[i].form == f && n <= longestPairs {
			about += n * (n - 1) / 2
		}
	}
	s.entries = make([]users, 0, about)
	s.grow(1 << bits.Len(uint(2*about+1)))
	for _, i := range live {
		if g.nodes[i].form == f {
			s.countPairs(i, 1)
		}
	}
	s.replacing = true
	for at := range s.entries {
		s.enter(int32(at))
	}
	for len(s.queue) > 0 {
		top := s.queue.pop()
		u := &s.entries[top.entry]
		if u.queued = 0; u.total == top.count && u.total > 1 {
			s.replace(top.entry)
		} else { // the count has decreased since
			s.enter(top.entry)
		}
	}
}

// enter queues a pair if it occurs more often than in its queue entry.
func (s *sharing) enter(entry int32) {
	if u := &s.entries[entry]; u.total > max(1, u.queued) {
		u.queued = u.total
		s.queue.push(candidate{u.pair, u.total, entry})
	}
}

type sharing struct {
	g       *graph
	form    form
	index   []int32 // a hash table of indices into entries, -1 for none; its length is a power of two
	entries []users
	queue   candidates

	replacing bool // all nodes have been counted

	seen []occurrence // pairs of a node
}

// users counts the occurrences of a pair in each node, and in total.
type users struct {
	pair   pair
	in     []use // by ascending nodes
	total  int32
	queued int32 // the largest count of the pair in the queue
}

type use struct{ node, count int32 }

// occurrence counts a pair in a node.
type occurrence struct {
	pair  pair
	count int32
}

// The pairs of a sum grow with the square of its length. Beyond longestPairs
// operands, which only expanded expressions have, pairs are counted among
// neighbours in the order of nodes.
const (
	longestPairs = 64
	nearPairs    = 8
)

// countPairs enters (d = 1) or removes (d = -1) all pairs of node i.
func (s *sharing) countPairs(i int32, d int) {
	for _, o := range s.pairs(s.g.nodes[i].operands) {
		s.count(i, o, d)
	}
}

// count enters (d = 1) or removes (d = -1) a pair of node i.
func (s *sharing) count(i int32, o occurrence, d int) {
	at := s.users(o.pair, d > 0)
	if at < 0 {
		return
	}
	u := &s.entries[at]
	k, found := slices.BinarySearchFunc(u.in, i, func(x use, i int32) int { return cmp.Compare(x.node, i) })
	if found {
		u.total -= u.in[k].count
	}
	switch {
	case d < 0 && found:
		u.in = slices.Delete(u.in, k, k+1)
	case d < 0:
	case found:
		u.in[k].count = o.count
	default:
		u.in = slices.Insert(u.in, k, use{i, o.count})
	}
	if d < 0 {
		return
	}
	if u.total += o.count; s.replacing {
		s.enter(at)
	}
}

// pairs lists the pairs of operands, each once.
func (s *sharing) pairs(operands []ref) []occurrence {
	s.seen = s.seen[:0]
	if len(operands) < 2 {
		return nil
	}
	reach := len(operands)
	if reach > longestPairs {
		reach = nearPairs
	}
	repeated := false
	for j := range operands {
		repeated = repeated || j > 0 && operands[j].node == operands[j-1].node
		for k := j + 1; k < len(operands) && k <= j+reach; k++ {
			s.seen = append(s.seen, occurrence{pairOf(operands[j], operands[k]), 1})
		}
	}
	if !repeated { // operands are sorted: no pair occurs twice
		return s.seen
	}
	slices.SortFunc(s.seen, func(x, y occurrence) int { return cmp.Compare(x.pair, y.pair) })
	distinct := s.seen[:1]
	for _, o := range s.seen[1:] {
		if last := &distinct[len(distinct)-1]; last.pair == o.pair {
			last.count++
		} else {
			distinct = append(distinct, o)
		}
	}
	for k := range distinct {
		o := &distinct[k]
		if o.pair.a() != o.pair.b() {
			continue
		}
		o.count = 0 // x^n holds n/2 disjoint squares
		for _, x := range operands {
			if x.node == o.pair.a() {
				o.count++
			}
		}
		o.count /= 2
	}
	return distinct
}

// users returns the index of the users of a pair, -1 for none; with make, it creates them if missing.
func (s *sharing) users(p pair, make bool) int32 {
	at := mix(uint64(p), 0) & uint64(len(s.index)-1)
	for ; s.index[at] >= 0; at = (at + 1) & uint64(len(s.index)-1) {
		i := s.index[at]
		if s.entries[i].pair == p {
			return i
		}
	}
	if !make {
		return -1
	}
	s.index[at] = int32(len(s.entries))
	s.entries = append(s.entries, users{pair: p})
	if 2*len(s.entries) > len(s.index) {
		s.grow(4 * len(s.index))
	}
	return int32(len(s.entries) - 1)
}

// grow resizes the hash table to length n.
func (s *sharing) grow(n int) {
	s.index = make([]int32, n)
	for at := range s.index {
		s.index[at] = -1
	}
	for i := range s.entries {
		at := mix(uint64(s.entries[i].pair), 0) & uint64(n-1)
		for ; s.index[at] >= 0; at = (at + 1) & uint64(n-1) {
		}
		s.index[at] = int32(i)
	}
}

// replace creates a node for a pair and substitutes it in every user.
func (s *sharing) replace(entry int32) {
	g, p := s.g, s.entries[entry].pair
	list := slices.Clone(s.entries[entry].in)
	fresh := g.intern(node{form: s.form}, ref{node: p.a()}, ref{node: p.b(), neg: p.opposite()})
	for _, u := range list {
		i := u.node
		if i == fresh.node {
			continue
		}
		if s.plain(g.nodes[i].operands, fresh) {
			s.exchange(i, p, fresh)
			continue
		}
		s.countPairs(i, -1)
		s.substitute(&g.nodes[i].operands, p, fresh)
		s.countPairs(i, 1)
	}
	s.entries[entry] = users{pair: p}
}

// plain reports whether no node occurs twice in operands, also with fresh in place of a pair, and all of their pairs
// count.
func (s *sharing) plain(operands []ref, fresh ref) bool {
	for j, o := range operands {
		if o.node == fresh.node || j > 0 && o.node == operands[j-1].node {
			return false
		}
	}
	return len(operands) <= longestPairs
}

// exchange substitutes fresh for a pair of node i in the plain case: pairs without either operand do not change.
func (s *sharing) exchange(i int32, p pair, fresh ref) {
	operands := &s.g.nodes[i].operands
	isOf := func(o ref) bool { return o.node == p.a() || o.node == p.b() }
	for j, x := range *operands {
		for _, y := range (*operands)[j+1:] {
			if isOf(x) || isOf(y) {
				s.count(i, occurrence{pairOf(x, y), 1}, -1)
			}
		}
	}
	s.substitute(operands, p, fresh)
	for _, x := range *operands {
		if x.node == fresh.node {
			fresh = x // with its sign
		}
	}
	for _, x := range *operands {
		if x.node != fresh.node {
			s.count(i, occurrence{pairOf(fresh, x), 1}, 1)
		}
	}
}

// substitute replaces disjoint occurrences of the pair by fresh. The operands must belong to a single node.
func (s *sharing) substitute(operands *[]ref, p pair, fresh ref) {
	for list := *operands; ; *operands = list {
		ja, jb := -1, -1
		for j, o := range list {
			if o.node == p.a() && ja < 0 {
				ja = j
			} else if o.node == p.b() && jb < 0 {
				jb = j
			}
		}
		if ja < 0 || jb < 0 || (list[ja].neg != list[jb].neg) != p.opposite() {
			return
		}
		n := ref{fresh.node, list[ja].neg}
		list = slices.Delete(list, max(ja, jb), max(ja, jb)+1)
		list[min(ja, jb)] = n
		sortRefs(list)
		if len(list) == 1 {
			*operands = list
			return
		}
	}
}

type candidate struct {
	pair  pair
	count int32
	entry int32
}

// candidates is a heap: the most frequent pair first, then by node numbers.
type candidates []candidate

func (c candidates) before(i, j int) bool {
	a, b := &c[i], &c[j]
	return a.count > b.count || a.count == b.count && a.pair < b.pair
}

func (c *candidates) push(x candidate) {
	*c = append(*c, x)
	h := *c
	for i := len(h) - 1; i > 0; {
		above := (i - 1) / 2
		if !h.before(i, above) {
			return
		}
		h[i], h[above] = h[above], h[i]
		i = above
	}
}

func (c *candidates) pop() candidate {
	h := *c
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*c = h
	for i := 0; ; {
		below := 2*i + 1
		if below >= last {
			return first
		}
		if below+1 < last && h.before(below+1, below) {
			below++
		}
		if !h.before(below, i) {
			return first
		}
		h[i], h[below] = h[below], h[i]
		i = below
	}
}
