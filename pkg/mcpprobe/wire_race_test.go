//go:build race

package mcpprobe

// hugeShare is the part of the longest files that tests read: the race detector
// makes them ten times as slow.
const hugeShare = 16
