package mcptest

import "slices"

// Lie is one way in which a server is not what it should be, or one in which
// it is odd and all the same right.
type Lie struct {
	// Name is how Options.Lies and --lie call it.
	Name string
	// Kind says how it has to be taken.
	Kind Kind
	// Requirement are the ids of what is broken, separated by ", ".
	Requirement string
	// Doc is one line about it.
	Doc string
	// Where is where it can be told; "" is everywhere.
	Where Where
	// Era is ProtocolModern where it can be told in that era alone, else "".
	Era string
	// Want are the checks of an audit that do not pass, sorted: "id" for one
	// that fails, "id:status" for all else. Code is its exit code. LegacyWant
	// and LegacyCode are those in the older era.
	Want, LegacyWant []string
	Code, LegacyCode int

	tell func(*script)
}

// Kind is how something has to be taken.
type Kind string

// The kinds. A fault is on the wire or of the process, an oddity is legal.
const (
	KindLie    Kind = "lie"
	KindFault  Kind = "fault"
	KindOddity Kind = "oddity"
)

// Where is what a lie needs.
type Where string

// The places: a pair of streams, HTTP, or a process of its own.
const (
	Anywhere     Where = ""
	OverStdio    Where = "stdio"
	OverHTTP     Where = "http"
	OfTheProcess Where = "process"
)

// Lies gives all lies, in the order of what they are about.
func Lies() []Lie {
	lies := allLies()
	found := readCaught()
	for i := range lies {
		modern, legacy := found[[2]string{lies[i].Name, ProtocolModern}], found[[2]string{lies[i].Name, ProtocolLegacy}]
		lies[i].Want, lies[i].Code = modern.checks, modern.code
		lies[i].LegacyWant, lies[i].LegacyCode = legacy.checks, legacy.code
	}
	return lies
}

func allLies() []Lie {
	return slices.Concat(
		capabilityLies(), listLies(), getLies(), entryLies(), uriLies(), frontmatterLies(), byteLies(), contentLies(), directoryLies(),
		nameLies(), wireFaults(), streamFaults(), processFaults(), httpFaults(), oddities(),
	)
}
