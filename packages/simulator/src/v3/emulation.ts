import { Cell } from '@ton/core'
import type { AccountView } from '../chain/account-view.js'
import { MessageRejectedError } from '../chain/message-rejected-error.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import { base64Boc, base64Hash } from '../shared/encodings.js'
import { withMetadata } from './address-book.js'
import { classify } from './classify.js'
import { hashOf } from './facts.js'
import type { Json } from './json.js'
import { knownTrace } from './known-trace.js'
import type { RequestHandler, V3Request } from './request.js'
import { tonConnectMessage } from './ton-connect-message.js'
import { writeNode } from './traces.js'
import { writeAction } from './write-action.js'
import { writeTransaction } from './write-transaction.js'

/** The limits of the server, which reports only that of transactions. */
const LIMITS = { transactions: 256, depth: 32 }

/** The endpoints of the emulation service. */
export const emulationHandlers = {
  '/emulateTrace': (request) =>
    emulate(request, readBoc(request.body['boc'], 'boc'), request.body['ignore_chksig'] === true),
  '/emulateTonConnect': async (request) =>
    emulate(request, await tonConnectMessage(request, readBoc), true),
} satisfies Record<string, RequestHandler>

async function emulate(request: V3Request, message: Cell, ignoreSignature: boolean): Promise<Json> {
  const { chain, body } = request
  const { seqno } = chain.blocks.at(-1)!
  const given = body['mc_block_seqno'] ?? seqno
  if (given !== seqno) {
    throw new HttpError(501, 'the simulated chain emulates on its newest block only')
  }
  const made = await run(request, message, ignoreSignature)
  const effects = await writeEffects(request, made)
  const { address_book, metadata, ...whole } = await withMetadata(request, effects)
  return {
    mc_block_seqno: seqno,
    ...whole,
    ...(body['include_code_data'] === true && {
      code_cells: cellsOf(made, ({ code }) => code),
      data_cells: cellsOf(made, ({ data }) => data),
    }),
    ...(body['include_address_book'] === true && { address_book }),
    ...(body['include_metadata'] === true && { metadata }),
    rand_seed: base64Hash(0n),
    is_incomplete: made.length >= LIMITS.transactions,
  }
}

/** Returns the transactions, the first one first. @throws {HttpError} 500 as the server does when a contract refuses */
async function run(
  { chain }: V3Request,
  message: Cell,
  ignoreSignature: boolean,
): Promise<RecordedTransaction[]> {
  try {
    return await chain.emulateTrace(message, ignoreSignature, LIMITS)
  } catch (error) {
    if (!(error instanceof MessageRejectedError)) throw error
    throw new HttpError(500, `EmulationExternalNotAccepted: ${error.exitCode ?? 0}`)
  }
}

async function writeEffects(request: V3Request, made: RecordedTransaction[]): Promise<Json> {
  // An accepted message makes a transaction.
  const trace = knownTrace(made[0]!, () => true)
  const actions = request.body['with_actions'] === true ? await classify(request, trace) : undefined
  return {
    trace: writeNode(trace.root, new Set(made)),
    transactions: Object.fromEntries(made.map((one) => [hashOf(one), writeTransaction(one, true)])),
    ...(actions && { actions: actions.map((one) => writeAction(trace, one, true)) }),
  }
}

/** Returns cells of the accounts by their hashes, as bags of cells. */
function cellsOf(
  made: readonly RecordedTransaction[],
  cellOf: (account: AccountView) => Cell | undefined,
): Json {
  const cells = made.map(({ after }) => cellOf(after)).filter((cell) => cell !== undefined)
  return Object.fromEntries(cells.map((cell) => [base64Hash(cell.hash()), base64Boc(cell)]))
}

/** Reads a bag of cells. @throws {HttpError} 400 */
function readBoc(text: unknown, name: string): Cell {
  if (typeof text !== 'string' || text === '') {
    throw new HttpError(400, `invalid request: ${name} is required`)
  }
  try {
    return Cell.fromBase64(text)
  } catch {
    throw new HttpError(400, `invalid request: invalid ${name}`)
  }
}
