package mcpprobe

import (
	"fmt"
	"slices"
)

// Requirements of MCP itself, which the extension is a part of, go by the name
// of the base protocol.
const baseProtocol = "MCP"

var checkRevision = register(CheckInfo{
	ID: "protocol-revision", Group: GroupConnect, Level: May, Requirement: "S-CAP4",
	Title: "revision 2026-07-28 of MCP, or a later one, was negotiated",
	Doc: "The extension is written against revision 2026-07-28. Most servers still answer with an older handshake, so that " +
		"this is information by a decision of this project, and the audit goes on. What the base protocol has only since " +
		"2026-07-28 is judged only there: `resultType`, `ttlMs`, `cacheScope`, and the error -32602 for an unknown " +
		"resource.\n\n" +
		"Answer `server/discover`. `--protocol` forces one of the two.",
})

var checkServerInfo = register(CheckInfo{
	ID: "server-info", Group: GroupConnect, Level: May, Requirement: baseProtocol,
	Title: "the server says its name and version",
	Doc: "A report that names the server and its version can be read later. The name is the server's own word and is only " +
		"shown: hosts know servers by the label that their user gives them.\n\n" +
		"Fill in `serverInfo` in the handshake.",
})

// judgeConnection judges what the handshake told.
func (a *auditor) judgeConnection() {
	problem := ""
	if !a.server.Modern() {
		problem = fmt.Sprintf("the revision is %s: what the base protocol has only since %s is noted and not judged", a.revision(), ProtocolModern)
	}
	a.judge(checkRevision, subject{}, problem)
	problem = ""
	if a.server.Name == "" || a.server.Version == "" {
		problem = "the server does not say its name and version"
	}
	a.judge(checkServerInfo, subject{}, problem)
}

func (a *auditor) revision() string {
	if a.server.Protocol == "" {
		return "unknown"
	}
	return clipTo(a.server.Protocol, 40)
}

var checkDuplicateKeys = register(CheckInfo{
	ID: "wire-duplicate-keys", Group: GroupConnect, Level: Must, Requirement: baseProtocol,
	Title: "no object of an answer has a key twice",
	Doc: "Of a key that comes twice some readers take the first value, most the last, and some refuse the message. Two " +
		"hosts then see two skills, and what one verified is not what the other loads. That it fails is a decision of " +
		"this project; RFC 8259 says that keys should be unique.\n\n" +
		"Build answers with a JSON library, not by joining text.",
	Example: `{"uri": "skill://a/SKILL.md", "uri": "skill://b/SKILL.md"}`,
	Good:    `{"uri": "skill://a/SKILL.md"}`,
})

var checkWireUTF8 = register(CheckInfo{
	ID: "wire-utf8", Group: GroupConnect, Level: Must, Requirement: baseProtocol,
	Title: "each message is UTF-8",
	Doc: "MCP messages are UTF-8. Readers replace other bytes with U+FFFD, silently, so that the text of a file is another " +
		"one than was hashed.\n\n" +
		"Serve files that are no UTF-8 as `blob`, and take care that the server writes its output as UTF-8.",
})

var checkSurrogates = register(CheckInfo{
	ID: "wire-surrogates", Group: GroupConnect, Level: Should, Requirement: baseProtocol,
	Title: "no text has half a surrogate pair",
	Doc: "`\\ud83d` alone stands for no character. Some readers keep it, some replace it with U+FFFD, and some refuse the " +
		"message; the bytes of the text then differ from reader to reader.\n\n" +
		"Cut text between characters, not between UTF-16 units.",
})

var checkEnvelope = register(CheckInfo{
	ID: "wire-envelope", Group: GroupConnect, Level: Must, Requirement: baseProtocol,
	Title: "each message is one of JSON-RPC 2.0",
	Doc: "An answer has `\"jsonrpc\": \"2.0\"`, the id of its request, and either `result` or `error`, whose code is an integer " +
		"and whose message is a string. Strict clients drop everything else, and the request seems never to be " +
		"answered.\n\n" +
		"Answer requests only; a notification gets no answer, not even one with the id null.",
	Example: `{"id": null, "result": {}}`,
	Good:    `{"jsonrpc": "2.0", "id": 4, "result": {…}}`,
})

var checkUnknownIDs = register(CheckInfo{
	ID: "wire-unknown-ids", Group: GroupConnect, Level: Must, Requirement: baseProtocol,
	Title: "the server answers only what it was asked",
	Doc: "An answer with an id that was never sent, or that was answered already, fits no request. A client that matches " +
		"answers carelessly takes it for another one's.\n\n" +
		"Send back the id as it came, with its type, and answer each request once.",
})

var checkNoise = register(CheckInfo{
	ID: "wire-noise", Group: GroupConnect, Level: Must, Requirement: baseProtocol,
	Title: "standard output holds nothing but messages",
	Doc: "Over stdio the server's standard output belongs to the protocol: one message a line. A greeting, a progress bar or " +
		"a warning of a library there breaks clients that read strictly.\n\n" +
		"Write logs to standard error.",
	Example: "Server started!\n{\"jsonrpc\": \"2.0\", …}",
	Good:    "{\"jsonrpc\": \"2.0\", …}",
})

var checkHTTP = register(CheckInfo{
	ID: "wire-http", Group: GroupConnect, Level: Should, Requirement: baseProtocol,
	Title: "the status and content type of each HTTP answer fit what is in it",
	Doc: "Clients choose by the content type how to read an answer, and by the status whether to read it at all. A result " +
		"behind status 500, or JSON called text/plain, is lost to some of them.\n\n" +
		"Answer with application/json or text/event-stream, and with status 200 for a result.",
})

var checkServerRequests = register(CheckInfo{
	ID: "server-requests", Group: GroupConnect, Level: May, Requirement: baseProtocol,
	Title: "the server asks nothing of the client",
	Doc: "Serving skills takes no sampling, no roots and no elicitation. The probe answers pings and declines everything " +
		"else, so that a server which needs an answer may behave otherwise than with a host.\n\n" +
		"Ask only where the client has declared that it can answer.",
})

var checkListChanged = register(CheckInfo{
	ID: "list-changed", Group: GroupConnect, Level: May, Requirement: "S-LST1",
	Title: "nothing changed while the audit ran",
	Doc: "The server sent a notification, for instance that its list of resources has changed. What the audit saw at its " +
		"beginning and at its end may then be two states of the server, and findings about differences between them may " +
		"be due to that.\n\n" +
		"Run the audit again while nothing is published.",
})

// wireChecks say which check a fault of a message belongs to.
var wireChecks = []struct {
	kind  FaultKind
	check *CheckInfo
	// raw checks need the bytes on the wire: over a transport that gives decoded
	// messages they cannot be made. on limits a check to some transports.
	raw bool
	on  []Transport
}{
	{FaultDuplicateKey, checkDuplicateKeys, true, nil},
	{FaultUTF8, checkWireUTF8, true, nil},
	{FaultSurrogate, checkSurrogates, true, nil},
	{FaultEnvelope, checkEnvelope, true, nil},
	{FaultUnknownID, checkUnknownIDs, true, nil},
	{FaultNoise, checkNoise, true, []Transport{TransportStdio}},
	{FaultHTTP, checkHTTP, true, []Transport{TransportHTTP, TransportSSE}},
	{FaultServerRequest, checkServerRequests, false, nil},
	{FaultNotification, checkListChanged, false, nil},
}

// seenFault is a fault of a message as it is reported: once, however often it
// was seen.
type seenFault struct {
	kind         FaultKind
	uri, message string
}

// maxSeenFaults bounds the faults of answers that are kept.
const maxSeenFaults = 1000

// noteFaults keeps the faults of the message that answered a request.
func (a *auditor) noteFaults(x *Exchange) {
	if len(x.Faults) == 0 {
		return
	}
	a.state.Lock()
	defer a.state.Unlock()
	for _, fault := range x.Faults {
		if len(a.seenFaults) < maxSeenFaults {
			a.seenFaults[seenFault{fault.Kind, x.URI, fmt.Sprintf("%s, in the answer to %s", fault.Message, x.Method)}] = true
		}
	}
}

// judgeWire judges the messages that went over the wire, all of them.
func (a *auditor) judgeWire() {
	traffic := a.client.Traffic()
	for _, w := range wireChecks {
		for fault := range a.seenFaults {
			if fault.kind == w.kind {
				a.fault(w.check, subject{uri: fault.uri}, fault.message)
			}
		}
		for _, fault := range traffic.Faults {
			if fault.Kind == w.kind {
				a.fault(w.check, subject{}, fault.Message)
			}
		}
		switch {
		case a.came(w.check):
		case w.on != nil && !slices.Contains(w.on, a.server.Transport):
			a.skip(w.check, fmt.Sprintf("it is not about the transport %s", a.server.Transport))
		case w.raw && a.server.Transport == TransportOther:
			a.skip(w.check, "the transport gives messages that were decoded before")
		default:
			a.pass(w.check, 1)
		}
	}
}
