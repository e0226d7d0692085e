// Package road gives the height and the slopes of uneven ground.
//
//	Shape   a kind, with its formula or file
//	Surface an opened shape: At(x, y, t) -> height, slopes, rate
//
// x and y are those of ground [m], t is the time [s]. A surface is a function of x and y: it has
// one height everywhere. Where it jumps, the height is that of the side of larger x and y.
package road
