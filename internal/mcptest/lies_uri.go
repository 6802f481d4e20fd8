package mcptest

import "strings"

// uriLies are about the URIs of entries (S-ENT1 to S-ENT3). The files are
// served under the same URIs.
func uriLies() []Lie {
	return []Lie{
		lie("uri-not-skill-md", "S-ENT1", "gives the URI of a skill.md", moved("SKILL.md", "skill.md")),
		lie("uri-directory", "S-ENT1", "gives the URI of the folder", inEntry(func(k *skill) { k.entry["uri"] = k.dir })),
		lie("uri-no-segment", "S-ENT1", "gives a URI with nothing before SKILL.md", moved("skill://read-csv/", "skill://")),
		lie("uri-relative", "S-ENT1", "gives a relative URI", moved("skill://", "")),
		lie("uri-trailing-slash", "S-ENT1", "gives a URI with a slash at its end", moved("SKILL.md", "SKILL.md/")),
		lie("uri-query", "S-ENT1, S-ENT3", "gives a URI with a query", moved("SKILL.md", "SKILL.md?version=2")),
		lie("uri-fragment", "S-ENT1, S-ENT3", "gives a URI with a fragment", moved("SKILL.md", "SKILL.md#top")),
		lie("uri-user", "S-ENT3", "gives a URI with user information", moved("skill://", "skill://me@tables/")),
		lie("uri-port", "S-ENT3", "gives a URI with a port", moved("skill://", "skill://tables:8080/")),
		lie("uri-dot", "S-ENT3", `gives a URI with the segment "."`, moved("skill://", "skill://tables/./")),
		lie("uri-dot-dot", "S-ENT3", `gives a URI with the segment ".."`, moved("skill://", "skill://tables/old/../")),
		lie("uri-dot-dot-encoded", "S-ENT3", `gives a URI with the segment "%2e%2e"`, moved("skill://", "skill://tables/old/%2e%2e/")),
		lie("uri-empty-segment", "S-ENT3", "gives a URI with an empty segment", moved("skill://", "skill://tables//")),
		lie("uri-no-authority", "S-ENT3", "gives a URI with an empty first segment", moved("skill://", "skill:///")),
		lie("uri-backslash", "S-ENT3", "gives a URI with a backslash", moved("skill://", `skill://tables\old/`)),
		lie("uri-slash-encoded", "S-ENT3", "gives a URI with an encoded slash", moved("skill://", "skill://tables%2Fold/")),
		lie("uri-lower-case-encoding", "S-ENT3", "gives a URI with %c3%bc in lower case", moved("skill://", "skill://tables/gr%c3%bcn/")),
		lie("uri-needless-encoding", "S-ENT3", "gives a URI that encodes a letter", moved("skill://", "skill://tables/%6Fld/")),
		lie("uri-bad-encoding", "S-ENT3", "gives a URI with a percent sign and no digits", moved("skill://", "skill://tables/100%/")),
		lie("uri-blank", "S-ENT3", "gives a URI with a blank", moved("skill://", "skill://tables/old ones/")),
		lie("uri-unencoded", "S-ENT3", "gives a URI with a letter that is not ASCII", moved("skill://", "skill://tables/grün/")),
		lie("uri-authority-invalid", "S-ENT3", "gives a URI whose first segment is no reg-name", moved("skill://", "skill://tab[les/")),
		lie("uri-name-differs", "S-ENT2", "gives a URI whose last segment is not the name", moved("read-csv", "read-tables")),
		lie("uri-name-encoded", "S-ENT2, S-ENT3", "gives a URI that encodes a letter of the name", moved("read-csv", "read%2Dcsv")),
		lie("uri-name-case", "S-ENT2", "gives a URI whose last segment is the name in another case", moved("read-csv", "Read-CSV")),
	}
}

// moved serves the victim below other URIs.
func moved(old, new string) func(*script) {
	return inWorld(func(w *world, k *skill) {
		w.move(k, func(uri string) string { return strings.Replace(uri, old, new, 1) })
	})
}
