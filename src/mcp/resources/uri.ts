/**
 * The URI of one of several things: `ralph://features/a%2Fb`. Its id or name is encoded as a
 * template's `{name}` expands (RFC 6570 §3.2.2), so that a filled-in template gives the listed URI.
 */
export function uriOf(kind: string, key: string): string {
  return `ralph://${kind}/${encodeURIComponent(key).replace(/[!'()*]/g, percentEncoded)}`;
}

/**
 * The kind and the decoded key of `ralph://kind/key`; undefined for anything else, including
 * invalid encodings.
 */
export function splitUri(uri: string): { readonly kind: string; readonly key: string } | undefined {
  const [, kind, encoded] = /^ralph:\/\/([a-z]+)\/([^/?#]+)$/.exec(uri) ?? [];
  if (kind === undefined || encoded === undefined) return undefined;
  try {
    return { kind, key: decodeURIComponent(encoded) };
  } catch {
    return undefined;
  }
}

/** `encodeURIComponent` does not escape these; RFC 3986 §2.2 reserves them. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
