import { fail, failMistake, ok, warn, type Check, type Finding } from '../check.js'

const MIN_LENGTH = 16
const DASHBOARD = 'Copy the secret from the merchant dashboard (Developer → Webhooks)'

/** Checks the format of the webhook secret. Its value is never printed. */
export const webhookSecret: Check = {
  name: 'webhook secret',
  run({ secret, url }) {
    if (secret !== undefined) return examine(secret)
    if (url === undefined) return undefined
    return warn(
      'TONPAY_WEBHOOK_SECRET is not set here',
      'Set it, or use --secret-file, to have it checked. The server needs the same value.',
    )
  },
}

function examine({ source, value }: { source: string; value: string }): Finding {
  if (value !== value.trim()) {
    return fail(`${source} has white space around the secret`, 'Trim it; the receiver rejects it.')
  }
  const mistake = failMistake(source, value)
  if (mistake !== undefined) return mistake
  if (/^sha\d+=/.test(value)) {
    return fail(`${source} contains a signature, not a secret`, `${DASHBOARD}.`)
  }
  if (/change.?me|example|whsec_test|your|…|\.\.\./i.test(value)) {
    return fail(`${source} is the placeholder of an example`, `${DASHBOARD}.`)
  }
  if (value.length < MIN_LENGTH) {
    return warn(`${source} has only ${value.length} characters`, `${DASHBOARD}; it may be cut off.`)
  }
  return ok(`${source} has ${value.length} characters`)
}
