import type { Trace } from '../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../toncenter/v3/schemas/transaction.js'
import type { TraceMetadata } from './find-trace.js'
import {
  readJettonInternalTransfer,
  readJettonTransfer,
  readNftTransfer,
  type Comment,
  type JettonTransferBody,
} from './message-body.js'
import type { LinkedMessage, TransferOutcome } from './trace-messages.js'
import { failureOf } from './trace-outcome.js'

interface TokenTransfer extends Comment {
  /** The hash of the sender's message. */
  hash: string
  /** The hash of the transaction that sent it, if known. */
  sentIn?: string | undefined
  /** Accounts are raw, in upper case. `recipient` is absent if the message has none. */
  sender: string
  recipient?: string | undefined
  queryId: bigint
  /** Nanocoins that the sender attached for the fees and `forwardAmount`; the rest is sent on. */
  value: bigint
  /** Nanocoins to forward to the recipient. */
  forwardAmount: bigint
  /** The hash of the body of the sender's message, in base64: `bodyBase64Hash` of a payment. */
  bodyHash?: string | undefined
  outcome: TransferOutcome
  /** The reason if it has not arrived. */
  reason?: string | undefined
}

/** A transfer of a jetton from one owner to another. */
export interface JettonTransfer extends TokenTransfer {
  kind: 'jetton'
  /** In the jetton's base units. */
  amount: bigint
  /**
   * The jetton's master according to the index; absent if it reports none. Without it the jetton is unknown: anyone can
   * deploy a wallet that claims to have received a million.
   */
  jetton?: string | undefined
  senderWallet: string
  /** Absent until the sender's wallet has forwarded the jettons. */
  recipientWallet?: string | undefined
  /** The hash of the transaction in which the recipient's wallet received it. */
  receivedIn?: string | undefined
}

/** A transfer of an NFT from one owner to another. */
export interface NftTransfer extends TokenTransfer {
  kind: 'nft'
  item: string
  /** The hash of the transaction in which the item changed its owner. */
  receivedIn?: string | undefined
}

/** Sources of the master of a jetton. */
export interface TokenSources {
  actions: Trace['actions']
  metadata: TraceMetadata | undefined
}

/** Returns the jetton transfer that a message requests; `undefined` for any other message. */
export function jettonTransferOf(
  link: LinkedMessage,
  links: readonly LinkedMessage[],
  sources: TokenSources,
): JettonTransfer | undefined {
  const requested = link.body === undefined ? undefined : readJettonTransfer(link.body)
  if (requested === undefined || link.message.bounced === true) return undefined
  const { source: sender, destination: senderWallet, value = 0n } = link.message
  const internal = links.find((one) => isInternalTransfer(one, link.to, requested))
  const recipientWallet = internal?.message.destination
  const transfer = { sender, ...requested, senderWallet, recipientWallet }
  return {
    kind: 'jetton',
    ...requestOf(link),
    ...transfer,
    jetton: masterOf(transfer, sources),
    value,
    receivedIn: internal?.to?.hash,
    ...jettonOutcome(link, internal),
  }
}

/** Returns the NFT transfer that a message requests; `undefined` for any other message. */
export function nftTransferOf(link: LinkedMessage): NftTransfer | undefined {
  const requested = link.body === undefined ? undefined : readNftTransfer(link.body)
  if (requested === undefined || link.message.bounced === true) return undefined
  const { source: sender, destination: item, value = 0n } = link.message
  const { to } = link
  return {
    kind: 'nft',
    ...requestOf(link),
    sender,
    ...requested,
    item,
    value,
    receivedIn: to?.hash,
    ...(to === undefined ? { outcome: 'pending' } : (failedOutcome(to) ?? { outcome: 'arrived' })),
  }
}

function requestOf({
  message,
  from,
}: LinkedMessage): Pick<TokenTransfer, 'hash' | 'bodyHash' | 'sentIn'> {
  return { hash: message.hash, bodyHash: message.message_content?.hash, sentIn: from?.hash }
}

/** Returns true for the message from the sender's wallet to the recipient's one about this transfer. */
function isInternalTransfer(
  { message, body, from }: LinkedMessage,
  sentBy: Transaction | undefined,
  { queryId, amount }: JettonTransferBody,
): boolean {
  if (sentBy === undefined || from !== sentBy || body === undefined) return false
  const internal = message.bounced === true ? undefined : readJettonInternalTransfer(body)
  return internal?.queryId === queryId && internal.amount === amount
}

interface Outcome {
  outcome: TransferOutcome
  reason?: string | undefined
}

function jettonOutcome({ to }: LinkedMessage, internal: LinkedMessage | undefined): Outcome {
  if (to === undefined) return { outcome: 'pending' }
  const failed = failedOutcome(to)
  if (failed !== undefined) return failed
  if (internal === undefined) {
    const reason = "the sender's wallet sent no message to a wallet of the recipient"
    return { outcome: 'unknown', reason }
  }
  if (internal.to === undefined) return { outcome: 'pending' }
  return failedOutcome(internal.to) ?? { outcome: 'arrived' }
}

/** Returns the outcome of a failed transaction; `undefined` if the contract was executed successfully. */
function failedOutcome(transaction: Transaction): Outcome | undefined {
  const { compute_ph: compute, bounce, aborted } = transaction.description
  const failure = failureOf(transaction, undefined)
  if (failure === undefined && compute?.success === true && aborted !== true) return undefined
  const reason = failure?.reason ?? 'the contract was not executed'
  return { outcome: bounce?.type === 'ok' ? 'bounced' : 'failed', reason }
}

interface Wallets {
  recipient: string | undefined
  amount: bigint
  senderWallet: string
  recipientWallet: string | undefined
}

/** Returns the master of the wallets according to the index; `undefined` if its data contradict. */
function masterOf(
  transfer: Wallets,
  { actions = [], metadata = {} }: TokenSources,
): string | undefined {
  const { recipient, amount, senderWallet, recipientWallet } = transfer
  const ofActions = actions.flatMap((action) => {
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
  const masters = new Set([...ofActions, ...ofWallets.map((wallet) => wallet?.jetton)])
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
  return row && { jetton: stringOf(row.extra?.['jetton']), owner: stringOf(row.extra?.['owner']) }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
