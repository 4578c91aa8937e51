/**
 * The URI of one of several things: `ralph://features/a%2Fb`. Its id or name is encoded as a template's `{name}` expands
 * (RFC 6570 §3.2.2), so that a client which fills in a template comes to the URI that is listed.
 */
export function uriOf(kind: string, key: string): string {
  return `ralph://${kind}/${encodeURIComponent(key).replace(/[!'()*]/g, percentEncoded)}`;
}

/** The kind and the decoded key of `ralph://kind/key`; undefined for anything else, also for what is encoded wrongly. */
export function splitUri(uri: string): { readonly kind: string; readonly key: string } | undefined {
  const [, kind, encoded] = /^ralph:\/\/([a-z]+)\/([^/?#]+)$/.exec(uri) ?? [];
  if (kind === undefined || encoded === undefined) return undefined;
  try {
    return { kind, key: decodeURIComponent(encoded) };
  } catch {
    return undefined;
  }
}

/** `encodeURIComponent` leaves these as they are; they are reserved in RFC 3986 §2.2. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
