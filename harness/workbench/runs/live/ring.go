package live

import "sync/atomic"

// Row is a slice that was made. Its lists belong to the ring until the next call of take.
type Row struct {
	Segment  int     // counts starts, resets and returns to earlier states
	Slice    int     // within the segment, from 1 on; 0 for the state at its begin
	Time     float64 // of the vehicle [s]
	Number   uint32  // of the last command of the driver
	Steering float64 // angle of the steering wheel [rad]
	Throttle float64 // 0 to 1
	Brake    float64 // m/s2
	Gear     float64 // 0 without
	Clutch   float64 // 1 closed, 0 open; NaN without
	Late     float64 // of the slice against its due time [s]
	Dropped  float64 // time that the vehicle is behind for good [s]
	Piloted  bool    // the manoeuvre drives
	Inputs   []float64
	Outputs  []float64
	Seldom   []float64
}

// ring hands rows from the loop to one reader.
type ring struct {
	rows       []Row
	head, tail atomic.Uint64 // rows written and rows read
}

func newRing(size, inputs, outputs, seldom int) *ring {
	r := &ring{rows: make([]Row, size)}
	numbers := make([]float64, size*(inputs+outputs+seldom))
	for i := range r.rows {
		r.rows[i].Inputs, numbers = numbers[:inputs:inputs], numbers[inputs:]
		r.rows[i].Outputs, numbers = numbers[:outputs:outputs], numbers[outputs:]
		r.rows[i].Seldom, numbers = numbers[:seldom:seldom], numbers[seldom:]
	}
	return r
}

// next is the row to fill before put; nil while the reader is behind by the whole ring.
func (r *ring) next() *Row {
	head := r.head.Load()
	if head-r.tail.Load() >= uint64(len(r.rows)) {
		return nil
	}
	return &r.rows[head%uint64(len(r.rows))]
}

func (r *ring) put() { r.head.Add(1) }

// take is the oldest row; nil without one. It is valid until done.
func (r *ring) take() *Row {
	tail := r.tail.Load()
	if tail == r.head.Load() {
		return nil
	}
	return &r.rows[tail%uint64(len(r.rows))]
}

func (r *ring) done() { r.tail.Add(1) }
