// Runs every part, one after another, and prints the sum. Started by run.
import { finish, part } from "./harness.mjs";

for (const name of ["manifest", "servers", "inspector", "conformance"]) await part(name);
finish();
