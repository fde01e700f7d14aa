import { encodeBase64Url } from './base64.js'
import type { TonConnectItem, TonConnectItems } from './ton-connect-request.js'

/**
 * Returns the compact form of a request to send a transaction, as it travels in the parameter `e` of a connect link.
 * Source: "Embedded requests" of https://github.com/ton-blockchain/ton-connect.
 */
export function embeddedRequest({ validUntil, network, from, items }: TonConnectItems): string {
  // JSON leaves out what is undefined.
  const compact = { m: 'st', f: from, n: network, vu: validUntil, i: items.map(compactItem) }
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(compact)))
}

function compactItem(item: TonConnectItem): object {
  if (item.type === 'ton') {
    const { address, amount, payload } = item
    return { t: 'ton', a: address, am: amount, p: payload }
  }
  const { master, destination, amount, responseDestination, forwardPayload } = item
  return {
    t: 'jetton',
    ma: master,
    d: destination,
    am: amount,
    rd: responseDestination,
    fp: forwardPayload,
  }
}
