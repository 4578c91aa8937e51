/** The bytes of canonical, padded base64; undefined for any other text. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
