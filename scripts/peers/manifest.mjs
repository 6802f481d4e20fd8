// Compares the manifests of folders with other readers of the same files.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { check, roots, skilltool } from "./harness.mjs";

const most = { maxBuffer: 1 << 30 };

// frontmatter reads what stands between the fences of a SKILL.md. A value that
// YAML and JSON write differently (1.0 and 1) is one value.
function frontmatter(file) {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const block = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(text);
  const document = parseDocument(block[1], { version: "1.2", schema: "core", merge: false, uniqueKeys: false });
  if (document.errors.length > 0) throw document.errors[0];
  return document.toJS();
}

// sums gives the digests and sizes of files by other programs.
function sums(dir, files) {
  const options = { cwd: dir, encoding: "utf8", ...most };
  const names = files.map((name) => "./" + name);
  const digests = execFileSync("sha256sum", ["--zero", ...names], options).split("\0").slice(0, -1);
  const sizes = execFileSync("stat", ["--printf=%s\\0", ...names], options).split("\0").slice(0, -1);
  return files.map((_, i) => `sha256:${digests[i].slice(0, 64)} ${sizes[i]}`);
}

for (const root of roots.map((root) => realpathSync(root))) {
  const run = spawnSync(skilltool, ["manifest", "-q", "-f", "json", root], { encoding: "utf8", ...most });
  if (run.status !== 0 && run.status !== 1) {
    check(`${root} exit code`, run.status, 0, run.stderr);
    continue;
  }
  for (const entry of JSON.parse(run.stdout).skills) {
    const base = entry.uri.slice(0, -"SKILL.md".length);
    const below = decodeURIComponent(base.slice("skill://".length));
    const dir = existsSync(join(root, below)) ? join(root, below) : root; // root may be the skill itself
    check(`${entry.uri} frontmatter`, entry.frontmatter, frontmatter(join(dir, "SKILL.md")));
    const files = entry.resources.map((r) => decodeURIComponent(r.uri.slice(base.length)));
    sums(dir, files).forEach((want, i) => {
      check(entry.resources[i].uri, `${entry.resources[i].digest} ${entry.resources[i].size}`, want);
    });
  }
}
