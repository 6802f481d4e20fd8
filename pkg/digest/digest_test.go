package digest_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestParse(t *testing.T) {
	d, err := digest.Parse("sha256:" + emptySum)
	if err != nil || d != digest.Of(nil) || d.String() != "sha256:"+emptySum || d.Hex() != emptySum {
		t.Errorf("Parse gives %v, %v", d, err)
	}
	for text, want := range map[string]string{
		"":                                     `digest "" does not start with "sha256:"`,
		emptySum:                               `does not start with "sha256:"`,
		"SHA256:" + emptySum:                   `does not start with "sha256:"`,
		"sha512:" + emptySum:                   `does not start with "sha256:"`,
		"sha256:":                              `has 0 characters; it must have 64 hexadecimal digits`,
		"sha256:" + emptySum + "\n":            `has 65 characters`,
		"sha256:" + strings.ToUpper(emptySum):  `has upper-case digits; they must be lower-case`,
		"sha256:" + strings.Repeat("g", 64):    `is not hexadecimal`,
		"sha256:" + strings.Repeat("x", 10000): `has 10000 characters`,
	} {
		_, err := digest.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("Parse(%.90q) gives %v, want %q", text, err, want)
		}
	}
}

func TestDigestText(t *testing.T) {
	d := digest.Of([]byte("x"))
	text, err := d.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var back digest.Digest
	if err := back.UnmarshalText(text); err != nil || back != d {
		t.Errorf("%s comes back as %s, %v", text, back, err)
	}
	if err := back.UnmarshalText([]byte("x")); err == nil || back != d {
		t.Errorf("a bad text gives %s, %v", back, err)
	}
}

func TestRead(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 100_000)
	d, n, err := digest.Read(bytes.NewReader(content))
	if err != nil || n != int64(len(content)) || d != digest.Of(content) {
		t.Errorf("Read gives %s, %d, %v", d, n, err)
	}
	if d, n, err := digest.Read(strings.NewReader("")); err != nil || n != 0 || d.Hex() != emptySum {
		t.Errorf("an empty stream gives %s, %d, %v", d, n, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("sha256:" + emptySum)
	f.Add("sha256:" + strings.ToUpper(emptySum))
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := digest.Parse(text); err == nil && d.String() != text {
			t.Errorf("%q comes back as %q", text, d)
		}
	})
}
