package library

import "fmt"

// Fleet is copies of a vehicle that step together, with rows of outputs that each step writes. Close it when done.
type Fleet struct {
	Vehicles []*Vehicle // which live as long as the fleet

	library    *Library
	handle     uintptr
	references []uint32  // of the outputs
	outputs    []float64 // by vehicle
	statuses   []int32
}

// Fleet makes copies of a vehicle in its present state, which step on a number of threads, 0 for one for each
// processor.
func (v *Vehicle) Fleet(count, threads int) (*Fleet, error) {
	f := &Fleet{library: v.library, statuses: make([]int32, count)}
	if err := v.check(v.library.fleetMake(v.handle, int64(count), int32(threads), &f.handle)); err != nil {
		return nil, err
	}
	for index := range count {
		f.Vehicles = append(f.Vehicles, &Vehicle{Variables: v.Variables, library: v.library, directory: v.directory,
			handle: v.library.fleetVehicle(f.handle, int64(index)), lasting: v.lasting, outdated: v.outdated,
			changed: v.changed})
	}
	return f, nil
}

// Close releases the fleet and its vehicles.
func (f *Fleet) Close() error { return f.all(f.library.fleetFree(f.handle)) }

// all is the error of a call that is not about one vehicle.
func (f *Fleet) all(status int32) error {
	if status == 0 {
		return nil
	}
	return fmt.Errorf("fleet of %d vehicles: %s", len(f.Vehicles), f.library.statusText(status))
}

// Bind lets every step write variables to the rows of the vehicles.
func (f *Fleet) Bind(references []uint32) error {
	f.references, f.outputs = references, make([]float64, len(references)*len(f.Vehicles))
	if len(references) == 0 {
		return f.all(f.library.fleetBind(f.handle, nil, 0, nil, nil, 0, nil))
	}
	return f.all(f.library.fleetBind(f.handle, nil, 0, nil, &references[0], int64(len(references)), &f.outputs[0]))
}

// Row is the output of the latest step for a vehicle; Read replaces it.
func (f *Fleet) Row(index int) []float64 {
	n := len(f.references)
	return f.outputs[index*n : (index+1)*n]
}

// Read reads the row of a vehicle.
func (f *Fleet) Read(index int) error { return f.Vehicles[index].Get(f.references, f.Row(index)) }

// Set sets the vehicles whose byte in which is not 0 to the same values.
func (f *Fleet) Set(which []byte, references []uint32, values []float64) error {
	if len(references) == 0 {
		return nil
	}
	status := f.library.fleetSet(f.handle, &which[0], &references[0], int64(len(references)), &values[0], 0)
	if status == 0 {
		return nil
	}
	for index, is := range which { // which of them has refused is not known
		if is != 0 {
			if err := f.Vehicles[index].Set(references, values); err != nil {
				return err
			}
		}
	}
	return f.all(status)
}

// Step advances by h seconds the vehicles with a byte other than 0 in which. failed has an error, or nil, for each
// vehicle; err is an error of the whole fleet.
func (f *Fleet) Step(which []byte, h float64) (failed []error, err error) {
	status := f.library.fleetStep(f.handle, &which[0], h, &f.statuses[0])
	failed = make([]error, len(f.Vehicles))
	if status == 0 {
		return failed, nil
	}
	any := false
	for index, s := range f.statuses {
		failed[index] = f.Vehicles[index].check(s)
		any = any || s != 0
	}
	if !any {
		return nil, f.all(status)
	}
	return failed, nil
}
