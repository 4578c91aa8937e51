import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Checkpoint,
  checkpointText,
  isSignedBy,
  readCheckpoint,
  readCheckpoints,
} from "../../../src/history/audit/checkpoint.ts";
import {
  newSigner,
  readSignature,
  readSigner,
  readVerifier,
} from "../../../src/history/audit/signed-note.ts";

// The published example of golang.org/x/mod/sumdb/note: a key pair for everybody, and what it signs.
const PUBLISHED = {
  signerKey: "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz",
  verifierKey: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature:
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};

const ORIGIN = "signalbox/0190a8c2-7f00-7000-8000-00000000002a";
const head = (size: number) => ({ origin: ORIGIN, size, root: Buffer.alloc(32, size) });
const signed = (size: number, signer = newSigner(ORIGIN)) => {
  const text = checkpointText(head(size));
  return `${text}\n${signer.sign(text)}`;
};

test("the published key signs the published text with the published signature", () => {
  const signer = readSigner(PUBLISHED.signerKey);
  expect(signer.verifierKey).toBe(PUBLISHED.verifierKey);
  expect(signer.sign(PUBLISHED.text)).toBe(PUBLISHED.signature);
});

test("the published signature is verified, and no other text under it", () => {
  const verifier = readVerifier(PUBLISHED.verifierKey);
  const { signature, name, id } = readSignature(PUBLISHED.signature.trimEnd()) ?? {
    signature: Buffer.alloc(0),
  };
  expect({ name, id }).toEqual({ name: verifier.name, id: verifier.id });
  expect(verifier.isSignature(PUBLISHED.text, signature)).toBe(true);
  expect(verifier.isSignature(`${PUBLISHED.text} `, signature)).toBe(false);
});

test("the example of C2SP tlog-checkpoint is read, signed by a key that is not known here", () => {
  const checkpoint = readCheckpoint(
    [
      "example.com/behind-the-sofa",
      "20852163",
      "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
      "",
      "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=",
      "",
    ].join("\n"),
  );
  expect(checkpoint).toMatchObject({ origin: "example.com/behind-the-sofa", size: 20_852_163 });
  expect(checkpoint.signatures).toHaveLength(1);
  expect(isSignedBy(checkpoint, readVerifier(PUBLISHED.verifierKey))).toBe(false);
});

test("written heads parse again, signed or not, alone or several in a file", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.boolean()), { minLength: 1, maxLength: 5 }),
      (sizes) => {
        const notes = sizes.map(([size, withKey]) => (withKey ? signed(size) : checkpointText(head(size))));
        const read = readCheckpoints(notes.join("\n"));
        expect(read.map(({ size }) => size)).toEqual(sizes.map(([size]) => size));
        expect(read.map(({ signatures }) => signatures.length)).toEqual(
          sizes.map(([, withKey]) => (withKey ? 1 : 0)),
        );
        expect(read.map(({ text }) => text)).toEqual(sizes.map(([size]) => checkpointText(head(size))));
      },
    ),
    { numRuns: 30 },
  );
});

test("a head is signed by its key, not after any change, and a bad signature beside a good one spoils it", () => {
  const signer = newSigner(ORIGIN);
  const verifier = readVerifier(signer.verifierKey);
  const good = readCheckpoint(signed(7, signer));
  expect(isSignedBy(good, verifier)).toBe(true);
  expect(isSignedBy({ ...good, text: checkpointText(head(8)) }, verifier)).toBe(false);
  expect(isSignedBy({ ...good, signatures: [] }, verifier)).toBe(false);
  expect(isSignedBy(good, readVerifier(newSigner(ORIGIN).verifierKey)), "another key of that name").toBe(
    false,
  );
  const other = readCheckpoint(signed(7, newSigner("example.com/witness")));
  expect(isSignedBy({ ...good, signatures: [...other.signatures, ...good.signatures] }, verifier)).toBe(true);
  const bad: Checkpoint["signatures"] = good.signatures.map((each) => ({
    ...each,
    signature: Buffer.alloc(64),
  }));
  expect(isSignedBy({ ...good, signatures: [...good.signatures, ...bad] }, verifier)).toBe(false);
});

test.each([
  ["nothing", "", "Line 1 is missing"],
  ["one line", "signalbox/x\n", "Line 2 is not the number"],
  ["a size with a zero before it", "signalbox/x\n07\nAAAA\n", "Line 2 is not the number"],
  ["a size below 0", "signalbox/x\n-7\nAAAA\n", "Line 2 is not the number"],
  [
    "a head of no events",
    "signalbox/x\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
    "vouches for nothing",
  ],
  [
    "a head that is glued to the one before",
    `${checkpointText(head(1))}${checkpointText(head(2))}`,
    "Line 4 follows a tree head",
  ],
  ["a short root", "signalbox/x\n7\nAAAA\n", "Line 3 is not a root"],
  ["a root in another way of writing", `signalbox/x\n7\n${"A".repeat(42)}B=\n`, "Line 3 is not a root"],
  ["Windows line ends", "signalbox/x\r\n7\r\n", "Line 1 holds a control character"],
  ["signatures of nothing", `\n${PUBLISHED.signature}`, "Line 2 has signatures without a tree head"],
  ["a signature that is none", `${checkpointText(head(1))}\n— me !!!\n`, "Line 5 is not a signature"],
])("%s is no tree head, and the line is named", (_what, text, message) => {
  expect(() => readCheckpoint(text)).toThrow(message);
});

test.each([
  ["PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "was altered"],
  ["PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T", "is not a public key"],
  ["Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "is not a public key"],
  [PUBLISHED.signerKey, "is not a public key"],
  ["", "is not a public key"],
])("%j is no public key", (text, message) => {
  expect(() => readVerifier(text)).toThrow(message);
});

test("a private key that is damaged is refused, and is not shown", () => {
  for (const text of [
    PUBLISHED.signerKey.replace("c74f20a3", "c74f20a4"),
    PUBLISHED.signerKey.slice(0, -2),
    "",
  ]) {
    try {
      readSigner(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "bad_key" });
      expect(String(error)).not.toContain("AYEKFALV");
    }
  }
});
