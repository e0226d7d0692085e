//go:build !amd64 || windows

package machinecode

// cConvention says that the code is not tried as a function of C on this system.
const cConvention = false
