import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { freshFolder } from "./project.ts";

/** Files in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate for 2 days that vouches for itself, made by openssl; removed after the test. @param names as in `DNS:localhost` */
export function selfSigned(names: readonly string[]): Certificate {
  const folder = freshFolder();
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=signalbox tests", "-addext", `subjectAltName=${names.join(",")}`];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...made, "-out", cert, "-keyout", key], { stdio: "ignore" });
  return { cert, key };
}
