package main

// source is a document that Skidpad implements, with what Skidpad draws for its figures. The names of the pictures are
// figure_<name>_<figure>.svg; docs/figures/<name>.md shows each beside a statement of how it compares.
type source struct {
	name    string
	figures []picture
}

// sources in the order of docs/sources.md; each has a file in this package.
var sources = []source{
	{"morency", morency},
	{"vaniwaarden", vanIwaarden},
	{"afzal", afzal},
	{"minaker", minaker},
	{"ikoki", ikoki},
}
