package digest_test

import (
	"context"
	"crypto/sha256"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/skilltool/skilltool/pkg/digest"
)

// zeros gives as many bytes as are asked for, at the speed of memory.
type zeros struct{ left int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.left)
	clear(p[:n])
	z.left -= n
	return int(n), nil
}

// BenchmarkRead hashes a stream of 1 GiB, in turn with crypto/sha256 fed from
// the same reader. "speed" is that of Read, 1 for the same.
func BenchmarkRead(b *testing.B) {
	const size = 1 << 30
	var ours, plain time.Duration
	for b.Loop() {
		for range 4 {
			start := time.Now()
			if _, _, err := digest.Read(&zeros{size}); err != nil {
				b.Fatal(err)
			}
			ours += time.Since(start)
			start = time.Now()
			if _, err := io.Copy(sha256.New(), &zeros{size}); err != nil {
				b.Fatal(err)
			}
			plain += time.Since(start)
		}
	}
	b.ReportMetric(plain.Seconds()/ours.Seconds(), "speed")
	b.ReportMetric(4*float64(b.N)/ours.Seconds(), "GiB/s")
	b.ReportMetric(0, "ns/op")
}

// TestMemory: the size of a file is no matter of memory.
func TestMemory(t *testing.T) {
	dir := writeSkill(t, nil)
	writeFile(t, dir+"/large", "", 0o644)
	truncate(t, dir+"/large", 64<<20)
	s := load(t, dir)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	digest.Build(context.Background(), s)
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	if allocated > 1<<20 {
		t.Errorf("a file of 64 MiB takes %d bytes of memory", allocated)
	}
}
