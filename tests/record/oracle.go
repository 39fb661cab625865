// Answers questions about trees, tiles and notes with Go's own sumdb packages: a JSON object a line
// on standard input, the answer on the same line of standard output.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type question struct {
	Ask    string      `json:"ask"`
	Size   int64       `json:"size"`
	Index  int64       `json:"index"` // of a leaf; or the size of the old tree
	Level  int         `json:"level"`
	Leaf   tlog.Hash   `json:"leaf"` // or the root of the old tree
	Root   tlog.Hash   `json:"root"`
	Proof  []tlog.Hash `json:"proof"`
	Hashes []tlog.Hash `json:"hashes"`
	Text   string      `json:"text"`
	Raw    []byte      `json:"raw"`
	Keys   []string    `json:"keys"`
	Time   uint64      `json:"time"`
}

type answer struct {
	Error  string      `json:"error"`
	Text   string      `json:"text"`
	Raw    []byte      `json:"raw"`
	Names  []string    `json:"names"`
	Root   tlog.Hash   `json:"root"`
	Proof  []tlog.Hash `json:"proof"`
	Number int64       `json:"number"`
	Points []int       `json:"points"`
}

// stored is the tree of all leaves that were added, in the order of tlog's own storage.
type stored struct {
	hashes []tlog.Hash
	size   int64
}

func (s *stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		if index >= int64(len(s.hashes)) {
			return nil, fmt.Errorf("no stored hash %d", index)
		}
		found[i] = s.hashes[index]
	}
	return found, nil
}

func (s *stored) add(leaves []tlog.Hash) error {
	for _, leaf := range leaves {
		hashes, err := tlog.StoredHashesForRecordHash(s.size, leaf, s)
		if err != nil {
			return err
		}
		s.hashes = append(s.hashes, hashes...)
		s.size++
	}
	return nil
}

func tile(q question) tlog.Tile {
	return tlog.Tile{H: 8, L: q.Level, N: q.Index, W: int(q.Size)}
}

func verifiers(keys []string) (note.Verifiers, error) {
	var known []note.Verifier
	for _, key := range keys {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			return nil, err
		}
		known = append(known, verifier)
	}
	return note.VerifierList(known...), nil
}

func open(q question, a *answer) error {
	known, err := verifiers(q.Keys)
	if err != nil {
		return err
	}
	opened, err := note.Open(q.Raw, known)
	if err != nil {
		return err
	}
	a.Text = opened.Text
	for _, signature := range opened.Sigs {
		a.Names = append(a.Names, signature.Name)
	}
	return nil
}

func sign(q question, a *answer) error {
	var signers []note.Signer
	for _, key := range q.Keys {
		signer, err := note.NewSigner(key)
		if err != nil {
			return err
		}
		signers = append(signers, signer)
	}
	raw, err := note.Sign(&note.Note{Text: q.Text}, signers...)
	a.Raw = raw
	return err
}

// witness is a key that cosigns, or verifies cosignatures: note knows none by itself.
type witness struct {
	name    string
	hash    uint32
	time    uint64
	public  ed25519.PublicKey
	private ed25519.PrivateKey
}

func newWitness(name string, public ed25519.PublicKey) *witness {
	sum := sha256.Sum256(append([]byte(name+"\n\x04"), public...))
	return &witness{name: name, hash: binary.BigEndian.Uint32(sum[:]), public: public}
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.hash }

func cosigned(text []byte, time uint64) []byte {
	var message bytes.Buffer
	fmt.Fprintln(&message, "cosignature/v1")
	fmt.Fprintln(&message, "time", time)
	message.Write(text)
	return message.Bytes()
}

func (w *witness) Sign(text []byte) ([]byte, error) {
	value := binary.BigEndian.AppendUint64(nil, w.time)
	return append(value, ed25519.Sign(w.private, cosigned(text, w.time))...), nil
}

func (w *witness) Verify(text, value []byte) bool {
	if len(value) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(value)
	return time < 1<<63 && ed25519.Verify(w.public, cosigned(text, time), value[8:])
}

// cosign adds the cosignature of the private key, at the time, to a text.
func cosign(q question, a *answer) error {
	seed, err := base64.StdEncoding.DecodeString(q.Keys[1])
	if err != nil {
		return err
	}
	private := ed25519.NewKeyFromSeed(seed)
	w := newWitness(q.Keys[0], private.Public().(ed25519.PublicKey))
	w.private, w.time = private, q.Time
	a.Number = int64(w.hash)
	a.Raw, err = note.Sign(&note.Note{Text: q.Text}, w)
	return err
}

// openCosigned opens a note with the verifier key of one witness.
func openCosigned(q question, a *answer) error {
	parts := strings.SplitN(q.Keys[0], "+", 3)
	typed, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		return err
	}
	w := newWitness(parts[0], typed[1:])
	if typed[0] != 4 || fmt.Sprintf("%08x", w.hash) != parts[1] {
		return fmt.Errorf("no key of a witness: %s", q.Keys[0])
	}
	opened, err := note.Open(q.Raw, note.VerifierList(w))
	if err != nil {
		return err
	}
	a.Text = opened.Text
	return nil
}

// refusedPoints are the characters that no key name may have.
func refusedPoints(a *answer) error {
	for point := 0; point <= 0x10FFFF; point++ {
		if point >= 0xD800 && point <= 0xDFFF {
			continue
		}
		key, err := note.NewEd25519VerifierKey(strings.Repeat(string(rune(point)), 2), make([]byte, 32))
		if err != nil {
			return err
		}
		if _, err := note.NewVerifier(key); err != nil {
			a.Points = append(a.Points, point)
		}
	}
	return nil
}

func reply(tree *stored, q question, a *answer) (err error) {
	switch q.Ask {
	case "add":
		err = tree.add(q.Hashes)
		a.Number = tree.size
	case "root":
		a.Root, err = tlog.TreeHash(q.Size, tree)
	case "inclusion":
		a.Proof, err = tlog.ProveRecord(q.Size, q.Index, tree)
	case "consistency":
		a.Proof, err = tlog.ProveTree(q.Size, q.Index, tree)
	case "check-inclusion":
		err = tlog.CheckRecord(q.Proof, q.Size, q.Root, q.Index, q.Leaf)
	case "check-consistency":
		err = tlog.CheckTree(q.Proof, q.Size, q.Root, q.Index, q.Leaf)
	case "tile":
		a.Raw, err = tlog.ReadTileData(tile(q), tree)
	case "path":
		a.Text = tile(q).Path()
	case "tree-text":
		a.Text = string(tlog.FormatTree(tlog.Tree{N: q.Size, Hash: q.Root}))
	case "open":
		err = open(q, a)
	case "sign":
		err = sign(q, a)
	case "cosign":
		err = cosign(q, a)
	case "open-cosigned":
		err = openCosigned(q, a)
	case "refused-points":
		err = refusedPoints(a)
	default:
		err = fmt.Errorf("unknown question %q", q.Ask)
	}
	return err
}

func main() {
	questions, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	tree := &stored{}
	for questions.More() {
		var q question
		if err := questions.Decode(&q); err != nil {
			panic(err)
		}
		a := answer{}
		if err := reply(tree, q, &a); err != nil {
			a.Error = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			panic(err)
		}
	}
}
