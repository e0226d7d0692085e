package harness

// Version of the product.
const Version = "0.1.0"

// Commit of the sources, where build.sh has told the linker; its last part is "changed" where they have changes.
var Commit string
