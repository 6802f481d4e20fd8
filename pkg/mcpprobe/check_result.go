package mcpprobe

import (
	"errors"
	"fmt"
)

// resultChecks are the checks about what the base protocol asks of a result
// since 2026-07-28. A check that is nil is not asked for.
type resultChecks struct {
	resultType, ttl, scope *CheckInfo
}

// judgeResult judges the members of a result that the base protocol defines,
// and reports whether they are sound: a host that holds results against the
// schema takes nothing from one that is not.
func (a *auditor) judgeResult(checks resultChecks, r *reply) (sound bool) {
	sound = a.judgeMember(checks.resultType, r, "resultType", resultTypeProblem)
	sound = a.judgeMember(checks.ttl, r, "ttlMs", ttlProblem) && sound
	sound = a.judgeMember(checks.scope, r, "cacheScope", scopeProblem) && sound
	if scope, _ := text(r.members["cacheScope"]); checks.scope != nil {
		a.judgeScope(r, scope)
	}
	return sound
}

// judgeMember judges one member from 2026-07-28 on, and notes it elsewhere.
func (a *auditor) judgeMember(check *CheckInfo, r *reply, member string, problem func(*reply) string) (sound bool) {
	if check == nil {
		return true
	}
	if a.server.Modern() {
		wrong := problem(r)
		a.tally(check, r.URI, wrong)
		return wrong == "" || !a.selected[check]
	}
	if _, ok := r.members[member]; ok {
		a.tallyAs(check, Info, r.URI, fmt.Sprintf("%s is there, though revision %s has no such member; judged from %s on", member, a.revision(), ProtocolModern))
		return true
	}
	a.skip(check, fmt.Sprintf("the revision is %s; judged from %s on", a.revision(), ProtocolModern))
	return true
}

func resultTypeProblem(r *reply) string {
	if value, ok := text(r.members["resultType"]); !ok || value != "complete" {
		return "resultType is " + described(r.members["resultType"]) + `; it must be "complete"`
	}
	return ""
}

func ttlProblem(r *reply) string {
	n, problem := integer(r.members["ttlMs"])
	switch {
	case problem != "":
		return "ttlMs is " + problem + "; it must be a non-negative integer"
	case !n.plain:
		return "ttlMs is written " + clipTo(string(r.members["ttlMs"]), 40) + "; it must be a non-negative integer, which many readers know by its digits alone"
	}
	return ""
}

func scopeProblem(r *reply) string {
	if value, ok := text(r.members["cacheScope"]); !ok || value != "public" && value != "private" {
		return "cacheScope is " + described(r.members["cacheScope"]) + `; it must be "public" or "private"`
	}
	return ""
}

// refusal says what is wrong with an error that the server answered with where
// it should not have, by its code: each code has a cause of its own.
func refusal(method string, rpc *RPCError) string {
	what := fmt.Sprintf("error %d: %q", rpc.Code, clip(rpc.Message))
	switch rpc.Code {
	case CodeMethodNotFound:
		return fmt.Sprintf("%s is not implemented (%s)", method, what)
	case CodeInternalError:
		return fmt.Sprintf("the server failed with %s", what)
	case CodeInvalidParams:
		return fmt.Sprintf("the server refused the request with %s", what)
	case CodeResourceNotFound:
		return fmt.Sprintf("the server knows no such resource (%s)", what)
	}
	return fmt.Sprintf("the server answered with %s", what)
}

// failure says in the words of a finding why a request has no answer, or gives
// "" where that is no finding about the server: a bound, or an audit that is
// over.
func (a *auditor) failure(method string, err error) string {
	var rpc *RPCError
	var broken *MalformedError
	switch {
	case errors.As(err, &rpc):
		return refusal(method, rpc)
	case errors.As(err, &broken):
		return broken.Message
	}
	return ""
}

var checkInput = register(CheckInfo{
	ID: "input-required", Group: GroupContent, Level: Should, Requirement: "S-RD5, S-LST2, S-GET2",
	Title: "the server answers without asking for input first",
	Doc: "A server may answer that it requires input, for instance that the user agrees to something, before it serves a file. " +
		"Such an answer holds no content and is never taken for it. Hosts that cannot ask their user load nothing, and a " +
		"listing must not ask at all: its `resultType` is `\"complete\"`.\n\n" +
		"Serve skills without questions. What was asked is in the evidence; `--answer KEY=VALUE` answers it.",
	Example: `{"resultType": "input_required", "inputRequests": {"terms": {…}}}`,
	Good:    `{"resultType": "complete", "contents": […]}`,
})

// wants notes that the server wants input, where err says so.
func (a *auditor) wants(err error, about subject) bool {
	var input *InputRequiredError
	if !errors.As(err, &input) {
		return false
	}
	a.unfinished()
	message := input.Method + " wants input before it answers"
	if len(input.Keys) > 0 {
		var keys []string
		for _, key := range input.Keys[:min(len(input.Keys), 5)] {
			keys = append(keys, fmt.Sprintf("%q", clipTo(key, 40)))
		}
		message += ", for " + joinAnd(keys)
	}
	a.fault(checkInput, about, message, excerpt("asked", input.Requests))
	return true
}

var checkTimely = register(CheckInfo{
	ID: "answers-in-time", Group: GroupPerformance, Level: May, Requirement: baseProtocol,
	Title: "each request is answered in the time that it is given",
	Doc: "A request that gets no whole answer within `--timeout` is given up, and what it was about counts as not " +
		"examined. The times of all methods are in the report; no judgement is made on them.\n\n" +
		"Hash files when they change and not when they are asked for, and send pages of a size that is soon ready.",
})

var checkAtOnce = register(CheckInfo{
	ID: "answers-at-once", Group: GroupPerformance, Level: May, Requirement: baseProtocol,
	Title: "no request has to be sent again",
	Doc: "A server that answers HTTP 429, 502, 503 or 504 refuses a request for now, and it is sent again up to `--retries` " +
		"times. Hosts may not be so patient.\n\n" +
		"Allow the few requests that a host has in flight at one time, or lower `--concurrency` and `--rate` for the audit.",
})

// exceeded notes a bound on one request. It gives false for another error.
func (a *auditor) exceeded(err error, about subject) bool {
	var limit *LimitError
	if !errors.As(err, &limit) {
		return false
	}
	a.bound(limit)
	if limit.Bound == "timeout" {
		a.fault(checkTimely, about, limit.Message)
	}
	return true
}

// judgeTiming passes what no request broke.
func (a *auditor) judgeTiming() {
	if !a.came(checkTimely) {
		a.pass(checkTimely, 1)
	}
	if n := a.repeated.Load(); n > 0 {
		a.fault(checkAtOnce, subject{}, "requests had to be sent again")
	} else {
		a.pass(checkAtOnce, 1)
	}
}
