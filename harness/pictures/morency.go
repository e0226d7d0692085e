package main

// morency are the figures of Morency (2007).
var morency []picture
