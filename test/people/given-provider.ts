import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, vi } from "vitest";
import { listening } from "../../src/lib/listening.ts";

export const CLIENT = { id: "signalbox", secret: "the client's secret" };

interface Given {
  /** Where it may send browsers back; they must be known before they are asked for. */
  readonly redirectUris: string[];
  /** What it says of who logs in with a name. */
  readonly claims?: (name: string) => Record<string, unknown>;
  /** Called before a response to a request for tokens is sent. */
  readonly beforeTokens?: (response: ServerResponse) => void;
}

/** oidc-provider on loopback, whose own pages let in whoever gives a name. @returns its issuer */
export async function givenProvider({
  redirectUris,
  claims = verified,
  beforeTokens,
}: Given): Promise<string> {
  // It warns of its keys and pages, which are for trials.
  const quiet = [vi.spyOn(console, "warn"), vi.spyOn(console, "info")];
  for (const one of quiet) one.mockImplementation(() => undefined);
  const { Provider } = await import("oidc-provider");
  const server = createServer();
  await listening(server, { port: 0, host: "127.0.0.1" }, (error) => process.emitWarning(error));
  // A server on a TCP port has an address of this type.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris }],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    findAccount: (_: unknown, name: string) => ({
      accountId: name,
      claims: () => ({ sub: name, ...claims(name) }),
    }),
  }).callback();
  server.on("request", (request, response) => {
    if (request.url === "/token" && beforeTokens) {
      const end = response.end.bind(response);
      response.end = ((...given: Parameters<typeof end>) => {
        beforeTokens(response);
        return end(...given);
      }) as typeof response.end;
    }
    answer(request, response);
  });
  onTestFinished(async () => {
    for (const one of quiet) one.mockRestore();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return issuer;
}

function verified(name: string): Record<string, unknown> {
  return { email: `${name}@example.com`, email_verified: true };
}

/** Logs in as a browser does. @returns the address to which the provider sends it back */
export async function logInAt(issuer: string, address: string, name: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  let form: URLSearchParams | undefined;
  while (at.startsWith(`${issuer}/`)) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const response = await fetch(at, {
      redirect: "manual",
      headers: { cookie },
      ...(form && { method: "POST", body: form }),
    });
    form = undefined;
    for (const set of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get("location");
    if (location !== null) {
      at = new URL(location, at).href;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (prompt === undefined || action === undefined) throw new Error(`No form at ${at}: ${page}`);
    form = new URLSearchParams({ prompt, login: name, password: "any" });
    at = new URL(action, at).href;
  }
  return at;
}
