// Loaded into servers that would listen on every interface.
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  if (Number.isNaN(Number(port)) || typeof rest[0] === "string") return listen.call(this, port, ...rest);
  const callback = rest.find((argument) => typeof argument === "function");
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, callback);
};
