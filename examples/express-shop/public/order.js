import { showSimulation } from './simulation.js'

const titles = {
  pending: ['Waiting for payment', 'This page changes by itself as soon as the payment arrives.'],
  failed: ['Payment failed', 'Nothing was charged. You can pay again.'],
  expired: ['Expired', 'The time to pay this order is over.'],
  cancelled: ['Cancelled', 'This order was cancelled.'],
  completed: ['Paid', 'Thank you! We have received your payment.'],
}

const element = (id) => document.getElementById(id)

/** Shows an order as the shop sees it now; called again after each change. */
function showOrder(order) {
  const [title, text] = titles[order.status]
  document.title = `${title} · Harbour Goods`
  element('product-name').textContent = order.product
  element('amount').textContent = order.amount
  element('reference').textContent = order.reference
  element('status').dataset.status = order.status
  setText(element('status-title'), title)
  setText(element('status-text'), text)
  showTransaction(order.txHash)
  showProblem(order)
  element('journal').replaceChildren(...order.journal.map(journalItem))
  showSimulation(element('simulation'), order)
  element('order').removeAttribute('aria-busy')
}

// A live region is read aloud when it is written to, even with the same words.
function setText(target, text) {
  if (target.textContent !== text) target.textContent = text
}

function showTransaction(txHash) {
  element('transaction').textContent = txHash ?? ''
  for (const part of document.querySelectorAll('[data-when="paid"]')) part.hidden = txHash === null
}

/** The newest entry is shown above the others when it is one the buyer must act upon. */
function showProblem({ journal }) {
  const last = journal.at(-1)
  const isProblem = last?.kind === 'problem'
  setText(element('problem'), isProblem ? last.text : '')
  element('problem').hidden = !isProblem
}

function journalItem({ kind, text, at }) {
  const item = document.createElement('li')
  const time = document.createElement('time')
  item.dataset.kind = kind
  time.dateTime = at
  time.textContent = new Date(at).toLocaleTimeString()
  item.append(text, ' ', time)
  return item
}

const events = new EventSource(`${location.pathname}/events`)
events.addEventListener('order', ({ data }) => showOrder(JSON.parse(data)))
