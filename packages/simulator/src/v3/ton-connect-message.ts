import {
  Address,
  beginCell,
  external,
  internal,
  loadStateInit,
  SendMode,
  storeMessageRelaxed,
  storeOutList,
  type Builder,
  type Cell,
  type MessageRelaxed,
} from '@ton/core'
import { messageCell } from '../chain/message-hash.js'
import { walletOf, type WalletFacts } from '../chain/wallet-kinds.js'
import { HttpError } from '../server/http-error.js'
import type { V3Request } from './request.js'

const MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS
const VALID_SECONDS = 300
const MOST_MESSAGES = 4
const SIGNED_EXTERNAL = 0x7369676e
const SIGNATURE = Buffer.alloc(64)

type ReadBoc = (text: unknown, name: string) => Cell

/**
 * Returns the unsigned external message with which a wallet sends the messages of a TON Connect request.
 * @throws {HttpError} 400 for an invalid request, 500 when the account is not a deployed wallet
 */
export async function tonConnectMessage(
  { chain, body: request }: V3Request,
  readBoc: ReadBoc,
): Promise<Cell> {
  const to = readAddress(request['from'], 500)
  const wallet = walletOf(await deployed(chain, to))
  if (wallet === undefined) throw new HttpError(500, 'Account is not a known wallet')
  const list = request['messages']
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_MESSAGES) {
    throw new HttpError(400, `invalid request: messages must be 1 to ${MOST_MESSAGES} messages`)
  }
  const messages = list.map((one: Record<string, unknown>) => readMessage(one, readBoc))
  const validUntil = request['valid_until'] ?? chain.now + VALID_SECONDS
  return messageCell(external({ to, body: bodyOf(wallet, messages, Number(validUntil)) }))
}

async function deployed(chain: V3Request['chain'], address: Address) {
  const view = await chain.account(address)
  if (view.status === 'active') return view
  throw new HttpError(500, 'Account state no code or no data')
}

function readMessage(
  { address, amount, payload, stateInit }: Record<string, unknown>,
  readBoc: ReadBoc,
): MessageRelaxed {
  if (typeof amount !== 'string' || !/^\d{1,20}$/.test(amount)) {
    throw new HttpError(400, 'invalid request: invalid amount in message')
  }
  const to = readAddress(address, 400)
  const init = stateInit === undefined ? undefined : readBoc(stateInit, 'stateInit')
  return internal({
    to,
    value: BigInt(amount),
    // A raw address counts as bounceable.
    bounce: Address.isFriendly(String(address))
      ? Address.parseFriendly(String(address)).isBounceable
      : true,
    ...(init && { init: loadStateInit(init.beginParse()) }),
    ...(payload !== undefined && { body: readBoc(payload, 'payload') }),
  })
}

function readAddress(text: unknown, status: number): Address {
  try {
    return Address.parse(String(text))
  } catch {
    throw new HttpError(status, `Invalid address format: ${String(text)}`)
  }
}

/** Returns the body for a version of the wallet contract. @throws {HttpError} 500 for one without TON Connect */
function bodyOf(
  wallet: WalletFacts,
  messages: readonly MessageRelaxed[],
  validUntil: number,
): Cell {
  const { name, seqno, walletId = 0 } = wallet
  const head = (builder: Builder): Builder =>
    builder.storeUint(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32)
  if (name === 'wallet_v5r1') {
    const actions = messages.map((outMsg) => ({ type: 'sendMsg' as const, mode: MODE, outMsg }))
    return head(beginCell().storeUint(SIGNED_EXTERNAL, 32))
      .storeMaybeRef(beginCell().store(storeOutList(actions)).endCell())
      .storeBit(false)
      .storeBuffer(SIGNATURE)
      .endCell()
  }
  if (!/^wallet_v[34]/.test(name)) throw new HttpError(500, `Unsupported wallet type: ${name}`)
  const body = head(beginCell().storeBuffer(SIGNATURE))
  // Version 4 has an opcode; 0 sends messages.
  if (name.startsWith('wallet_v4')) body.storeUint(0, 8)
  for (const message of messages) {
    const cell = beginCell().store(storeMessageRelaxed(message)).endCell()
    body.storeUint(MODE, 8).storeRef(cell)
  }
  return body.endCell()
}
