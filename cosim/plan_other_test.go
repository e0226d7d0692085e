//go:build !amd64 || windows

package cosim_test

// canPlan reports that C cannot call machine code.
const canPlan = false
