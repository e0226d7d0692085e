//go:build amd64 && !windows

package machinecode

// cConvention says that the code is a function of C on this system: it takes memory and pool where the System V
// convention has the first two arguments, returns where that has results, and uses no register that callers keep.
const cConvention = true
