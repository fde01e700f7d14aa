import { fail, ok, type Check, type Finding } from '../check.js'
import { isFromReceiver, type Reply } from '../webhook-probe.js'

type Response = Exclude<Reply, { error: string }>

/** Checks that the requests reach a receiver, by its response to a wrong signature. */
export const webhookRoute: Check = {
  name: 'webhook route',
  async run({ url, webhook }) {
    if (url === undefined) return undefined
    const { json } = await webhook()
    return 'error' in json ? undefined : explain(json)
  },
}

function explain(response: Response): Finding | undefined {
  const { status, body } = response
  if (status === 401 && isFromReceiver(body)) return explainRefusal(response)
  if (status >= 300 && status < 400) return explainRedirect(response)
  if (status < 300) return explainSuccess(response)
  switch (status) {
    case 404:
      return fail('responds with 404', 'Correct the path, or mount the receiver at this path.')
    case 405:
      return fail('responds with 405', 'Mount the receiver for POST, not for GET.')
    case 401:
    case 403:
      return fail(
        `another guard responds with ${status} before the receiver`,
        'Exempt the route from authentication, CSRF protection and bot filters; the signature authenticates it.',
      )
    case 429:
      return fail(
        'a rate limit responds with 429 before the receiver',
        'Exempt the route from rate limits: all webhooks come from the few addresses of the gateway.',
      )
    case 503:
      return explainUnavailable(response)
    case 502:
    case 504:
      return fail(
        `a proxy responds with ${status}`,
        'Start the server behind the proxy, and correct its upstream address.',
      )
    default:
      // Other statuses are about the body.
      return undefined
  }
}

/** The receiver names what is wrong with the signature, in the header `WWW-Authenticate`. */
function explainRefusal({ headers }: Response): Finding {
  const [, reason] = /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '') ?? []
  if (reason === 'missing') {
    return fail(
      'the signature header does not reach the receiver',
      'Let the proxies and middleware before it pass the headers x-tonpay-signature and x-pay-signature.',
    )
  }
  if (reason === 'malformed') {
    return fail(
      'the signature header reaches the receiver changed or twice',
      'Let the proxies and middleware before it pass x-tonpay-signature once and unchanged.',
    )
  }
  return ok('rejects a wrong signature with 401')
}

function explainRedirect({ status, headers }: Response): Finding {
  const target = (headers.get('location') ?? '').replace(/\?.*/s, '').slice(0, 100)
  return fail(
    `redirects with ${status} to ${target}`,
    'The gateway follows no redirects: enter the final URL in the dashboard, with its scheme, host and slash.',
  )
}

function explainSuccess({ status, body, headers }: Response): Finding {
  if (/html/.test(headers.get('content-type') ?? '') || body.trimStart().startsWith('<')) {
    return fail(
      `responds with ${status} and an HTML page`,
      'Mount the receiver before the login and the pages of your app. The gateway takes any 2xx for an acknowledgment.',
    )
  }
  return fail(
    `accepts a wrong signature with ${status}`,
    'Mount createWebhookReceiver() here: anyone could report payments, and payments are lost.',
  )
}

function explainUnavailable({ body }: Response): Finding {
  return isFromReceiver(body)
    ? fail(
        'the receiver responds with 503',
        'Payments is not started, is closing, or has no secret or database: call payments.start() and see its log.',
      )
    : fail(
        'a proxy responds with 503',
        'Start the server behind the proxy, and correct its upstream address.',
      )
}
