import { element, fromTemplate, keyedList, setText } from './elements.js'

const showRows = keyedList(element('environment'), {
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
  create({ name, address }) {
    const { root, parts } = fromTemplate('wallet-template')
    parts.name.textContent = name
    parts.value.textContent = address
    parts.copy.setAttribute('aria-label', `Copy the address: ${name}`)
    parts.copy.addEventListener('click', () => copy(parts))
    return {
      root,
      update({ balances }) {
        const text = balances.map(({ amount, ticker }) => `${amount} ${ticker}`).join('\n')
        setText(parts.balances, text)
      },
    }
  },
})

/** Shows the URLs and wallets. */
export function showEnvironment(state) {
  const { webhookUrl, header, gatewayUrl, chainUrl, merchant, buyer, wallets } = state
  setText(element('webhook-url'), webhookUrl)
  showRows([
    { name: 'TONPAY_BASE_URL', value: gatewayUrl },
    ...(chainUrl === null ? [] : [{ name: 'API v2 and v3', value: chainUrl }]),
    { name: 'Signature header', value: header },
    ...(wallets.length > 0
      ? []
      : [
          { name: 'Merchant', value: merchant },
          { name: 'Buyer', value: buyer },
        ]),
  ])
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
