// Loaded by NODE_OPTIONS: our MCP server, and no other program, starts three seconds late.
const [, program = "", command] = process.argv;
if (program.endsWith("signalbox.js") && command === "mcp") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
