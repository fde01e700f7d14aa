import { fail, ok, warn, type Check, type Finding } from '../check.js'
import { isFromReceiver, type Reply } from '../webhook-probe.js'

const PARSER_FIX =
  'Mount the webhook before express.json() and other parsers, or keep the bytes with keepRawBody.'

/** Responses of body parsers, and of error handlers after them, to a body that they cannot parse. */
const PARSER_STATUSES = [400, 415, 422, 500]

/** Checks that the receiver gets the body as it was sent. */
export const webhookBody: Check = {
  name: 'raw body',
  async run({ url, webhook }) {
    if (url === undefined) return undefined
    const { json, bytes } = await webhook()
    return bytes === undefined ? undefined : explain(json, bytes)
  },
}

function explain(json: Reply, bytes: Reply): Finding | undefined {
  if ('error' in json || 'error' in bytes) return undefined
  if (json.status === 413) {
    return fail(
      'a body of 4 kB is rejected with 413',
      'Raise the limit of the body parser or proxy before the webhook to 64 kB.',
    )
  }
  if (json.status === 415) {
    return fail(
      'a JSON body is rejected with 415',
      'Accept application/json, and let no proxy compress the requests.',
    )
  }
  if (json.status === 500 && isFromReceiver(json.body)) {
    return fail('a parser has read the body and discarded its bytes (500)', PARSER_FIX)
  }
  if (json.status >= 400 && json.status !== 401 && !isKnown(json.status)) {
    return fail(
      `the server responds with ${json.status} to a request with a wrong signature`,
      'See the log of the server; a receiver responds with 401.',
    )
  }
  if (json.status !== 401 || !isFromReceiver(json.body)) return undefined
  if (bytes.status === 401) return ok('reaches the receiver unparsed')
  if (bytes.status === 429) {
    return warn(
      'a rate limit responds with 429 to the second request within a second',
      'Exempt the route from rate limits: all webhooks come from the few addresses of the gateway.',
    )
  }
  if (!PARSER_STATUSES.includes(bytes.status)) {
    return warn(
      `a body that is not JSON gets ${bytes.status} before the receiver`,
      'Let proxies and filters pass every body of the route: the signature authenticates it.',
    )
  }
  return warn(
    `a parser reads the body before the webhook (${bytes.status} to a body that is not JSON)`,
    `${PARSER_FIX} Expected with keepRawBody or Nest.`,
  )
}

/** Statuses that the check of the route explains. */
function isKnown(status: number): boolean {
  return [403, 404, 405, 429, 502, 503, 504].includes(status)
}
