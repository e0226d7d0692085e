package main

import "io"

func run(root, out string, log io.Writer) error { return nil }
