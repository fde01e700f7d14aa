import type { V3Trace, V3Transaction } from '../v3/generated/types.js'
import type { Cell } from '../../shared/cells/cell.js'
import type { TraceMetadata } from './find-trace.js'
import {
  readJettonInternalTransfer,
  readJettonTransfer,
  readNftTransfer,
  type Comment,
} from './message-body.js'
import type { LinkedMessage, TransferOutcome } from './trace-messages.js'
import { failureOf } from './trace-outcome.js'

/** A transfer of a jetton or an NFT. */
export interface TokenTransfer extends Comment {
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
interface TokenSources {
  actions: V3Trace['actions']
  metadata: TraceMetadata | undefined
}

/** Returns the jetton transfer that a message requests; `undefined` for any other message. */
export function jettonTransferOf(
  link: LinkedMessage,
  links: readonly LinkedMessage[],
  sources: TokenSources,
): JettonTransfer | undefined {
  const request = requestOf(link, readJettonTransfer)
  if (request === undefined) return undefined
  const internal = links.find((one) => isInternalTransfer(one, link.to, request))
  const wallets = {
    senderWallet: link.message.destination,
    recipientWallet: internal?.message.destination,
  }
  return {
    kind: 'jetton',
    ...request,
    ...wallets,
    jetton: masterOf({ ...request, ...wallets }, sources),
    receivedIn: internal?.to?.hash,
    ...jettonOutcome(link, internal),
  }
}

/** Returns the NFT transfer that a message requests; `undefined` for any other message. */
export function nftTransferOf(link: LinkedMessage): NftTransfer | undefined {
  const request = requestOf(link, readNftTransfer)
  if (request === undefined) return undefined
  const { message, to } = link
  const item = message.destination
  return { kind: 'nft', ...request, item, receivedIn: to?.hash, ...outcomeOf(to) }
}

/** Returns what a message requests, with the facts of the message; `undefined` for a returned or any other message. */
function requestOf<Request extends object>(
  { message, body, from }: LinkedMessage,
  read: (body: Cell) => Request | undefined,
) {
  const requested = body === undefined || message.bounced === true ? undefined : read(body)
  return (
    requested && {
      hash: message.hash,
      bodyHash: message.message_content?.hash,
      sentIn: from?.hash,
      sender: message.source,
      value: message.value ?? 0n,
      ...requested,
    }
  )
}

/** Returns true for the message from the sender's wallet to the recipient's one about this transfer. */
function isInternalTransfer(
  link: LinkedMessage,
  sentBy: V3Transaction | undefined,
  { queryId, amount }: Pick<JettonTransfer, 'queryId' | 'amount'>,
): boolean {
  if (sentBy === undefined || link.from !== sentBy) return false
  const internal = requestOf(link, readJettonInternalTransfer)
  return internal?.queryId === queryId && internal.amount === amount
}

type Outcome = Pick<TokenTransfer, 'outcome' | 'reason'>

function jettonOutcome({ to }: LinkedMessage, internal: LinkedMessage | undefined): Outcome {
  const requested = outcomeOf(to)
  if (requested.outcome !== 'arrived') return requested
  if (internal !== undefined) return outcomeOf(internal.to)
  const reason = "the sender's wallet sent no message to a wallet of the recipient"
  return { outcome: 'unknown', reason }
}

/** Returns the outcome of a message by the transaction that received it, if any. */
function outcomeOf(transaction: V3Transaction | undefined): Outcome {
  if (transaction === undefined) return { outcome: 'pending' }
  const { compute_ph: compute, bounce, aborted } = transaction.description
  const failure = failureOf(transaction, undefined)
  if (failure === undefined && compute?.success === true && aborted !== true) {
    return { outcome: 'arrived' }
  }
  const reason = failure?.reason ?? 'the contract was not executed'
  return { outcome: bounce?.type === 'ok' ? 'bounced' : 'failed', reason }
}

/** Returns the master of the wallets according to the index; `undefined` if its data contradict. */
function masterOf(
  transfer: Pick<JettonTransfer, 'recipient' | 'amount' | 'senderWallet' | 'recipientWallet'>,
  { actions = [], metadata = {} }: TokenSources,
): string | undefined {
  const { recipient, amount, senderWallet, recipientWallet } = transfer
  const ofActions = actions.flatMap((action) => {
    if (action.type !== 'jetton_transfer') return []
    const { details } = action
    const isThis =
      details.sender_jetton_wallet === senderWallet &&
      details.receiver_jetton_wallet === recipientWallet &&
      details.amount === amount
    return isThis ? [details.asset] : []
  })
  const ofSender = walletOf(senderWallet, metadata)
  const ofRecipient = walletOf(recipientWallet, metadata)
  const isOther = ofRecipient.owner !== undefined && ofRecipient.owner !== recipient
  const masters = new Set([...ofActions, ofSender.jetton, ofRecipient.jetton])
  masters.delete(undefined)
  // Some servers send an empty string for no account.
  masters.delete('')
  const [master] = masters
  return isOther || masters.size > 1 ? undefined : master
}

function walletOf(wallet: string | undefined, metadata: TraceMetadata) {
  const rows = wallet === undefined ? [] : (metadata[wallet]?.token_info ?? [])
  const row = rows.find(({ type, valid }) => type === 'jetton_wallets' && valid !== false)
  return { jetton: stringOf(row?.extra?.['jetton']), owner: stringOf(row?.extra?.['owner']) }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
