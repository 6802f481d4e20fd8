package mcpprobe

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
)

// reply is an answer whose result is an object.
type reply struct {
	*Exchange
	members map[string]json.RawMessage
}

// asker sends requests, and gives every Exchange to seen, where that is not nil.
type asker struct {
	client *Client
	seen   func(*Exchange)
	// strict refuses results of an unknown type, as the base protocol wants of
	// a client; an audit reads on, and says so.
	strict bool
}

// ask sends one request and reads its result as an object. The error is that of
// the Exchange, an *InputRequiredError or a *MalformedError.
func (k asker) ask(ctx context.Context, method string, params map[string]any, limit int64) (*reply, error) {
	for round := 0; ; round++ {
		x := k.client.Call(ctx, method, params, limit)
		if k.seen != nil {
			k.seen(x)
		}
		if err := x.Error(); err != nil {
			return nil, err
		}
		members, ok := object(x.Result)
		if !ok {
			return nil, malformed("the result of %s is %s, not an object", method, described(x.Result))
		}
		if !wantsInput(members) {
			r := &reply{x, members}
			if raw := members["resultType"]; k.strict && raw != nil && k.client.server.Modern() && resultTypeProblem(r) != "" {
				return nil, malformed("the result of %s has the resultType %s, which revision %s does not know", method, described(raw), k.client.server.Protocol)
			}
			return r, nil
		}
		wanted := readInput(method, x.URI, members)
		responses, ok := wanted.respond(k.client.options.Answers)
		if !ok || round == maxInputRounds {
			return nil, &wanted.InputRequiredError
		}
		params = maps.Clone(params)
		if params == nil {
			params = map[string]any{}
		}
		params["inputResponses"] = responses
		delete(params, "requestState")
		if wanted.state != nil {
			params["requestState"] = wanted.state
		}
	}
}

// maxInputRounds bounds how often one request is answered with what it asked
// for: a server that goes on asking serves nothing.
const maxInputRounds = 8

// wantsInput reports a result that asks for input instead of giving any (C-10).
func wantsInput(members map[string]json.RawMessage) bool {
	resultType, _ := text(members["resultType"])
	_, asks := members["inputRequests"]
	return resultType == "input_required" || asks && resultType != "complete"
}

// wantedInput is what a server asks for.
type wantedInput struct {
	InputRequiredError
	requests map[string]json.RawMessage
	// state is given back as it came.
	state json.RawMessage
}

func readInput(method, uri string, members map[string]json.RawMessage) *wantedInput {
	w := &wantedInput{state: members["requestState"]}
	w.Method, w.URI, w.Requests = method, uri, members["inputRequests"]
	w.requests, _ = object(w.Requests)
	w.Keys = sortedKeys(w.requests)
	return w
}

// respond answers each request from what the user gave. ok is false where
// something is missing: half an answer is none.
func (w *wantedInput) respond(answers map[string]string) (responses map[string]any, ok bool) {
	if len(answers) == 0 || len(w.requests) == 0 {
		return nil, false
	}
	responses = make(map[string]any, len(w.requests))
	for key, raw := range w.requests {
		content, ok := elicited(key, raw, answers)
		if !ok {
			return nil, false
		}
		responses[key] = map[string]any{"action": "accept", "content": content}
	}
	return responses, true
}

// elicited fills in the form of one elicitation: a field KEY.FIELD, or FIELD,
// and KEY itself where the form has one field. Anything but a form cannot be
// answered.
func elicited(key string, raw json.RawMessage, answers map[string]string) (map[string]any, bool) {
	request, _ := object(raw)
	params, _ := object(request["params"])
	schema, _ := object(params["requestedSchema"])
	fields, ok := object(schema["properties"])
	if method, _ := text(request["method"]); method != "elicitation/create" || !ok {
		return nil, false
	}
	required := map[string]bool{}
	names, _ := array(schema["required"])
	for _, name := range names {
		if name, ok := text(name); ok {
			required[name] = true
		}
	}
	content := map[string]any{}
	for name, field := range fields {
		answer, given := answers[key+"."+name]
		if !given {
			answer, given = answers[name]
		}
		if !given && len(fields) == 1 {
			answer, given = answers[key]
		}
		if given {
			content[name] = typedAnswer(field, answer)
		} else if required[name] {
			return nil, false
		}
	}
	return content, len(content) > 0
}

// typedAnswer gives an answer the type that a form wants.
func typedAnswer(field json.RawMessage, answer string) any {
	members, _ := object(field)
	switch want, _ := text(members["type"]); want {
	case "boolean":
		if value, err := strconv.ParseBool(answer); err == nil {
			return value
		}
	case "integer", "number":
		if kind(json.RawMessage(answer)) == "a number" && json.Valid([]byte(answer)) {
			return json.Number(answer)
		}
	}
	return answer
}

// cursorState is what a page says of the next one.
type cursorState int

const (
	cursorNone cursorState = iota
	cursorGiven
	// cursorEmpty is "", which some clients follow and some do not.
	cursorEmpty
	// cursorWrong is no string.
	cursorWrong
	// cursorRepeated has been given before: the listing would never end.
	cursorRepeated
)

// page is one page of a listing.
type page struct {
	*reply
	// items are nil where the member is no array; isArray tells.
	items   []json.RawMessage
	isArray bool
	cursor  cursorState
}

// pager asks for one page after the other (S-LST4).
type pager struct {
	asker
	method, member string
	params         map[string]any
	maxPages       int

	pages int
	seen  map[string]bool
	ended bool
}

func (k asker) pager(method, member string, params map[string]any) *pager {
	return &pager{asker: k, method: method, member: member, params: params, maxPages: k.client.options.MaxPages, seen: map[string]bool{}}
}

// next gives the next page, or nil at the end. A cursor that is none ends the
// listing: the page says so. The error is that of ask, or a *LimitError.
func (p *pager) next(ctx context.Context) (*page, error) {
	if p.ended {
		return nil, nil
	}
	if p.pages == p.maxPages {
		p.ended = true
		return nil, &LimitError{Bound: "max-pages", Message: fmt.Sprintf("%s goes on after %s", p.method, plural(p.maxPages, "page", "pages"))}
	}
	answer, err := p.ask(ctx, p.method, p.params, maxPageBytes)
	if err != nil {
		p.ended = true
		return nil, err
	}
	p.pages++
	found := &page{reply: answer}
	found.items, found.isArray = array(answer.members[p.member])
	cursor := p.turn(found)
	if p.ended = found.cursor != cursorGiven; !p.ended {
		next := maps.Clone(p.params)
		if next == nil {
			next = map[string]any{}
		}
		next["cursor"] = cursor
		p.params = next
	}
	return found, nil
}

// turn reads the cursor of a page.
func (p *pager) turn(found *page) string {
	raw, ok := found.members["nextCursor"]
	if !ok {
		return ""
	}
	cursor, ok := text(raw)
	switch {
	case !ok:
		found.cursor = cursorWrong
	case cursor == "":
		found.cursor = cursorEmpty
	case p.seen[cursor]:
		found.cursor = cursorRepeated
	default:
		found.cursor = cursorGiven
		p.seen[cursor] = true
	}
	return cursor
}

// maxPageBytes bounds one page, on the wire. A page of ten thousand skills with
// ten files each is smaller.
const maxPageBytes = 32 << 20

// problem says why a page is no sound part of a listing, or gives nil.
func (p *pager) problem(found *page) error {
	switch {
	case !found.isArray:
		return malformed("%s of %s is %s, not an array", p.member, p.method, described(found.members[p.member]))
	case found.cursor == cursorWrong:
		return malformed("nextCursor of %s is %s, not a string", p.method, described(found.members["nextCursor"]))
	case found.cursor == cursorRepeated:
		return malformed("%s gave the same nextCursor twice, so that the listing never ends", p.method)
	}
	return nil
}
