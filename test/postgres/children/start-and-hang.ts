import { startServer } from "../../support/postgres/server.ts";

/* Starts a server, prints where it is, and waits to be killed. */
const { url, folder } = await startServer();
process.stdout.write(`${JSON.stringify({ url, folder })}\n`);
setInterval(() => {}, 60_000);
