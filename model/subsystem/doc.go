// Package subsystem puts the components of subsystem files into models that use them. It works on the documents, before
// components are read, so that everything else sees a flat list.
//
//	document of a model, with [use.NAME] -> Expand -> document without uses
//	    file.go     a subsystem file: frames and parameters that it wants, names that it makes
//	    use.go      a use: its instances, what it gives
//	    scope.go    what names and formulas of an instance mean in the model
//	    resolve.go  components with names of the model, key by key
//	    mirror.go   the right side (package keys says how each quantity is mirrored)
package subsystem
