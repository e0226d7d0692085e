package formulate

import "skidpad/model"

type rigidArm struct{ *model.RigidArm }

// IgnoresTurn: a chord keeps its head at a place along the tail's axes.
func (c rigidArm) IgnoresTurn(t Turn) bool { return !t.Tail || t.Branch }
