package cmd

import "testing"

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "4096": 4096, "16MiB": 16 << 20, "4GiB": 4 << 30, "64KiB": 64 << 10, "2kB": 2000, "3MB": 3e6, "1GB": 1e9, "7B": 7,
		"": 0, "0": 0, "-1": 0, "+1": 0, "1.5MiB": 0, "MiB": 0, "1 MiB": 0, "1K": 0, "16mib": 0,
		"8589934591GiB": 8589934591 << 30, "8589934592GiB": 0, "99999999999999999999": 0,
	} {
		got, err := parseSize(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("parseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for n, want := range map[int64]string{1: "1", 1000: "1000", 1024: "1KiB", 16 << 20: "16MiB", 4 << 30: "4GiB", 16<<20 + 1: "16777217"} {
		if got := formatSize(n); got != want {
			t.Errorf("formatSize(%d) = %s, want %s", n, got, want)
		}
		if back, err := parseSize(want); err != nil || back != n {
			t.Errorf("parseSize(%s) = %d, %v", want, back, err)
		}
	}
}
