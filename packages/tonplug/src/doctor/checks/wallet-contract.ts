import { fail, ok, type Check } from '../check.js'
import { clientOf } from '../ton-center.js'

/** Checks that the wallet is not a contract of a jetton, which cannot be paid. */
export const walletContract: Check = {
  name: 'wallet contract',
  async run(subject) {
    const { network, wallet, tonCenter } = subject
    const reply = await tonCenter()
    if (wallet === undefined || 'code' in reply || reply.status !== 200) return undefined
    const v3 = clientOf(subject, network)
    const query = { address: [wallet], limit: 1 }
    try {
      if ((await v3.jettonWallets(query)).jetton_wallets.length > 0) {
        return fail(
          'is a jetton wallet, which holds the jettons of another wallet',
          'Set SHOP_WALLET to the address that your wallet app shows, which owns the jetton wallet.',
        )
      }
      if ((await v3.jettonMasters(query)).jetton_masters.length > 0) {
        return fail(
          'is the master of a jetton',
          'Set SHOP_WALLET to your own wallet, and JETTON_MASTER to this address.',
        )
      }
      return ok('is not a contract of a jetton')
    } catch {
      // The other checks report an invalid address and an unavailable API.
      return undefined
    }
  },
}
