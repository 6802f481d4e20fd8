package mcptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// The error codes of JSON-RPC and MCP.
const (
	codeParse            = -32700
	codeInvalidRequest   = -32600
	codeMethodNotFound   = -32601
	codeInvalidParams    = -32602
	codeInternal         = -32603
	codeResourceNotFound = -32002 // before 2026-07-28
	codeHeader           = -32020
	codeRevision         = -32022
)

// rpcError is an error that a request is answered with.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return e.Message }

func refuse(code int, format string, args ...any) error {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// errSilence is the error of a request that is never answered.
var errSilence = errors.New("no answer")

// errDeath is the error of a server that ends in the middle of something.
var errDeath = errors.New("the server dies")

// message is what a client sends.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params object          `json:"params"`
}

// answerFrame is the message that answers a request, in one line.
func answerFrame(id json.RawMessage, result any, err error) []byte {
	var failure *rpcError
	switch {
	case errors.As(err, &failure):
		return frameWith(id, "error", failure)
	case err != nil:
		return frameWith(id, "error", &rpcError{Code: codeInternal, Message: err.Error()})
	}
	return frameWith(id, "result", result)
}

func frameWith(id json.RawMessage, member string, value any) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	frame := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	frame = append(frame, `,"`+member+`":`...)
	return append(append(frame, encode(value)...), '}')
}

// encode writes JSON in one line, with "<" and the like as they are.
func encode(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // the values are our own
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// number is a number as it is to be written.
func number(text string) json.Number { return json.Number(text) }
