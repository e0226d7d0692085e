package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"skidpad/cosim"
)

// vehicleFleet is the object of a skidpad_fleet handle. Its vehicles live as long as the fleet.
type vehicleFleet struct {
	handles  []uintptr
	members  []*vehicle
	engines  []*cosim.Instance // engines in made; a vehicle that was recreated after a defect has another engine
	made     *cosim.Fleet
	threads  int
	busy     atomic.Bool
	released bool

	inputs, outputs bound
	only            []bool // scratch: the vehicles of the call
}

// bound describes an array of the host with variables of all vehicles.
type bound struct {
	variables []int
	values    *float64
	apart     int // distance of the rows of two vehicles, in numbers; 0: one row for all vehicles
}

// bind returns an array with rows without gaps.
func bind(references []uint32, values *float64) bound {
	b := bound{values: values, apart: len(references)}
	for _, r := range references {
		b.variables = append(b.variables, int(r))
	}
	return b
}

// row returns the row of a vehicle.
func (b *bound) row(place int) []float64 {
	return unsafe.Slice(at(b.values, place*b.apart), len(b.variables))
}

// rows returns the rows for the engine.
func (b *bound) rows() cosim.Rows { return cosim.Rows{Variables: b.variables, Row: b.row} }

// at returns the address of a number in an array.
func at(values *float64, number int) *float64 {
	return (*float64)(unsafe.Add(unsafe.Pointer(values), number*int(unsafe.Sizeof(*values))))
}

// fleets holds every living fleet of the process.
var fleets handleTable[vehicleFleet]

// makeFleet: see skidpad_fleet_make.
func makeFleet(like uintptr, count int64, threads int32, handle *uintptr) status {
	return guard(like, func(v *vehicle) error {
		switch {
		case handle == nil:
			return argumentError("fleet is NULL")
		case count < 1 || count > mostVehicles:
			return argumentError(fmt.Sprintf("count is %d; a fleet has 1 to %d vehicles", count, mostVehicles))
		case threads < 0:
			return argumentError(fmt.Sprintf("threads is %d; it must be 0, for one for each processor, or more", threads))
		}
		state := make([]byte, v.engine.StateSize())
		if err := v.engine.Save(state); err != nil {
			return err
		}
		f := &vehicleFleet{threads: int(threads), only: make([]bool, count)}
		if threads == 0 {
			f.threads = runtime.NumCPU()
		}
		for range count {
			e, err := v.another()
			if err == nil {
				err = e.Restore(state)
			}
			if err != nil {
				f.release()
				return err
			}
			h := newVehicle(e, v.variables, v.origin)
			member := vehicles.find(h)
			member.owner = f
			f.handles, f.members = append(f.handles, h), append(f.members, member)
		}
		*handle = fleets.add(f)
		return nil
	})
}

// release frees the vehicles.
func (f *vehicleFleet) release() {
	f.released = true
	for _, handle := range f.handles {
		freeOf(handle, f)
	}
}

// freeFleet: see skidpad_fleet_free.
func freeFleet(handle uintptr) status {
	f := fleets.find(handle)
	if f == nil {
		return statusNoVehicle
	}
	if !f.busy.CompareAndSwap(false, true) {
		return statusBusy
	}
	if f.released {
		return statusNoVehicle
	}
	fleets.remove(handle)
	f.release()
	return statusOK
}

// fleetVehicle: see skidpad_fleet_vehicle.
func fleetVehicle(handle uintptr, place int64) uintptr {
	f := fleets.find(handle)
	if f == nil || place < 0 || place >= int64(len(f.handles)) {
		return 0
	}
	return f.handles[place]
}

// guardFleet runs a call on the vehicles of a mask; call returns an error per vehicle. If statuses is not nil, it
// receives the status of every vehicle; vehicles outside the mask have statusOK.
func guardFleet(handle uintptr, mask *uint8, statuses *status, call func(*vehicleFleet) ([]error, error)) status {
	f := fleets.find(handle)
	if f == nil {
		return statusNoVehicle
	}
	if !f.busy.CompareAndSwap(false, true) {
		return statusBusy
	}
	defer f.busy.Store(false)
	if f.released { // by another thread, after find
		return statusNoVehicle
	}
	var named []uintptr
	for i := range f.only {
		f.only[i] = mask == nil || *(*uint8)(unsafe.Add(unsafe.Pointer(mask), i)) != 0
		if f.only[i] {
			named = append(named, f.handles[i])
		}
	}
	return guardAll(named, func([]*vehicle) status {
		var errs []error
		err := protect(func() (err error) {
			errs, err = call(f)
			return err
		})
		return f.finish(errs, err, statuses)
	})
}

// finish stores the reasons of failed vehicles, and returns the first status other than OK.
func (f *vehicleFleet) finish(errs []error, all error, statuses *status) (result status) {
	for i, v := range f.members {
		s := statusOK
		if f.only[i] {
			each := all
			if each == nil {
				each = errs[i]
			}
			s = v.finish(each)
		}
		if result == statusOK {
			result = s
		}
		if statuses != nil {
			*(*status)(unsafe.Add(unsafe.Pointer(statuses), i*int(unsafe.Sizeof(s)))) = s
		}
	}
	return result
}

// each runs a call for each vehicle of the mask, in order. A failed vehicle does not affect the other vehicles.
func (f *vehicleFleet) each(call func(place int, v *vehicle) error) ([]error, error) {
	errs := make([]error, len(f.members))
	for i, v := range f.members {
		if f.only[i] {
			errs[i] = call(i, v)
		}
	}
	return errs, nil
}

// setFleet: see skidpad_fleet_set.
func setFleet(handle uintptr, mask *uint8, references *uint32, count int64, values *float64, row int64) status {
	return guardFleet(handle, mask, nil, func(f *vehicleFleet) ([]error, error) {
		refs, err := f.references(references, count, values, row)
		if err != nil {
			return nil, err
		}
		return f.each(func(place int, v *vehicle) error {
			return v.put(refs, unsafe.Slice(at(values, place*int(row)), len(refs)))
		})
	})
}

// getFleet: see skidpad_fleet_get.
func getFleet(handle uintptr, mask *uint8, references *uint32, count int64, values *float64, row int64) status {
	return guardFleet(handle, mask, nil, func(f *vehicleFleet) ([]error, error) {
		refs, err := f.references(references, count, values, row)
		if err != nil {
			return nil, err
		}
		return f.each(func(place int, v *vehicle) error {
			return v.take(refs, unsafe.Slice(at(values, place*int(row)), len(refs)))
		})
	})
}

// references checks names of variables, and the distance of rows.
func (f *vehicleFleet) references(list *uint32, count int64, values *float64, row int64) ([]uint32, error) {
	refs, _, err := f.members[0].arrays(list, count, values)
	if err == nil && (row < 0 || row > math.MaxInt32) {
		err = argumentError(fmt.Sprintf("row is %d; rows are 0 to %d numbers apart", row, math.MaxInt32))
	}
	return refs, err
}

// initialiseFleet: see skidpad_fleet_initialise.
func initialiseFleet(handle uintptr, mask *uint8, trim int32, statuses *status) status {
	return guardFleet(handle, mask, statuses, func(f *vehicleFleet) ([]error, error) {
		return f.each(func(_ int, v *vehicle) error {
			if trim != 0 {
				if _, err := v.engine.Trim(); err != nil {
					return err
				}
			}
			return v.engine.Initialise()
		})
	})
}

// resetFleet: see skidpad_fleet_reset.
func resetFleet(handle uintptr, mask *uint8) status {
	return guardFleet(handle, mask, nil, func(f *vehicleFleet) ([]error, error) {
		return f.each(func(_ int, v *vehicle) error { v.engine.Reset(); return nil })
	})
}

// bindFleet: see skidpad_fleet_bind.
func bindFleet(handle uintptr, in *uint32, nIn int64, inputs *float64, out *uint32, nOut int64,
	outputs *float64) status {
	return guardFleet(handle, nil, nil, func(f *vehicleFleet) ([]error, error) {
		from, err := f.references(in, nIn, inputs, nIn)
		if err != nil {
			return nil, err
		}
		to, err := f.references(out, nOut, outputs, nOut)
		if err != nil {
			return nil, err
		}
		for _, ref := range slices.Concat(from, to) {
			if err := f.members[0].known(ref); err != nil {
				return nil, err
			}
		}
		f.inputs, f.outputs = bind(from, inputs), bind(to, outputs)
		return make([]error, len(f.members)), nil
	})
}

// stepFleet: see skidpad_fleet_step.
func stepFleet(handle uintptr, mask *uint8, h float64, statuses *status) status {
	return guardFleet(handle, mask, statuses, func(f *vehicleFleet) ([]error, error) {
		return f.step(h, &f.inputs, &f.outputs, readAfterStep)
	})
}

// step sets the inputs of the vehicles of the mask, steps them, and writes their outputs, these before the step if read
// says so.
func (f *vehicleFleet) step(h float64, inputs, outputs *bound, read int32) ([]error, error) {
	if runtime.GOMAXPROCS(0) < f.threads {
		runtime.GOMAXPROCS(f.threads)
	}
	if err := f.assemble(); err != nil {
		return nil, err
	}
	return f.made.StepSome(&cosim.FleetStep{H: h, Threads: f.threads, Only: f.only, Inputs: inputs.rows(),
		Outputs: outputs.rows(), ReadFirst: read == readAfterInputs}), nil
}

// assemble creates the fleet of engines, again after a vehicle has got another engine.
func (f *vehicleFleet) assemble() error {
	same := f.made != nil
	for i := 0; same && i < len(f.members); i++ {
		same = f.members[i].engine == engine(f.engines[i])
	}
	if same {
		return nil
	}
	f.engines = f.engines[:0]
	for i, v := range f.members {
		in, ok := v.engine.(*cosim.Instance)
		if !ok {
			return argumentError(fmt.Sprintf("vehicle %d cannot be stepped together with others", i))
		}
		f.engines = append(f.engines, in)
	}
	made, err := cosim.NewFleet(f.engines)
	f.made = made
	return err
}

// rolloutFleet: see skidpad_fleet_rollout.
func rolloutFleet(handle uintptr, steps int64, h float64, inputs *float64, byVehicle int32, outputs *float64,
	read int32, statuses *status) status {
	return guardFleet(handle, nil, statuses, func(f *vehicleFleet) ([]error, error) {
		in, out := f.inputs, f.outputs
		in.values, out.values = inputs, outputs
		if byVehicle == 0 {
			in.apart = 0
		}
		if steps < 0 || len(in.variables) > 0 && inputs == nil || len(out.variables) > 0 && outputs == nil {
			return nil, argumentError("steps is negative, or an array of variables that are bound is NULL")
		}
		if err := checkRead(read); err != nil {
			return nil, err
		}
		failed := make([]error, len(f.members))
		for n := range steps {
			if n > 0 { // no address behind the arrays is made
				in.advance(len(f.members))
				out.advance(len(f.members))
			}
			errs, err := f.step(h, &in, &out, read)
			if err != nil {
				return nil, err
			}
			for i, err := range errs {
				if f.only[i] && err != nil {
					failed[i], f.only[i] = err, false
				}
				if failed[i] != nil {
					for k := range out.variables {
						out.row(i)[k] = math.NaN()
					}
				}
			}
		}
		for i := range f.only {
			f.only[i] = true
		}
		return failed, nil
	})
}

// advance moves on to the block of the next step.
func (b *bound) advance(vehicles int) {
	n := len(b.variables)
	if b.apart > 0 {
		n *= vehicles
	}
	if n > 0 {
		b.values = at(b.values, n)
	}
}

// saveFleet: see skidpad_fleet_save.
func saveFleet(handle uintptr, mask *uint8, states *byte, size int64) status {
	return guardFleet(handle, mask, nil, func(f *vehicleFleet) ([]error, error) {
		place := 0 // in the array, which has a row for each vehicle of the mask
		return f.each(func(_ int, v *vehicle) error {
			n := v.engine.StateSize()
			if states == nil || size != int64(n) {
				return argumentError(fmt.Sprintf("states is NULL, or size is %d; the state has %d bytes", size, n))
			}
			place++
			return v.engine.Save(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(states), (place-1)*n)), n))
		})
	})
}

// restoreFleet: see skidpad_fleet_restore.
func restoreFleet(handle uintptr, states *byte, size int64, source *int64, statuses *status) status {
	f := fleets.find(handle)
	if f == nil {
		return statusNoVehicle
	}
	if states == nil || source == nil || size < 0 || size > maxState {
		return statusArgument
	}
	of := unsafe.Slice(source, len(f.members))
	mask := make([]uint8, len(of))
	for i, from := range of {
		if from >= 0 {
			mask[i] = 1
		}
	}
	return guardFleet(handle, &mask[0], statuses, func(f *vehicleFleet) ([]error, error) {
		return f.each(func(place int, v *vehicle) error {
			v.ofTires = nil
			from := unsafe.Add(unsafe.Pointer(states), of[place]*size)
			return v.engine.Restore(unsafe.Slice((*byte)(from), size))
		})
	})
}
