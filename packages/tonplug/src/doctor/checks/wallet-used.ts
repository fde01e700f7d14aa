import { canonicalAddress } from '@tonplug/core'
import type { Network } from '@tonplug/core/toncenter'
import { fail, ok, warn, type Check, type Subject } from '../check.js'
import { clientOf } from '../ton-center.js'

/** Checks that the wallet exists on its network. */
export const walletUsed: Check = {
  name: 'wallet account',
  async run(subject) {
    const { network, wallet, tonCenter } = subject
    const reply = await tonCenter()
    if (wallet === undefined || !isAddress(wallet)) return undefined
    if ('code' in reply || reply.status !== 200) return undefined
    const status = await statusOn(subject, network)
    if (status === undefined || status === 'active') return found(status, network)
    const other = network === 'mainnet' ? 'testnet' : 'mainnet'
    if ((await statusOn(subject, other)) === 'active') {
      return fail(
        `the wallet is used on ${other}, and not on ${network}`,
        `Set NETWORK=${other}, or use your wallet of ${network}.`,
      )
    }
    return warn(
      `the wallet has never sent anything on ${network}`,
      'Check the address letter by letter, then send a small amount from this wallet: payments to a wrong address are lost.',
    )
  },
}

function found(status: string | undefined, network: Network) {
  return status === undefined ? undefined : ok(`is active on ${network}`)
}

/** Returns the status of the account; `undefined` when the network does not respond. */
async function statusOn(subject: Subject, network: Network): Promise<string | undefined> {
  const { wallet = '' } = subject
  try {
    const v3 = clientOf(subject, network)
    const { accounts } = await v3.accountStates({ address: [wallet], include_boc: false })
    return accounts[0]?.status ?? 'nonexist'
  } catch {
    // The check of the API key reports an unavailable API.
    return undefined
  }
}

function isAddress(text: string): boolean {
  try {
    canonicalAddress(text)
    return true
  } catch {
    return false
  }
}
