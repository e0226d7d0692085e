package harness

// Version of the product.
const Version = "0.1.0"
