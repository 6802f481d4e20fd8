package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// ClientsSchemaURL names the JSON Schema of what the command clients writes.
const ClientsSchemaURL = "https://github.com/skilltool/skilltool/schemas/clients.schema.json"

// clientsVersion is that of its JSON documents. Fields may be added to a
// version; none is taken away and none changes its meaning.
const clientsVersion = 1

// clientsJSON writes one JSON document, as schemas/clients.schema.json describes
// it.
type clientsJSON struct{}

type (
	jsonClientsSummary struct {
		Skills      int `json:"skills"`
		Clients     int `json:"clients"`
		Predictions int `json:"predictions"`
		Loads       int `json:"loads"`
		Degrades    int `json:"degrades"`
		Hidden      int `json:"hidden"`
		Drops       int `json:"drops"`
		Breaks      int `json:"breaks"`
		ExitCode    int `json:"exit_code"`
	}

	jsonClient struct {
		ID        string            `json:"id"`
		Title     string            `json:"title"`
		Kind      string            `json:"kind"`
		Version   string            `json:"version"`
		Certainty clients.Certainty `json:"certainty"`
		URL       string            `json:"url"`
	}

	jsonClientRoot struct {
		Path    string   `json:"path"`
		Readers []string `json:"readers"`
	}

	jsonClientSkill struct {
		Path        string `json:"path"`
		File        string `json:"file"`
		Name        string `json:"name"`
		Description string `json:"description"`
	}

	jsonPrediction struct {
		Skill       string            `json:"skill"`
		Client      string            `json:"client"`
		Version     string            `json:"version"`
		Outcome     clients.Outcome   `json:"outcome"`
		Told        clients.Told      `json:"told"`
		Warned      bool              `json:"warned"`
		Name        string            `json:"name"`
		Description string            `json:"description"`
		Evidence    clients.Certainty `json:"evidence"`
		Reasons     []jsonReason      `json:"reasons"`
	}

	jsonReason struct {
		Rule    string         `json:"rule"`
		Effect  clients.Effect `json:"effect"`
		Message string         `json:"message"`
		Path    string         `json:"path"`
		Field   string         `json:"field"`
		Range   *spec.Range    `json:"range"`
		Help    string         `json:"help"`
		URL     string         `json:"url"`
		Fixes   []jsonFix      `json:"fixes"`
	}
)

// ReportClients writes all predictions, those that load as written as well: the
// document is complete whatever people are shown. It is written piece by piece,
// since a collection has tens of thousands.
func (clientsJSON) ReportClients(w io.Writer, c *Clients) error {
	j := &jsonStream{w: bufio.NewWriter(w)}
	paths := converter{base: c.Base}
	j.head(&c.Report)
	j.field("summary", newClientsSummary(c))
	j.field("base", c.Base)
	j.field("clients", convert(c.Profiles, func(p **clients.Profile) jsonClient { return newJSONClient(*p) }))
	j.field("roots", convert(c.Roots, func(r *ClientRoot) jsonClientRoot {
		return jsonClientRoot{relative(c.Base, r.Path), append([]string{}, r.Readers...)}
	}))
	j.field("skills", convert(c.Rows, func(r *ClientRow) jsonClientSkill {
		return jsonClientSkill{relative(c.Base, r.Path), relative(c.Base, join(r.Dir, r.File)), r.Name, r.Description}
	}))
	j.open("predictions")
	for i := range c.Rows {
		row := &c.Rows[i]
		for k := range row.Cells {
			j.item(newJSONPrediction(paths, row, &row.Cells[k]))
		}
	}
	j.close()
	j.field("errors", convert(c.Errors, paths.error))
	j.field("notes", append([]string{}, c.Notes...))
	return j.end()
}

func newClientsSummary(c *Clients) jsonClientsSummary {
	return jsonClientsSummary{
		Skills:      len(c.Rows),
		Clients:     len(c.Profiles),
		Predictions: len(c.Rows) * len(c.Profiles),
		Loads:       c.Count(clients.Loads),
		Degrades:    c.Count(clients.Degrades),
		Hidden:      c.Count(clients.Hidden),
		Drops:       c.Count(clients.Dropped),
		Breaks:      c.Count(clients.BreaksOthers),
		ExitCode:    c.ExitCode,
	}
}

func newJSONClient(p *clients.Profile) jsonClient {
	return jsonClient{p.ID, p.Title, p.Kind, p.Version, p.Certainty, clientURL(p.ID)}
}

func newJSONPrediction(c converter, row *ClientRow, p *clients.Prediction) jsonPrediction {
	return jsonPrediction{
		Skill:       relative(c.base, row.Path),
		Client:      p.Client,
		Version:     p.Version,
		Outcome:     p.Outcome,
		Told:        p.Told,
		Warned:      p.Warned,
		Name:        p.Name,
		Description: p.Description,
		Evidence:    p.Certainty,
		Reasons: convert(p.Reasons, func(r *clients.Reason) jsonReason {
			return jsonReason{
				Rule:    r.ID,
				Effect:  r.Effect,
				Message: r.Message,
				Path:    c.path(row.Dir, r.Path),
				Field:   r.Field,
				Range:   rangeOrNil(r.Range),
				Help:    r.Diagnostic().Help,
				URL:     RuleURL(r.ID),
				Fixes:   convert(r.Fixes, func(fix *spec.Fix) jsonFix { return c.fix(row.Dir, fix) }),
			}
		}),
	}
}

// jsonStream writes an object field by field, as MarshalJSON would write the
// whole.
type jsonStream struct {
	w     *bufio.Writer
	b     bytes.Buffer // of one value
	err   error
	begun bool // a field, or in a list an item, stands in front
}

// head writes the fields that all documents of the command start with.
func (j *jsonStream) head(r *Report) {
	j.w.WriteString("{")
	j.field("$schema", ClientsSchemaURL)
	j.field("version", clientsVersion)
	j.field("tool", jsonTool(r.Tool))
	j.field("command", r.Command)
}

func (j *jsonStream) field(name string, value any) {
	j.comma()
	j.w.WriteString("\n  \"" + name + "\": ")
	j.value("  ", value)
}

// open starts a list, item adds to it, and close ends it.
func (j *jsonStream) open(name string) {
	j.comma()
	j.w.WriteString("\n  \"" + name + "\": [")
	j.begun = false
}

func (j *jsonStream) item(value any) {
	j.comma()
	j.w.WriteString("\n    ")
	j.value("    ", value)
}

func (j *jsonStream) close() {
	if j.begun {
		j.w.WriteString("\n  ")
	}
	j.w.WriteString("]")
	j.begun = true
}

func (j *jsonStream) comma() {
	if j.begun {
		j.w.WriteString(",")
	}
	j.begun = true
}

func (j *jsonStream) value(prefix string, value any) {
	j.b.Reset()
	encoder := json.NewEncoder(&j.b)
	encoder.SetIndent(prefix, "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil && j.err == nil {
		j.err = err
	}
	j.w.Write(EscapeJSON(bytes.TrimSuffix(j.b.Bytes(), []byte("\n"))))
}

func (j *jsonStream) end() error {
	j.w.WriteString("\n}\n")
	if j.err != nil {
		return j.err
	}
	return j.w.Flush()
}
