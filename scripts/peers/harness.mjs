// What all parts share: counting, and running the programs of others.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const skilltool = process.env.SKILLTOOL_PEERS_BIN;
export const fixture = process.env.SKILLTOOL_PEERS_FIXTURE;
export const roots = process.argv.slice(2);
// here is a folder of this run alone.
export const here = fileURLToPath(new URL(".", import.meta.url));

const longest = 120_000; // ms; the slowest program needs ten seconds
let passed = 0;
let failed = 0;

// part runs one of the files beside this one; what it throws is a failure.
export async function part(name) {
  const before = passed + failed;
  const start = Date.now();
  try {
    await import(`./${name}.mjs`);
  } catch (error) {
    failed++;
    console.log(`${name}: ${error.stack}`);
  }
  console.log(`${name}: ${passed + failed - before} checks in ${Math.round((Date.now() - start) / 1000)} s`);
}

export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

// check compares two values by their JSON. more is shown where they differ.
export function check(what, got, want, more = "") {
  if (JSON.stringify(got) === JSON.stringify(want)) {
    passed++;
    return;
  }
  failed++;
  console.log(`${what}:\n  got  ${JSON.stringify(got)}\n  want ${JSON.stringify(want)}`);
  if (more !== "") console.log(more.trimEnd().replace(/^/gm, "  | "));
}

// The programs get the pinned Node.js, a home of their own, and listen on the
// loopback interface only.
const home = join(here, "home");
mkdirSync(home, { recursive: true });
const environment = {
  ...process.env,
  HOME: home,
  NODE_OPTIONS: `--import ${new URL("loopback.mjs", import.meta.url)}`,
  NO_COLOR: "1",
  PATH: join(here, "node_modules", ".bin") + delimiter + process.env.PATH,
};

const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

function start(command, args, env, stdio) {
  const child = spawn(command, args, { cwd: home, env: { ...environment, ...env }, stdio });
  running.add(child);
  child.on("error", (error) => console.log(`${command}: ${error.message}`));
  child.on("close", () => running.delete(child));
  return child;
}

// run gives the exit code and the output of a program; the code is null for one
// that had to be killed.
export async function run(command, args, env = {}, patience = longest) {
  const child = start(command, args, env, ["ignore", "pipe", "pipe"]);
  const output = [child.stdout, child.stderr].map(async (stream) => {
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) text += chunk;
    return text;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  const code = await new Promise((resolve) => child.on("close", resolve).on("error", () => resolve(null)));
  clearTimeout(timer);
  const [stdout, stderr] = await Promise.all(output);
  return { code, stdout, stderr, all: `${command} ${args.join(" ")}\nexit code ${code}\n${stdout}${stderr}` };
}

// probe runs "skilltool probe" and reads its report; left are the processes that
// it left behind.
export async function probe(...args) {
  const mark = randomUUID();
  const result = await run(skilltool, ["probe", "-f", "json", ...args], { SKILLTOOL_PEERS_MARK: mark });
  let report = null;
  try {
    report = JSON.parse(result.stdout);
  } catch {
    // Without a report there is nothing to compare, and the check fails.
  }
  return { ...result, report, left: await marked(mark) };
}

// marked gives the processes that have a mark in their environment, once those
// that are about to end have ended.
async function marked(mark) {
  if (!existsSync("/proc/self/environ")) return []; // not Linux
  for (let waited = 0; ; waited += 100) {
    const left = readdirSync("/proc").filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(mark);
      } catch {
        return false; // gone, or somebody else's
      }
    });
    if (left.length === 0 || waited > 2000) return left;
    await sleep(100);
  }
}

// statuses gives the ids of the checks with a status, each once, sorted.
export function statuses(report, status) {
  return [...new Set((report?.checks ?? []).filter((c) => c.status === status).map((c) => c.id))].sort();
}

// port gives a TCP port that nobody listens on.
export function port() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// serve starts a server and waits until it answers at url. The caller stops it
// with stop, which gives what it wrote.
export async function serve(command, args, url, env = {}) {
  const child = start(command, args, env, ["ignore", "pipe", "pipe"]);
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (log += text));
  const closed = new Promise((resolve) => child.on("close", resolve));
  for (let waited = 0; !(await answers(url)); waited += 100) {
    if (child.exitCode !== null || waited > longest / 2) {
      child.kill("SIGKILL");
      throw new Error(`${command} does not answer\n${log}`);
    }
    await sleep(100);
  }
  return {
    url,
    stop: async () => {
      child.kill("SIGKILL");
      await closed;
      return log;
    },
  };
}

async function answers(url) {
  const ended = new AbortController();
  try {
    await fetch(url, { signal: ended.signal });
    return true;
  } catch {
    return false;
  } finally {
    ended.abort();
  }
}
