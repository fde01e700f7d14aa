import { decodeBase64 } from '../../../shared/base64.js'
import { undefinedOn } from '../../../shared/undefined-on.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { toHex } from '../../../shared/bytes.js'
import { hashOf } from '../../../proof/cell.js'
import { ProofError } from '../../../proof/proof-error.js'
import { readCellTree } from '../../../proof/read-cells.js'
import { readBody } from '../../../toncenter/chain/message-body.js'
import { transactionsOf } from '../../../toncenter/chain/trace-state.js'
import type { V3Transaction } from '../../../toncenter/v3/generated/types.js'
import type { Trace } from '../../../toncenter/v3/schemas/trace.js'

type Message = V3Transaction['out_msgs'][number]

/**
 * Returns the hash of a message whose body does not have the hash beside it. Comments are read from bodies, and sources
 * compare the hashes of bodies.
 */
export function findForgedBody(trace: Trace): string | undefined {
  return transactionsOf(trace)
    .flatMap(({ in_msg, out_msgs }) => (in_msg === undefined ? out_msgs : [in_msg, ...out_msgs]))
    .find(hasForgedBody)?.hash
}

function hasForgedBody({ message_content: content }: Message): boolean {
  const { body, hash } = content ?? {}
  // The body of one side must not be read with the hash of the other.
  if ((body === undefined) !== (hash === undefined)) return true
  // Nothing is read from such a body.
  if (body === undefined || readBody(body) === undefined) return false
  const root = undefinedOn(ProofError, () => readCellTree(decodeBase64(body)))
  return root === undefined || toHex(hashOf(root)) !== canonicalTransactionHash(hash ?? '')
}
