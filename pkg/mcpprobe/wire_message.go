package mcpprobe

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skilltool/skilltool/internal/jsonscan"
)

// maxShown bounds what is shown of text from outside, in code points.
const maxShown = 200

// message is a message of JSON-RPC as it was on the wire.
type message struct {
	// id is as sent, nil for none.
	id json.RawMessage
	// method is that of a request or a notification, "" for an answer.
	method string
	result json.RawMessage
	rpc    *RPCError
	faults []WireFault
	bytes  int64
}

// parseMessage reads one message. What it gives shares its bytes with raw. The
// error is a *MalformedError.
func parseMessage(raw []byte) (*message, error) {
	scan := jsonscan.Scan(raw)
	if scan.Err != nil {
		return nil, malformed("a message cannot be read: %v", scan.Err)
	}
	if scan.Kind != jsonscan.Object {
		return nil, malformed("a message is a JSON %s, not an object", scan.Kind)
	}
	if scan.MoreMembers {
		return nil, malformed("a message has more than %d members", jsonscan.MaxMembers)
	}
	m := &message{bytes: int64(len(raw)), faults: scanFaults(&scan)}
	if version, _ := scan.Get("jsonrpc"); string(version) != `"2.0"` {
		m.fault(FaultEnvelope, `a message without "jsonrpc": "2.0"`)
	}
	m.id, _ = scan.Get("id")
	if method, ok := scan.Get("method"); ok {
		if json.Unmarshal(method, &m.method) != nil || m.method == "" {
			return nil, malformed("a message whose method is %s", shown(string(method)))
		}
		return m, nil
	}
	return m, m.readAnswer(&scan)
}

func (m *message) readAnswer(scan *jsonscan.Report) error {
	result, hasResult := scan.Get("result")
	failure, hasError := scan.Get("error")
	switch {
	case !hasResult && !hasError:
		return malformed("an answer with neither result nor error")
	case m.id == nil:
		m.fault(FaultEnvelope, "an answer without an id")
	}
	if hasResult && hasError {
		m.fault(FaultEnvelope, "an answer with both result and error")
		if string(failure) == "null" {
			hasError = false
		}
	}
	if !hasError {
		m.result = result
		return nil
	}
	return m.readError(failure)
}

func (m *message) readError(raw json.RawMessage) error {
	var e struct {
		Code    *json.Number    `json:"code"`
		Message *string         `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.Code == nil {
		return malformed("an answer whose error is %s, not an object with an integer code and a message", shown(string(raw)))
	}
	code, err := e.Code.Int64()
	if err != nil {
		return malformed("an answer whose error has the code %s, not an integer", shown(e.Code.String()))
	}
	m.rpc = &RPCError{Code: code, Data: e.Data}
	if e.Message == nil {
		m.fault(FaultEnvelope, "an error without a message")
		return nil
	}
	m.rpc.Message = *e.Message
	return nil
}

func (m *message) fault(kind FaultKind, text string) {
	m.faults = append(m.faults, WireFault{Kind: kind, Message: text})
}

// exchange gives the answer as far as the link knows it.
func (m *message) exchange(redact func(string) string) *Exchange {
	if m.rpc != nil {
		m.rpc.Message = redact(m.rpc.Message)
	}
	return &Exchange{Result: m.result, RPC: m.rpc, Bytes: m.bytes, Faults: m.faults}
}

// scanFaults are what a decoder would hide.
func scanFaults(scan *jsonscan.Report) []WireFault {
	var faults []WireFault
	for _, d := range scan.Duplicates {
		place := "in the message itself"
		if d.Path != "" {
			place = "in " + d.Path
		}
		faults = append(faults, WireFault{FaultDuplicateKey, fmt.Sprintf("the key %q comes again %s", d.Key, place)})
	}
	if scan.ManyKeys {
		faults = append(faults, WireFault{FaultDuplicateKey, "an object with more keys than are compared"})
	}
	if scan.InvalidUTF8 >= 0 {
		faults = append(faults, WireFault{FaultUTF8, fmt.Sprintf("no UTF-8 at byte %d of the message", scan.InvalidUTF8)})
	}
	if scan.LoneSurrogate >= 0 {
		faults = append(faults, WireFault{FaultSurrogate, fmt.Sprintf("half a surrogate pair at byte %d of the message", scan.LoneSurrogate)})
	}
	return faults
}

func malformed(format string, args ...any) *MalformedError {
	return &MalformedError{Message: fmt.Sprintf(format, args...)}
}

// shown quotes text from outside for a message.
func shown(text string) string { return strconv.Quote(clip(text)) }

// oneLine makes text from outside, such as a header or an error of a library,
// a part of a message.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text[:min(len(text), edge)])
	return clip(strings.Join(strings.Fields(text), " "))
}

// clip cuts text to what is shown of it.
func clip(text string) string {
	n := 0
	for i := range text {
		if n == maxShown {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// cancelledParams are the parameters of the notification that a request is no
// longer waited for.
func cancelledParams(id, protocol string) map[string]any {
	params := map[string]any{"requestId": id}
	if protocol >= ProtocolModern {
		params["_meta"] = map[string]any{
			mcp.MetaKeyProtocolVersion:    protocol,
			mcp.MetaKeyClientInfo:         mcp.Implementation{Name: clientName},
			mcp.MetaKeyClientCapabilities: struct{}{},
		}
	}
	return params
}
