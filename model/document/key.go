package document

// Shape is what the value of a key is.
type Shape uint8

// The shapes.
const (
	NumberShape  Shape = iota // a number, a text of a number and its unit, or a formula
	TextShape                 // a text that is not empty
	WordShape                 // one of Choices
	TextsShape                // a list of texts
	NumbersShape              // a list of numbers
	TableShape                // a table of Keys, or of one of Kinds
	TablesShape               // a list of tables of Keys
	NamedShape                // a table by names of the file's own, of what Value describes
	AnyShape                  // what Any describes, one of several
	ListShape                 // a list of what Value describes
)

// AnyUnit is the unit of numbers that have that of what they are for, which the file alone does not tell.
const AnyUnit = "?"

// Key describes one key of a table, for its reader and for the schemas that editors read. A key without Default that is
// not Optional must be given.
type Key struct {
	Name     string
	Shape    Shape
	Unit     string // SI unit of its numbers; "1" for pure ones, AnyUnit
	Text     string // what it is
	Default  string
	Optional bool
	Choices  []string // WordShape
	Keys     []Key    // TableShape, TablesShape
	Kinds    []Choice // TableShape: the key "kind" tells which
	Value    *Key     // NamedShape, ListShape
	Any      []Key    // AnyShape
	// Plain numbers are neither formulas nor texts with a unit.
	Plain bool
	// Positive and Nonnegative bound numbers.
	Positive, Nonnegative bool
}

// Choice is one kind of a table.
type Choice struct {
	Word, Text string
	Keys       []Key
}

// Names are the names of keys.
func Names(list []Key) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names
}

// Find is the key of a name, nil without.
func Find(list []Key, name string) *Key {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}
