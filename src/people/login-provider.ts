import type { ClientAuth, Configuration } from "openid-client";
import { z } from "zod";
import type { Config } from "../config/config.ts";
import { secretOf } from "../config/secret.ts";
import { isLoopbackHost } from "../lib/http/hosts.ts";
import { explainLogin, STALE_LOGIN } from "./explain-login.ts";
import { LoginError } from "./login-error.ts";

export type LoginSettings = NonNullable<Config["login"]>;

/** What the provider's answer must fit. The browser that began the login keeps it, and nobody else knows it. */
export const loginChecks = z.strictObject({
  state: z.string().max(200),
  nonce: z.string().max(200),
  verifier: z.string().max(200),
});
export type LoginChecks = z.infer<typeof loginChecks>;

/** An OpenID provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0 §3.1). */
export interface LoginProvider {
  /** Asks it who it is. @throws LoginError; ConfigError: the client's secret cannot be read */
  discover(): Promise<void>;
  /**
   * @param redirectUri where it sends the browser back; the provider must know it
   * @returns the address at which a person logs in
   * @throws LoginError; ConfigError
   */
  begin(redirectUri: string): Promise<{ readonly address: string; readonly checks: LoginChecks }>;
  /**
   * @param callback the redirect URI with what the provider added
   * @returns the verified e-mail address or the subject, as the settings ask
   * @throws LoginError; ConfigError
   */
  finish(callback: URL, checks: LoginChecks): Promise<string>;
}

/** Nothing is asked, and no library loaded, before the first login. */
export function loginProvider(settings: LoginSettings): LoginProvider {
  let known: Promise<Configuration> | undefined;
  /** Works with what the provider said of itself; its errors in our words. */
  const withProvider = async <T>(
    work: (client: OpenId, configuration: Configuration) => Promise<T>,
  ): Promise<T> => {
    const client = await import("openid-client");
    known ??= discover(client, settings);
    try {
      return await work(client, await known);
    } catch (error) {
      const explained = explainLogin(error, settings.issuer);
      // It may have been set right since: it is asked again.
      if (!(explained instanceof LoginError) || explained.fault === "unusable") known = undefined;
      throw explained;
    }
  };
  return {
    discover: () => withProvider(async () => undefined),
    begin: (redirectUri) =>
      withProvider(async (client, configuration) => {
        const state = client.randomState();
        const nonce = client.randomNonce();
        const verifier = client.randomPKCECodeVerifier();
        const { href } = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: settings.claim === "email" ? "openid email" : "openid",
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        });
        return { address: href, checks: { state, nonce, verifier } };
      }),
    finish: (callback, { state, nonce, verifier }) =>
      withProvider(async (client, configuration) => {
        if (callback.searchParams.get("state") !== state) throw new LoginError("stale_login", STALE_LOGIN);
        const tokens = await client.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new LoginError("provider_fault", `${settings.issuer} sent no ID token.`);
        if (settings.claim === "sub") return claims.sub;
        // Many providers tell the address only there (OpenID Connect Core 1.0 §5.4).
        const isElsewhere =
          claims.email_verified === undefined &&
          configuration.serverMetadata().userinfo_endpoint !== undefined;
        return verifiedEmailOf(
          isElsewhere ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims,
          settings.issuer,
        );
      }),
  };
}

type OpenId = typeof import("openid-client");

async function discover(
  client: OpenId,
  { issuer, client_id, client_secret }: LoginSettings,
): Promise<Configuration> {
  const secret = client_secret && secretOf(client_secret, "login.client_secret");
  const url = new URL(issuer);
  // On this machine nobody reads along.
  const isOwn = url.protocol === "http:" && isLoopbackHost(url.host);
  return client.discovery(url, client_id, undefined, authenticationOf(client, secret), {
    execute: [client.enableNonRepudiationChecks, ...(isOwn ? [client.allowInsecureRequests] : [])],
    timeout: TIMEOUT_S,
  });
}

/** Of each request to the provider. */
const TIMEOUT_S = 10;

/** By HTTP Basic, as every provider takes it that does not say otherwise (OpenID Connect Discovery 1.0 §3). */
function authenticationOf(client: OpenId, secret: string | undefined): ClientAuth {
  if (secret === undefined) return client.None();
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = ways.includes("client_secret_basic")
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret);
    return authenticate(server, ...rest);
  };
}

/** @throws LoginError: there is none, or the provider does not say that it belongs to this person */
function verifiedEmailOf(claims: Readonly<Record<string, unknown>>, issuer: string): string {
  const { email, email_verified: isVerified } = claims;
  if (typeof email !== "string" || email === "")
    throw new LoginError(
      "unverified_email",
      `${issuer} gave no e-mail address. Let the client ask it for the scope email, or set login.claim to "sub" in .ralph/config.json.`,
    );
  // Some providers write it as text.
  if (isVerified === true || isVerified === "true") return email;
  throw new LoginError(
    "unverified_email",
    `${issuer} does not say that the address ${email} was verified. Verify it there and log in again; if the provider never says so, set login.claim to "sub" in .ralph/config.json.`,
  );
}
