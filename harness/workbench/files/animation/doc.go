// Package animation turns the recorded variables of a run into an HTML page that plays it.
//
//	model + trace -> Scene: shapes at frames, and where the frames are at every moment
//	Scene -> one self-contained page: a canvas, its data and the code that draws it
//
// The run has recorded the poses of bodies; the poses of frames on arms and joints follow from the recorded coordinates
// of the joints. Shapes come from the components: a wheel has its radius, a body the cuboid that has its mass and
// inertia.
package animation
