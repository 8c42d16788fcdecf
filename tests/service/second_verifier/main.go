// A second verifier of published trees and proofs, on Go's own packages for transparency logs.
//
//	second_verifier FOLDER LOG_KEY WITNESS_KEY PROOF... REQUEST...
//
// It opens the checkpoint in FOLDER with golang.org/x/mod/sumdb/note, reads its tiles with
// golang.org/x/mod/sumdb/tlog, and checks the root, a proof for entries all over the tree, a proof for older
// trees all over its growth, and every PROOF (*.tlog-proof) and REQUEST (*.request, to a witness; the tree of
// its old size must be the beginning of the tree in FOLDER). WITNESS_KEY may be "-". It prints what it checked;
// anything that does not hold ends it with exit code 1.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error, what string) {
	if err != nil {
		fmt.Println("BROKEN:", what+":", err)
		os.Exit(1)
	}
}

func need(holds bool, what string) {
	if !holds {
		fmt.Println("BROKEN:", what)
		os.Exit(1)
	}
}

// witness verifies a cosignature (c2sp.org/tlog-cosignature), which x/mod does not know.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(signature)
	return ed25519.Verify(w.key, []byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)), signature[8:])
}

func readWitness(line string) witness {
	parts := strings.SplitN(line, "+", 3)
	need(len(parts) == 3, "the key of the witness has three parts")
	hash, err := strconv.ParseUint(parts[1], 16, 32)
	must(err, "the id of the witness")
	key, err := base64.StdEncoding.DecodeString(parts[2])
	must(err, "the key of the witness")
	need(len(key) == 33 && key[0] == 4, "the key of the witness is for cosignatures")
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	need(uint32(hash) == binary.BigEndian.Uint32(sum[:]), "the id of the witness is that of its key")
	return witness{parts[0], uint32(hash), key[1:]}
}

type head struct {
	size int64
	root tlog.Hash
}

// open checks the signatures under a checkpoint and reads what it says.
func open(text []byte, origin string, known note.Verifiers, signers int) head {
	opened, err := note.Open(text, known)
	must(err, "checkpoint")
	need(len(opened.Sigs) == signers, "the checkpoint has the signatures of all who are known")
	lines := strings.Split(opened.Text, "\n")
	need(len(lines) == 4 && lines[0] == origin, "the checkpoint has an origin, a size and a root")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err, "size")
	root, err := tlog.ParseHash(lines[2])
	must(err, "root")
	return head{size, root}
}

// folder reads tiles where c2sp.org/tlog-tiles puts them: without the height in the path.
type folder string

func (f folder) Height() int { return 8 }
func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		content, err := os.ReadFile(filepath.Join(string(f), strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
		if err != nil {
			return nil, err
		}
		found = append(found, content)
	}
	return found, nil
}
func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

// entry reads one entry from its bundle.
func (f folder) entry(index, size int64) []byte {
	tile := tlog.Tile{H: 8, L: -1, N: index / 256, W: 256}
	if rest := size - tile.N*256; rest < 256 {
		tile.W = int(rest)
	}
	name := strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1)
	content, err := os.ReadFile(filepath.Join(string(f), name))
	must(err, "entries")
	for skip := index % 256; ; skip-- {
		length := binary.BigEndian.Uint16(content)
		if skip == 0 {
			return content[2 : 2+length]
		}
		content = content[2+length:]
	}
}

func hashes(lines []string) (found []tlog.Hash) {
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		must(err, "a hash of a proof")
		found = append(found, hash)
	}
	return found
}

func main() {
	need(len(os.Args) >= 4, "usage: second_verifier FOLDER LOG_KEY WITNESS_KEY FILE...")
	tiles := folder(os.Args[1])
	log, err := note.NewVerifier(os.Args[2])
	must(err, "key")
	verifiers := []note.Verifier{log}
	if os.Args[3] != "-" {
		verifiers = append(verifiers, readWitness(os.Args[3]))
	}
	known := note.VerifierList(verifiers...)

	text, err := os.ReadFile(filepath.Join(os.Args[1], "checkpoint"))
	must(err, "checkpoint")
	tree := open(text, log.Name(), known, len(verifiers))
	reader := tlog.TileHashReader(tlog.Tree{N: tree.size, Hash: tree.root}, tiles)
	root, err := tlog.TreeHash(tree.size, reader)
	must(err, "root")
	need(root == tree.root, "the tiles give the root that was signed")

	entries, trees := 0, 0
	step := tree.size/200 + 1
	for at := int64(0); at < tree.size; at += step {
		proof, err := tlog.ProveRecord(tree.size, at, reader)
		must(err, "proof of an entry")
		must(tlog.CheckRecord(proof, tree.size, tree.root, at, tlog.RecordHash(tiles.entry(at, tree.size))), "entry")
		entries++
		older, err := tlog.TreeHash(at+1, reader)
		must(err, "older root")
		growth, err := tlog.ProveTree(tree.size, at+1, reader)
		must(err, "proof of growth")
		must(tlog.CheckTree(growth, tree.size, tree.root, at+1, older), "growth")
		trees++
	}

	proofs, requests := 0, 0
	for _, name := range os.Args[4:] {
		content, err := os.ReadFile(name)
		must(err, name)
		parts := bytes.SplitN(content, []byte("\n\n"), 2)
		need(len(parts) == 2, name+" has a checkpoint")
		lines := strings.Split(string(parts[0]), "\n")
		if strings.HasSuffix(name, ".request") {
			signed := open(parts[1], log.Name(), note.VerifierList(log), 1)
			old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
			must(err, "old size")
			older, err := tlog.TreeHash(old, reader)
			must(err, "old root")
			must(tlog.CheckTree(tlog.TreeProof(hashes(lines[1:])), signed.size, signed.root, old, older), name)
			requests++
			continue
		}
		signed := open(parts[1], log.Name(), known, len(verifiers))
		need(len(lines) >= 3 && lines[0] == "c2sp.org/tlog-proof@v1", name+" is a proof")
		extra, err := base64.StdEncoding.Strict().DecodeString(strings.TrimPrefix(lines[1], "extra "))
		must(err, "extra")
		fact := bytes.Split(extra, []byte("\n")) // previous, tournament, version, topic, payload; personal parts
		need(len(fact) >= 5, name+" holds a fact")
		hash := sha256.Sum256(bytes.Join(fact[:5], []byte("\n")))
		for _, piece := range fact[5:] {
			commitment := sha256.Sum256(piece)
			need(bytes.Contains(fact[4], []byte(hex.EncodeToString(commitment[:]))), "the fact commits to the part")
		}
		entry := fmt.Sprintf("%s %s %s\n", fact[1], fact[2], hex.EncodeToString(hash[:]))
		index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
		must(err, "index")
		path := tlog.RecordProof(hashes(lines[3:]))
		must(tlog.CheckRecord(path, signed.size, signed.root, index, tlog.RecordHash([]byte(entry))), name)
		proofs++
	}
	fmt.Printf("size %d, entries %d, trees %d, proofs %d, requests %d\n", tree.size, entries, trees, proofs, requests)
}
