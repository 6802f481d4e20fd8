package term

import (
	"io"

	"golang.org/x/sys/windows"
)

// enableEscapes makes the console behind w obey escape sequences, which older
// consoles do only when asked, and reports whether it does.
func enableEscapes(w io.Writer) bool {
	f, ok := w.(file)
	if !ok {
		return false
	}
	console := windows.Handle(f.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
