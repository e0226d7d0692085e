package trace

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Columns hold the rows that were given, however many and however wide.
func TestColumnsHoldTheirRows(t *testing.T) {
	for _, size := range [][2]int{{0, 3}, {1, 1}, {1, 5000}, {4, 2}, {5, 2}, {1000, 3}, {70_000, 1}} {
		c := NewColumns(size[1])
		row := make([]float64, size[1])
		for i := range size[0] {
			for k := range row {
				row[k] = float64(i*size[1] + k)
			}
			if err := c.Append(row); err != nil {
				t.Fatal(err)
			}
		}
		lists := c.Take()
		if len(lists) != size[1] || c.Rows() != size[0] {
			t.Fatalf("%v: %d columns of %d rows", size, len(lists), c.Rows())
		}
		for k, list := range lists {
			if len(list) != size[0] || !slices.IsSorted(list) || len(list) > 0 && list[len(list)-1] !=
				float64((size[0]-1)*size[1]+k) {
				t.Fatalf("%v: column %d has %d rows", size, k, len(list))
			}
		}
	}
}

// A table takes 8 bytes a number while it is read, and little more, whether it is long or wide; more numbers than are
// read from a file are refused.
func TestColumnsTakeEightBytesANumber(t *testing.T) {
	for _, size := range []struct {
		rows, columns int
		most          float64 // bytes a number: of few rows the lists of pieces count, and the room that is left in them
	}{{1_000_000, 2, 10}, {200, 10_000, 24}, {1, 500_000, 100}} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c, row := NewColumns(size.columns), make([]float64, size.columns)
		for range size.rows {
			if err := c.Append(row); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		numbers := float64(size.rows) * float64(size.columns)
		if each := float64(after.TotalAlloc-before.TotalAlloc) / numbers; each > size.most {
			t.Errorf("%d rows of %d numbers take %.3g bytes a number", size.rows, size.columns, each)
		}
	}
	c := NewColumns(2)
	c.rows = MostRead/2 - 1 // as if they had been read
	if err := c.Append([]float64{1, 2}); err != nil {
		t.Error(err)
	}
	if err := c.Append([]float64{1, 2}); !errors.Is(err, ErrTooMany) || !strings.Contains(err.Error(), "100000000") {
		t.Errorf("%v", err)
	}
}
