package cause_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/skilltool/skilltool/internal/cause"
)

func TestOf(t *testing.T) {
	_, missing := os.Open("no/such/file")
	other := errors.New("the disk is on fire")
	for _, test := range []struct{ err, want error }{
		{missing, fs.ErrNotExist},
		{fmt.Errorf("reading: %w", fs.ErrPermission), fs.ErrPermission},
		{&fs.PathError{Op: "open", Path: "/home/a", Err: other}, other},
		{other, other},
	} {
		if got := cause.Of(test.err); got != test.want {
			t.Errorf("the cause of %q is %q, want %q", test.err, got, test.want)
		}
	}
}
