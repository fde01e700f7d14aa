import {
  element,
  fromTemplate,
  keyedList,
  makeDisclosure,
  setFacts,
  setText,
  shorten,
} from './elements.js'
import { setUpActions } from './transfer-actions.js'

const STATUSES = { pending: 'waiting', success: 'paid', error: 'failed' }

let awaited

/** Opens a transfer, now or as soon as it is listed. */
export function openTransfer(reference) {
  awaited = reference
  openAwaited()
}

const showList = keyedList(element('transfer-list'), {
  key: ({ reference }) => reference,
  create({ reference }) {
    const { root, parts } = fromTemplate('transfer-template')
    root.dataset.reference = reference
    makeDisclosure(parts)
    setUpActions(reference, parts)
    return { root, update: (transfer) => showTransfer(parts, transfer) }
  },
})

/** Shows the transfers, newest first. */
export function showTransfers({ transfers, hiddenTransfers, runningActions, isNetwork }) {
  const busy = new Set(runningActions.map(({ reference }) => reference))
  showList(
    transfers.map((transfer) => ({
      ...transfer,
      isBusy: busy.has(transfer.reference),
      isNetwork,
    })),
  )
  openAwaited()
  element('no-transfers').hidden = transfers.length > 0
  element('hidden-transfers').hidden = hiddenTransfers === 0
  setText(element('hidden-transfers'), `${hiddenTransfers} older ones are not shown.`)
}

function openAwaited() {
  const rows = [...element('transfer-list').children]
  const head = rows.find(({ dataset }) => dataset.reference === awaited)?.querySelector('button')
  if (!head) return
  awaited = undefined
  if (head.getAttribute('aria-expanded') === 'false') head.click()
  head.focus()
}

function showTransfer(parts, transfer) {
  const { amount, assetTicker, status, reference, isBusy } = transfer
  setText(parts.amount, `${amount} ${assetTicker}`)
  setText(parts.status, STATUSES[status])
  parts.status.dataset.status = status
  setText(parts.short, shorten(reference))
  parts.short.title = reference
  parts.busy.hidden = !isBusy
  parts.resend.disabled = status === 'pending'
  for (const button of parts.actions.children) {
    button.hidden = transfer.isNetwork && button.dataset.outcome !== 'resend'
  }
  setFacts(parts.facts, {
    Reference: reference,
    'Base units': transfer.rawAmount,
    Comment: transfer.commentToRecipient,
    Recipient: transfer.recipientAddr,
    Sender: transfer.senderAddr,
    Transaction: transfer.txHash,
    'Wallet link': status === 'pending' ? transfer.walletLink : undefined,
    Problem: transfer.errorMessage && `${transfer.errorMessage} (${transfer.errorCode})`,
  })
}
