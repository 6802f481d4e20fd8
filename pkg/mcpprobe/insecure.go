package mcpprobe

var checkTLSVerified = register(CheckInfo{
	ID:          "tls-verified",
	Group:       GroupSecurity,
	Level:       Should,
	Requirement: "C-8",
	Title:       "the certificate of the server is verified",
	Doc: "With `--insecure` anybody between the auditor and the server can answer in its place, so what the other " +
		"checks say holds for whoever answered.\n\nThis is a decision of this project: the extension says nothing of " +
		"transports. Give the certificate of the authority with `--cacert` instead.",
})

// InsecureResult is the warning of an audit over a connection whose
// certificate nobody verified.
func InsecureResult() Result {
	return Result{
		Check: checkTLSVerified, Status: Warn, Count: 1,
		Message: "the certificate of the server was not verified (--insecure)",
	}
}
