// Package near finds the word that a mistyped one stands for.
package near

import "strings"

// longestWord bounds the words that are compared: the time is quadratic, and
// nobody mistypes a longer one.
const longestWord = 64

// Word gives the candidate that a mistyped word most likely stands for: the
// one with the fewest edits, at most one for every three letters. Case does not
// count, and a word that is the beginning of just one candidate stands for it.
// Without a likely one it gives "".
func Word(word string, candidates []string) string {
	if len(word) > longestWord {
		return ""
	}
	word = strings.ToLower(word)
	best, fewest := "", max(1, len(word)/3)+1
	for _, candidate := range candidates {
		if edits := Distance(word, strings.ToLower(candidate)); edits < fewest {
			best, fewest = candidate, edits
		}
	}
	if best == "" {
		return completion(word, candidates)
	}
	return best
}

// completion gives the one candidate that starts with word, or "".
func completion(word string, candidates []string) string {
	found := ""
	for _, candidate := range candidates {
		if len(word) < 2 || !strings.HasPrefix(candidate, word) {
			continue
		}
		if found != "" {
			return ""
		}
		found = candidate
	}
	return found
}

// Distance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b (optimal string alignment).
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(t)]
}
