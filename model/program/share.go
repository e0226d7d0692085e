package program

import (
	"cmp"
	"container/heap"
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

// pair is two operands that occur together in a sum or product; b's sign is
// relative to a's.
type pair struct {
	a, b     int32
	opposite bool
}

// sharePairs splits sums and products of many operands so that parts which
// occur in several of them become nodes of their own: the most frequent pair of
// operands is replaced by one node, again and again, until no pair occurs twice.
func (g *graph) sharePairs(live []int32, f form) {
	s := &sharing{g: g, form: f, users: map[pair]*users{}}
	for _, i := range live {
		if g.nodes[i].form == f {
			s.countPairs(i, 1)
		}
	}
	for len(s.queue) > 0 {
		top := heap.Pop(&s.queue).(candidate)
		u := s.users[top.pair]
		switch {
		case u == nil || u.total < 2:
		case u.total != top.count: // the entry is out of date
			heap.Push(&s.queue, candidate{top.pair, u.total})
		default:
			s.replace(top.pair, u)
		}
	}
}

type sharing struct {
	g     *graph
	form  form
	users map[pair]*users
	queue candidates
}

// users says how often a pair occurs in which node, and in all.
type users struct {
	in    map[int32]int
	total int
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
	operands := s.g.nodes[i].operands
	if len(operands) < 2 {
		return
	}
	reach := len(operands)
	if reach > longestPairs {
		reach = nearPairs
	}
	seen := map[pair]int{}
	for j := range operands {
		for k := j + 1; k < len(operands) && k <= j+reach; k++ {
			seen[s.pairOf(operands[j], operands[k])]++
		}
	}
	for p, n := range seen {
		if p.a == p.b { // x^n holds n/2 disjoint squares
			count := 0
			for _, o := range operands {
				if o.node == p.a {
					count++
				}
			}
			n = count / 2
		}
		u := s.users[p]
		if u == nil {
			u = &users{in: map[int32]int{}}
			s.users[p] = u
		}
		u.total -= u.in[i]
		if d < 0 {
			delete(u.in, i)
			continue
		}
		u.in[i] = n
		if u.total += n; u.total > 1 {
			heap.Push(&s.queue, candidate{p, u.total})
		}
	}
}

func (s *sharing) pairOf(x, y ref) pair {
	if x.node > y.node {
		x, y = y, x
	}
	return pair{x.node, y.node, x.neg != y.neg}
}

// replace makes the pair a node and puts it in place in every user.
func (s *sharing) replace(p pair, u *users) {
	g := s.g
	list := make([]int32, 0, len(u.in))
	for i := range u.in {
		list = append(list, i)
	}
	slices.Sort(list)
	fresh := g.intern(node{form: s.form, operands: []ref{{node: p.a}, {node: p.b, neg: p.opposite}}})
	for _, i := range list {
		if i == fresh.node {
			continue
		}
		s.countPairs(i, -1)
		g.nodes[i].operands = s.substitute(g.nodes[i].operands, p, fresh)
		s.countPairs(i, 1)
	}
	delete(s.users, p)
}

// substitute replaces disjoint occurrences of the pair by fresh.
func (s *sharing) substitute(operands []ref, p pair, fresh ref) []ref {
	result := append([]ref(nil), operands...)
	for {
		ja, jb := -1, -1
		for j, o := range result {
			if o.node == p.a && ja < 0 {
				ja = j
			} else if o.node == p.b && jb < 0 {
				jb = j
			}
		}
		if ja < 0 || jb < 0 || (result[ja].neg != result[jb].neg) != p.opposite {
			return result
		}
		n := ref{fresh.node, result[ja].neg}
		result = slices.Delete(result, max(ja, jb), max(ja, jb)+1)
		result = slices.Delete(result, min(ja, jb), min(ja, jb)+1)
		result = append(result, n)
		sortRefs(result)
		if len(result) == 1 {
			return result
		}
	}
}

type candidate struct {
	pair
	count int
}

// candidates is a heap: the most frequent pair first, then by node numbers.
type candidates []candidate

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(i, j int) bool {
	a, b := c[i], c[j]
	if a.count != b.count {
		return a.count > b.count
	}
	if a.a != b.a {
		return a.a < b.a
	}
	if a.b != b.b {
		return a.b < b.b
	}
	return !a.opposite && b.opposite
}
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	old := *c
	x := old[len(old)-1]
	*c = old[:len(old)-1]
	return x
}
