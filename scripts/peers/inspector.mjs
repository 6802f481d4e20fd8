// The MCP Inspector as a second opinion on what the fixture serves: nothing that
// it finds fault with may pass here.
import { check, fixture, probe, run } from "./harness.mjs";

// patience is how long it may wait, in ms: it has no bound of its own for an
// answer that never comes.
const patience = 20_000;

// inspect gives the Inspector's exit code (0: no fault, 7: a skill fails, 8: it
// read too little to say, 1: the server fails) and the outcome of each skill.
async function inspect(target) {
  const args = ["--cli", "--protocol-era", "modern", "--method", "skills/list", "--verify", "--format", "json", ...target];
  const result = await run("mcp-inspector", args, {}, patience);
  const lines = result.stdout.split("\n").filter((line) => line.startsWith("{"));
  return { ...result, skills: lines.map((line) => JSON.parse(line)) };
}

// The Inspector's own bounds, which are no faults of the server: a line of its
// standard input cannot hold the 16 MiB that every host must accept.
const bounded = new Set(["odd-16-mib-escaped", "odd-16-mib-file"]);

// What it fails and the probe does not, knowingly: it asks for the page of an
// empty cursor for ever, and takes a skill that was changed between two requests
// for a false one, where the probe asks again and says so.
const lenient = new Set(["cursor-empty", "changed-after-listing"]);

// compare holds our verdict on a lie against the Inspector's.
async function compare(lie) {
  const target = lie === "" ? [fixture] : [fixture, "--lie", lie];
  const [theirs, ours] = [await inspect(target), await probe("--", ...target)];
  const what = `Inspector on ${lie || "the honest fixture"}`;
  const both = theirs.all + ours.all;
  const outcomes = new Map(ours.report?.skills?.map((skill) => [skill.uri, skill.outcome]));
  if (lie === "") check(`${what}: exit codes`, [theirs.code, ours.code], [0, 0], both);
  if (bounded.has(lie) || lenient.has(lie)) return theirs.code;
  if (theirs.code === 7) check(`${what}: verdict`, ours.report?.verdict, "fail", both);
  if (theirs.code !== 0 && theirs.code !== 8) check(`${what}: exit code 0`, ours.code === 0, false, both);
  for (const { uri, outcome } of theirs.skills) {
    if (outcome === "failed") check(`${what}: ${uri}`, outcomes.get(uri), outcome, both);
    if (outcome === "unverifiable") check(`${what}: ${uri} verified`, outcomes.get(uri) === "verified", false, both);
  }
  return theirs.code;
}

if (fixture === "") {
  console.log("skipped inspector: no go");
} else {
  // Faults of the wire and of the process are left out: they say nothing of
  // skills. Every fourth of the rest shows all that they are about.
  const step = process.env.SKILLTOOL_PEERS_LIES === "all" ? 1 : 4;
  const listing = await run(fixture, ["--list-lies"]);
  const lies = listing.stdout.trim().split("\n").map((line) => line.split("\t")).filter(([, kind]) => kind !== "fault");
  const queue = ["", ...lies.map(([name]) => name).filter((_, i) => i % step === 0)];
  const codes = {};
  const worker = async () => {
    for (let lie; (lie = queue.shift()) !== undefined; ) {
      const code = await compare(lie);
      codes[code] = (codes[code] ?? 0) + 1;
    }
  };
  await Promise.all([worker(), worker()]);
  // If it found nothing, nothing was compared.
  check("Inspector: finds faults", codes[7] > 10, true, JSON.stringify(codes));
}
