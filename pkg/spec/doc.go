// Package spec reads and checks Agent Skills: folders with a SKILL.md, whose
// YAML frontmatter names and describes what the folder teaches an agent
// (https://agentskills.io/specification).
//
// [Parse] reads the bytes of one SKILL.md, [Load] a skill in any fs.FS,
// [LoadDir] one on disk, and [Find] looks for skills in a tree. All of them are
// tolerant: they give what could be read, with positions, and keep every byte.
// [Validate] then runs rules over the skill and gives diagnostics. Findings are
// values; an error is returned only where something could not be read at all.
//
// Requirement numbers such as AS-N2 in comments and rules stand for single
// sentences of the specification, restated so that they can be tested; each
// rule's page in docs/rules quotes its number.
package spec
