import { Cell, external, type Transaction } from '@ton/core'
import { messageCell, normalizedHash } from '../chain/message-hash.js'
import { MessageRejectedError } from '../chain/message-rejected-error.js'
import { HttpError } from '../server/http-error.js'
import { base64Hash } from '../shared/encodings.js'
import { addressOf, cellOf, type Method, type MethodCall } from './method-call.js'

/** The methods that receive external messages. */
export const messages = {
  async sendBoc(call) {
    await call.chain.send(cellOf(call, 'boc'))
    return { '@type': 'ok' }
  },
  sendBocReturnHash,
  async sendBocReturnHashNoError(call) {
    try {
      return await sendBocReturnHash(call)
    } catch (error) {
      if (error instanceof MessageRejectedError) throw new HttpError(400, describeRejection(error))
      throw error
    }
  },
  async estimateFee(call) {
    const { chain, params } = call
    const to = addressOf(call)
    const body = cellOf(call, 'body')
    const [code, data] = ['init_code', 'init_data'].map((name) =>
      params[name] === undefined || params[name] === '' ? undefined : cellOf(call, name),
    )
    const init = code && { code, data: data ?? Cell.EMPTY }
    const message = messageCell(external({ to, body, ...(init && { init }) }))
    return writeFees(await chain.emulate(message, params['ignore_chksig'] !== false))
  },
} satisfies Record<string, Method>

/** Returns the server's error for a message that a contract does not accept. */
export function describeRejection({ exitCode, vmLog }: MessageRejectedError): string {
  const what = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'
  const why = exitCode === undefined ? '' : `:\nexitcode=${exitCode}, steps=0, gas_used=0`
  const log = vmLog === '' ? '' : `\nVM Log (truncated):\n...${vmLog.slice(-400)}`
  return `${what} : External message was not accepted${why}${log}`
}

async function sendBocReturnHash(call: MethodCall): Promise<unknown> {
  const message = cellOf(call, 'boc')
  await call.chain.send(message)
  return {
    '@type': 'raw.extMessageInfo',
    hash: base64Hash(message.hash()),
    hash_norm: base64Hash(normalizedHash(message)),
  }
}

/** Returns the fees of a transaction by their kind. */
function writeFees({ totalFees, description }: Transaction): unknown {
  const phases = description.type === 'generic' ? description : undefined
  const storage = phases?.storagePhase?.storageFeesCollected ?? 0n
  const { computePhase } = phases ?? {}
  const gas = computePhase?.type === 'vm' ? computePhase.gasFees : 0n
  const action = phases?.actionPhase?.totalActionFees ?? 0n
  return {
    '@type': 'query.fees',
    source_fees: {
      '@type': 'fees',
      in_fwd_fee: Number(totalFees.coins - storage - gas - action),
      storage_fee: Number(storage),
      gas_fee: Number(gas),
      fwd_fee: Number(phases?.actionPhase?.totalFwdFees ?? 0n),
    },
    destination_fees: [],
  }
}
