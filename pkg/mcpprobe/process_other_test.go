//go:build unix && !linux

package mcpprobe

const followsSessions = false

func zombie(int) bool { return false }
