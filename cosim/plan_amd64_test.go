//go:build !windows

package cosim_test

// canPlan reports that C can call machine code.
const canPlan = true
