// Package road gives the height, the slopes and the friction of uneven ground.
//
//	Shape   a kind, with its formula or file
//	Surface an opened shape: At(Query: x, y, t, ...) -> Point: height, slopes, rate, friction
//
// x and y are those of ground [m], t is the time [s]. A surface is a function of x and y. Where it
// jumps, the height is that of the side of larger x and y; where it lies over itself, a query says
// from where it comes.
//
// Sources: ASAM OpenCRG 1.2 for curved regular grids, ISO 8608 for roughness. The roads of road
// property files are those that MSC, Altair and cosin document.
package road
