package cosim

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"skidpad/model/solver"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// Saved states are portable bytes: a mark, a version, the program's fingerprint, flags, a digest of the tire functions
// and their files, the texts, the coefficients of tires that were set (only if any were set), contacts, then numbers as
// little-endian float64. A CRC-32C of all these bytes comes last. It finds damage and costs little beside a step.
const (
	stateMark    = "SKIDPAD\x00"
	stateVersion = 8
	stateHead    = len(stateMark) + 4 + sha256.Size + 4 + sha256.Size
	stateSum     = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The flags.
const (
	flagInitialised = 1 << iota
	flagCoefficients
	flagsEnd
)

// StateSize returns the number of bytes that Save writes now. It changes only with the texts, with initialisation, and
// with the set of coefficients of tires that were set.
func (in *Instance) StateSize() int {
	size := stateHead + stateSum + len(in.touches.on)
	for _, t := range in.texts {
		size += 4 + len(t)
	}
	if len(in.assignments) > 0 {
		size += 4
	}
	for _, a := range in.assignments {
		size += 4 + in.sys.nameLength(a.index) + 8
	}
	return size + 8*(1+in.state.length(in.initialised))
}

var (
	errStateSize = errors.New("the buffer is too small for the saved state")
	errUnderway  = errors.New("a communication step is under way; finish it first")
)

// Save writes the whole state into dst, which must hold StateSize bytes. A
// restored instance continues bit by bit like this one.
func (in *Instance) Save(dst []byte) error {
	if in.pendingStep.active {
		return errUnderway
	}
	if len(dst) < in.StateSize() {
		return errStateSize
	}
	b := append(dst[:0], stateMark...)
	b = binary.LittleEndian.AppendUint32(b, stateVersion)
	b = append(b, in.sys.id...)
	flags := uint32(0)
	var digest [sha256.Size]byte
	if in.initialised {
		flags, digest = flagInitialised, in.tires.digest
	}
	if len(in.assignments) > 0 {
		flags |= flagCoefficients
	}
	b = binary.LittleEndian.AppendUint32(b, flags)
	b = append(b, digest[:]...)
	for _, t := range in.texts {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(t)))
		b = append(b, t...)
	}
	b = coefficients{in}.save(b)
	for _, on := range in.touches.on {
		bit := byte(0)
		if on {
			bit = 1
		}
		b = append(b, bit)
	}
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(in.t))
	for i := range in.state.parts {
		p := &in.state.parts[i]
		if p.run && !in.initialised {
			break
		}
		for _, v := range p.numbers {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	_ = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return nil
}

// saved is a state read from bytes.
type saved struct {
	head    string // the bytes up to the contacts, which are always the same
	flags   uint32
	digest  [sha256.Size]byte
	texts   []string
	set     []assignment // coefficients
	contact []bool
	t       float64
	numbers []float64 // in the order of state.parts
}

// Restore replaces the state by a saved state of the same model and tree; src holds exactly that state. Tire functions
// that differ from the functions of the instance are found and opened. Libraries are opened only if SetText has named
// them in this process before, so that the author of the bytes cannot run code. Bytes that are corrupted, cut short or
// of another model are refused without any change.
func (in *Instance) Restore(src []byte) error {
	if in.derived != nil {
		return errors.New("the run carries derivatives, which saved states do not have; reset the instance first")
	}
	r := stateReader{in}
	s, err := r.read(src)
	if err != nil {
		return err
	}
	if in.tires == nil || !slices.Equal(in.texts, s.texts) { // otherwise nothing is opened
		if err := r.checkLibraries(s.texts); err != nil {
			return err
		}
	}
	bound := in.tires
	var b *bindings
	if s.flags&flagInitialised != 0 {
		if b, err = r.restoreBindings(s); err != nil {
			return err
		}
	}
	alike := in.initialised && b != nil && b == bound && sameBits(in.p, s.numbers[in.state.parametersAt:])
	if !slices.Equal(in.texts, s.texts) {
		copy(in.texts, s.texts)
		in.files = nil
	}
	in.assignments = append(in.assignments[:0], s.set...)
	copy(in.touches.on, s.contact)
	in.pendingStep.active, in.fresh = false, false
	if b == nil {
		in.disconnect()
	}
	in.initialised = b != nil
	in.prepared = b != nil
	in.t, in.since = s.t, 0
	in.state.take(s.numbers, b != nil)
	for _, a := range in.acts {
		a.restored()
	}
	if b != nil {
		in.watch.restored()
		in.heard, in.unread = nil, nil
	}
	// if alike, everything that depends on parameters and functions is up to date, also in lanes of a fleet
	if b != nil && !alike {
		in.generation++
		in.machine.SetParameters(in.p)
		in.machine.Start(in.u, in.dx[:len(in.sys.program.States)]) // for the constants
		in.updateConstants()
		in.watch.setLimits(in.machine)
		in.beginSteps()
		in.state.take(s.numbers, true) // values that beginSteps has cleared
	}
	return nil
}

// sameBits reports whether from begins with the numbers of list, zeros with their signs.
func sameBits(list, from []float64) bool {
	for i, v := range list {
		if math.Float64bits(v) != math.Float64bits(from[i]) {
			return false
		}
	}
	return true
}

// stateReader is an instance with the methods that read saved states.
type stateReader struct{ *Instance }

// checkLibraries refuses the texts of a saved state where they name a library that the host has not named.
func (in stateReader) checkLibraries(texts []string) error {
	for _, t := range in.sys.slots {
		name := texts[t.text]
		if !tire.LibraryAllowed(name, in.sys.folder) {
			return fmt.Errorf("the saved state names the library function %q, which this process has not named before; "+
				"if you trust it, set %s to that text first", name, in.sys.variables[in.sys.first[Text]+t.text].Name)
		}
	}
	return nil
}

// restoreBindings returns the tire functions of a saved state, bound. If the texts and the set coefficients are the
// same, it returns the present functions, otherwise new ones.
func (in stateReader) restoreBindings(s *saved) (*bindings, error) {
	b, sys := in.tires, in.sys
	if b == nil || !slices.Equal(s.texts, in.texts) || !slices.Equal(s.set, in.assignments) {
		var err error
		if sys, err = in.sys.withCurves(s.texts); err != nil {
			return nil, fmt.Errorf("the saved state needs curves that are not available: %w", err)
		}
		if b, err = sys.connect(s.texts, s.set); err != nil {
			return nil, fmt.Errorf("the saved state needs functions that are not available: %w", err)
		}
	}
	fail := func(err error) (*bindings, error) {
		if b != in.tires {
			b.close()
		}
		return nil, err
	}
	if b.digest != s.digest {
		return fail(errors.New("the saved state was made with other functions, parameters of tires, or files of terrains " +
			"or curves"))
	}
	want := in.state.length(true)
	if b != in.tires {
		want = in.state.lengthWith(in.Instance, b, s.texts)
	}
	if len(s.numbers) != want {
		return fail(fmt.Errorf("the saved state holds %d numbers, not %d", 1+len(s.numbers), 1+want))
	}
	if b == in.tires {
		return b, nil
	}
	before, machine := in.sys, in.machine
	in.follow(sys)
	if err := in.bind(b, s.texts); err != nil {
		in.sys, in.machine = before, machine
		return fail(err)
	}
	return b, nil
}

// read checks everything about a saved state that does not need the tire functions. The result is valid until the next
// call.
func (in stateReader) read(src []byte) (*saved, error) {
	body, err := bodyOf(src)
	if err != nil {
		return nil, err
	}
	if s := in.latest; s != nil && len(body) >= len(s.head) && string(body[:len(s.head)]) == s.head {
		s.contact = s.contact[:0]
		return s, in.readNumbers(s, body[len(s.head):])
	}
	s := &saved{}
	rest, err := in.readHead(s, body)
	if err != nil {
		return nil, err
	}
	if rest, err = in.readTexts(s, rest); err != nil {
		return nil, err
	}
	s.head = string(body[:len(body)-len(rest)])
	in.latest = s
	return s, in.readNumbers(s, rest)
}

// ErrNotState is returned for bytes that do not begin like a saved state.
var ErrNotState = errors.New("these bytes are not a saved state")

// bodyOf returns a saved state without its checksum. The version is checked first, because the kind of checksum depends
// on it.
func bodyOf(src []byte) ([]byte, error) {
	if len(src) < stateHead+stateSum {
		return nil, fmt.Errorf("%d bytes are too few for a saved state", len(src))
	}
	if string(src[:len(stateMark)]) != stateMark {
		return nil, ErrNotState
	}
	if v := binary.LittleEndian.Uint32(src[len(stateMark):]); v != stateVersion {
		return nil, fmt.Errorf("the saved state has version %d; this library reads version %d", v, stateVersion)
	}
	body, sum := src[:len(src)-stateSum], src[len(src)-stateSum:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return nil, errors.New("the saved state is corrupted or cut short")
	}
	return body, nil
}

// readHead reads the bytes before the texts, and returns the bytes after them.
func (in stateReader) readHead(s *saved, body []byte) (rest []byte, err error) {
	at := len(stateMark) + 4
	if string(body[at:at+len(in.sys.id)]) != string(in.sys.id) {
		return nil, errors.New("the saved state belongs to another model or tree")
	}
	at += len(in.sys.id)
	if s.flags = binary.LittleEndian.Uint32(body[at:]); s.flags >= flagsEnd {
		return nil, errors.New("the saved state holds unknown flags")
	}
	at += 4
	at += copy(s.digest[:], body[at:])
	return body[at:], nil
}

// readTexts reads texts and coefficients.
func (in stateReader) readTexts(s *saved, rest []byte) ([]byte, error) {
	for range in.texts {
		if len(rest) < 4 || uint64(binary.LittleEndian.Uint32(rest)) > uint64(len(rest)-4) {
			return nil, errors.New("a text of the saved state is cut short")
		}
		n := int(binary.LittleEndian.Uint32(rest))
		s.texts = append(s.texts, string(rest[4:4+n]))
		rest = rest[4+n:]
	}
	rest, err := in.readCoefficients(s, rest)
	if err != nil {
		return nil, err
	}
	if _, err := solver.Lookup(s.texts[0]); err != nil {
		return nil, err
	}
	if err := checkCode(s.texts[in.sys.texts.code]); err != nil {
		return nil, err
	}
	if k := in.sys.texts.record; k >= 0 {
		if err := checkRecord(s.texts[k]); err != nil {
			return nil, err
		}
	}
	if matrix := s.texts[in.sys.texts.jacobian]; !slices.Contains(solver.Matrices, matrix) {
		return nil, fmt.Errorf("the saved state has the %s %q", jacobianVariable, matrix)
	}
	if k := in.sys.texts.multipliers; k >= 0 && !slices.Contains(vehicle.Multipliers, s.texts[k]) {
		return nil, fmt.Errorf("the saved state has the %s %q", multipliersVariable, s.texts[k])
	}
	if k := in.sys.texts.assemble; k >= 0 && !slices.Contains(vehicle.Assemblies, s.texts[k]) {
		return nil, fmt.Errorf("the saved state has the %s %q", AssembleVariable, s.texts[k])
	}
	return rest, nil
}

// readNumbers reads contacts and numbers.
func (in stateReader) readNumbers(s *saved, rest []byte) error {
	if len(rest) < len(in.touches.on) {
		return errors.New("the saved state is cut short")
	}
	for _, v := range rest[:len(in.touches.on)] {
		if v > 1 {
			return errors.New("the saved state holds a contact that is neither on nor off")
		}
		s.contact = append(s.contact, v == 1)
	}
	rest = rest[len(in.touches.on):]
	n, least := len(rest)/8-1, in.state.length(false)
	if len(rest)%8 != 0 || n < least || s.flags&flagInitialised == 0 && n != least {
		return errors.New("the saved state has the wrong length for this model")
	}
	s.t, rest = math.Float64frombits(binary.LittleEndian.Uint64(rest)), rest[8:]
	s.numbers = slices.Grow(s.numbers[:0], n)[:n]
	for i := range s.numbers {
		s.numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(rest[8*i:]))
	}
	if s.t-s.t != 0 || firstNonFinite(s.numbers) >= 0 || !in.state.allows(s.numbers) {
		return errors.New("the saved state holds values that no instance can have")
	}
	return nil
}
