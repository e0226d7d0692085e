//go:build !windows

package cosim_test

// canPlan says that C can call machine code.
const canPlan = true
