// Package kc defines kinematics and compliance of suspensions: angles of wheels, contacts, steering axes, roll centres
// and slopes, from places and axes.
//
// Vectors are in axes of the chassis with x forward and z up. Of a left wheel y is to the left, of a right wheel to the
// right: figures of mirror images are equal.
package kc
