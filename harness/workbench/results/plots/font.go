package plots

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// Of fonts in the TrueType format (Apple TrueType Reference Manual; OpenType 1.9, chapters of the tables).
const (
	trueType    = 0x00010000
	checksumAll = 0xB1B0AFBA // of the whole file, in the table head
	headSize    = 54
	// flags of a part of a composite glyph
	wordArguments = 0x0001
	oneScale      = 0x0008
	moreParts     = 0x0020
	twoScales     = 0x0040
	fourScales    = 0x0080
)

// errFont is of a font that is not TrueType, or damaged.
var errFont = errors.New("a font of a plot is not in the TrueType format")

// kept are the tables that are copied as they are. GPOS, GSUB and GDEF hold forms of scripts that no plot uses, and
// pairs of letters that kern has, too.
var kept = []string{"OS/2", "cvt ", "fpgm", "gasp", "kern", "name", "prep"}

// subset is a TrueType font reduced to the outlines of some characters. The glyph indices are kept, so other tables
// that name glyphs stay valid. index gives the glyph of a character, 0 for a missing glyph.
func subset(font []byte, characters []rune, index func(rune) uint16) ([]byte, error) {
	tables, err := tablesOf(font)
	if err != nil {
		return nil, err
	}
	head, maxp, hhea := tables["head"], tables["maxp"], tables["hhea"]
	if len(head) < headSize || len(maxp) < 6 || len(hhea) < 36 {
		return nil, errFont
	}
	glyphs := map[uint16][]byte{}
	pending := []uint16{0} // the first stands for characters that are missing
	for _, r := range characters {
		pending = append(pending, index(r))
	}
	long := binary.BigEndian.Uint16(head[50:]) != 0
	for len(pending) > 0 {
		g := pending[0]
		pending = pending[1:]
		if _, has := glyphs[g]; has {
			continue
		}
		if glyphs[g], err = outline(tables["loca"], tables["glyf"], g, long); err != nil {
			return nil, err
		}
		parts, err := partsOf(glyphs[g])
		if err != nil {
			return nil, err
		}
		pending = append(pending, parts...)
	}
	count := slices.Max(slices.Collect(maps.Keys(glyphs))) + 1

	out := map[string][]byte{}
	for _, name := range kept {
		if tables[name] != nil {
			out[name] = tables[name]
		}
	}
	var glyf, loca []byte
	for g := range count {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		glyf = append(glyf, glyphs[g]...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}
	out["glyf"], out["loca"] = glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head = slices.Clone(head)
	binary.BigEndian.PutUint32(head[8:], 0)
	binary.BigEndian.PutUint16(head[50:], 1) // offsets of 32 bits
	maxp = slices.Clone(maxp)
	binary.BigEndian.PutUint16(maxp[4:], count)
	wide := min(binary.BigEndian.Uint16(hhea[34:]), count)
	metrics := 4*int(wide) + 2*int(count-wide)
	if len(tables["hmtx"]) < metrics {
		return nil, errFont
	}
	hhea = slices.Clone(hhea)
	binary.BigEndian.PutUint16(hhea[34:], wide)
	out["head"], out["maxp"], out["hhea"], out["hmtx"] = head, maxp, hhea, tables["hmtx"][:metrics]
	out["cmap"] = characterMap(characters, index)
	post := make([]byte, 32) // version 3 has no names of glyphs
	copy(post, tables["post"])
	binary.BigEndian.PutUint32(post, 0x00030000)
	out["post"] = post
	return fontFile(out), nil
}

// tablesOf are the tables of a font file by their tags.
func tablesOf(font []byte) (map[string][]byte, error) {
	if len(font) < 12 || binary.BigEndian.Uint32(font) != trueType {
		return nil, errFont
	}
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		at := 12 + 16*i
		if len(font) < at+16 {
			return nil, errFont
		}
		begin, size := int(binary.BigEndian.Uint32(font[at+8:])), int(binary.BigEndian.Uint32(font[at+12:]))
		if begin > len(font) || size > len(font)-begin {
			return nil, errFont
		}
		tables[string(font[at:at+4])] = font[begin : begin+size : begin+size]
	}
	return tables, nil
}

// outline is the outline of a glyph; empty for a blank.
func outline(loca, glyf []byte, glyph uint16, long bool) ([]byte, error) {
	at := func(i int) (int, bool) {
		if long {
			if len(loca) < 4*i+4 {
				return 0, false
			}
			return int(binary.BigEndian.Uint32(loca[4*i:])), true
		}
		if len(loca) < 2*i+2 {
			return 0, false
		}
		return 2 * int(binary.BigEndian.Uint16(loca[2*i:])), true
	}
	begin, has := at(int(glyph))
	end, ends := at(int(glyph) + 1)
	if !has || !ends || begin > end || end > len(glyf) {
		return nil, errFont
	}
	return glyf[begin:end], nil
}

// partsOf returns the parts of a composite glyph, such as letter and accent.
func partsOf(glyph []byte) (parts []uint16, err error) {
	if len(glyph) < 10 || int16(binary.BigEndian.Uint16(glyph)) >= 0 {
		return nil, nil
	}
	for at := 10; ; {
		if len(glyph) < at+4 {
			return nil, errFont
		}
		flags := binary.BigEndian.Uint16(glyph[at:])
		parts = append(parts, binary.BigEndian.Uint16(glyph[at+2:]))
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&oneScale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&fourScales != 0:
			at += 8
		}
		if flags&moreParts == 0 {
			return parts, nil
		}
	}
}

// characterMap is a table cmap of format 12, with a group for each character.
func characterMap(characters []rune, index func(rune) uint16) []byte {
	var groups []byte
	count := uint32(0)
	for _, r := range slices.Compact(slices.Sorted(slices.Values(characters))) {
		if g := index(r); g != 0 {
			for _, v := range []uint32{uint32(r), uint32(r), uint32(g)} {
				groups = binary.BigEndian.AppendUint32(groups, v)
			}
			count++
		}
	}
	var t []byte
	for _, v := range []uint16{0, 1, 3, 10} { // version, one subtable: Windows, Unicode
		t = binary.BigEndian.AppendUint16(t, v)
	}
	t = binary.BigEndian.AppendUint32(t, 12)                                                       // where it begins
	t = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(t, 12), 0)                     // format
	t = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(t, 16+uint32(len(groups))), 0) // language
	return append(binary.BigEndian.AppendUint32(t, count), groups...)
}

// fontFile puts tables into a file, with their checksums.
func fontFile(tables map[string][]byte) []byte {
	names := slices.Sorted(maps.Keys(tables))
	power, exponent := 1, uint16(0)
	for 2*power <= len(names) {
		power, exponent = 2*power, exponent+1
	}
	font := binary.BigEndian.AppendUint32(nil, trueType)
	for _, v := range []uint16{uint16(len(names)), uint16(16 * power), exponent, uint16(16 * (len(names) - power))} {
		font = binary.BigEndian.AppendUint16(font, v)
	}
	begin := len(font) + 16*len(names)
	var data []byte
	adjusted := 0
	for _, name := range names {
		t := tables[name]
		if name == "head" {
			adjusted = begin + len(data) + 8
		}
		font = append(font, name...)
		for _, v := range []uint32{checksum(t), uint32(begin + len(data)), uint32(len(t))} {
			font = binary.BigEndian.AppendUint32(font, v)
		}
		data = append(data, t...)
		for len(data)%4 != 0 {
			data = append(data, 0)
		}
	}
	font = append(font, data...)
	binary.BigEndian.PutUint32(font[adjusted:], checksumAll-checksum(font))
	return font
}

// checksum is the sum of a table as numbers of 32 bits.
func checksum(t []byte) (sum uint32) {
	for len(t) > 0 {
		var word [4]byte
		n := copy(word[:], t)
		sum += binary.BigEndian.Uint32(word[:])
		t = t[n:]
	}
	return sum
}
