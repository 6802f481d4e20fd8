package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeJSONL writes one JSON object on each line.
type probeJSONL struct{}

// The records of the jsonl format: the parts of the json format, each with its
// type.
type (
	jsonlProbeHeader struct {
		Type string `json:"type"`
		probeHeader
	}

	jsonlProbeServer struct {
		Type   string       `json:"type"`
		Target probeTarget  `json:"target"`
		Server *probeServer `json:"server"`
	}

	jsonlProbeCheck struct {
		Type string `json:"type"`
		probeCheck
	}

	jsonlProbeSkill struct {
		Type string `json:"type"`
		probeSkill
	}

	jsonlProbeError struct {
		Type string `json:"type"`
		probeErrorJSON
	}

	jsonlProbeTimings struct {
		Type string `json:"type"`
		*probeTimings
	}

	jsonlProbeSummary struct {
		Type    string           `json:"type"`
		Target  probeTarget      `json:"target"`
		Verdict mcpprobe.Verdict `json:"verdict"`
		probeSummary
		Traffic *probeTraffic `json:"traffic"`
		Budget  []probeBound  `json:"budget"`
		Notes   []string      `json:"notes"`
	}
)

// ReportProbe writes a header, and for each server one record about it, then
// its checks, skills and errors, and last its summary: a stream that does not
// end in a summary was cut short.
func (probeJSONL) ReportProbe(w io.Writer, p *Probe) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	records := []any{jsonlProbeHeader{"header", newProbeHeader(p)}}
	for i := range p.Audits {
		records = append(records, probeRecords(newProbeReport(p, &p.Audits[i]))...)
	}
	for _, record := range records {
		if err := encoder.Encode(record); err != nil {
			return err
		}
	}
	_, err := w.Write(EscapeJSON(b.Bytes()))
	return err
}

func probeRecords(r probeReport) []any {
	records := []any{jsonlProbeServer{"server", r.Target, r.Server}}
	for _, c := range r.Checks {
		records = append(records, jsonlProbeCheck{"check", c})
	}
	for _, s := range r.Skills {
		records = append(records, jsonlProbeSkill{"skill", s})
	}
	for _, e := range r.Errors {
		records = append(records, jsonlProbeError{"error", e})
	}
	if r.Timings != nil {
		records = append(records, jsonlProbeTimings{"timings", r.Timings})
	}
	return append(records, jsonlProbeSummary{"summary", r.Target, r.Verdict, r.Summary, r.Traffic, r.Budget, r.Notes})
}
