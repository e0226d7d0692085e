//go:build !amd64 || windows

package cosim_test

// canPlan says that C cannot call machine code.
const canPlan = false
