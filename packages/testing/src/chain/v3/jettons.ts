import type { Address, Cell } from '@ton/core'
import type { Chain } from '../chain.js'
import { rootOf, type RecordedTransaction } from '../recorded-transaction.js'
import { base64Boc, base64Hash, rawAddress } from '../spellings.js'

type Json = Record<string, unknown>

const TRANSFER = 0x0f8a7ea5

/** Who owns a jetton wallet, and of which jetton it is; as the wallet itself tells it. */
interface JettonWallet {
  owner: Address
  master: Address
}

/** What the index has found out about accounts; wallets do not change. */
export interface JettonIndex {
  walletOf(address: Address): Promise<JettonWallet | undefined>
}

/** Asks each account once. */
export function jettonIndex(chain: Chain): JettonIndex {
  const known = new Map<string, Promise<JettonWallet | undefined>>()
  const ask = async (address: Address): Promise<JettonWallet | undefined> => {
    const { exitCode, stack } = await chain.runGetMethod(address, 'get_wallet_data', [])
    const [, owner, master] = stack
    if (exitCode !== 0 || owner?.type !== 'slice' || master?.type !== 'slice') return undefined
    return {
      owner: owner.cell.beginParse().loadAddress(),
      master: master.cell.beginParse().loadAddress(),
    }
  }
  return {
    walletOf(address) {
      const key = address.toRawString()
      const answer = known.get(key) ?? ask(address)
      known.set(key, answer)
      return answer
    },
  }
}

/** A row of `/jetton/transfers`, and who has a part in it; `undefined` for any other transaction. */
export async function jettonTransferRow(
  index: JettonIndex,
  one: RecordedTransaction,
): Promise<{ row: Json; to: Address } | undefined> {
  const { inMessage: message } = one.transaction
  const slice = message?.body.beginParse()
  if (slice === undefined || slice.remainingBits < 32 || slice.loadUint(32) !== TRANSFER) {
    return undefined
  }
  const wallet = await index.walletOf(one.address)
  if (wallet === undefined) return undefined
  const queryId = slice.loadUintBig(64)
  const amount = slice.loadCoins()
  const to = slice.loadAddress()
  const response = slice.loadMaybeAddress()
  slice.loadMaybeRef()
  const forwardCoins = slice.loadCoins()
  const payload: Cell | null = slice.loadMaybeRef()
  const { description } = one.transaction
  const row = {
    query_id: queryId.toString(),
    source: rawAddress(wallet.owner),
    destination: rawAddress(to),
    amount: amount.toString(),
    source_wallet: rawAddress(one.address),
    jetton_master: rawAddress(wallet.master),
    transaction_hash: base64Hash(one.transaction.hash()),
    transaction_lt: one.transaction.lt.toString(),
    transaction_now: one.transaction.now,
    transaction_aborted: description.type === 'generic' && description.aborted,
    response_destination: response === null ? null : rawAddress(response),
    custom_payload: null,
    forward_ton_amount: forwardCoins.toString(),
    forward_payload: payload === null ? null : base64Boc(payload),
    trace_id: base64Hash(rootOf(one).transaction.hash()),
  }
  return { row, to }
}

/** The `metadata` of an answer about these transactions. */
export async function jettonMetadata(
  index: JettonIndex,
  transactions: readonly RecordedTransaction[],
): Promise<Json> {
  const metadata: Json = {}
  for (const { address } of transactions) {
    const wallet = await index.walletOf(address)
    if (wallet === undefined) continue
    const extra = { owner: rawAddress(wallet.owner), jetton: rawAddress(wallet.master) }
    const token = { valid: true, type: 'jetton_wallets', extra }
    metadata[rawAddress(address)] = { is_indexed: true, token_info: [token] }
  }
  return metadata
}
