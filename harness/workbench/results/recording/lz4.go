package recording

import (
	"errors"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// mostGrowth is the largest ratio of bytes that LZ4 can make of compressed ones.
const mostGrowth = 255

// checkLZ4 is the error of a file with a damaged page that is compressed by LZ4. The library takes every fault of such
// a page for too little room, and doubles that until there is no memory, which ends the process.
func checkLZ4(file *parquet.File, data []byte) error {
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			m := &chunk.MetaData
			if m.Codec != parquetformat.Lz4Raw {
				continue
			}
			// Pages are read from the dictionary, if there is one, and once more from the data behind it.
			first := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				first = m.DictionaryPageOffset
			}
			size := int64(len(data))
			if first < 0 || first > size || m.TotalCompressedSize < 0 {
				continue // the library says what is wrong
			}
			end := first + min(m.TotalCompressedSize, size-first)
			for _, begin := range []int64{first, m.DataPageOffset} {
				if begin < first || begin > end {
					continue
				}
				if err := checkLZ4Pages(data[begin:end]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkLZ4Pages checks pages up to the first page without a valid header; the library stops there, too.
func checkLZ4Pages(pages []byte) error {
	var protocol thrift.CompactProtocol
	for len(pages) > 0 {
		var header parquetformat.PageHeader
		reader := protocol.NewReaderFromBytes(pages)
		if thrift.NewDecoder(reader).Decode(&header) != nil {
			return nil
		}
		pages = pages[min(reader.BytesRead(), len(pages)):]
		if n := header.CompressedPageSize; n < 0 || int(n) > len(pages) {
			return nil
		}
		page := pages[:header.CompressedPageSize]
		pages = pages[header.CompressedPageSize:]
		size := int(header.UncompressedPageSize)
		if header.DataPageHeaderV2.Valid && header.Type == parquetformat.DataPageV2 {
			v2 := &header.DataPageHeaderV2.V
			if v2.IsCompressed.Valid && !v2.IsCompressed.V {
				continue
			}
			levels := int(max(v2.RepetitionLevelsByteLength, 0)) + int(max(v2.DefinitionLevelsByteLength, 0))
			if levels > len(page) {
				continue // panics in the library, which is an error here
			}
			page = page[levels:]
		}
		if size < 0 || size > mostGrowth*len(page)+mostGrowth {
			return errDamaged
		}
		if _, err := lz4.UncompressBlock(page, make([]byte, size)); err != nil {
			return errDamaged
		}
	}
	return nil
}

var errDamaged = errors.New("a page that is compressed by LZ4 is damaged")
