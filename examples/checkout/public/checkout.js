import { encodeQR } from '/vendor/qr.js'
import { createWalletRequests } from '/vendor/wallet-requests.js'
import { startCountdown } from './countdown.js'
import { followStatus, readPatiently } from './follow.js'
import { postJson, Problem } from './requests.js'
import { forgetOrder, readOrder, storeOrder } from './stored-order.js'
import {
  coins,
  contact,
  fill,
  formatCoins,
  formatDate,
  formatList,
  formatRate,
  formatTime,
  formatUnits,
  isSimulated,
  texts,
} from './texts.js'
import { connectWallet, isRefusal, openTestWallet } from './wallets.js'

/** The parts of the page in each state, besides its title and sentence: how to pay, and the next steps. */
const PARTS = {
  connecting: [],
  waiting: ['ways', 'coins', 'ton-connect'],
  requested: [],
  detected: [],
  rest: ['ways'],
  part_over: ['contact'],
  needs_shop: ['contact'],
  expired: ['again', 'contact'],
  cancelled: ['again', 'contact'],
  paid: ['back'],
}
/** Parts of a paid order that has a payment. */
const RECEIPT_PARTS = ['receipt', 'transaction', 'print']
const ALL_PARTS = new Set([...Object.values(PARTS).flat(), ...RECEIPT_PARTS])
const WALLET_NAMES = { keeper: 'Keeper', myTonWallet: 'MyTonWallet', tonhub: 'Tonhub' }
const COPIED_MS = 2000

const element = (id) => document.getElementById(id)
const pathOf = ({ reference }) => `/orders/${encodeURIComponent(reference)}`

/** The shown order. */
let order
/** The shown way to pay: an offer of the order, or the rest. */
let payable
/** The requests of the shown order to wallets. */
let requests
/** The last status of the shown order. */
let last
/** Ends the updates of the shown order. */
let leave = () => undefined

/** Shows an order. The browser stores it, so that it survives a reload. */
function showOrder(shown) {
  order = shown
  storeOrder(order)
  const { reference, offers, chosen, recipient } = order
  const subject = texts.contactSubject.replace('{reference}', reference)
  element('contact').href = `mailto:${contact}?subject=${encodeURIComponent(subject)}`
  for (const [id, text] of Object.entries({ reference, comment: reference, recipient })) {
    element(id).textContent = text
  }
  element('coin-choice').replaceChildren(...offers.map(coinOption))
  element('test-wallet').hidden = !isSimulated
  element('start').hidden = true
  element('payment').hidden = false
  element('payment').focus()
  showPayable(offers[chosen])
  show({ name: 'connecting' })
}

/** Shows each status of the order until it is paid. */
function follow() {
  const stopFollowing = followStatus(order.reference, onStatus)
  const stopCountdown = startCountdown(element('countdown'), endMs(), showLast)
  leave = () => {
    stopFollowing()
    stopCountdown()
  }
}

/** Returns the end of the time to pay by the browser's clock, which may differ from that of the server. */
function endMs() {
  const [{ serverTime }] = order.offers
  return order.receivedAtMs + Date.parse(order.expiresAt) - Date.parse(serverTime)
}

function coinOption({ asset, amount }, index) {
  const { name } = coins.find((coin) => coin.asset === asset)
  const label = document.createElement('label')
  const input = document.createElement('input')
  Object.assign(input, { type: 'radio', name: 'coin', checked: index === order.chosen })
  input.addEventListener('change', () => {
    order.chosen = index
    storeOrder(order)
    showPayable(order.offers[index])
  })
  label.append(input, isolated('span', name), isolated('small', formatCoins(amount, asset)))
  return label
}

/** Returns an element with a name or an amount, which has its own direction of writing. */
function isolated(tag, textContent) {
  const outer = document.createElement(tag)
  outer.append(Object.assign(document.createElement('bdi'), { textContent }))
  return outer
}

/** Shows a way to pay. */
function showPayable(shown) {
  payable = shown
  const { asset, amount, link, links, rate } = payable
  element('amount').textContent = formatCoins(amount, asset)
  element('rate').textContent = rate ? rateText(rate, asset) : ''
  element('units').textContent = amount
  element('link').href = link
  element('links').replaceChildren(...Object.entries(isSimulated ? {} : links).map(walletLink))
  element('qr').innerHTML = encodeQR(link, 'svg', { border: 4, ecc: 'low' })
  requests = createWalletRequests({
    reference: order.reference,
    payment: payable,
    receivedAtMs: order.receivedAtMs,
    messagesFor: (sender) => postJson(`${pathOf(order)}/ton-connect`, { sender, asset }),
    confirmUnprotected: () => confirm(texts.unprotected),
    isRefusal,
  })
  if (last) requests.update(last)
}

function rateText(rate, asset) {
  return fill(texts.rate, {
    rate: formatRate(rate, asset),
    at: formatTime(Date.parse(rate.at)),
    end: formatTime(endMs()),
  })
}

function walletLink([name, href]) {
  const link = document.createElement('a')
  return Object.assign(link, { href, textContent: WALLET_NAMES[name] ?? name })
}

/** Shows what a status means for the buyer. */
async function onStatus(event) {
  last = event
  requests.update(event)
  if (event.status === 'paid') {
    leave()
    show({ name: 'paid' })
  }
  const state = await stateOf(event)
  // Another status may have arrived in the meantime.
  if (event === last) show(state)
}

/** Returns the state of the page for a status. Asks the shop for details that it needs. */
async function stateOf({ status, received = [], missing, surplus }) {
  const isOver = endMs() <= Date.now()
  const values = { received: formatList(received.map(formatUnits)) }
  switch (status) {
    case 'waiting':
      if (isOver) return endedState('expired')
      return { name: requests.hasOpenRequest() ? 'requested' : 'waiting' }
    case 'expired': {
      const stored = await readPatiently(pathOf(order))
      return endedState(stored?.status === 'cancelled' ? 'cancelled' : 'expired')
    }
    case 'partially_paid': {
      const rest = missing && !isOver ? await readPatiently(`${pathOf(order)}/rest`) : undefined
      if (rest === undefined) return { name: 'part_over', values }
      return { name: 'rest', rest, values: { ...values, missing: formatUnits(missing) } }
    }
    case 'paid':
      return paidState((await readPatiently(pathOf(order)))?.payment, surplus)
    default:
      return { name: status, note: received.length > 0 ? fill(texts.received, values) : '' }
  }
}

/** The buyer starts again only when no payment of this order can arrive any more. */
function endedState(name) {
  if (!requests.hasOpenRequest()) return { name }
  const parts = PARTS[name].filter((part) => part !== 'again')
  return { name, parts, ...(name === 'expired' && { sentence: texts.mayArrive }) }
}

function paidState(payment, surplus) {
  // An order that was completed in another way.
  if (!payment) return { name: 'paid' }
  const notes = payment.isLate ? [texts.late] : []
  const parts = [...PARTS.paid, ...RECEIPT_PARTS]
  if (surplus !== undefined) {
    const units = { ...payment, rawAmount: surplus }
    notes.push(fill(texts.surplus, { surplus: formatUnits(units) }))
    parts.push('contact')
  }
  return { name: 'paid', payment, note: notes.join(' '), parts }
}

/** Shows a state of the page. */
function show({ name, sentence, values = {}, note = '', rest, payment, parts = PARTS[name] }) {
  const { title, text } = texts.statuses[name]
  element('status').dataset.status = name
  element('status-title').textContent = title
  element('status-text').textContent = fill(sentence ?? text, values)
  element('note').textContent = note
  document.title = `${title} · Harbour Goods`
  for (const id of ALL_PARTS) element(id).hidden = !parts.includes(id)
  if (order.offers.length < 2) element('coins').hidden = true
  element('due').textContent = rest ? texts.left : texts.due
  if (rest) showPayable(rest)
  else if (!order.offers.includes(payable)) showPayable(order.offers[order.chosen])
  if (payment) showReceipt(payment)
}

function showReceipt(payment) {
  const dateMs = Date.parse(payment.date)
  element('receipt-amount').textContent = formatUnits(payment)
  element('receipt-date').textContent = Number.isNaN(dateMs) ? '–' : formatDate(dateMs)
  element('receipt-hash').textContent = payment.txHash
  element('transaction').href = payment.url
}

/** Asks a wallet for the payment of the shown order. */
async function payWith(openWallet) {
  if (!requests.mayPay()) throw new Problem('requested')
  const wallet = await openWallet()
  const send = (request) => {
    showLast()
    return wallet.send(request)
  }
  try {
    await requests.pay(wallet, send)
  } catch (error) {
    if (error instanceof Problem) throw error
    if (isRefusal(error)) throw new Problem('declined')
    if (!requests.hasOpenRequest()) throw new Problem('wallet')
  } finally {
    showLast()
  }
}

/** Shows the last status again, after a request was sent or refused. */
function showLast() {
  if (last) void onStatus(last)
}

/** The test wallet pays the first request as TON Connect does, and the rest by its link. */
async function payWithTestWallet() {
  if (order.offers.includes(payable)) return payWith(openTestWallet)
  const { send } = await openTestWallet()
  await send(payable.link)
}

/** Opens the link with half of its amount. */
async function payHalf() {
  const { send } = await openTestWallet()
  await send(payable.link.replace(/amount=(\d+)/, (_, amount) => `amount=${BigInt(amount) / 2n}`))
}

/** Shows an order of an earlier visit. */
async function restoreOrder(stored) {
  showOrder(stored)
  if ((await readPatiently(pathOf(stored))) !== undefined) return follow()
  forgetOrder()
  element('payment').hidden = true
  element('start').hidden = false
  element('problem').textContent = texts.problems.gone
}

/** Runs an action of a button, and shows its problem. */
async function run(button, action) {
  button.disabled = true
  element('problem').textContent = ''
  try {
    await action(button)
  } catch (error) {
    if (!(error instanceof Problem)) console.error(error)
    element('problem').textContent = texts.problems[error.key ?? 'server']
  } finally {
    button.disabled = false
  }
}

function onClick(id, action) {
  element(id).addEventListener('click', ({ currentTarget }) => void run(currentTarget, action))
}

/** Copies the content of an element. */
async function copy(id, button) {
  try {
    await navigator.clipboard.writeText(element(id).textContent)
  } catch {
    throw new Problem('copy')
  }
  button.textContent = texts.copied
  setTimeout(() => (button.textContent = texts.copy), COPIED_MS)
}

onClick('continue', async () => {
  const created = await postJson('/orders', {})
  showOrder({ ...created, chosen: 0, receivedAtMs: Date.now() })
  follow()
})
onClick('ton-connect', () => payWith(connectWallet))
onClick('pay', payWithTestWallet)
onClick('pay-half', payHalf)
onClick('print', async () => print())
for (const id of ['recipient', 'units', 'comment']) {
  onClick(`copy-${id}`, (button) => copy(id, button))
}
onClick('again', async () => {
  // Another tab may have sent a request since.
  if (requests.hasOpenRequest()) throw new Problem('requested')
  leave()
  forgetOrder()
  location.reload()
})
element('back').addEventListener('click', forgetOrder)

const stored = readOrder()
if (stored !== undefined) await restoreOrder(stored)
