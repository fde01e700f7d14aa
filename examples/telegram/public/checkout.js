import { createWalletRequests } from '/vendor/wallet-requests.js'

const STATUSES = {
  waiting: 'Waiting for your payment',
  detected: 'We have seen your payment',
  partially_paid: 'A part of the price has arrived. Please write to us.',
  needs_shop: 'We have seen your payment, and will write to you.',
  expired: 'This order was cancelled.',
  paid: 'Paid. Thank you!',
}
const { TonConnectUI, UserRejectsError } = globalThis.TON_CONNECT_UI
const tonConnect = new TonConnectUI({ manifestUrl: `${location.origin}/tonconnect-manifest.json` })
const element = (id) => document.getElementById(id)
// Telegram adds what it has signed to the address of the page.
const initData = new URLSearchParams(location.hash.slice(1)).get('tgWebAppData') ?? ''
const path = `/orders/${new URLSearchParams(location.search).get('order')}`

async function call(route, body) {
  const headers = { authorization: `tma ${initData}`, 'content-type': 'application/json' }
  const sent = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(path + route, { headers, ...sent })
  if (response.status === 401) throw new Error('Please open this page again from the chat.')
  if (!response.ok) throw new Error(`The shop responded with status ${response.status}.`)
  return response.status === 202 ? undefined : response.json()
}

async function connect() {
  await tonConnect.connectionRestored
  if (!tonConnect.connected) await tonConnect.connectWallet()
  const { account, device } = tonConnect.wallet
  // Version 2 of TON Connect UI refuses items. Version 3 has them, and signMessage.
  const features = 'signMessage' in tonConnect ? device.features : []
  return { address: account.address, features }
}

async function show() {
  const invoice = await call('')
  const requests = createWalletRequests({
    reference: invoice.reference,
    payment: invoice,
    messagesFor: (sender) => call('/ton-connect', { sender }),
    confirmUnprotected: () => confirm('Pay only if you have not confirmed this payment before.'),
    isRefusal: (error) => error instanceof UserRejectsError,
  })
  const update = () => (element('ways').hidden = !requests.mayPay())
  const pay = async () => {
    const wallet = await connect()
    const { boc } = await requests.pay(wallet, (request) => tonConnect.sendTransaction(request))
    await call('/sent', { boc })
  }
  element('amount').textContent = `${invoice.amount} TON`
  for (const [textContent, href] of Object.entries(invoice.links)) {
    const link = Object.assign(document.createElement('a'), { href, textContent, target: '_blank' })
    element('links').append(link, ' ')
  }
  element('pay').onclick = () => void pay().catch(showProblem).finally(update)
  new EventSource(`${path}/events`).onmessage = ({ data }) => {
    const event = JSON.parse(data)
    requests.update(event)
    element('status').textContent = STATUSES[event.status]
    update()
  }
}

function showProblem({ message }) {
  element('problem').textContent = message
}

show().catch(showProblem)
