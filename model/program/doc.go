// Package program turns formulated equations into optimised straight-line code
// and runs it.
//
//	Source (symbols, rates, calls, outputs)
//	  -> graph: definitions dissolved, parameter-only work collected
//	  -> shared pairs of sums and products
//	  -> blocks: init | 1 intermediates | 2 external calls | 3 rates | outputs | start
//	  -> tape (any model, at load time), Go (shipped models), C
//
// The three forms of code execute the same operations in the same tree order. The package does not depend on vehicles;
// an external call is a tire function bound at run time.
//
// Sources: Morency (2007), sections 4.4 and 4.5; linear-graph specification
// sections 9 and 11.
package program
