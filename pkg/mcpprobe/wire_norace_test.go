//go:build !race

package mcpprobe

const hugeShare = 1
