package main

// #include "step.h"
import "C"

import (
	"unsafe"

	"skidpad/cosim"
	"skidpad/model/road"
)

// shapeKinds are the kinds of terrain of step.h, by those of package road.
var shapeKinds = map[string]C.int32_t{
	road.Flat: C.STEP_FLAT, road.Table: C.STEP_TABLE, road.Grid: C.STEP_GRID, road.Formula: C.STEP_FORMULA_KIND,
	road.ISO8608: C.STEP_WAVES, road.Profile: C.STEP_PROFILE, road.Mesh: C.STEP_MESH, road.CRG: C.STEP_LINE,
}

// ground writes the terrain under tires into the plan, and reports whether C can evaluate all of it.
func (p *plan) ground() bool {
	of, c := p.of, p.c
	grounds := list[C.step_ground](p, len(of.Grounds))
	for i, g := range of.Grounds {
		grounds[i] = C.step_ground{
			surface: C.int32_t(g.Surface), points: C.int32_t(g.Points), above: C.int32_t(g.Above), height: C.int32_t(g.Height),
			slope_x: C.int32_t(g.SlopeX), slope_y: C.int32_t(g.SlopeY), rate: C.int32_t(g.Rate),
			friction: C.int32_t(g.Friction),
		}
	}
	footprints := list[[C.STEP_FOOTPRINT_NUMBERS]float64](p, len(of.Grounds))
	for i, f := range of.Footprints {
		footprints[i] = [...]float64{C.STEP_LENGTH: f.Length, C.STEP_WIDTH: f.Width}
	}
	c.grounds, c.ground_count = unsafe.SliceData(grounds), C.size_t(len(grounds))
	surfaces := list[C.step_surface](p, len(of.Surfaces))
	levels := list[[C.STEP_GROUND_NUMBERS]float64](p, len(of.Surfaces))
	formulas := list[C.step_formula](p, 2*len(of.Surfaces)) // of heights and of friction
	for i := range of.Surfaces {
		s, l, to := &of.Surfaces[i], of.Levels[i], &surfaces[i]
		levels[i] = [...]float64{C.STEP_LEVEL: l.Height, C.STEP_SLOPE_X: l.SlopeX, C.STEP_SLOPE_Y: l.SlopeY,
			C.STEP_LEFT: l.Left, C.STEP_RIGHT: l.Right}
		to.sloped = flag(s.Sloped)
		if !p.shape(&to.heights, &s.Heights, formulas, 2*i) {
			return false
		}
		if waves := of.Waves[i]; waves != nil {
			to.heights.numbers = p.numbers(waves)
			c.shares = (*C.double)(p.block(3*len(waves)/C.STEP_WAVE_NUMBERS, 8))
		}
		if s.Friction != nil {
			to.mapped = 1
			if !p.shape(&to.friction, s.Friction, formulas, 2*i+1) {
				return false
			}
		}
	}
	c.surfaces, c.levels = unsafe.SliceData(surfaces), (*C.double)(unsafe.Pointer(unsafe.SliceData(levels)))
	c.formulas = unsafe.SliceData(formulas)
	c.footprints = (*C.double)(unsafe.Pointer(unsafe.SliceData(footprints)))
	c.along, c.reached = p.numbers(of.Along), p.numbers(of.Reached)
	c.along_before = (*C.double)(p.block(len(of.Grounds), 8))
	c.placed = (*C.double)(p.block(5*len(of.Grounds), 8))
	return p.evaluation(&c.wheels, of.Wheels)
}

// contacts writes the wheel contacts into the plan.
func (p *plan) contacts() {
	of, c := p.of, p.c
	contacts, laws := list[C.step_contact](p, len(of.Contacts)), list[C.step_job](p, len(of.Contacts))
	axes := func(to *[3]C.int32_t, of [3]int) {
		for k, i := range of {
			to[k] = C.int32_t(i)
		}
	}
	for i, of := range of.Contacts {
		to := &contacts[i]
		axes(&to.place, of.Contact)
		axes(&to.speed, of.ContactSpeed)
		axes(&to.rim, of.Rim)
		axes(&to.rim_speed, of.RimSpeed)
		axes(&to.normal, of.Normal)
		axes(&to.impulse, of.Impulse)
		to.surface, to.height, to.mode = C.int32_t(of.Terrain), C.int32_t(of.Height), C.int32_t(of.Mode)
		to.impulsive = flag(of.Impulsive)
		laws[i] = p.run(of.Law)
	}
	c.contacts, c.contact_laws = unsafe.SliceData(contacts), unsafe.SliceData(laws)
	c.contact_count = C.size_t(len(contacts))
	c.contact_along = p.numbers(of.ContactAlong)
	c.contact_logged = unsafe.SliceData(list[*C.double](p, len(contacts)))
	c.contact_along_before = (*C.double)(p.block(len(contacts), 8))
}

// shape writes the heights or the friction of a surface to c; k is the index of its formula, if it has one. shape
// reports whether C can evaluate the surface.
func (p *plan) shape(c *C.step_shape, of *road.Lookup, formulas []C.step_formula, k int) bool {
	*c = C.step_shape{kind: shapeKinds[of.Kind], columns: C.int32_t(of.Columns), rows: C.int32_t(of.Rows),
		formula: C.int32_t(k), x: C.double(of.X), y: C.double(of.Y), cell: C.double(of.Cell)}
	if len(of.Heights) > 0 {
		p.pinned.Pin(&of.Heights[0])
		c.heights = (*C.float)(&of.Heights[0])
	}
	if len(of.Indices) > 0 {
		p.pinned.Pin(&of.Indices[0])
		c.indices = (*C.int32_t)(&of.Indices[0])
	}
	c.numbers = p.numbers(of.Numbers)
	if of.Rates == nil {
		return true
	}
	f := &formulas[k]
	if !p.evaluation(&f.rates, of.Rates) || !p.evaluation(&f.outputs, of.Outputs) {
		return false
	}
	f.rates.states = nil // a formula has no states
	f.rates.inputs = p.at(cosim.Place{Memory: of.Rates.Memory, At: of.Rates.Inputs})
	return true
}
