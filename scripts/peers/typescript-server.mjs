// Serves a folder of skills with the TypeScript SDK: over its standard input and
// output, or over HTTP on a port.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [folder, port] = process.argv.slice(2);
const skills = await loadSkills(folder);
const factory = () => {
  const server = new McpServer({ name: "typescript-server", version: "1.0.0" });
  skills.attach(server);
  return server;
};

if (port === undefined) {
  serveStdio(factory);
} else {
  const handler = createMcpHandler(factory);
  createServer(async (request, response) => {
    const { method, headers } = request;
    const body = method === "POST" ? Buffer.concat(await request.toArray()) : undefined;
    const answer = await handler.fetch(new Request(`http://127.0.0.1:${port}${request.url}`, { method, headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else Readable.fromWeb(answer.body).pipe(response);
  }).listen(port);
}
