import { canonicalAddress } from '@tonplug/core'
import { explainError } from '../../explain-error.js'
import { fail, failMistake, ok, warn, type Check, type Finding } from '../check.js'

const TEST_ONLY = 0x80

/** Compares the format of the wallet's address with the network. */
export const walletNetwork: Check = {
  name: 'wallet address',
  run({ wallet, network }) {
    if (wallet === undefined) {
      return warn('SHOP_WALLET is not set here', 'Set it, or use --wallet, to have it checked.')
    }
    const mistake = failMistake('SHOP_WALLET', wallet)
    if (mistake !== undefined) return mistake
    try {
      canonicalAddress(wallet)
    } catch (error) {
      return fail(explainError(error), 'Copy the address from your wallet app.')
    }
    return compare(wallet, network)
  },
}

function compare(wallet: string, network: string): Finding {
  if (wallet.includes(':')) return ok('is a raw address, without a network')
  // The first byte of a friendly address has its flags.
  const isTestOnly = ((Buffer.from(wallet, 'base64')[0] ?? 0) & TEST_ONLY) !== 0
  if (isTestOnly && network === 'mainnet') {
    return fail(
      `${wallet.slice(0, 4)}… is an address of testnet, but the network is mainnet`,
      'Use the mainnet address (UQ…), or set NETWORK=testnet.',
    )
  }
  if (!isTestOnly && network === 'testnet') {
    return warn(
      `${wallet.slice(0, 4)}… is an address of mainnet, but the network is testnet`,
      'Use the testnet address (0Q…), or set NETWORK=mainnet to take real payments.',
    )
  }
  return ok(`is an address of ${network}`)
}
