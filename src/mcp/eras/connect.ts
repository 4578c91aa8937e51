import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { InitializedConnection } from "./initialized.ts";
import type { Session } from "./served-session.ts";
import { StatelessConnection } from "./stateless.ts";

/**
 * Serves a client over its connection: each request in the era of MCP that it is of, so that a
 * client may ask what is spoken here and then go on in either (MCP 2026-07-28, Versioning).
 */
export async function connectBothEras(session: Session, transport: Transport): Promise<void> {
  const stateless = new StatelessConnection(session, (message) => transport.send(message));
  const initialized = new InitializedConnection(session, transport);
  transport.onmessage = (message, extra) => {
    if (!stateless.take(message)) initialized.take(message, extra);
  };
  transport.onclose = () => {
    stateless.close();
    initialized.close();
  };
  transport.onerror = session.report;
  await transport.start();
}
