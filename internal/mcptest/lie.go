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
	// Waits says that nothing but waiting shows it.
	Waits bool
	// Outcome is what an audit says of it in the newer era.
	Outcome

	// others are the outcomes that differ from Outcome, by era, by the way on
	// which it is told, or by both.
	others map[string]Outcome

	tell func(*script)
}

// Outcome is what an audit says of something.
type Outcome struct {
	// Code is the exit code.
	Code int
	// Want are the checks that do not pass, sorted: "id" for one that fails,
	// "id:status" for all else.
	Want []string
}

// In gives the outcome in one era, on one way.
func (l Lie) In(era string, way Where) Outcome {
	if way == Anywhere {
		way = "pipes"
	}
	for _, condition := range []string{era + "/" + string(way), era, string(way)} {
		if o, ok := l.others[condition]; ok {
			return o
		}
	}
	return l.Outcome
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
		rows := found[lies[i].Name]
		lies[i].Outcome, lies[i].others = rows[anyway], rows
	}
	return lies
}

func allLies() []Lie {
	return slices.Concat(
		capabilityLies(), listLies(), getLies(), entryLies(), uriLies(), frontmatterLies(), byteLies(), contentLies(), directoryLies(),
		nameLies(), wireFaults(), streamFaults(), processFaults(), httpFaults(), oddities(),
	)
}
