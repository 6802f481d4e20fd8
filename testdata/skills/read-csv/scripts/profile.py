#!/usr/bin/env python3
"""Prints how a CSV file is written: profile.py FILE"""
import collections
import csv
import sys

ENCODINGS = ("utf-8-sig", "cp1252")


def decode(path):
    data = open(path, "rb").read()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16"), "utf-16"
    for encoding in ENCODINGS:
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def delimiter_of(text):
    """The delimiter that splits the first lines most evenly."""
    head = text.splitlines()[:50]

    def score(delimiter):
        widths = collections.Counter(len(row) for row in csv.reader(head, delimiter=delimiter) if row)
        width, rows = widths.most_common(1)[0] if widths else (1, 0)
        return rows if width > 1 else 0, width

    return max(",;\t|", key=score)


def kind_of(values):
    def all_convert(convert):
        try:
            return all(convert(v) is not None for v in values)
        except ValueError:
            return False

    if not values:
        return "empty"
    if any(len(v) > 1 and v[0] == "0" and v.isdigit() for v in values):
        return "text (leading zeros)"
    return "integer" if all_convert(int) else "number" if all_convert(float) else "text"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: profile.py FILE")
    text, encoding = decode(sys.argv[1])
    delimiter = delimiter_of(text)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    rows = [(reader.line_num, row) for row in reader if row]
    if not rows:
        sys.exit("the file holds no row")
    header, body = rows[0][1], rows[1:]
    odd = [line for line, row in body if len(row) != len(header)]
    print(f"encoding {encoding}, delimiter {delimiter!r}, {len(header)} columns, {len(body)} rows")
    if odd:
        print(f"{len(odd)} rows of another length, at lines {', '.join(map(str, odd[:10]))}")
    for i, name in enumerate(header):
        values = [row[i].strip() for _, row in body if i < len(row)]
        present = [v for v in values if v]
        print(f"{i + 1:3} {name.strip()!r}: {kind_of(present)}, {len(body) - len(present)} missing, {len(set(present))} distinct")


if __name__ == "__main__":
    main()
