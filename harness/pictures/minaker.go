package main

// minaker are the figures of Minaker.
var minaker []picture
