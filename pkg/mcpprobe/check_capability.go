package mcpprobe

import (
	"encoding/json"
	"fmt"
)

var checkDeclared = register(CheckInfo{
	ID: "extension-declared", Group: GroupCapability, Level: Must, Requirement: "S-CAP1",
	Title: "the server declares the extension under capabilities.extensions",
	Doc: "Hosts ask for skills only after the server has declared `io.modelcontextprotocol/skills` under `extensions` of its " +
		"capabilities. A declaration anywhere else, such as `experimental`, is seen by nobody.\n\n" +
		"Declare it there. Without it nothing else is asked for and the audit ends.",
	Example: `"capabilities": {"experimental": {"io.modelcontextprotocol/skills": {}}}`,
	Good:    `"capabilities": {"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}}`,
})

var checkSettings = register(CheckInfo{
	ID: "extension-settings", Group: GroupCapability, Level: Must, Requirement: "S-CAP1",
	Title: "the declaration is an object",
	Doc: "The value of the declaration holds the settings of the extension. It is an object, empty where there is nothing to " +
		"say; `true`, `null` or a list declare nothing.\n\n" +
		"Write `{}`, or `{\"directoryRead\": true}`.",
	Example: `"io.modelcontextprotocol/skills": true`,
	Good:    `"io.modelcontextprotocol/skills": {}`,
})

var checkOtherSettings = register(CheckInfo{
	ID: "extension-other-settings", Group: GroupCapability, Level: May, Requirement: "S-CAP3",
	Title: "the declaration has no setting but directoryRead",
	Doc: "One setting is defined, `directoryRead`. Hosts ignore all others: a misspelt one turns nothing on.\n\n" +
		"Remove what is not defined, or correct its spelling.",
	Example: `"io.modelcontextprotocol/skills": {"directoryread": true}`,
	Good:    `"io.modelcontextprotocol/skills": {"directoryRead": true}`,
})

var checkDirectoryRead = register(CheckInfo{
	ID: "directory-read-boolean", Group: GroupCapability, Level: Must, Requirement: "S-CAP3",
	Title: "directoryRead is a boolean, or absent",
	Doc: "`directoryRead: true` says that the server answers `resources/directory/read`. Nothing but a JSON boolean says so; " +
		"hosts take anything else for false and never ask.\n\n" +
		"Write `true` without quotes.",
	Example: `"directoryRead": "true"`,
	Good:    `"directoryRead": true`,
})

var checkResourcesDeclared = register(CheckInfo{
	ID: "resources-declared", Group: GroupCapability, Level: Must, Requirement: "S-CAP2",
	Title: "the server declares the capability resources too",
	Doc: "Files of skills are read with `resources/read`, and the base protocol asks every server that answers it to declare " +
		"`resources`. Clients that keep to declarations send no read to a server without it.\n\n" +
		"Declare `resources`, also where `resources/list` gives nothing.",
	Example: `"capabilities": {"extensions": {"io.modelcontextprotocol/skills": {}}}`,
	Good:    `"capabilities": {"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}}`,
})

// judgeCapability judges the declaration. It gives false where there is none:
// then nothing of the extension is sent (C-1).
func (a *auditor) judgeCapability() bool {
	capabilities, _ := object(a.server.Capabilities)
	extensions, _ := object(capabilities["extensions"])
	settings, declared := extensions[Extension]
	missing := ""
	if !declared {
		missing = "the capabilities have no extensions with " + Extension + a.declaredElsewhere(capabilities)
	}
	a.judge(checkDeclared, subject{}, missing, excerpt("capabilities", a.server.Capabilities))
	if declared {
		a.judgeSettings(settings)
	}
	if a.server.Declared {
		problem := ""
		if resources, ok := capabilities["resources"]; !ok {
			problem = "the capabilities have no resources"
		} else if kind(resources) != "an object" {
			problem = "resources is " + described(resources) + "; it must be an object"
		}
		a.judge(checkResourcesDeclared, subject{}, problem)
		return true
	}
	if missing == "" {
		missing = "the declaration is " + described(settings) + ", not an object"
	}
	a.fatal(&UnsupportedError{Feature: Extension, Message: missing})
	return false
}

// declaredElsewhere says where else the extension is declared.
func (a *auditor) declaredElsewhere(capabilities map[string]json.RawMessage) string {
	if experimental, ok := object(capabilities["experimental"]); ok {
		if _, ok := experimental[Extension]; ok {
			return "; it is declared under experimental, and belongs under extensions"
		}
	}
	if _, ok := capabilities[Extension]; ok {
		return "; it is declared beside the capabilities, and belongs under extensions"
	}
	if _, ok := capabilities["skills"]; ok {
		return `; a capability "skills" is none of this extension`
	}
	return ""
}

func (a *auditor) judgeSettings(raw json.RawMessage) {
	settings, ok := object(raw)
	if !ok {
		a.fault(checkSettings, subject{}, "the declaration is "+described(raw)+"; it must be an object")
		return
	}
	a.pass(checkSettings, 1)
	problem := ""
	if value, ok := settings["directoryRead"]; ok && kind(value) != "a boolean" {
		problem = "directoryRead is " + described(value) + "; it must be a boolean, and counts as false"
	}
	a.judge(checkDirectoryRead, subject{}, problem)
	var others []string
	for _, key := range sortedKeys(settings) {
		if key != "directoryRead" {
			others = append(others, fmt.Sprintf("%q", clipTo(key, 40)))
		}
	}
	problem = ""
	if len(others) > 0 {
		problem = "the declaration has also " + joinAnd(others[:min(len(others), 5)]) + ", which the extension does not define"
	}
	a.judge(checkOtherSettings, subject{}, problem)
}
