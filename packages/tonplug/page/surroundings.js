import { element, fromTemplate, keyedList, setText } from './elements.js'

const showRows = keyedList(element('surroundings'), {
  key: ({ name }) => name,
  create({ name }) {
    const { root, parts } = fromTemplate('surrounding-template')
    parts.name.textContent = name
    parts.copy.setAttribute('aria-label', `Copy ${name}`)
    parts.copy.addEventListener('click', () => copy(parts))
    return { root, update: ({ value }) => setText(parts.value, value) }
  },
})

const showWallets = keyedList(element('wallets'), {
  key: ({ address }) => address,
  create() {
    const { root, parts } = fromTemplate('wallet-template')
    return {
      root,
      update({ name, address, balances }) {
        setText(parts.name, name)
        setText(parts.address, address)
        const text = balances.map(({ amount, ticker }) => `${amount} ${ticker}`).join('\n')
        setText(parts.balances, text)
      },
    }
  },
})

/** What a shop is told, and the wallets. */
export function showSurroundings(state) {
  const { webhookUrl, header, gatewayUrl, chainUrl, merchant, buyer, wallets } = state
  setText(element('webhook-url'), webhookUrl)
  const rows = { TONPAY_BASE_URL: gatewayUrl, 'API v2 and v3': chainUrl, Merchant: merchant }
  const others = { Buyer: buyer, 'Signature header': header }
  const known = Object.entries({ ...rows, ...others }).filter(([, value]) => value !== null)
  showRows(known.map(([name, value]) => ({ name, value })))
  element('wallets-card').hidden = wallets.length === 0
  showWallets(wallets)
}

async function copy({ copy: button, value }) {
  try {
    await navigator.clipboard.writeText(value.textContent)
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(value)
    button.textContent = 'Selected'
  }
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}
