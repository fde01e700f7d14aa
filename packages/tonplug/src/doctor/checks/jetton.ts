import { explainError } from '../../explain-error.js'
import { fail, ok, type Check } from '../check.js'
import { clientOf } from '../ton-center.js'

/** Checks that the jetton of the shop exists on its network. */
export const jettonMaster: Check = {
  name: 'jetton master',
  async run(subject) {
    const { jetton, network, tonCenter } = subject
    const reply = await tonCenter()
    if (jetton === undefined || 'code' in reply || reply.status !== 200) return undefined
    try {
      const { jetton_masters: masters } = await clientOf(subject, network).jettonMasters({
        address: [jetton],
      })
      if (masters.length > 0) return ok(`is a jetton of ${network}`)
    } catch (error) {
      return fail(explainError(error), 'Copy the address of the jetton master.')
    }
    return fail(
      `no jetton of ${network} has this master`,
      'Use the address of the master, not of a jetton wallet. Each network has its own; USDT is on mainnet alone.',
    )
  },
}
