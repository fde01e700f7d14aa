import { fail, failMistake, ok, warn, type Check } from '../check.js'

/** Checks that API v3 responds, and that it accepts the key. */
export const apiKey: Check = {
  name: 'API key',
  async run({ network, apiKey: key = '', tonCenter }) {
    const mistake = failMistake('TONCENTER_API_KEY', key)
    if (mistake !== undefined) return mistake
    const reply = await tonCenter()
    if ('code' in reply) {
      return fail(
        `API v3 of ${network} does not respond (${reply.code})`,
        'Let a firewall or proxy pass HTTPS requests to it, or correct --server.',
      )
    }
    if (key === '') {
      return warn(
        'TONCENTER_API_KEY is not set: 1 request per second',
        'Set a free key: payments are found later without one.',
      )
    }
    if (reply.status === 401 || reply.status === 403) {
      return fail(
        `the key is rejected on ${network} with ${reply.status}`,
        'Create a key of this network: a key belongs to one network.',
      )
    }
    if (reply.status === 200 || reply.status === 429) return ok(`is accepted on ${network}`)
    return fail(
      `API v3 of ${network} responds with ${reply.status}`,
      'Try again later, or correct --server.',
    )
  },
}
