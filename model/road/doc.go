// Package road gives the height, the slopes and the friction of uneven ground.
//
//	Shape   a kind, with its formula or file
//	Surface an opened shape: At(Query: x, y, t, ...) -> Point: height, slopes, rate, friction
//
// x and y are coordinates in ground [m], t is the time [s]. A surface is a function of x and y. Where the surface
// jumps, the height is the height of the side of larger x and y. Where the surface lies over itself, the earlier place
// or the height in the query chooses the level.
//
// Sources: ASAM OpenCRG 1.2 for curved regular grids, ISO 8608 for roughness. The documentation of MSC, Altair and
// cosin defines the roads of road property files.
package road
