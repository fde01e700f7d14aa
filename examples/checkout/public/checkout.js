import { encodeQR } from '/vendor/qr.js'
import { createWalletRequests } from '/vendor/wallet-requests.js'
import { startCountdown } from './countdown.js'
import { getJson, postJson } from './requests.js'
import { connectWallet, isRefusal, openTestWallet } from './wallets.js'

const STORED = 'order'
const RETRY_MS = 3000
const STATUSES = {
  connecting: ['One moment', 'Connecting to the shop…'],
  waiting: ['Waiting for your payment', 'This page changes by itself when it arrives.'],
  detected: ['We have seen your payment', 'We are checking it. You need not do anything.'],
  partially_paid: [
    'A part of the price has arrived',
    'Please contact us with the reference below.',
  ],
  needs_shop: ['We have seen your payment', 'The shop has been notified and will contact you.'],
  expired: ['The time to pay is over', 'If you have already paid, keep this page open.'],
  paid: ['Paid', 'Thank you! Your postcard is on its way.'],
}

const element = (id) => document.getElementById(id)

/** The shown order. */
let order
/** The requests of the shown order to wallets. */
let requests
/** Ends the updates of the shown order. */
let leave = () => undefined

/** Shows the choice of coins. */
async function showChoice() {
  const { prices, isSimulated } = await getJson('/offer')
  element('coins').replaceChildren(...prices.map(coinOption))
  element('continue').disabled = false
  element('test-wallet').hidden = !isSimulated
}

function coinOption({ coin, amount }, index) {
  const label = document.createElement('label')
  const input = document.createElement('input')
  Object.assign(input, { type: 'radio', name: 'coin', value: coin, checked: index === 0 })
  label.append(input, `${amount} ${coin}`)
  return label
}

/** Shows an order until it is paid. The browser keeps it, so that it survives a reload. */
function showOrder(shown) {
  order = shown
  sessionStorage.setItem(STORED, JSON.stringify(order))
  const { reference, link, amount, coin, expiresAt, recipient, receivedAtMs } = order
  requests = createWalletRequests({
    reference,
    payment: order,
    receivedAtMs,
    messagesFor: (sender) => postJson(`/orders/${reference}/ton-connect`, { sender }),
    confirmUnprotected: () => confirm('Pay only if you have not confirmed this payment before.'),
    isRefusal,
  })
  element('amount').textContent = `${amount} ${coin}`
  element('reference').textContent = reference
  element('link').href = link
  for (const [id, text] of Object.entries({ recipient, units: amount, comment: reference })) {
    element(id).textContent = text
  }
  element('qr').innerHTML = encodeQR(link, 'svg', { border: 4, ecc: 'low' })
  element('choice').hidden = element('ways').hidden = true
  element('payment').hidden = false
  element('payment').focus()
  showStatus('connecting')
  const stopFollowing = followStatus(reference)
  const stopCountdown = startCountdown(element('countdown'), new Date(expiresAt), () => {
    showStatus(element('status').dataset.status)
  })
  leave = () => {
    stopFollowing()
    stopCountdown()
  }
}

/** Shows each status of an order. Returns the function that ends it. */
function followStatus(reference) {
  let events
  let retry
  const open = () => {
    events = new EventSource(`/orders/${reference}/events`)
    events.onmessage = ({ data }) => {
      const event = JSON.parse(data)
      requests.update(event)
      showStatus(event.status)
    }
    events.onerror = () => {
      showStatus('connecting')
      // The browser reconnects by itself, except after an error of HTTP.
      if (events.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
    }
  }
  open()
  return () => {
    clearTimeout(retry)
    events.close()
  }
}

function showStatus(reported) {
  const isOver = new Date(order.expiresAt) <= new Date()
  const status = reported === 'waiting' && isOver ? 'expired' : reported
  const [title, text] = STATUSES[status]
  const box = element('status')
  box.dataset.status = status
  box.querySelector('strong').textContent = title
  box.querySelector('span').textContent = text
  document.title = `${title} · Harbour Goods`
  if (status === 'connecting') return
  element('ways').hidden = status !== 'waiting'
  element('again').hidden = status !== 'waiting' && status !== 'expired'
  if (status !== 'paid') return
  leave()
  sessionStorage.removeItem(STORED)
}

/** Asks a wallet for the payment of the shown order. */
async function payWith(openWallet) {
  const wallet = await openWallet()
  await requests.pay(wallet, wallet.send)
}

/** Opens the link with half of its amount. */
async function payHalf() {
  const { send } = await openTestWallet()
  await send(order.link.replace(/amount=(\d+)/, (_, amount) => `amount=${BigInt(amount) / 2n}`))
}

/** Runs an action of a button, and shows its error. */
async function run(button, action) {
  button.disabled = true
  element('problem').textContent = ''
  try {
    await action()
  } catch (error) {
    element('problem').textContent = error.message
  } finally {
    button.disabled = false
  }
}

function onClick(id, action) {
  element(id).addEventListener('click', ({ currentTarget }) => void run(currentTarget, action))
}

onClick('continue', async () => {
  const coin = new FormData(element('choice')).get('coin')
  const created = await postJson('/orders', { coin })
  showOrder({ ...created, coin, receivedAtMs: Date.now() })
})
onClick('ton-connect', () => payWith(connectWallet))
onClick('pay', () => payWith(openTestWallet))
onClick('pay-half', payHalf)
for (const id of ['recipient', 'units', 'comment']) {
  onClick(`copy-${id}`, () => navigator.clipboard.writeText(element(id).textContent))
}
onClick('again', () => {
  leave()
  sessionStorage.removeItem(STORED)
  location.reload()
})

const stored = sessionStorage.getItem(STORED)
if (stored !== null) showOrder(JSON.parse(stored))
await run(element('continue'), showChoice)
