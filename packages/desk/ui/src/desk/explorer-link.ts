import type { Session } from '../../../src/api.js'

const SITES = { mainnet: 'https://tonviewer.com', testnet: 'https://testnet.tonviewer.com' }

/** Returns the page of a transaction; `undefined` for an unknown network or anything but a hash. */
export function explorerLink(txHash: string, network: Session['network']): string | undefined {
  if (network === undefined || !/^[0-9a-f]{64}$/.test(txHash)) return undefined
  return `${SITES[network]}/transaction/${txHash}`
}
