package main

// afzal are the figures of Afzal (2018).
var afzal []picture
