import { Cell, external, type Transaction } from '@ton/core'
import { messageCell, normalizedHash } from '../message-hash.js'
import { MessageRejectedError } from '../message-rejected-error.js'
import { Refusal } from '../refusal.js'
import { base64Hash } from '../spellings.js'
import { addressOf, cellOf, type Answer, type Question } from './question.js'

/** The methods that take messages from outside. */
export const messages = {
  async sendBoc(question) {
    await question.chain.send(cellOf(question, 'boc'))
    return { '@type': 'ok' }
  },
  sendBocReturnHash,
  async sendBocReturnHashNoError(question) {
    try {
      return await sendBocReturnHash(question)
    } catch (error) {
      if (error instanceof MessageRejectedError) throw new Refusal(400, describeRejection(error))
      throw error
    }
  },
  async estimateFee(question) {
    const { chain, params } = question
    const to = addressOf(question)
    const body = cellOf(question, 'body')
    const [code, data] = ['init_code', 'init_data'].map((name) =>
      params[name] === undefined || params[name] === '' ? undefined : cellOf(question, name),
    )
    const init = code && { code, data: data ?? Cell.EMPTY }
    const message = messageCell(external({ to, body, ...(init && { init }) }))
    return writeFees(await chain.emulate(message, params['ignore_chksig'] !== false))
  },
} satisfies Record<string, Answer>

/** What the server says of a message that a contract does not accept. */
export function describeRejection({ exitCode, vmLog }: MessageRejectedError): string {
  const what = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'
  const why = exitCode === undefined ? '' : `:\nexitcode=${exitCode}, steps=0, gas_used=0`
  const log = vmLog === '' ? '' : `\nVM Log (truncated):\n...${vmLog.slice(-400)}`
  return `${what} : External message was not accepted${why}${log}`
}

async function sendBocReturnHash(question: Question): Promise<unknown> {
  const message = cellOf(question, 'boc')
  await question.chain.send(message)
  return {
    '@type': 'raw.extMessageInfo',
    hash: base64Hash(message.hash()),
    hash_norm: base64Hash(normalizedHash(message)),
  }
}

/** What the account would pay, by what for. */
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
