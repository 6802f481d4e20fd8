package mcpprobe

func startFamily() string { return "[]" }
