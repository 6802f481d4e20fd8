// The conformance tests of MCP, both ways: "probe" as a client of their hostile
// server, and the honest fixture as a server for their client.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { check, fixture, here, port, run, serve, skilltool } from "./harness.mjs";

// outcome gives the status of every check of a scenario that is no SUCCESS, and
// the number of those. The exit code alone also passes what was skipped.
async function outcome(side, scenario, args) {
  const folder = join(here, side, scenario);
  const result = await run("conformance", [side, ...args, "--scenario", scenario, "--output-dir", folder]);
  const found = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith("checks.json"));
  const checks = found.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  const other = checks.filter((c) => c.status !== "SUCCESS").map((c) => `${c.id} ${c.status}`);
  return { ...result, successes: checks.length - other.length, other };
}

// The URL of their server comes last on our command line. Listing must read no
// file; pulling must read SKILL.md, and stop there.
for (const [scenario, command] of [
  ["sep-2640-client-no-prefetch", `${skilltool} probe list`],
  ["sep-2640-client-verify-digest", `${skilltool} probe pull --dir ${here}refused`],
  ["sep-2640-client-verify-size", `${skilltool} probe pull --dir ${here}refused`],
  ["sep-2640-client-verify-frontmatter", `${skilltool} probe pull --dir ${here}refused`],
]) {
  const got = await outcome("client", scenario, ["--command", command]);
  check(`conformance client ${scenario}`, [got.code, got.successes, got.other], [0, 1, []], got.all);
}

if (fixture === "") {
  console.log("skipped conformance of the fixture: no go");
} else {
  const number = await port();
  const url = `http://127.0.0.1:${number}/mcp`;
  const server = await serve(fixture, ["--http", `127.0.0.1:${number}`], url);
  for (const scenario of ["enumeration", "manifest", "directory"]) {
    const got = await outcome("server", `sep-2640-skills-${scenario}`, ["--url", url]);
    check(`conformance server ${scenario}`, [got.code, got.successes > 0, got.other], [0, true, []], got.all);
  }
  await server.stop();
}
