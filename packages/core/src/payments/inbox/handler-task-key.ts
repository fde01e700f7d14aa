import { encodeBase64 } from '../../shared/base64.js'
import { sha256 } from '../../shared/sha256.js'
import type { Report } from './inbox-reports.js'

/**
 * Returns the idempotency key of a handler's task: 43 URL-safe characters. It is a hash of JSON, so that no two names or
 * references collide.
 * @param subject the transfer of a report; with the `credit` of a decision, that credit, whichever report names it
 */
export function handlerTaskKey(
  handler: string,
  subject: Pick<Report, 'name' | 'merchant' | 'reference' | 'txHash'> & {
    credit?: string | undefined
  },
): string {
  const { name, merchant, reference, txHash, credit } = subject
  const about = credit === undefined ? [merchant, handler, reference, txHash] : [credit, handler]
  const facts = JSON.stringify([name, ...about])
  const hash = encodeBase64(sha256(facts))
  return hash.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
}
