package program

// WheelContact is a wheel contact, which acts on the state between solver steps. Indices of states are -1 for axes of
// ground along which a mass cannot move.
type WheelContact struct {
	Name                         string
	Contact, ContactSpeed        [3]int // states of the contact mass, by axis of ground
	Rim, RimSpeed                [3]int // states of the rim
	Fixed                        [3]int // constants: fixed coordinates of the contact mass
	Terrain                      int    // index into Program.Terrains
	EVert, EHor, RollingVelocity int    // constants
	InitialMode                  int    // constant
	Height                       int    // input: added to the terrain under this wheel [m]
	Mode                         int    // control: 0 air, 1 rolling, 2 impact
	Normal                       [3]int // controls: of the terrain at the latest contact
	// Impulse are controls, and Inertia constants: inertial masses of the contact mass along the axes of ground.
	// Without requests for impulses, there are none and Impulsive is false.
	Impulse, Inertia [3]int
	Impulsive        bool
}

// Terrain is a terrain of the model.
type Terrain struct {
	Name                   string
	Kind, Formula, File    string
	Centred                bool
	Class                  string
	Seed                   int // constant
	Height, SlopeX, SlopeY int // constants
	FrictionLeft           int // constant
	FrictionRight          int // constant
	// Map describes the friction of the terrain.
	Map struct{ Kind, Formula, File string }
}

// UnevenRoad is the terrain under a tire, with the local plane z = Height + SlopeX x + SlopeY y, rising at Rate. The
// side Wheels computes the centres of the wheels, and for enveloping tires their directions on the ground, in the order
// of Program.Uneven.
type UnevenRoad struct {
	Terrain                      int
	Height, SlopeX, SlopeY, Rate int // controls
	Friction                     int // control: factor on the tire's own friction
	Above                        int // input: added to the terrain under this tire [m]
	Points                       int // rows of points of an enveloping footprint; 0: none
	Length, Width                int // constants: of the footprint [m]
}

// Plane lists the controls that describe the plane under the tire.
func (u *UnevenRoad) Plane() [5]int { return [5]int{u.Height, u.SlopeX, u.SlopeY, u.Rate, u.Friction} }
