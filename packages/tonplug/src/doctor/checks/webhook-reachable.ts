import { fail, ok, warn, type Check, type Finding } from '../check.js'

const TLS = /CERT|SSL|TLS|SIGNATURE/
/** The problem of a certificate and its fix, by code. */
const CERTIFICATES: Readonly<Record<string, readonly [string, string]>> = {
  CERT_HAS_EXPIRED: [
    'the TLS certificate has expired',
    'Renew it, and let the server or proxy load the new one.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'the TLS certificate is for another host name',
    'Install a certificate for the host name of the URL, or correct the URL.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'the TLS certificate has no known authority',
    'Let the server send the whole chain: the file is often called fullchain.pem.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'the TLS certificate is self-signed',
    "Install a certificate of a public authority, for example Let's Encrypt.",
  ],
}
const LOCAL = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\])/

/** Connects to the webhook URL from this machine. */
export const webhookReachable: Check = {
  name: 'webhook URL',
  async run({ url, webhook, timeoutMs }) {
    if (url === undefined) return undefined
    const { json } = await webhook()
    if ('error' in json) return explain(json.code, timeoutMs)
    const { hostname, protocol } = new URL(url)
    if (LOCAL.test(hostname)) {
      return warn(
        `${hostname} responds, but only on this machine or network`,
        'The gateway needs a public URL: check that one as well, or use a tunnel for tests.',
      )
    }
    if (protocol === 'https:') return ok('responds over HTTPS')
    return warn('responds over HTTP, without TLS', 'Enter an https:// URL in the dashboard.')
  },
}

function explain(code: string, timeoutMs: number): Finding {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fail(`the host name does not resolve (${code})`, 'Correct the URL, or add a DNS record.')
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO') {
    return fail(
      `the port does not speak TLS (${code})`,
      'Correct the port, or let a proxy terminate TLS on it.',
    )
  }
  const certificate = CERTIFICATES[code]
  if (certificate !== undefined) return fail(`${certificate[0]} (${code})`, certificate[1])
  if (TLS.test(code)) {
    return fail(
      `the TLS certificate is not accepted (${code})`,
      'Install a certificate of a public authority for this host name, with its whole chain.',
    )
  }
  if (code === 'TimeoutError' || code.includes('TIMEOUT')) {
    return fail(
      `no response within ${timeoutMs / 1000} seconds`,
      'Let a firewall pass requests to this port. A middleware before the webhook must call next().',
    )
  }
  return fail(
    `no connection (${code})`,
    'Start the server, and let it listen on the host and port of the URL, in a container on 0.0.0.0.',
  )
}
