/** The bytes of standard base64 with padding; undefined for a text that is not what those bytes are written as. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
