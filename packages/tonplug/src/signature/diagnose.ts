import { createHash, createHmac } from 'node:crypto'
import type { SourcedSecret } from '../secret.js'
import { bodyVariants, type BodyVariant } from './body-variants.js'
import { readClaimedDigest } from './claimed-digest.js'
import type { Mistake } from './mistake.js'
import { secretVariants, type SecretVariant } from './secret-variants.js'

/** A received body and signature, and the known secrets. */
export interface SignatureQuestion {
  body: Buffer
  /** The value of the header. */
  signature: string
  /** The secret of the app first, then others to try. */
  secrets: [SourcedSecret, ...SourcedSecret[]]
  encoding: 'hex' | 'base64'
}

/** Returns the mistakes that explain why a signature does not match; none when it matches. */
export function diagnoseSignature(question: SignatureQuestion): Mistake[] {
  const { body, signature, secrets, encoding } = question
  const claimed = readClaimedDigest(signature, encoding)
  const { digest } = claimed
  if (digest === undefined) return claimed.mistakes
  const found = findSigned(digest, [...bodyVariants(body)], secretVariants(secrets))
  return [...claimed.mistakes, ...(found ?? [unexplained(body, digest, secrets)])]
}

/** Returns the fewest mistakes that explain the digest: none, one of the body or the secret, or both. */
function findSigned(
  digest: Buffer,
  bodies: BodyVariant[],
  keys: SecretVariant[],
): Mistake[] | undefined {
  const stages: [BodyVariant[], SecretVariant[]][] = [
    [bodies.slice(0, 1), keys],
    [bodies, keys.slice(0, 1)],
    [bodies, keys],
  ]
  for (const [someBodies, someKeys] of stages) {
    for (const { key, mistake: ofSecret } of someKeys) {
      for (const { bytes, mistake: ofBody } of someBodies) {
        if (!createHmac('sha256', key).update(bytes).digest().equals(digest)) continue
        return [ofBody, ofSecret].filter((mistake) => mistake !== undefined)
      }
    }
  }
  return undefined
}

/** The secret cannot be guessed, so it is the most likely mistake when no other one explains the digest. */
function unexplained(
  body: Buffer,
  digest: Buffer,
  secrets: [SourcedSecret, ...SourcedSecret[]],
): Mistake {
  const [{ source, value }] = secrets
  const unkeyed = [[body], [value, body], [body, value]]
  if (unkeyed.some((parts) => sha256(parts).equals(digest))) {
    return {
      code: 'not-hmac',
      problem: 'The signature is a plain SHA-256, not an HMAC with the secret as its key.',
      fix: 'Sign with HMAC-SHA256: signPayload of @tonplug/testing, or `tonplug send`.',
    }
  }
  const tried =
    secrets.length > 1
      ? `None of the ${secrets.length} secrets explains the signature`
      : `The secret in ${source} does not explain the signature`
  return {
    code: 'wrong-secret',
    problem: `${tried}, not even with the usual changes of the body: most likely the gateway signs with another secret. The one in ${source} has ${value.length} characters.`,
    fix: 'Compare it with the webhook secret of the merchant dashboard (Developer → Webhooks): it is not the API key, and test and live mode have different ones. Try further secrets with more --secret-file. If it is correct, the content of the body was changed.',
  }
}

function sha256(parts: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
