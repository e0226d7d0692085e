package trace

import (
	"errors"
	"fmt"
)

// MostRead is the largest number of numbers that are read from a file: 0.8 GB. A compressed file of a megabyte can hold
// more than a thousand times what its size says.
const MostRead = 100_000_000

// ErrTooMany is the error of a file with more numbers.
var ErrTooMany = errors.New("too many numbers")

// Columns gathers rows of numbers whose count is not known. It keeps them in pieces, so that a number takes 8 bytes:
// nothing is copied while it grows, and room for an eighth more rows is made at a time.
type Columns struct {
	pieces [][][]float64 // by column
	rows   int
}

// The rows of the smallest and of the largest piece.
const leastPiece, mostPiece = 4, 1 << 16

// NewColumns has a number of columns without rows.
func NewColumns(columns int) *Columns { return &Columns{pieces: make([][][]float64, columns)} }

// Rows are how many rows there are.
func (c *Columns) Rows() int { return c.rows }

// Append adds a row. More numbers than are read from a file are refused.
func (c *Columns) Append(row []float64) error {
	if float64(c.rows+1)*float64(len(row)) > MostRead {
		return fmt.Errorf("%w: at most %d are read; thin the recording, or leave columns out", ErrTooMany, MostRead)
	}
	for k, x := range row {
		last := len(c.pieces[k]) - 1
		if last < 0 || len(c.pieces[k][last]) == cap(c.pieces[k][last]) {
			c.pieces[k] = append(c.pieces[k], make([]float64, 0, min(max(c.rows/8, leastPiece), mostPiece)))
			last++
		}
		c.pieces[k][last] = append(c.pieces[k][last], x)
	}
	c.rows++
	return nil
}

// Take returns each column as one list, and leaves nothing behind.
func (c *Columns) Take() [][]float64 {
	lists := make([][]float64, len(c.pieces))
	for k, pieces := range c.pieces {
		list := make([]float64, 0, c.rows)
		for _, piece := range pieces {
			list = append(list, piece...)
		}
		lists[k], c.pieces[k] = list, nil
	}
	return lists
}
