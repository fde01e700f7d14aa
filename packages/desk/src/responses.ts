import type { DeskError } from './api.js'

/** The pages may load files of their own origin only, send nothing elsewhere, and must not be framed. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
}

const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
}

/** Content of a response. */
export interface Content {
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | string | null
  type?: string | undefined
  /** An inline script's hash, for a page that has one. */
  scriptHash?: string | undefined
  /** Other origins that the page may connect to. */
  connectTo?: readonly string[] | undefined
  headers?: Record<string, string> | undefined
}

/** Returns a response with the desk's security headers. It is not stored by caches unless `headers` allow it. */
export function respond(status: number, content: Content): Response {
  const { body, type, scriptHash, connectTo = [], headers } = content
  const policy = {
    ...POLICY,
    ...(scriptHash !== undefined && { 'script-src': `'${scriptHash}'` }),
    'connect-src': ["'self'", ...connectTo].join(' '),
  }
  return new Response(body, {
    status,
    headers: {
      ...HEADERS,
      'content-security-policy': Object.entries(policy)
        .map((entry) => entry.join(' '))
        .join('; '),
      'cache-control': 'no-store',
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
  })
}

/** Returns a value as JSON; a bigint as decimal digits. */
export function respondJson(
  value: unknown,
  { status = 200, headers }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return respond(status, { body: toJson(value), type: 'application/json; charset=utf-8', headers })
}

/** @throws {TypeError} for a value that refers to itself. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, field: unknown) =>
    typeof field === 'bigint' ? field.toString() : field,
  )
}

/** An expected failure of a request. Its message is for the operator. */
export class DeskRequestError extends Error {
  override readonly name = 'DeskRequestError'
  readonly status: number
  readonly code: DeskError['code']

  constructor(status: number, code: DeskError['code'], message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Returns the response to an expected failure. */
export function respondError({ status, code, message }: DeskRequestError): Response {
  return respondJson({ code, message } satisfies DeskError, { status })
}
