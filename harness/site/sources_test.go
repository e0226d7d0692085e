package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// numbered are items of the five documents that docs/sources.md must give a verdict on.
var numbered = map[string]string{
	"Morency (2007)": "1.1 1.2 2.1.2 2.1.3 2.2 2.3 2.3.4 2.4.4 2.4.5 3.1 3.2 3.3 3.4 4.3 4.4 4.6 4.7 5.1 5.2 5.3 5.3.3 " +
		"5.4.3 6.1 6.2 table2.1 table4.3 table4.4 table4.5 table5.1 table5.2 table5.3 table5.4 table5.5 " +
		"table5.6 tableA.1 tableA.9 tableA.17 figure2.3 figure3.4 figure3.5 figure3.7 figure3.8 " +
		"figure3.9 figure4.5 figure4.7 figure4.8 figure4.9 figure5.6 figure5.8 figure5.12 figure5.13 " +
		"figure5.14 figure5.18 figure5.20 (2.24) (2.38)",
	"van Iwaarden (2003)": "1.3 1.5 1.6 1.6.1 1.7 2.3 2.6 3.1 3.2 3.2.3 3.2.4 3.3 3.3.2 3.4 3.6 4.2 4.3 6.2 6.3 " +
		"6.5.1 6.5.5 " +
		"7.3 7.4 8.2 figure1.7 figure1.8 figure1.12 figure3.1 figure3.2 figure3.3 figure3.8 figure3.9 " +
		"figure3.10 figure3.11 figure3.12 figure6.2 figure6.7 figure6.8 figure6.9 figure6.10 figure6.17 " +
		"figure6.24 figure7.1",
	"Afzal (2018)": "chapter1 chapter2 3.2 3.5.1 3.5.3 3.5.5 4.1 5.3 chapter6 chapter7 figure4.7 figure4.8 figure4.9 " +
		"figure5.1 figure5.4 figure5.5 figure5.6 figure5.8 figure5.14 figure5.22 figure5.30 table4.1 " +
		"table4.2 table5.1 table5.2 table5.3 table5.5 table5.6 table5.7 figureC.12",
	"Minaker (2010)": "2.1 3.1 3.2 3.3 4 table1 figure1 figure2 (1) (2) (3) (4) (7)",
	"Ikoki (2022)": "2.3 (1) (13) (14) (17) (25) (31) (32) (33) (34) (35) (36) (37) table1 figure1 figure4 figure5 " +
		"figure6 figure7 figure8 figure9 figure10 figure11 figure12 figure13 figure14",
}

// item is one number in the first column of a row, with the word before it, or the first and the last of a range.
var item = regexp.MustCompile(`(?i)(figures?|tables?|chapters?)?,? ?` + number + `(?: to ` + number + `)?`)

// number is such as 3.4, A.1 or (2.38).
const number = `(\(?)([A-C]\.)?(\d+(?:\.\d+)*)(\)?)`

// itemsOf lists the items of the first column of a row, those within ranges included.
func itemsOf(cell string) map[string]bool {
	found, word := map[string]bool{}, ""
	for _, m := range item.FindAllStringSubmatch(cell, -1) {
		switch {
		case m[1] != "":
			word = strings.TrimSuffix(strings.ToLower(m[1]), "s")
		case m[2] != "":
			word = ""
		case strings.Count(m[4], ".") >= 2 && word == "figure":
			word = ""
		}
		name := func(letter, number string) string {
			if m[2] != "" {
				return "(" + letter + number + ")"
			}
			return word + letter + number
		}
		found[name(m[3], m[4])] = true
		if m[8] == "" {
			continue
		}
		stem, from := cut(m[4])
		other, to := cut(m[8])
		if stem != other {
			found[name(m[7], m[8])] = true
			continue
		}
		for k := from; k <= to; k++ {
			found[name(m[3], stem+strconv.Itoa(k))] = true
		}
	}
	return found
}

// cut parts a number into its last part and what is before it.
func cut(number string) (stem string, last int) {
	at := strings.LastIndex(number, ".") + 1
	last, _ = strconv.Atoi(number[at:])
	return number[:at], last
}

// Each numbered item of the sources has a row with a verdict.
func TestEveryItemOfTheSourcesHasAVerdict(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "sources.md"))
	if err != nil {
		t.Fatal(err)
	}
	of, source := map[string]map[string]bool{}, ""
	for line := range strings.Lines(string(text)) {
		if heading, is := strings.CutPrefix(line, "## "); is {
			source = strings.TrimSpace(heading)
			of[source] = map[string]bool{}
		}
		cells := strings.Split(line, "|")
		if source == "" || len(cells) < 5 {
			continue
		}
		if verdict := strings.TrimSpace(cells[3]); verdict == "" {
			t.Errorf("%s: %s has no verdict", source, cells[1])
		}
		for name := range itemsOf(cells[1]) {
			of[source][name] = true
		}
	}
	for source, list := range numbered {
		for _, name := range strings.Fields(list) {
			if !of[source][name] {
				t.Errorf("%s: no row of docs/sources.md is about %s", source, name)
			}
		}
	}
}
