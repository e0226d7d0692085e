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

// Saved states are portable bytes: a mark, a version, the program's fingerprint,
// flags, a digest of the tire functions and their files, the texts, the coefficients of tires that were set (only if
// there are some), contacts, then numbers as little-endian float64, and a CRC-32C of all that, which finds damage and
// costs little beside a step.
const (
	stateMark    = "SKIDPAD\x00"
	stateVersion = 7
	stateHead    = len(stateMark) + 4 + sha256.Size + 4 + sha256.Size
	stateSum     = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// leading is how many numbers stand in front of the parameters: the time, the settings, and which condition has ended
// the run and when.
const leading = 1 + settings + 2

// The flags.
const (
	flagInitialised = 1 << iota
	flagCoefficients
	flagsEnd
)

// StateSize returns the number of bytes that Save writes now; it changes with the
// texts, with initialisation and with which coefficients of tires were set only.
func (in *Instance) StateSize() int {
	size := stateHead + stateSum + len(in.contact)
	for _, t := range in.texts {
		size += 4 + len(t)
	}
	if len(in.assignments) > 0 {
		size += 4
	}
	for _, a := range in.assignments {
		size += 4 + in.sys.nameLength(a.index) + 8
	}
	for _, list := range in.numbers(in.history()) {
		size += 8 * len(list)
	}
	return size + 8*len(in.noted())
}

// noted is what has been noticed in the run, the last numbers of a saved state.
func (in *Instance) noted() []float64 {
	if !in.initialised {
		return nil
	}
	return in.watch.numbers
}

// numbers lists what a saved state holds, with the history of the solver behind the states; the time and the settings
// come first. The modes of wheel contacts, and the normals that friction needs, are among the inputs.
func (in *Instance) numbers(history []float64) [9][]float64 {
	along, x, stored := in.along, in.x, in.ledger.start
	if !in.initialised {
		along, x, history, stored = nil, nil, nil, nil
	}
	return [...][]float64{
		{in.t, in.settings[stepSetting], in.settings[toleranceSetting], in.ends.number, in.ends.at},
		in.p, in.u, in.rate, in.modes,
		along, x, stored, history,
	}
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
	b = in.saveCoefficients(b)
	for _, on := range in.contact {
		bit := byte(0)
		if on {
			bit = 1
		}
		b = append(b, bit)
	}
	for _, list := range in.numbers(in.history()) {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	for _, v := range in.noted() {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	_ = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return nil
}

// saved is a state read from bytes.
type saved struct {
	head    string // the bytes up to the contacts, which say the same every time
	flags   uint32
	digest  [sha256.Size]byte
	texts   []string
	set     []assignment // coefficients
	contact []bool
	numbers []float64
}

// Restore takes over a saved state of the same model and tree; src holds it exactly.
// Tire functions that differ from those of the instance are looked for and opened; of libraries only those that
// SetText has named in this process before: the author of the bytes cannot make code run.
// Bytes that are corrupted, cut short or of another model are refused without any
// change.
func (in *Instance) Restore(src []byte) error {
	s, err := in.read(src)
	if err != nil {
		return err
	}
	if in.tires == nil || !slices.Equal(in.texts, s.texts) { // else nothing is opened
		if err := in.checkLibraries(s.texts); err != nil {
			return err
		}
	}
	bound := in.tires
	var b *bindings
	if s.flags&flagInitialised != 0 {
		if b, err = in.restoreBindings(s); err != nil {
			return err
		}
	}
	alike := in.initialised && b != nil && b == bound && sameBits(in.p, s.numbers[leading:])
	if !slices.Equal(in.texts, s.texts) {
		copy(in.texts, s.texts)
		in.files = nil
	}
	in.assignments = append(in.assignments[:0], s.set...)
	copy(in.contact, s.contact)
	in.pendingStep.active, in.fresh = false, false
	if b == nil {
		in.disconnect()
	}
	in.initialised = b != nil
	in.prepared = b != nil
	in.t, in.since = s.numbers[0], 0
	rest := s.numbers[1:]
	rest = rest[copy(in.settings[:], rest):]
	in.ends.number, in.ends.at, rest = rest[0], rest[1], rest[2:]
	in.ends.told = in.ends.number != 0
	rest = rest[copy(in.p, rest):]
	rest = rest[copy(in.u, rest):]
	rest = rest[copy(in.rate, rest):]
	rest = rest[copy(in.modes, rest):]
	if b != nil {
		rest = rest[copy(in.along, rest):]
		rest = rest[copy(in.x, rest):]
		rest = rest[copy(in.ledger.start, rest):]
		in.watch.restore(rest[len(rest)-len(in.watch.numbers):])
		in.heard, in.unread = nil, nil
	}
	// else what parameters and functions decide about is there already, also in lanes of a fleet
	if b != nil && !alike {
		in.generation++
		in.machine.SetParameters(in.p)
		in.machine.Start(in.u, in.dx[:len(in.sys.program.States)]) // for the constants
		in.updateConstants()
		in.setLimits()
		in.beginSteps()
	}
	copy(in.history(), rest)
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

// checkLibraries refuses the texts of a saved state where they name a library that the host has not named.
func (in *Instance) checkLibraries(texts []string) error {
	for k, t := range in.sys.tires {
		name := texts[in.sys.texts.tires+2*k]
		if !tire.LibraryAllowed(name, in.sys.folder) {
			return fmt.Errorf("the saved state names the tire library %q, which this process has not named before; "+
				"if you trust it, set %s.model to that text first", name, t.name)
		}
	}
	return nil
}

// restoreBindings returns the tire functions of a saved state, bound: those that there are
// if the texts and what was set of coefficients are the same, else new ones.
func (in *Instance) restoreBindings(s *saved) (*bindings, error) {
	b, sys := in.tires, in.sys
	if b == nil || !slices.Equal(s.texts, in.texts) || !slices.Equal(s.set, in.assignments) {
		var err error
		if sys, err = in.sys.withCurves(s.texts); err != nil {
			return nil, fmt.Errorf("the saved state needs curves that cannot be had: %w", err)
		}
		if b, err = sys.connect(s.texts, s.set); err != nil {
			return nil, fmt.Errorf("the saved state needs tire functions that cannot be had: %w", err)
		}
	}
	fail := func(err error) (*bindings, error) {
		if b != in.tires {
			b.close()
		}
		return nil, err
	}
	if b.digest != s.digest {
		return fail(errors.New("the saved state was made with other tire functions, tire parameters, or files of terrains " +
			"or curves"))
	}
	works, entries := in.worksOf(s.texts)
	states := len(in.sys.program.States) + b.states + works
	history := len(in.history())
	if b != in.tires {
		history = historyLength(s.texts, states)
	}
	want := entries + leading + len(in.p) + 2*len(in.u) + len(in.modes) + len(in.along) + states + history +
		len(b.watched.rows)*rowNumbers
	if len(s.numbers) != want {
		return fail(fmt.Errorf("the saved state holds %d numbers, not %d", len(s.numbers), want))
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

// read checks everything about a saved state that does not need the tire functions. What it returns is valid until it
// is called again.
func (in *Instance) read(src []byte) (*saved, error) {
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

// ErrNotState is returned for bytes that do not begin as a saved state does.
var ErrNotState = errors.New("these bytes are not a saved state")

// bodyOf returns a saved state without its checksum. The version is looked at before it, whose kind depends on that.
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

// readHead reads what stands before the texts, and returns what follows.
func (in *Instance) readHead(s *saved, body []byte) (rest []byte, err error) {
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
func (in *Instance) readTexts(s *saved, rest []byte) ([]byte, error) {
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
	if err := checkCode(s.texts[len(s.texts)-1]); err != nil {
		return nil, err
	}
	if k := in.sys.texts.record; k >= 0 {
		if err := checkRecord(s.texts[k]); err != nil {
			return nil, err
		}
	}
	if k := in.sys.texts.multipliers; k >= 0 && !slices.Contains(vehicle.Multipliers, s.texts[k]) {
		return nil, fmt.Errorf("the saved state has the %s %q", multipliersVariable, s.texts[k])
	}
	return rest, nil
}

// readNumbers reads contacts and numbers.
func (in *Instance) readNumbers(s *saved, rest []byte) error {
	if len(rest) < len(in.contact) {
		return errors.New("the saved state is cut short")
	}
	for _, v := range rest[:len(in.contact)] {
		if v > 1 {
			return errors.New("the saved state holds a contact that is neither on nor off")
		}
		s.contact = append(s.contact, v == 1)
	}
	rest = rest[len(in.contact):]
	least := leading + len(in.p) + 2*len(in.u) + len(in.modes)
	if len(rest)%8 != 0 || len(rest)/8 < least || s.flags&flagInitialised == 0 && len(rest)/8 != least {
		return errors.New("the saved state has the wrong length for this model")
	}
	s.numbers = slices.Grow(s.numbers[:0], len(rest)/8)[:len(rest)/8]
	for i := range s.numbers {
		s.numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(rest[8*i:]))
	}
	if i := firstNonFinite(s.numbers); i >= 0 || s.numbers[1] <= 0 || s.numbers[2] <= 0 ||
		!in.sys.isEnd(s.numbers[1+settings]) {
		return errors.New("the saved state holds values that no instance can have")
	}
	return nil
}
