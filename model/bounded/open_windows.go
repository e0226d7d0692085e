package bounded

// nonblocking: opening does not wait on Windows.
const nonblocking = 0
