import type { Ref } from 'preact'
import { AmountPair } from '../components/amount-pair.js'
import { Badge } from '../components/badge.js'
import { CopyableCode } from '../components/copyable-code.js'
import { Disclosure } from '../components/disclosure.js'
import { type Fact, Facts } from '../components/facts.js'
import { decisionName, describeDecision, type Tone } from '../text/decisions.js'
import { shorten, toHex } from '../text/hash.js'
import { amountOf, type ListedTransfer } from './state.js'
import { TransferActions } from './transfer-actions.js'

const STATUSES: Record<ListedTransfer['status'], { text: string; tone: Tone }> = {
  pending: { text: 'waiting', tone: 'wait' },
  success: { text: 'paid', tone: 'good' },
  error: { text: 'failed', tone: 'bad' },
}

/** Props of {@link TransferRow}. */
export interface TransferRowProps {
  transfer: ListedTransfer
  /** The decision of the shop. */
  decision: string | undefined
  isNetwork: boolean
  isBusy: boolean
  isOpen: boolean
  onToggle: () => void
  headRef?: Ref<HTMLButtonElement>
}

/** A transfer, and when it is open, its fields and actions. */
export function TransferRow({
  transfer,
  decision,
  isNetwork,
  isBusy,
  ...disclosure
}: TransferRowProps) {
  const { reference, status, requested } = transfer
  const { text, tone } = STATUSES[status]
  const isPartial = amountOf(requested) !== amountOf(transfer)
  const head = (
    <>
      <AmountPair
        requested={amountOf(requested)}
        received={status === 'success' ? amountOf(transfer) : undefined}
      />
      <Badge tone={isPartial ? 'wait' : tone}>{text}</Badge>
      {decision !== undefined && (
        <Badge tone={describeDecision(decision).tone}>shop: {decisionName(decision)}</Badge>
      )}
      {isBusy && <span class="busy">sending…</span>}
      <code class="short" title={reference}>
        {shorten(reference)}
      </code>
    </>
  )
  return (
    <li class="row" data-reference={reference}>
      <Disclosure head={head} {...disclosure}>
        <TransferActions
          reference={reference}
          isNetwork={isNetwork}
          isPaid={status !== 'pending'}
        />
        <Facts facts={factsOf(transfer)} />
      </Disclosure>
    </li>
  )
}

function factsOf(transfer: ListedTransfer): Fact[] {
  const { reference, status, requested, rawAmount, txHash, walletLink } = transfer
  const { errorMessage, errorCode } = transfer
  const code = (name: string, value: string | undefined): Fact => [
    name,
    value && <CopyableCode name={`the ${name.toLowerCase()}`} value={value} />,
  ]
  return [
    code('Reference', reference),
    ['Requested', `${amountOf(requested)}, ${requested.rawAmount} base units`],
    ['Received', status === 'success' && `${amountOf(transfer)}, ${rawAmount} base units`],
    ['Comment', transfer.commentToRecipient],
    code('Recipient', transfer.recipientAddr),
    code('Sender', transfer.senderAddr),
    code('Transaction', txHash && toHex(txHash)),
    code('Wallet link', status === 'pending' ? walletLink : undefined),
    ['Problem', errorMessage && `${errorMessage} (${errorCode})`],
  ]
}
