// Package resources holds the files that Skidpad ships for use from any folder.
package resources

import "embed"

// Files are the models, subsystems, manoeuvres, assessments, systems, tires, roads and tracks that can be given by
// name, by paths from the folder resources.
//
//go:embed models subsystems manoeuvres assessments systems tires roads tracks
var Files embed.FS

// Templates are vehicles to begin with, a folder for each.
//
//go:embed templates
var Templates embed.FS
