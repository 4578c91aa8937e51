import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asServerUser } from "./server-user.ts";

/** The settings of a server that speaks TLS, with a certificate for 127.0.0.1 and localhost. */
export function tlsSettings(folder: string): Record<string, string> {
  return {
    ssl: "on",
    ssl_cert_file: join(folder, "server.crt"),
    ssl_key_file: join(folder, "server.key"),
    ssl_ca_file: authorityOf(folder),
  };
}

/** The certificate by which a client knows the server. */
export function authorityOf(folder: string): string {
  return join(folder, "ca.crt");
}

/** The files of a login's own certificate; `makeClientCertificate` makes them. */
export function clientFiles(folder: string, login: string): { readonly cert: string; readonly key: string } {
  return { cert: join(folder, `client-${login}.crt`), key: join(folder, `client-${login}.key`) };
}

/**
 * Makes an authority and the server's certificate by it, with openssl, and lets the server refuse connections without TLS.
 *
 * @param ofClients also lets it refuse who has no certificate with the name of the login, and makes one for `postgres`
 */
export async function makeCertificates(folder: string, data: string, ofClients: boolean): Promise<void> {
  await makeAuthority(folder);
  writeFileSync(join(folder, "names"), "subjectAltName = IP:127.0.0.1, DNS:localhost\n");
  const files = { cert: join(folder, "server.crt"), key: join(folder, "server.key") };
  await sign(folder, "localhost", files, ["-extfile", join(folder, "names")]);
  if (ofClients) await makeClientCertificate(folder, "postgres");
  const rules = join(data, "pg_hba.conf");
  const changed = readFileSync(rules, "utf8").replaceAll(
    /^host (.*)$/gm,
    ofClients ? "hostssl $1 clientcert=verify-full" : "hostssl $1",
  );
  writeFileSync(rules, changed);
}

/** Makes the certificate of a login, by the authority of this folder. */
export async function makeClientCertificate(folder: string, login: string) {
  const files = clientFiles(folder, login);
  await sign(folder, login, files);
  return files;
}

/** Makes an authority in a folder that the server's user may write to. */
export async function makeAuthority(folder: string): Promise<void> {
  const files = ["-keyout", join(folder, "ca.key"), "-out", authorityOf(folder)];
  await openssl("req", "-x509", ...NEW_KEY, ...LASTS, "-subj", "/CN=signalbox tests", ...files);
}

async function sign(
  folder: string,
  name: string,
  { cert, key }: { readonly cert: string; readonly key: string },
  extensions: readonly string[] = [],
): Promise<void> {
  await openssl("req", ...NEW_KEY, "-subj", `/CN=${name}`, "-keyout", key, "-out", `${cert}.csr`);
  const by = ["-CA", authorityOf(folder), "-CAkey", join(folder, "ca.key"), "-CAcreateserial"];
  await openssl("x509", "-req", ...LASTS, "-in", `${cert}.csr`, "-out", cert, ...by, ...extensions);
}

const NEW_KEY = ["-newkey", "rsa:2048", "-nodes"];
const LASTS = ["-days", "2"];

function openssl(...args: readonly string[]): Promise<void> {
  return asServerUser("openssl", args);
}
