import { LoginError, type LoginErrorCode } from "./login-error.ts";

/** What went wrong at the provider, as a LoginError; errors that are none of the library's as they are. */
export function explainLogin(error: unknown, issuer: string): unknown {
  if (!(error instanceof Error) || error instanceof LoginError) return error;
  const told = explain(error, issuer);
  return told ? new LoginError(told[0], told[1], { cause: error }) : error;
}

function explain(error: Error, issuer: string): readonly [LoginErrorCode, string] | undefined {
  const code = "code" in error ? String(error.code) : "";
  const { cause } = error;
  // The system's own error is the cause of fetch's.
  if (code === "OAUTH_TIMEOUT" || (error instanceof TypeError && cause instanceof Error)) {
    const reason = innermostMessage(error);
    return ["provider_down", `${issuer} cannot be reached (${reason}). Try again later.`];
  }
  switch (code) {
    case "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED":
      return ["wrong_issuer", wrongIssuer(issuer, fieldOf(fieldOf(cause, "body"), "issuer"))];
    case "OAUTH_HTTP_REQUEST_FORBIDDEN":
      return [
        "wrong_issuer",
        `${issuer} is asked without TLS, so anyone on the way could log in as anybody. Give login.issuer an https address in .ralph/config.json.`,
      ];
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
      return [
        "wrong_clock",
        `By this server's clock the login had expired when it came from ${issuer}. Set the clock of the server, or of the provider, and log in again.`,
      ];
    case "OAUTH_AUTHORIZATION_RESPONSE_ERROR":
      return [
        "login_refused",
        `${issuer} refused the login: ${reasonOf(error)}. Log in again, or ask whoever runs the provider.`,
      ];
    case "OAUTH_WWW_AUTHENTICATE_CHALLENGE":
      return ["wrong_client", wrongClient(issuer, "invalid_client")];
    case "OAUTH_RESPONSE_BODY_ERROR":
      return fieldOf(error, "error") === "invalid_grant"
        ? ["stale_login", STALE_LOGIN]
        : ["wrong_client", wrongClient(issuer, reasonOf(error))];
  }
  if (!code.startsWith("OAUTH_")) return undefined;
  // A server of hono's has put its own class in place of Response.
  const status = fieldOf(cause, "status");
  const reason =
    typeof status === "number"
      ? `HTTP status ${status} at ${fieldOf(cause, "url")}`
      : innermostMessage(error);
  return [
    "provider_fault",
    `${issuer} does not answer as an OpenID provider does: ${reason}. Check login.issuer in .ralph/config.json.`,
  ];
}

export const STALE_LOGIN =
  "This login was begun in another browser, was used already, or took too long. Log in again.";

function wrongIssuer(issuer: string, own: unknown): string {
  return `The provider at ${issuer} calls itself ${JSON.stringify(own)}. Write that as login.issuer in .ralph/config.json, letter by letter.`;
}

function wrongClient(issuer: string, reason: string): string {
  return `${issuer} does not accept signalbox as a client: ${reason}. Check login.client_id and login.client_secret in .ralph/config.json.`;
}

/** What the provider itself says (RFC 6749 §4.1.2.1). */
function reasonOf(error: Error): string {
  const given = [fieldOf(error, "error"), fieldOf(error, "error_description")];
  return given.filter((text) => typeof text === "string" && text !== "").join(", ");
}

function fieldOf(from: unknown, name: string): unknown {
  return typeof from === "object" && from !== null ? Reflect.get(from, name) : undefined;
}

/** Where the system, or the library, says why. */
function innermostMessage(error: Error): string {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  return inner.message || ("code" in inner ? String(inner.code) : inner.name);
}
