package cmd

import (
	"encoding/json"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// redactReport hides secrets wherever a server may have sent them back.
func redactReport(r *mcpprobe.Report, redact func(string) string) {
	hide := hider(redact)
	redactServer(&r.Server, redact)
	for i := range r.Results {
		one := &r.Results[i]
		hide(&one.Skill, &one.URI, &one.Message)
		for j := range one.Evidence {
			hide(&one.Evidence[j].Label, &one.Evidence[j].Text)
		}
	}
	for i := range r.Skills {
		s := &r.Skills[i]
		hide(&s.URI, &s.Name)
		for j := range s.Files {
			f := &s.Files[j]
			hide(&f.URI, &f.Digest, &f.HaveDigest, &f.Message)
		}
		for j := range s.Diagnostics {
			d := &s.Diagnostics[j]
			hide(&d.Message, &d.Help, &d.Path, &d.Field)
			d.Fixes, d.Related = nil, nil // of no use for what is served, and they hold its text
		}
	}
	for i := range r.Bounds {
		hide(&r.Bounds[i].Message)
	}
	for i := range r.Traffic.Faults {
		hide(&r.Traffic.Faults[i].Message)
	}
}

// hider hides secrets in variables.
func hider(redact func(string) string) func(...*string) {
	return func(texts ...*string) {
		for _, text := range texts {
			*text = redact(*text)
		}
	}
}

// redactProblem hides secrets in what ended a conversation.
func redactProblem(p *report.ProbeError, redact func(string) string) {
	hider(redact)(&p.Message, &p.Challenge, &p.Stderr)
	if p.Requests != nil {
		p.Requests = redactJSON(p.Requests, redact)
	}
}

// redactEntry hides secrets in what is shown of an entry. Its Raw is for those
// who show that.
func redactEntry(e *mcpprobe.Entry, redact func(string) string) {
	hide := hider(redact)
	hide(&e.URI, &e.Name, &e.Description)
	for i := range e.Problems {
		p := &e.Problems[i]
		hide(&p.URI, &p.Message)
		for j := range p.Evidence {
			hide(&p.Evidence[j].Text)
		}
	}
}

func redactServer(s *mcpprobe.Server, redact func(string) string) {
	s.Name, s.Version, s.Protocol = redact(s.Name), redact(s.Version), redact(s.Protocol)
	s.Instructions = redact(s.Instructions)
	s.Capabilities = redactJSON(s.Capabilities, redact)
}

// redactJSON hides secrets in JSON. What is none any more is left out whole.
func redactJSON(raw json.RawMessage, redact func(string) string) json.RawMessage {
	text := json.RawMessage(redact(string(raw)))
	if !json.Valid(text) {
		return nil
	}
	return text
}
