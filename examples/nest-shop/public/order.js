import { showSimulation } from './simulation.js'

const titles = {
  pending: ['Waiting for payment', 'This page changes by itself as soon as the payment arrives.'],
  failed: ['Payment failed', 'Nothing was charged. You can pay again.'],
  expired: ['Expired', 'The time to pay this order is over.'],
  cancelled: ['Cancelled', 'This order was cancelled.'],
  completed: ['Paid', 'Thank you! We have received your payment.'],
}

/** Shows an order as the shop sees it now; called again after each change. */
function showOrder(order) {
  const { status, txHash, journal } = order
  const [title, text] = titles[status]
  document.title = `${title} · Night Shift Coffee`
  document.querySelector('#status').dataset.status = status
  setText('#title', title)
  setText('#text', text)
  setText('#product', order.product)
  setText('#amount', order.amount)
  setText('#reference', order.reference)
  setText('#transaction', txHash ?? '')
  for (const part of document.querySelectorAll('.paid')) part.hidden = txHash === null
  const last = journal.at(-1)
  showProblem(last?.kind === 'problem' ? last.text : '')
  document.querySelector('#journal').replaceChildren(...journal.map(journalItem))
  showSimulation(order)
}

// A live region is read aloud when it is written to, even with the same words.
function setText(selector, text) {
  const element = document.querySelector(selector)
  if (element.textContent !== text) element.textContent = text
}

function showProblem(text) {
  setText('#problem', text)
  document.querySelector('#problem').hidden = text === ''
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

const reference = new URLSearchParams(location.search).get('reference') ?? ''
const events = new EventSource(`/orders/${encodeURIComponent(reference)}/events`)
events.addEventListener('order', ({ data }) => showOrder(JSON.parse(data)))
// After a lost connection the browser tries again by itself, after a refusal it does not.
events.addEventListener('error', () => {
  if (events.readyState !== EventSource.CLOSED) return
  setText('#title', 'We do not know this order')
  setText('#text', 'Please check the address. Orders are gone once this example starts again.')
})
