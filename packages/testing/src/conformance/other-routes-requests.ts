import { gzipSync } from 'node:zlib'

/** A request to a route that is not the adapter's. */
export interface OtherRequest {
  /** @default 'POST' */
  method?: string
  /** @default '/echo' */
  path?: string
  headers?: Readonly<Record<string, string>>
  /** Parts are sent as chunks. */
  body?: string | Uint8Array | readonly string[]
  /** True for bytes that HTTP/2 does not know, or that its client cannot send. @default false */
  isHttp1Only?: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const type = (name: string) => ({ 'content-type': name })
const long = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes) })
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

function inPieces(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

const MULTIPART = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
const CHUNKED = { 'transfer-encoding': 'chunked' }

const JSON_BODIES: Record<string, OtherRequest> = {
  JSON: { body: '{ "a": [1.0, "\\u00e9"] }' },
  'JSON of 70 kB, above the limit of a webhook': { body: long(70_000) },
  'JSON of 200 kB': { body: long(200_000) },
  'JSON of 1.1 MB': { body: long(1_100_000) },
  'JSON in chunks': { body: inPieces('{"a":"in three pieces or more"}', 10) },
  'JSON of 200 kB in chunks': { body: inPieces(long(200_000), 10_000) },
  'malformed JSON': { body: '{"a":' },
  'JSON that another document follows': { body: '{"a":1}{"b":2}' },
  'JSON with __proto__': { body: '{"__proto__":{"isAdmin":true},"a":1}' },
  'JSON with constructor.prototype': { body: '{"constructor":{"prototype":{"isAdmin":true}}}' },
  'JSON of a string': { body: '"text"' },
  'JSON of null': { body: 'null' },
  'JSON of a list': { body: '[1,2]' },
  'JSON with duplicate keys': { body: '{"a":1,"a":2}' },
  'JSON with a byte order mark': { body: '\ufeff{"a":1}' },
  'JSON that is not UTF-8': { body: Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d) },
  'JSON of 5,000 levels': { body: deep(5000) },
  'an empty body': { body: '' },
  'white space': { body: '  ' },
}

const OTHER_TYPES: Record<string, OtherRequest> = {
  'JSON in ISO 8859-1': { headers: type('application/json; charset=latin1'), body: '{}' },
  'JSON in UTF-16': {
    headers: type('application/json; charset=utf-16'),
    body: Buffer.from('{"a":1}', 'utf16le'),
  },
  'JSON in an unknown charset': { headers: type('application/json; charset=utf-9'), body: '{}' },
  'a content type in capitals': { headers: type('APPLICATION/JSON'), body: '{"a":1}' },
  'a content type with +json': { headers: type('application/vnd.shop+json'), body: '{"a":1}' },
  'text/plain': { headers: type('text/plain'), body: 'plain' },
  'a urlencoded form': {
    headers: type('application/x-www-form-urlencoded'),
    body: 'a[b]=1&a[c]=%C3%A9&__proto__[d]=1',
  },
  'a urlencoded form of 1,100 fields': {
    headers: type('application/x-www-form-urlencoded'),
    body: 'a=1&'.repeat(1100),
  },
  'a multipart form': { headers: type('multipart/form-data; boundary=x'), body: MULTIPART },
  'an unknown content type': { headers: type('application/x-thing'), body: 'thing' },
  'an invalid content type': { headers: type('application/json;;'), body: '{}' },
  'no content type': { headers: {}, body: '{"a":1}' },
}

const ENCODED: Record<string, OtherRequest> = {
  gzip: { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: gzipSync('{"a":1}') },
  'gzip of 1 MB': {
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    body: gzipSync(long(1e6)),
  },
  'broken gzip': { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: 'not gzip' },
  'an unknown encoding': { headers: { ...JSON_TYPE, 'content-encoding': 'zip' }, body: '{}' },
}

const ROUTES: Record<string, OtherRequest> = {
  'a stream that the route reads': {
    path: '/stream',
    headers: type('application/octet-stream'),
    body: 'x'.repeat(150_000),
  },
  'a multipart form that the route reads': {
    path: '/stream',
    headers: type('multipart/form-data; boundary=x'),
    body: MULTIPART,
  },
  'an unknown path': { path: '/nowhere', body: '{}' },
  'an unknown path with malformed JSON': { path: '/nowhere', body: '{' },
  'a path below the webhook': { path: '/webhooks/ton/other', body: '{"a":1}' },
  'malformed JSON at a path below the webhook': { path: '/webhooks/ton/other', body: '{"a":' },
  'JSON of 70 kB at a path below the webhook': {
    path: '/webhooks/ton/other',
    body: long(70_000),
  },
  'a path above the webhook': { path: '/webhooks', body: '{"a":1}' },
  'a path that contains the path of the webhook': { path: '/echo/webhooks/ton', body: '{"a":1}' },
  'the path of the webhook in the query': { path: '/echo?path=/webhooks/ton', body: '{"a":1}' },
  'an invalid path': { path: '/%zz', body: '{}' },
}

const METHODS: Record<string, OtherRequest> = {
  GET: { method: 'GET' },
  'GET with a body': { method: 'GET', body: '{"a":1}' },
  HEAD: { method: 'HEAD' },
  OPTIONS: { method: 'OPTIONS' },
  PUT: { method: 'PUT', body: '{"a":1}' },
  PATCH: { method: 'PATCH', body: '{"a":' },
  'DELETE with a body': { method: 'DELETE', body: '{"a":1}' },
}

const HTTP_1: Record<string, OtherRequest> = {
  'expect: 100-continue': { headers: { ...JSON_TYPE, expect: '100-continue' }, body: '{}' },
  'an invalid chunk': { headers: { ...JSON_TYPE, ...CHUNKED }, body: 'zz\r\n' },
  'a content length below the length of the body': {
    headers: { ...JSON_TYPE, 'content-length': '5' },
    body: '{"a":1}',
  },
  'a content length of 10^12 with an unknown charset': {
    headers: { ...type('application/json; charset=latin1'), 'content-length': '1000000000000' },
    body: '{}',
  },
  'a content length and a transfer encoding': {
    headers: { ...JSON_TYPE, 'content-length': '7', ...CHUNKED },
    body: '7\r\n{"a":1}\r\n0\r\n\r\n',
  },
  'a header that HTTP does not allow': { headers: { 'bad header': 'x' }, body: '' },
}

/** The requests by their description, with JSON as the default type. */
export const OTHER_REQUESTS: Readonly<Record<string, OtherRequest>> = Object.fromEntries([
  ...[JSON_BODIES, OTHER_TYPES, ENCODED, ROUTES, METHODS]
    .flatMap((requests) => Object.entries(requests))
    .map(([what, request]) => [what, { headers: JSON_TYPE, ...request }]),
  ...Object.entries(HTTP_1).map(([what, request]) => [what, { ...request, isHttp1Only: true }]),
])

/** Returns the bytes of a request of HTTP/1.1 after which the server closes the connection. */
export function writeHttp1(
  request: OtherRequest,
  added: Readonly<Record<string, string>>,
): Uint8Array {
  const { method = 'POST', path = '/echo', body, headers = {} } = request
  const parts = Array.isArray(body) ? body : undefined
  const whole = Buffer.from(
    parts === undefined ? ((body as string | Uint8Array | undefined) ?? '') : '',
  )
  const framing = 'content-length' in headers || 'transfer-encoding' in headers
  const all = {
    host: 'shop.example',
    ...headers,
    ...(parts !== undefined && CHUNKED),
    ...(parts === undefined &&
      !framing &&
      body !== undefined && { 'content-length': whole.length }),
    ...added,
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  const chunks = parts?.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`)
  const tail = chunks === undefined ? whole : Buffer.from(`${chunks.join('')}0\r\n\r\n`)
  return Buffer.concat([Buffer.from(head), tail])
}
