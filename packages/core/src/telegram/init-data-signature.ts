// The whole module: bundlers for browsers replace it with an empty one, and a named import from that is an error.
import nodeCrypto from 'node:crypto'

type Fields = Readonly<Record<string, string>>

/** Returns true when the token of a bot has signed the fields: `hash` is their HMAC. Takes constant time. */
export function hasBotHash(fields: Fields, token: string): boolean {
  const { hash = '', ...signed } = fields
  if (!/^[0-9a-f]{64}$/.test(hash)) return false
  const secret = nodeCrypto.createHmac('sha256', 'WebAppData').update(token).digest()
  const expected = nodeCrypto.createHmac('sha256', secret).update(linesOf(signed)).digest()
  return nodeCrypto.timingSafeEqual(expected, Buffer.from(hash, 'hex'))
}

/** Returns true when Telegram has signed the fields for a bot: `signature` is their Ed25519 signature. */
export function hasTelegramSignature(
  fields: Fields,
  { botId, publicKey }: { botId: string; publicKey: string },
): boolean {
  const { hash: _, signature = '', ...signed } = fields
  if (!/^[\w-]{86}(?:==)?$/.test(signature)) return false
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  const key = nodeCrypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const text = Buffer.from(`${botId}:WebAppData\n${linesOf(signed)}`)
  return nodeCrypto.verify(null, text, key, Buffer.from(signature, 'base64url'))
}

/** Returns the signed string: one line for each field, sorted by name. */
function linesOf(fields: Fields): string {
  const names = Object.keys(fields).toSorted()
  return names.map((name) => `${name}=${fields[name]}`).join('\n')
}
