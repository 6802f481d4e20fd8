// Audits MCP servers that others wrote: two that serve skills, and three that
// serve none.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, here, port, probe, roots, run, serve, skilltool, statuses } from "./harness.mjs";

// The skills are those of testdata/skills, and one whose files have unusual
// names and bytes.
const skills = join(here, "skills");
cpSync(roots[0], skills, { recursive: true });
for (const [name, content] of Object.entries({
  "SKILL.md": "---\nname: odd-files\ndescription: Files with unusual names and bytes. Use when a server is tried.\n---\n\n# Odd files\n",
  "assets/bytes.bin": Uint8Array.from({ length: 256 }, (_, i) => i),
  "assets/empty.txt": "",
  "references/byte-order-mark.md": "\uFEFFno line break at the end",
  "references/crlf.txt": "one\r\ntwo\r\n",
  "references/deep/er/100%.md": "percent\n",
  "references/größe.md": "ö\n",
  "references/setup guide.md": "blank\n",
})) {
  mkdirSync(join(skills, "odd-files", name, ".."), { recursive: true });
  writeFileSync(join(skills, "odd-files", name), content);
}
const listed = JSON.parse((await run(skilltool, ["manifest", "-q", "-f", "json", skills])).stdout).skills;
const each = (outcome) => listed.map((entry) => [entry.uri, outcome]);
const outcomes = (report) => report?.skills?.map((skill) => [skill.uri, skill.outcome]);

// audit checks what a probe says of a server that serves the skills.
async function audit(what, target, wanted) {
  const got = await probe(...target);
  check(`${what}: exit code`, got.code, wanted.code, got.all);
  check(`${what}: verdict`, got.report?.verdict, wanted.verdict, got.stderr);
  check(`${what}: how`, [got.report?.server?.transport, got.report?.server?.protocol], wanted.how, got.stderr);
  check(`${what}: failed checks`, statuses(got.report, "fail"), wanted.failed ?? [], got.all);
  check(`${what}: warnings`, statuses(got.report, "warn"), wanted.warned ?? [], got.all);
  check(`${what}: errors`, statuses(got.report, "error"), [], got.all);
  check(`${what}: skills`, outcomes(got.report), each(wanted.outcome), got.stderr);
  check(`${what}: processes left`, got.left, []);
}

// The TypeScript SDK keeps the specification.
const modern = "2026-07-28";
const legacy = "2025-11-25";
const clean = { code: 0, verdict: "pass", outcome: "verified" };
const typescript = ["node", join(here, "typescript-server.mjs"), skills];
await audit("TypeScript SDK, stdio", ["--", ...typescript], { ...clean, how: ["stdio", modern] });
await audit("TypeScript SDK, stdio, legacy", ["--protocol", "legacy", "--", ...typescript], { ...clean, how: ["stdio", legacy] });
{
  const pulled = await run(skilltool, ["probe", "pull", "--dir", join(here, "pulled"), "--", ...typescript]);
  check("pull: exit code", pulled.code, 0, pulled.all);
  for (const { uri } of listed) {
    const [, name] = /([^/]*)\/SKILL\.md$/.exec(uri);
    const kept = join(here, "pulled", "node", encodeURIComponent(`skill://${name}`), name);
    const same = await run("diff", ["-r", join(skills, name), kept]);
    check(`pull: ${uri}`, same.code, 0, same.all);
  }
}
{
  const url = `http://127.0.0.1:${await port()}/mcp`;
  const server = await serve(typescript[0], [...typescript.slice(1), new URL(url).port], url);
  await audit("TypeScript SDK, HTTP", [url], { ...clean, how: ["http", modern] });
  await audit("TypeScript SDK, HTTP, legacy", ["--protocol", "legacy", url], { ...clean, how: ["http", legacy] });
  await server.stop();
}

// hf-mcp-server gives no size, and no cache attributes with skills/get. It holds
// the manifest, which is ours, against the files before it serves them. Without
// gradio=none it would ask other hosts for tools.
{
  writeFileSync(join(skills, "skills.json"), JSON.stringify({ skills: listed }));
  const number = await port();
  const url = `http://127.0.0.1:${number}/mcp?gradio=none`;
  const server = await serve("hf-mcp-server-http", ["--port", String(number)], url, { HF_SKILLS_DIR: skills });
  const faulty = { code: 1, verdict: "fail", outcome: "failed" };
  await audit("hf-mcp-server", [url], { ...faulty, how: ["http", modern], failed: ["get-cache-scope", "get-ttl", "size-integer"] });
  await audit("hf-mcp-server, legacy", ["--protocol", "legacy", url], { ...faulty, how: ["http", legacy], failed: ["size-integer"] });
  await server.stop();
}

// refuse checks what a probe says of a server without the extension.
async function refuse(what, transport, target) {
  const got = await probe(...target);
  check(`${what}: exit code`, got.code, 5, got.all);
  check(`${what}: lines on standard error`, got.stderr.split("\n").length - 1, 1, got.stderr);
  check(`${what}: verdict`, got.report?.verdict, "fail", got.stdout);
  check(`${what}: extension-declared`, statuses(got.report, "fail").includes("extension-declared"), true, got.stdout);
  check(`${what}: transport`, got.report?.server?.transport, transport, got.stdout);
  check(`${what}: processes left`, got.left, []);
}

await refuse("server-everything, stdio", "stdio", ["--", "mcp-server-everything"]);
await refuse("server-memory", "stdio", ["--", "mcp-server-memory"]);
await refuse("server-filesystem", "stdio", ["--", "mcp-server-filesystem", skills]);
{
  const number = await port();
  const url = `http://127.0.0.1:${number}/sse`;
  const server = await serve("mcp-server-everything", ["sse"], url, { PORT: String(number) });
  await refuse("server-everything, SSE", "sse", [url]);
  await server.stop();
}
