import { readOutcome, readRejection } from '../endpoint/rejection.js'
import { ServerError, UnknownMethodError, ValidationError } from '../errors/api.js'
import { classifyRefusal, verdict, type Refusal, type Verdict } from '../endpoint/classify-error.js'

// The index wraps what its checks say in 500 where it builds a query, and what its database says in 422 where it does
// not: the text tells more than the status.
const REFUSED =
  /limit is not allowed|wrong value for sort|unsupported stack parameter type|should be specified/i
const REQUIRED = /\brequired\b/i
const KEY = /\bapi[ _-]?key\b/i
const BUSY =
  /time(?:d |-)?out|deadline exceeded|context cancell?ed|too many clients|no free connections|connection (?:refused|reset)|failed to connect|conn(?:ection)? closed|unexpected EOF|broken pipe|conflict with recovery|SQLSTATE (?:08|40|53|57)/i
const NODE = /LITE_SERVER|liteserver/i
const NO_ROUTE = /^(?:internal server error: )?Cannot (?:GET|POST) /

/**
 * Names a refusal of API v3. What a node said comes through from API v2 and is named as there.
 * Source: API facts, part 2.4, and the index server.
 * @param isOfGateway whether the gateway refused, so that a 401 is about the key
 */
export function classifyIndexRefusal(refusal: Refusal, isOfGateway: boolean): Verdict {
  const { status, reason } = refusal
  const asOfNode = refusal.endpoint === 'message' ? { ...refusal, endpoint: 'sendBoc' } : refusal
  if (isOfNode(asOfNode)) return classifyRefusal(asOfNode)
  const isAboutParameter = status === 401 && REQUIRED.test(reason) && !KEY.test(reason)
  if (REFUSED.test(reason) || (isAboutParameter && !isOfGateway)) {
    return verdict(refusal, false, (details) => new ValidationError(details))
  }
  if (NO_ROUTE.test(reason)) {
    return verdict(
      refusal,
      false,
      (details) => new UnknownMethodError({ ...details, isCppOnly: false }),
    )
  }
  if ((status === 500 || status === 422) && BUSY.test(reason)) {
    return verdict(refusal, true, (details) => new ServerError({ ...details, isRetryable: true }))
  }
  return classifyRefusal(asOfNode)
}

/** Whether a node or a contract said it. Its text may hold a log, where any word may stand. */
function isOfNode({ endpoint, reason }: Refusal): boolean {
  return (
    NODE.test(reason) ||
    readOutcome(endpoint, reason) !== undefined ||
    readRejection(reason).exitCode !== undefined
  )
}
