#!/usr/bin/env python3
"""Groups log lines into patterns: patterns.py FILE... (the rarest first)"""
import re
import sys

MASKS = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.I), "<uuid>"),
    (re.compile(r"\b0x[0-9a-f]+\b|\b(?=\w*\d)[0-9a-f]{8,}\b", re.I), "<hex>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"), "<addr>"),
    (re.compile(r"\"[^\"]{24,}\""), "<text>"),
    (re.compile(r"\d+"), "<n>"),
]


def pattern_of(line):
    for expression, mask in MASKS:
        line = expression.sub(mask, line)
    return line[:200]


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: patterns.py FILE...")
    seen = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                entry = seen.setdefault(pattern_of(line.strip()), [0, f"{path}:{number}"])
                entry[0] += 1
    for pattern, (count, first) in sorted(seen.items(), key=lambda item: (item[1][0], item[0])):
        print(f"{count:8} {first} {pattern}")


if __name__ == "__main__":
    main()
