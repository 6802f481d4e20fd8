package mcpprobe

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// meter counts what goes over the wire and bounds what comes (C-11).
type meter struct {
	max      int64
	sent     atomic.Int64
	received atomic.Int64
}

func newMeter(maxBytes int64) *meter { return &meter{max: maxBytes} }

// spent counts n received bytes. The error is a *LimitError once they are too
// many, and stays.
func (m *meter) spent(n int) error {
	if received := m.received.Add(int64(n)); received > m.max {
		return &LimitError{Bound: "max-bytes", Message: fmt.Sprintf("all answers together have more than %d bytes", m.max)}
	}
	return nil
}

// faultLog keeps the faults of messages that belong to no Exchange.
type faultLog struct {
	mu   sync.Mutex
	kept []WireFault
	more int
}

// add keeps a fault that is not there yet, so that a server which repeats
// itself fills nothing.
func (l *faultLog) add(kind FaultKind, format string, args ...any) {
	fault := WireFault{Kind: kind, Message: fmt.Sprintf(format, args...)}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case slices.Contains(l.kept, fault):
	case len(l.kept) == maxFaults:
		l.more++
	default:
		l.kept = append(l.kept, fault)
	}
}

// seen gives what was kept, sorted, and the number of all others.
func (l *faultLog) seen() (kept []WireFault, more int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept = slices.Clone(l.kept)
	slices.SortFunc(kept, func(a, b WireFault) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Message, b.Message))
	})
	return kept, l.more
}

// first gives the message of the first fault of a kind, or "".
func (l *faultLog) first(kind FaultKind) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, fault := range l.kept {
		if fault.Kind == kind {
			return fault.Message
		}
	}
	return ""
}

// maxSamples bounds the durations that are kept of one method.
const maxSamples = 4096

// methodMeter sums up the exchanges of one method.
type methodMeter struct {
	stats   MethodStats
	samples []time.Duration // every stride-th duration
	stride  int
}

func (m *methodMeter) add(x *Exchange) {
	if m.stride == 0 {
		m.stride = 1
		m.stats.Min = x.Duration
	}
	if m.stats.Requests%m.stride == 0 {
		m.samples = append(m.samples, x.Duration)
	}
	if len(m.samples) == maxSamples {
		for i := range maxSamples / 2 {
			m.samples[i] = m.samples[2*i]
		}
		m.samples = m.samples[:maxSamples/2]
		m.stride *= 2
	}
	m.stats.Requests++
	if x.Error() != nil {
		m.stats.Errors++
	}
	m.stats.Bytes += x.Bytes
	m.stats.Min = min(m.stats.Min, x.Duration)
	m.stats.Max = max(m.stats.Max, x.Duration)
	m.stats.Total += x.Duration
}

func (m *methodMeter) sum() MethodStats {
	stats := m.stats
	sorted := slices.Clone(m.samples)
	slices.Sort(sorted)
	if n := len(sorted); n > 0 {
		stats.Median = sorted[(n-1)/2]
		stats.P95 = sorted[(n*95+99)/100-1]
	}
	return stats
}
