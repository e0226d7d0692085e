package main

// vanIwaarden are the figures of van Iwaarden (2003).
var vanIwaarden []picture
