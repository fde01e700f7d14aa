import { sampleSuccess } from '../sample-payloads.js'
import { type PlayedScene, untouched } from '../scene.js'

const refused = { answers: '401 ×4', decisions: 'invalid_signature ×4', ...untouched }

/** Deliveries that the gateway has not signed, each with its three retries. */
export const authenticityScenes: readonly PlayedScene[] = [
  {
    sent: 'a payment with one byte changed',
    stage: { isHurried: true },
    promised: refused,
    async play(stage) {
      const reference = await stage.buy('hoodie')
      await stage.deliver(sampleSuccess(reference), { corrupt: true })
      return reference
    },
  },
  {
    sent: 'a payment signed with another secret',
    stage: { isHurried: true },
    promised: refused,
    async play(stage) {
      const reference = await stage.buy('hoodie')
      await stage.deliver(sampleSuccess(reference), { secret: 'whsec_of_somebody_else' })
      return reference
    },
  },
]
