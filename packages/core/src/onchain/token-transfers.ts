import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'
import { failureOf } from './judge-trace.js'
import type { TraceMetadata } from './look-for-trace.js'
import type { Comment } from './message-body.js'
import {
  readJettonInternalTransfer,
  readJettonTransfer,
  readNftTransfer,
  type JettonTransferBody,
} from './token-bodies.js'
import type { Move, TransferOutcome } from './trace-messages.js'

/** What both kinds of token transfers tell. */
interface TokenTransfer extends Comment {
  /** The hash of the sender's message, and of the transaction that sent it, where that is known. */
  hash: string
  sentIn?: string | undefined
  /** Accounts as on the wire: raw, in upper case. `recipient` is absent where the message names none. */
  sender: string
  recipient?: string | undefined
  queryId: bigint
  /** Nanocoins that the sender attached for the fees and `forwardAmount`; what is left is sent on. */
  value: bigint
  /** Nanocoins that were to be sent on to the recipient. */
  forwardAmount: bigint
  /** The hash of the body of the sender's message, in base64: `bodyBase64Hash` of a payment. */
  bodyHash?: string | undefined
  outcome: TransferOutcome
  /** Why it has not arrived. */
  reason?: string | undefined
}

/** A transfer of a jetton from one owner to another. */
export interface JettonTransfer extends TokenTransfer {
  kind: 'jetton'
  /** In the jetton's base units. */
  amount: bigint
  /**
   * The jetton's master, as the index tells it; absent when it does not. Without it nothing is known of what was sent:
   * anybody can deploy a wallet that says it has received a million.
   */
  jetton?: string | undefined
  senderWallet: string
  /** Absent while the sender's wallet has not sent anything on. */
  recipientWallet?: string | undefined
  /** The hash of the transaction in which the recipient's wallet took it. */
  receivedIn?: string | undefined
}

/** A transfer of an NFT from one owner to another. */
export interface NftTransfer extends TokenTransfer {
  kind: 'nft'
  item: string
  /** The hash of the transaction in which the item changed its owner. */
  receivedIn?: string | undefined
}

/** Where the master of a jetton may be told. */
export interface TokenSources {
  actions: Trace['actions']
  metadata: TraceMetadata | undefined
}

/** The transfer of a jetton that a message asks for; `undefined` when it asks for something else. */
export function jettonTransferOf(
  move: Move,
  moves: readonly Move[],
  sources: TokenSources,
): JettonTransfer | undefined {
  const asked = move.body === undefined ? undefined : readJettonTransfer(move.body)
  if (asked === undefined || move.message.bounced === true) return undefined
  const { source: sender, destination: senderWallet, value = 0n } = move.message
  const passed = moves.find((one) => passesOn(one, move.to, asked))
  const recipientWallet = passed?.message.destination
  const transfer = { sender, ...asked, senderWallet, recipientWallet }
  return {
    kind: 'jetton',
    ...askedIn(move),
    ...transfer,
    jetton: masterOf(transfer, sources),
    value,
    receivedIn: passed?.to?.hash,
    ...jettonOutcome(move, passed),
  }
}

/** The transfer of an NFT that a message asks for; `undefined` when it asks for something else. */
export function nftTransferOf(move: Move): NftTransfer | undefined {
  const asked = move.body === undefined ? undefined : readNftTransfer(move.body)
  if (asked === undefined || move.message.bounced === true) return undefined
  const { source: sender, destination: item, value = 0n } = move.message
  const { to } = move
  return {
    kind: 'nft',
    ...askedIn(move),
    sender,
    ...asked,
    item,
    value,
    receivedIn: to?.hash,
    ...(to === undefined ? { outcome: 'pending' } : (undone(to) ?? { outcome: 'arrived' })),
  }
}

/** Where the sender asked for it. */
function askedIn({ message, from }: Move): Pick<TokenTransfer, 'hash' | 'bodyHash' | 'sentIn'> {
  return { hash: message.hash, bodyHash: message.message_content?.hash, sentIn: from?.hash }
}

/** Whether it is the sender's wallet that tells the recipient's one of just this transfer. */
function passesOn(
  { message, body, from }: Move,
  sentBy: Transaction | undefined,
  { queryId, amount }: JettonTransferBody,
): boolean {
  if (sentBy === undefined || from !== sentBy || body === undefined) return false
  const told = message.bounced === true ? undefined : readJettonInternalTransfer(body)
  return told?.queryId === queryId && told.amount === amount
}

interface Outcome {
  outcome: TransferOutcome
  reason?: string | undefined
}

function jettonOutcome({ to }: Move, passed: Move | undefined): Outcome {
  if (to === undefined) return { outcome: 'pending' }
  const refused = undone(to)
  if (refused !== undefined) return refused
  if (passed === undefined) {
    return { outcome: 'unknown', reason: "the sender's wallet told no wallet of the recipient" }
  }
  if (passed.to === undefined) return { outcome: 'pending' }
  return undone(passed.to) ?? { outcome: 'arrived' }
}

/** What kept a contract from doing its work, to which code that ran to a good end is needed; `undefined` when nothing did. */
function undone(transaction: Transaction): Outcome | undefined {
  const { compute_ph: compute, bounce, aborted } = transaction.description
  const failure = failureOf(transaction, undefined)
  if (failure === undefined && compute?.success === true && aborted !== true) return undefined
  const reason = failure?.reason ?? 'the contract was not run'
  return { outcome: bounce?.type === 'ok' ? 'bounced' : 'failed', reason }
}

interface Wallets {
  recipient: string | undefined
  amount: bigint
  senderWallet: string
  recipientWallet: string | undefined
}

/** The master that the index knows the wallets by; none when it contradicts itself. */
function masterOf(
  transfer: Wallets,
  { actions = [], metadata = {} }: TokenSources,
): string | undefined {
  const { recipient, amount, senderWallet, recipientWallet } = transfer
  const told = actions.flatMap((action) => {
    if (action.type !== 'jetton_transfer' || action.details === undefined) return []
    const { details } = action
    const isThis =
      details.sender_jetton_wallet === senderWallet &&
      details.receiver_jetton_wallet === recipientWallet &&
      details.amount === amount
    return isThis ? [details.asset] : []
  })
  const ofWallets = [senderWallet, recipientWallet].map((wallet) => walletOf(wallet, metadata))
  const isOther = ofWallets[1]?.owner !== undefined && ofWallets[1].owner !== recipient
  const masters = new Set([...told, ...ofWallets.map((wallet) => wallet?.jetton)])
  masters.delete(undefined)
  const [master] = masters
  return isOther || masters.size > 1 ? undefined : master
}

function walletOf(
  wallet: string | undefined,
  metadata: TraceMetadata,
): { jetton: string | undefined; owner: string | undefined } | undefined {
  const rows = wallet === undefined ? [] : (metadata[wallet]?.token_info ?? [])
  const row = rows.find(({ type, valid }) => type === 'jetton_wallets' && valid !== false)
  return row && { jetton: textOf(row.extra?.['jetton']), owner: textOf(row.extra?.['owner']) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
