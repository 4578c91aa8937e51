import * as openid from "openid-client";
import type { Config } from "../../config/config.ts";
import { secretOf } from "../../config/secret.ts";
import { isLoopbackHost } from "../../lib/http/hosts.ts";
import { explainLogin, STALE_LOGIN } from "./explain-login.ts";
import type { LoginChecks } from "./login-checks.ts";
import { LoginError } from "./login-error.ts";

export type LoginSettings = NonNullable<Config["login"]>;

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

/** Nothing is asked before the first login. Its library is large: import this file where it is needed first. */
export function loginProvider(settings: LoginSettings): LoginProvider {
  let known: Promise<openid.Configuration> | undefined;
  /** Works with what the provider said of itself; its errors in our words. */
  const withProvider = async <T>(work: (configuration: openid.Configuration) => Promise<T>): Promise<T> => {
    known ??= discover(settings);
    try {
      return await work(await known);
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
      withProvider(async (configuration) => {
        const state = openid.randomState();
        const nonce = openid.randomNonce();
        const verifier = openid.randomPKCECodeVerifier();
        const { href } = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: settings.claim === "email" ? "openid email" : "openid",
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        });
        return { address: href, checks: { state, nonce, verifier } };
      }),
    finish: (callback, { state, nonce, verifier }) =>
      withProvider(async (configuration) => {
        if (callback.searchParams.get("state") !== state) throw new LoginError("stale_login", STALE_LOGIN);
        const tokens = await openid.authorizationCodeGrant(configuration, callback, {
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
          isElsewhere ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims,
          settings.issuer,
        );
      }),
  };
}

async function discover({ issuer, client_id, client_secret }: LoginSettings): Promise<openid.Configuration> {
  const secret = client_secret && secretOf(client_secret, "login.client_secret");
  const url = new URL(issuer);
  // On this machine nobody reads along.
  const isOwn = url.protocol === "http:" && isLoopbackHost(url.host);
  return openid.discovery(url, client_id, undefined, authenticationOf(secret), {
    execute: [openid.enableNonRepudiationChecks, ...(isOwn ? [openid.allowInsecureRequests] : [])],
    timeout: TIMEOUT_S,
  });
}

/** Of each request to the provider. */
const TIMEOUT_S = 10;

/** By HTTP Basic, as every provider takes it that does not say otherwise (OpenID Connect Discovery 1.0 §3). */
function authenticationOf(secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None();
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = ways.includes("client_secret_basic")
      ? openid.ClientSecretBasic(secret)
      : openid.ClientSecretPost(secret);
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
