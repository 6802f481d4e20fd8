package report

import (
	"bytes"
	"encoding/json"
	"io"
)

// jsonlReporter writes one JSON object on each line.
type jsonlReporter struct{}

// The records of the jsonl format: the parts of the json format, each with its
// type.
type (
	jsonlHeader struct {
		Type    string   `json:"type"`
		Schema  string   `json:"$schema"`
		Version int      `json:"version"`
		Tool    jsonTool `json:"tool"`
		Command string   `json:"command"`
		Base    string   `json:"base"`
	}

	jsonlSkill struct {
		Type string `json:"type"`
		jsonSkill
	}

	jsonlDiagnostic struct {
		Type string `json:"type"`
		jsonDiagnostic
	}

	jsonlSuppressed struct {
		Type string `json:"type"`
		jsonSuppressed
	}

	jsonlError struct {
		Type string `json:"type"`
		jsonError
	}

	jsonlVerdict struct {
		Type string `json:"type"`
		jsonVerdict
	}

	jsonlTimings struct {
		Type string `json:"type"`
		*jsonTimings
	}

	jsonlSummary struct {
		Type string `json:"type"`
		jsonSummary
	}
)

// Report writes a header, then skills, diagnostics, suppressed findings,
// errors and verdicts, and last the summary: a stream without it was cut short.
func (jsonlReporter) Report(w io.Writer, r *Report) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, record := range records(newDocument(r)) {
		if err := encoder.Encode(record); err != nil {
			return err
		}
	}
	_, err := w.Write(EscapeJSON(b.Bytes()))
	return err
}

func records(d jsonDocument) []any {
	records := []any{jsonlHeader{"header", d.Schema, d.Version, d.Tool, d.Command, d.Base}}
	for _, s := range d.Skills {
		records = append(records, jsonlSkill{"skill", s})
	}
	for _, f := range d.Diagnostics {
		records = append(records, jsonlDiagnostic{"diagnostic", f})
	}
	for _, s := range d.Suppressed {
		records = append(records, jsonlSuppressed{"suppressed", s})
	}
	for _, e := range d.Errors {
		records = append(records, jsonlError{"error", e})
	}
	for _, v := range d.Verdicts {
		records = append(records, jsonlVerdict{"verdict", v})
	}
	if d.Timings != nil {
		records = append(records, jsonlTimings{"timings", d.Timings})
	}
	return append(records, jsonlSummary{"summary", d.Summary})
}
