package report

import "github.com/skilltool/skilltool/pkg/mcpprobe"

// ProbeHead is what begins the JSON documents of the commands that ask a server
// for one thing at a time.
type ProbeHead struct {
	probeHeader
	Target probeTarget      `json:"target"`
	Server *probeServer     `json:"server"`
	Errors []probeErrorJSON `json:"errors"`
}

// NewProbeHead gives the head of a document: who asked, which server, and what
// kept it from its end. server is nil for one that was not reached.
func NewProbeHead(tool Tool, command, label, address string, server *mcpprobe.Server, errors []ProbeError) ProbeHead {
	head := ProbeHead{
		probeHeader: probeHeader{probeSchemaURL, probeVersion, jsonTool(tool), command},
		Target:      probeTarget{label, address},
		Errors:      convert(errors, newProbeErrorJSON),
	}
	if server != nil {
		head.Server = newProbeServer(server)
	}
	return head
}

// ProbeProblem is a way in which an entry does not keep the specification, in
// JSON.
type ProbeProblem struct {
	Check       string          `json:"check"`
	Level       mcpprobe.Level  `json:"level"`
	Requirement string          `json:"requirement"`
	URI         string          `json:"uri"`
	Message     string          `json:"message"`
	Evidence    []probeEvidence `json:"evidence"`
	URL         string          `json:"url"`
}

// NewProbeProblems gives the JSON form of the problems of an entry.
func NewProbeProblems(problems []mcpprobe.Problem) []ProbeProblem {
	return convert(problems, func(p *mcpprobe.Problem) ProbeProblem {
		return ProbeProblem{
			Check: p.Check.ID, Level: p.Check.Level, Requirement: p.Check.Requirement, URI: p.URI, Message: p.Message,
			Evidence: convert(p.Evidence, newProbeEvidence), URL: CheckURL(p.Check.ID),
		}
	})
}
