// Package tir reads and writes tire property files and other files of the TeimOrbit format: sections of
// entries and tables in lines of text, as vehicle-dynamics tools exchange them.
//
//	bytes      -> Parse -> File: sections, entries and tables with their places
//	File       -> Read  -> Properties: Magic Formula version, coefficients in SI units, side, ranges
//	File       -> Format -> bytes
//
// The format has no grammar; what is accepted is what files hold:
//
//	$ comment, also !                     first on a line or behind a value
//	[SECTION]
//	KEY = 'text'  KEY = "text"  KEY=text  blanks and tabs around = are optional
//	KEY = 1.5  1.5D+03  .5  2.            numbers as Fortran writes them
//	(BLOCK)                               lines of free text, or a table
//	{first second}                        heading of a table; rows of numbers follow
//
// Names count without case. Lines end with LF, CR LF or CR, the last one with nothing; a byte-order
// mark and a Ctrl-Z at the end are skipped. Bytes beyond ASCII are allowed in comments and strings. Tables need no
// heading in sections that hold nothing else. An unused section can come twice. An unknown section can hold any lines.
//
// The package knows nothing of tire functions.
package tir
