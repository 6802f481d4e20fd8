package report

import (
	"encoding/json"
	"io"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
	"github.com/skilltool/skilltool/pkg/spec"
)

// probeSchemaURL names the JSON Schema of what probe writes.
const probeSchemaURL = "https://github.com/skilltool/skilltool/schemas/probe.schema.json"

// probeVersion is that of the JSON form. Fields may be added to a version; none
// is taken away and none changes its meaning.
const probeVersion = 1

// The types below are the JSON report, schemas/probe.schema.json describes their
// fields, and a test holds the two together.
type (
	probeHeader struct {
		Schema  string   `json:"$schema"`
		Version int      `json:"version"`
		Tool    jsonTool `json:"tool"`
		Command string   `json:"command"`
	}

	probeDocument struct {
		probeHeader
		probeReport
	}

	probeSet struct {
		probeHeader
		Verdict  mcpprobe.Verdict `json:"verdict"`
		ExitCode int              `json:"exit_code"`
		Reports  []probeReport    `json:"reports"`
	}

	probeReport struct {
		Verdict mcpprobe.Verdict `json:"verdict"`
		Summary probeSummary     `json:"summary"`
		Target  probeTarget      `json:"target"`
		Server  *probeServer     `json:"server"`
		Checks  []probeCheck     `json:"checks"`
		Skills  []probeSkill     `json:"skills"`
		Traffic *probeTraffic    `json:"traffic"`
		Budget  []probeBound     `json:"budget"`
		Errors  []probeErrorJSON `json:"errors"`
		Notes   []string         `json:"notes"`
		Timings *probeTimings    `json:"timings,omitempty"`
	}

	probeSummary struct {
		Skills       int               `json:"skills"`
		Files        int               `json:"files"`
		Verified     int               `json:"verified"`
		Failed       int               `json:"failed"`
		Unverifiable int               `json:"unverifiable"`
		Incomplete   int               `json:"incomplete"`
		Checks       probeStatusCounts `json:"checks"`
		ExitCode     int               `json:"exit_code"`
	}

	probeStatusCounts struct {
		Pass     int `json:"pass"`
		Fail     int `json:"fail"`
		Warn     int `json:"warn"`
		Info     int `json:"info"`
		Skip     int `json:"skip"`
		Error    int `json:"error"`
		Expected int `json:"expected"`
	}

	probeTarget struct {
		Label   string `json:"label"`
		Address string `json:"address"`
	}

	// probeServer is what a server said of itself.
	probeServer struct {
		Name          string             `json:"name"`
		Version       string             `json:"version"`
		Protocol      string             `json:"protocol"`
		Transport     mcpprobe.Transport `json:"transport"`
		Capabilities  json.RawMessage    `json:"capabilities"`
		Instructions  string             `json:"instructions"`
		Declared      bool               `json:"declared"`
		DirectoryRead bool               `json:"directory_read"`
		Authenticated bool               `json:"authenticated"`
	}

	probeCheck struct {
		ID          string          `json:"id"`
		Group       mcpprobe.Group  `json:"group"`
		Level       mcpprobe.Level  `json:"level"`
		Requirement string          `json:"requirement"`
		Status      mcpprobe.Status `json:"status"`
		Expected    bool            `json:"expected"`
		Skill       string          `json:"skill"`
		URI         string          `json:"uri"`
		Message     string          `json:"message"`
		Evidence    []probeEvidence `json:"evidence"`
		Count       int             `json:"count"`
		URL         string          `json:"url"`
	}

	// probeEvidence is an excerpt of what a server sent.
	probeEvidence struct {
		Label string `json:"label"`
		Text  string `json:"text"`
	}

	probeSkill struct {
		URI         string           `json:"uri"`
		Name        string           `json:"name"`
		Outcome     mcpprobe.Outcome `json:"outcome"`
		Dynamic     bool             `json:"dynamic"`
		Listed      bool             `json:"listed"`
		Files       []probeFile      `json:"files"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
	}

	probeFile struct {
		URI        string             `json:"uri"`
		State      mcpprobe.FileState `json:"state"`
		Size       *int64             `json:"size"`
		Digest     string             `json:"digest"`
		HaveSize   *int64             `json:"have_size"`
		HaveDigest string             `json:"have_digest"`
		Message    string             `json:"message"`
	}

	probeTraffic struct {
		Requests      int           `json:"requests"`
		BytesSent     int64         `json:"bytes_sent"`
		BytesReceived int64         `json:"bytes_received"`
		Methods       []probeMethod `json:"methods"`
		Faults        []probeFault  `json:"faults"`
		MoreFaults    int           `json:"more_faults"`
	}

	probeMethod struct {
		Method   string `json:"method"`
		Requests int    `json:"requests"`
		Errors   int    `json:"errors"`
		Bytes    int64  `json:"bytes"`
	}

	probeFault struct {
		Kind    mcpprobe.FaultKind `json:"kind"`
		Message string             `json:"message"`
	}

	probeBound struct {
		Bound string `json:"bound"`
		Limit int64  `json:"limit"`
		Used  *int64 `json:"used"`
		Unit  string `json:"unit"`
		Ended bool   `json:"ended"`
		// Message says what ended.
		Message string `json:"message"`
	}

	// probeErrorJSON is a ProbeError in JSON.
	probeErrorJSON struct {
		Kind      string          `json:"kind"`
		Message   string          `json:"message"`
		Challenge string          `json:"challenge,omitempty"`
		Stderr    string          `json:"stderr,omitempty"`
		Requests  json.RawMessage `json:"requests,omitempty"`
	}

	probeTimings struct {
		Elapsed float64            `json:"elapsed_ms"`
		Connect float64            `json:"connect_ms"`
		Groups  []jsonTiming       `json:"groups"`
		Methods []probeMethodTimes `json:"methods"`
	}

	probeMethodTimes struct {
		Method string  `json:"method"`
		Min    float64 `json:"min_ms"`
		Median float64 `json:"median_ms"`
		P95    float64 `json:"p95_ms"`
		Max    float64 `json:"max_ms"`
		Total  float64 `json:"total_ms"`
	}
)

// probeJSON writes one JSON document.
type probeJSON struct{}

// ReportProbe writes p as schemas/probe.schema.json describes it.
func (probeJSON) ReportProbe(w io.Writer, p *Probe) error {
	if p.Several {
		return writeJSON(w, newProbeSet(p))
	}
	return writeJSON(w, probeDocument{newProbeHeader(p), newProbeReport(p, &p.Audits[0])})
}

func newProbeHeader(p *Probe) probeHeader {
	return probeHeader{probeSchemaURL, probeVersion, jsonTool(p.Tool), "probe"}
}

func newProbeSet(p *Probe) probeSet {
	return probeSet{
		probeHeader: newProbeHeader(p), Verdict: p.verdict(), ExitCode: p.ExitCode,
		Reports: convert(p.Audits, func(a *ProbeAudit) probeReport { return newProbeReport(p, a) }),
	}
}

// verdict is the worst of all audits.
func (p *Probe) verdict() mcpprobe.Verdict {
	worst := mcpprobe.VerdictPass
	for _, a := range p.Audits {
		switch {
		case a.Verdict == mcpprobe.VerdictFail:
			return a.Verdict
		case a.Verdict == mcpprobe.VerdictIncomplete:
			worst = a.Verdict
		}
	}
	return worst
}

func newProbeReport(p *Probe, a *ProbeAudit) probeReport {
	r := probeReport{
		Verdict: a.Verdict,
		Summary: newProbeSummary(a),
		Target:  probeTarget{a.Label, a.Address},
		Checks:  convert(a.results(), newProbeCheck),
		Skills:  convert(a.skills(), newProbeSkill),
		Budget:  convert(a.Budget, newProbeBound),
		Errors:  convert(a.Errors, newProbeErrorJSON),
		Notes:   append([]string{}, a.Notes...),
	}
	if a.Report != nil {
		r.Server = newProbeServer(&a.Report.Server)
		r.Traffic = newProbeTraffic(&a.Report.Traffic)
		if p.Timings {
			r.Timings = newProbeTimings(a.Report)
		}
	}
	return r
}

func newProbeSummary(a *ProbeAudit) probeSummary {
	return probeSummary{
		Skills: len(a.skills()), Files: a.files(),
		Verified:     a.countOutcome(mcpprobe.OutcomeVerified),
		Failed:       a.countOutcome(mcpprobe.OutcomeFailed),
		Unverifiable: a.countOutcome(mcpprobe.OutcomeUnverifiable),
		Incomplete:   a.countOutcome(mcpprobe.OutcomeIncomplete),
		Checks: probeStatusCounts{
			Pass: a.count(mcpprobe.Pass), Fail: a.count(mcpprobe.Fail), Warn: a.count(mcpprobe.Warn),
			Info: a.count(mcpprobe.Info), Skip: a.count(mcpprobe.Skip), Error: a.count(mcpprobe.Error), Expected: a.expected(),
		},
		ExitCode: a.ExitCode,
	}
}

// newProbeServer gives the JSON form of what a server said of itself.
func newProbeServer(s *mcpprobe.Server) *probeServer {
	return &probeServer{
		Name: s.Name, Version: s.Version, Protocol: s.Protocol, Transport: s.Transport,
		Capabilities: rawOrNull(s.Capabilities), Instructions: s.Instructions,
		Declared: s.Declared, DirectoryRead: s.DirectoryRead, Authenticated: s.Authenticated,
	}
}

func newProbeCheck(r *mcpprobe.Result) probeCheck {
	return probeCheck{
		ID: r.Check.ID, Group: r.Check.Group, Level: r.Check.Level, Requirement: r.Check.Requirement,
		Status: r.Status, Expected: r.Expected, Skill: r.Skill, URI: r.URI, Message: r.Message,
		Evidence: convert(r.Evidence, newProbeEvidence), Count: r.Count, URL: CheckURL(r.Check.ID),
	}
}

// newProbeEvidence gives the JSON form of an excerpt.
func newProbeEvidence(e *mcpprobe.Evidence) probeEvidence { return probeEvidence{e.Label, e.Text} }

func newProbeSkill(s *mcpprobe.SkillReport) probeSkill {
	c := converter{rules: specRules()}
	return probeSkill{
		URI: s.URI, Name: s.Name, Outcome: s.Outcome, Dynamic: s.Dynamic, Listed: s.Listed,
		Files: convert(s.Files, func(f *mcpprobe.FileReport) probeFile {
			return probeFile{
				URI: f.URI, State: f.State, Size: known(f.Size), Digest: f.Digest,
				HaveSize: known(f.HaveSize), HaveDigest: f.HaveDigest, Message: f.Message,
			}
		}),
		Diagnostics: convert(s.Diagnostics, func(d *spec.Diagnostic) jsonDiagnostic {
			out := c.diagnostic(&Finding{Diagnostic: *d})
			out.Skill = s.URI
			return out
		}),
	}
}

// specRules indexes the rules of the specification.
func specRules() map[string]*spec.RuleInfo {
	rules := map[string]*spec.RuleInfo{}
	for _, rule := range spec.Rules() {
		rules[rule.ID] = &rule.RuleInfo
	}
	return rules
}

// known gives nil for a number that is not known.
func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

func newProbeTraffic(t *mcpprobe.Traffic) *probeTraffic {
	return &probeTraffic{
		Requests: t.Requests, BytesSent: t.BytesSent, BytesReceived: t.BytesReceived,
		Methods: convert(t.Methods, func(m *mcpprobe.MethodStats) probeMethod {
			return probeMethod{m.Method, m.Requests, m.Errors, m.Bytes}
		}),
		Faults: convert(t.Faults, func(f *mcpprobe.WireFault) probeFault {
			return probeFault{f.Kind, f.Message}
		}),
		MoreFaults: t.MoreFaults,
	}
}

func newProbeBound(b *ProbeBound) probeBound {
	return probeBound{b.Name, b.Limit, known(b.Used), b.Unit, b.Ended != "", b.Ended}
}

// newProbeErrorJSON gives the JSON form of an error.
func newProbeErrorJSON(e *ProbeError) probeErrorJSON {
	out := probeErrorJSON{Kind: e.Kind, Message: e.Message, Challenge: e.Challenge, Stderr: e.Stderr}
	if e.Requests != nil {
		out.Requests = rawOrNull(e.Requests)
	}
	return out
}

func newProbeTimings(r *mcpprobe.Report) *probeTimings {
	t := &probeTimings{
		Elapsed: milliseconds(r.Elapsed), Connect: milliseconds(r.Server.Connect), Groups: []jsonTiming{},
		Methods: convert(r.Traffic.Methods, func(m *mcpprobe.MethodStats) probeMethodTimes {
			ms := milliseconds
			return probeMethodTimes{m.Method, ms(m.Min), ms(m.Median), ms(m.P95), ms(m.Max), ms(m.Total)}
		}),
	}
	for _, group := range mcpprobe.Groups() {
		if spent, ok := r.GroupElapsed[group]; ok {
			t.Groups = append(t.Groups, jsonTiming{string(group), milliseconds(spent)})
		}
	}
	return t
}
