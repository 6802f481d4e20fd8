package mcpprobe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

// admit says whether a file of an entry may be requested: it is listed, and not
// too large (C-3). It gives what is listed for it; of a dynamic skill nothing
// is, and any file below its directory may be asked for.
func (c *Client) admit(e *Entry, uri string) (*Resource, error) {
	refuse := func(part Part, want, have, message string) error {
		return &VerificationError{Skill: e.URI, URI: uri, Part: part, Want: want, Have: have, Message: message}
	}
	if e.Dynamic {
		if uri != e.URI && (e.Dir == "" || !within(e.Dir, uri)) {
			return nil, refuse(PartURI, e.Dir, uri, "the file is not below the skill's directory; it was not asked for")
		}
		return &Resource{URI: uri, Size: -1}, nil
	}
	want, several := e.resource(uri)
	switch {
	case want == nil:
		return nil, refuse(PartURI, "", uri, "the file is not listed for the skill; it was not asked for")
	case several:
		return nil, refuse(PartURI, "", uri, "the file is listed twice, and not alike; it was not asked for")
	case want.Size < 0:
		return nil, refuse(PartSize, "", "", "the entry has no size for the file; it was not asked for")
	case want.Size > c.options.MaxFileBytes:
		return nil, c.tooLarge(uri, want.Size, "listed")
	}
	if _, err := digest.Parse(want.Digest); err != nil {
		return nil, refuse(PartDigest, "", want.Digest, "the entry has no digest for the file that could be checked; it was not asked for")
	}
	return want, nil
}

func (c *Client) tooLarge(uri string, size int64, how string) error {
	return &LimitError{
		Bound:   "max-file-bytes",
		Message: fmt.Sprintf("%q has %s bytes as %s; at most %s are read", clip(uri), thousands(size), how, thousands(c.options.MaxFileBytes)),
	}
}

// The bound of an answer that holds one file: JSON writes a byte with six
// characters at most (\u0000), and the envelope has its metadata.
const (
	wireBytesPerByte = 6
	wireEnvelope     = 64 << 10
)

// readLimit bounds an answer by the size that is listed; 0 stands for the
// default, where none is.
func (c *Client) readLimit(size int64) int64 {
	if size < 0 || size > c.options.MaxFileBytes || size > (math.MaxInt64-wireEnvelope)/wireBytesPerByte {
		return 0
	}
	return wireBytesPerByte*size + wireEnvelope
}

// oversize makes an answer that is longer than the listed size allows what it
// is: a file of another size.
func oversize(e *Entry, want *Resource, err error) error {
	var limit *LimitError
	if want.Size < 0 || !errors.As(err, &limit) || limit.Bound != "max-file-bytes" {
		return err
	}
	return &VerificationError{
		Skill: e.URI, URI: want.URI, Part: PartSize, Want: sizeText(want.Size), Have: "more",
		Message: fmt.Sprintf("%s are listed, and the answer is far longer; it was not read to its end", sizeText(want.Size)),
	}
}

func sizeText(size int64) string {
	if size == 1 {
		return "1 byte"
	}
	return thousands(size) + " bytes"
}

// verifyFile holds what was read against the entry (C-3, C-4).
func (c *Client) verifyFile(e *Entry, want *Resource, item *contentItem) error {
	if e.Dynamic && int64(len(item.content)) > c.options.MaxFileBytes {
		return c.tooLarge(want.URI, int64(len(item.content)), "served")
	}
	if !e.Dynamic {
		if problem := verifyContent(e, want, item); problem != nil {
			return problem
		}
	}
	if want.URI != e.URI {
		return nil
	}
	compared := compareFrontmatter(e.Frontmatter, parseServed(e, item.content))
	if compared.equal() {
		return nil
	}
	first := compared.first()
	return &VerificationError{
		Skill: e.URI, URI: want.URI, Part: PartFrontmatter, Want: first.listing, Have: first.served,
		Explanation: first.explanation, Message: first.message(),
	}
}

// verifyContent compares size and digest, in this order (C-3), and gives nil
// where both fit. What is not listed, or not so that it could be compared, fits.
func verifyContent(e *Entry, want *Resource, item *contentItem) *VerificationError {
	have := digest.Of(item.content).String()
	listed, comparable := comparableDigest(want.Digest)
	size := int64(len(item.content))
	problem := &VerificationError{Skill: e.URI, URI: want.URI}
	switch {
	case want.Size >= 0 && want.Size != size:
		problem.Part, problem.Want, problem.Have = PartSize, sizeText(want.Size), sizeText(size)
		problem.Message = fmt.Sprintf("%s are listed and %s are served", sizeText(want.Size), thousands(size))
		if listed == have {
			problem.Message += ", and the digest fits"
		}
	case comparable && listed != have:
		problem.Part, problem.Want, problem.Have = PartDigest, listed, have
		problem.Message = sizeText(size) + " as listed, another digest"
		if want.Size < 0 {
			problem.Message = sizeText(size) + " are served, with another digest than is listed"
		}
	default:
		return nil
	}
	if problem.Explanation = explain(e, &Resource{want.URI, listed, want.Size}, item); problem.Explanation != "" {
		problem.Message += "; " + problem.Explanation
	}
	return problem
}

// comparableDigest reads a digest also where it is written wrongly, with
// upper-case digits or without its prefix: that is a finding of its own, and
// says nothing of the file.
func comparableDigest(text string) (string, bool) {
	text = strings.ToLower(text)
	if !strings.HasPrefix(text, "sha256:") {
		text = "sha256:" + text
	}
	d, err := digest.Parse(text)
	if err != nil {
		return "", false
	}
	return d.String(), true
}

// parseServed parses a SKILL.md as it is served. Its folder is called as its
// URI says.
func parseServed(e *Entry, content []byte) *spec.Skill {
	s := spec.Parse(content)
	s.File, s.DirName = spec.SkillFile, uriName(e.URI)
	return s
}

// comparison is the frontmatter of an entry beside that of the served file
// (S-RD2).
type comparison struct {
	// unreadable says why the served one gives no JSON, or is "".
	unreadable string
	fields     []fieldDifference
	// forms are the fields whose numbers are equal and written differently.
	forms []fieldDifference
}

// fieldDifference is one field that differs.
type fieldDifference struct {
	field string
	// listing and served are the values as JSON, "nothing" for none.
	listing, served string
	explanation     string
}

func (c *comparison) equal() bool { return c.unreadable == "" && len(c.fields) == 0 }

// first gives the first difference.
func (c *comparison) first() fieldDifference {
	if c.unreadable != "" {
		return fieldDifference{explanation: c.unreadable}
	}
	return c.fields[0]
}

// message says what differs; the values are evidence.
func (d fieldDifference) message() string {
	switch {
	case d.field == "":
		return "the frontmatter of the served file cannot be compared: " + d.explanation
	case d.served == nothing:
		return fmt.Sprintf("%s is in the listing and not in the served file", d.name())
	case d.listing == nothing:
		return d.explained(fmt.Sprintf("%s is in the served file and not in the listing", d.name()))
	}
	return d.explained(fmt.Sprintf("%s in the listing differs from the served file", d.name()))
}

// name writes a field as people do, and quoted where it has more than words.
func (d fieldDifference) name() string {
	plain := strings.IndexFunc(d.field, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
	}) < 0
	if plain {
		return d.field
	}
	return fmt.Sprintf("%q", clipTo(d.field, 80))
}

func (d fieldDifference) explained(message string) string {
	if d.explanation != "" {
		message += "; " + d.explanation
	}
	return message
}

// nothing stands for a value that is not there.
const nothing = "nothing"

// compareFrontmatter compares JSON with the YAML of a file, read by the core
// schema of YAML 1.2. Numbers are compared by value, key order counts for
// nothing, and null is not the same as nothing.
func compareFrontmatter(listing json.RawMessage, served *spec.Skill) *comparison {
	raw, err := served.Frontmatter.JSON()
	if err != nil {
		return &comparison{unreadable: whyUnreadable(served, err)}
	}
	if len(listing) == 0 {
		return &comparison{unreadable: "the entry has none"}
	}
	c := &comparison{}
	ambiguous := ambiguousFields(served)
	for _, change := range digest.DiffFields(listing, raw) {
		d := difference(change)
		d.explanation = explainField(change, ambiguous[change.Pointer])
		c.fields = append(c.fields, d)
	}
	for _, change := range digest.DiffForms(listing, raw) {
		c.forms = append(c.forms, difference(change))
	}
	return c
}

func difference(change digest.FieldChange) fieldDifference {
	show := func(raw json.RawMessage) string {
		if raw == nil {
			return nothing
		}
		return clipTo(compact(raw), maxEvidence)
	}
	return fieldDifference{field: change.Field(), listing: show(change.Old), served: show(change.New)}
}

// whyUnreadable prefers what the parser found to a general word.
func whyUnreadable(served *spec.Skill, err error) string {
	for _, d := range spec.Validate(served) {
		if d.Severity == spec.Error && d.Field == "" {
			return d.Message
		}
	}
	return err.Error()
}

// ambiguousFields gives, by JSON Pointer, what the validator says of values
// that YAML 1.1 and YAML 1.2 read differently.
func ambiguousFields(served *spec.Skill) map[string]string {
	found := map[string]string{}
	for _, rule := range spec.Rules() {
		if rule.ID == "ambiguous-scalar" {
			for _, d := range spec.Validate(served, rule) {
				found[d.Field] = d.Message
			}
		}
	}
	return found
}

// explainField names the harmless reason why a field differs, or gives "".
func explainField(change digest.FieldChange, ambiguous string) string {
	if change.Old == nil {
		return "every field that the author wrote has to pass through"
	}
	listing, isText := text(change.Old)
	served, isTextToo := text(change.New)
	switch {
	case ambiguous != "":
		return "YAML 1.1 typing is the reason: " + ambiguous
	case change.New == nil:
		return ""
	case isText != isTextToo && isScalar(change.Old) && isScalar(change.New):
		return "one of the two was quoted, or read by a YAML 1.1 loader"
	case !isText || !isTextToo:
		return ""
	case strings.TrimSpace(listing) == strings.TrimSpace(served):
		return "only the blanks and line ends around it differ: a block scalar keeps its last line end"
	case strings.Join(strings.Fields(listing), " ") == strings.Join(strings.Fields(served), " "):
		return "only blanks and line ends differ"
	case sameNormalised(listing, served):
		return "only the Unicode normalisation differs"
	}
	return ""
}

func isScalar(raw json.RawMessage) bool {
	what := kind(raw)
	return what != "an object" && what != "an array" && what != "missing"
}
