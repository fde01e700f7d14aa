import type { DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { readStoredTransfer } from '../orders/payload.js'
import { canonicalAddress } from '../../shared/address.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import type { TonConnectMessages } from '../../shared/ton-connect-request.js'
import { CHAIN_IDS } from '../../shared/ton-connect.js'
import type { OperatorContext } from './context.js'
import {
  findRefund,
  refundedMoney,
  refundLink,
  refundMessage,
  type RefundedMoney,
} from '../ledger/refund-message.js'

/** A refund that was proposed, as the chain shows it now. */
export interface RefundProgress {
  /**
   * - `open`: it can be signed.
   * - `expired`: it was not signed in time, as far as the index knows.
   * - `sent`: the wallet has sent the transfer, which is not final.
   * - `refunded`: the payer has the money.
   */
  state: 'open' | 'expired' | 'sent' | 'refunded'
  /** The transaction of the merchant's wallet, lower-case hex; absent before it is sent. */
  txHash?: string | undefined
  /** The end of the proposal, Unix seconds. */
  validUntil: number
  /** The argument of `sendTransaction` of TON Connect, while it can be signed. Sign it once. */
  request?: TonConnectMessages | undefined
  /** The same transfer as a link that opens a wallet app; absent for a jetton. */
  link?: string | undefined
}

type RefundDecision = DecisionOf<'refund'>

/** See `Operator.refundProgress`. */
export async function refundProgress<O extends Order>(
  context: OperatorContext<O>,
  reportId: string,
): Promise<RefundProgress | undefined> {
  const { inbox, name, network } = context
  const report = await inbox.reports.find(reportId)
  if (report?.name !== name || report.decision?.kind !== 'refund') return undefined
  const { decision, rawBody } = report
  const { validUntil } = decision
  const wallet = canonicalAddress(readStoredTransfer(rawBody).recipientAddr)
  const account = await accountOf(context, decision, wallet)
  if (account === undefined) return { state: stateByTime(context, decision), validUntil }
  const money = refundedMoney(decision, { account, wallet })
  const found = await refundState(context, money, decision)
  if (found.state !== 'open') return { ...found, validUntil }
  const isTestOnly = network === 'testnet'
  const { bodyHash: _, ...message } = await refundMessage(money, { isTestOnly })
  const request = { validUntil, network: CHAIN_IDS[network], from: wallet, messages: [message] }
  const link = refundLink(money, message, validUntil)
  return { ...found, validUntil, request, ...(link !== undefined && { link }) }
}

/** Returns the account that was credited; `undefined` for a jetton without a stored credit. */
async function accountOf<O extends Order>(
  { inbox }: OperatorContext<O>,
  { txHash, asset }: RefundDecision,
  wallet: string,
): Promise<string | undefined> {
  if (asset === NATIVE_ASSET) return wallet
  const credits = await inbox.credits.find({ hashes: [txHash] })
  const credit = credits.find(
    (one) => one.txHash === txHash && one.asset === asset && one.wallet === wallet,
  )
  return credit?.account
}

/** Returns the state of a proposal on the chain; without a client of API v3, by time alone. */
async function refundState(
  context: Pick<OperatorContext, 'v3' | 'network' | 'engine'>,
  money: RefundedMoney,
  decision: RefundDecision,
): Promise<Pick<RefundProgress, 'state' | 'txHash'>> {
  const { v3, network } = context
  if (v3 === undefined) return { state: stateByTime(context, decision) }
  const { bodyHash } = await refundMessage(money, { isTestOnly: network === 'testnet' })
  const found = await findRefund(v3, { wallet: money.wallet, bodyHash })
  if (found?.state === 'sent' || found?.state === 'refunded') {
    return { state: found.state, txHash: found.txHash }
  }
  return { state: stateByTime(context, decision) }
}

function stateByTime(
  { engine }: Pick<OperatorContext, 'engine'>,
  { validUntil }: RefundDecision,
): 'open' | 'expired' {
  return engine.clock.nowMs() > validUntil * 1000 ? 'expired' : 'open'
}
