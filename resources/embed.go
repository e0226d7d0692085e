// Package resources holds the models, subsystems, tires and roads that Skidpad ships, so that model files in any folder
// can use them by name.
package resources

import "embed"

// Files are the shipped files that model files can name, by paths from the folder resources.
//
//go:embed models subsystems tires roads
var Files embed.FS
