import { gzipSync } from 'node:zlib'
import { All, Body, Controller, Get, Module, Post, Req, Res, ValidationPipe } from '@nestjs/common'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NestApplicationOptions, Type } from '@nestjs/common'
import { IsInt } from 'class-validator'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { chunked, exchange, requestText } from '@tonplug/test-support/raw-socket'
import { platforms, startApp } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'
import { createShop, deliveries, optionsOf } from '../support/shop.js'

class Purchase {
  @IsInt()
  amount!: number
}

@Controller()
class ShopController {
  @All('echo')
  echo(@Req() request: { method: string; body: unknown; rawBody?: unknown; url: string }): object {
    const { method, body, rawBody, url } = request
    return { method, body, url, rawBody: String(rawBody), keys: Object.keys(Object(body)) }
  }

  /** Reads the stream that no parser has read. */
  @Post('raw')
  raw(@Req() request: IncomingMessage & { raw?: IncomingMessage }, @Res() response: Reply): void {
    const nodeResponse = response.raw ?? response
    response.hijack?.()
    nodeResponse.writeHead(201, { 'content-type': 'application/octet-stream' })
    ;(request.raw ?? request).pipe(nodeResponse)
  }

  @Post('validated')
  validated(@Body(new ValidationPipe({ whitelist: true })) body: Purchase): Purchase {
    return body
  }

  @Post(['webhooks/ton/other', 'webhooks/other', 'hooks/ton', 'legacy/webhooks/ton'])
  sibling(@Body() body: unknown, @Req() { rawBody }: { rawBody?: unknown }): unknown {
    return { body, rawBody: String(rawBody) }
  }

  @Get('cached')
  cached(): string {
    return 'cached'
  }
}

type Reply = ServerResponse & { raw?: ServerResponse; hijack?: () => void }

@Module({ controllers: [ShopController] })
class PlainModule {}

@Module({
  imports: [TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(createShop()) })],
  controllers: [ShopController],
})
class TonplugAppModule {}

const json = { 'content-type': 'application/json' }
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const multipart = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
const keepAlive = (target: string, body: string): string =>
  requestText(target, { headers: json, body, isLast: false })

const requests: Record<string, string> = {
  json: requestText('/echo', { headers: json, body: '{ "a": [1.0, "\\u00e9"] }' }),
  'json over the limit': requestText('/echo', {
    headers: json,
    body: JSON.stringify({ a: 'x'.repeat(1_100_000) }),
  }),
  'json in chunks, over the limit': requestText('/echo', {
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body: chunked(JSON.stringify({ a: 'x'.repeat(1_100_000) }), 10_000),
  }),
  'malformed json': requestText('/echo', { headers: json, body: '{"a":' }),
  'json with a prototype key': requestText('/echo', {
    headers: json,
    body: '{"__proto__":{"a":1}}',
  }),
  'json of a string': requestText('/echo', { headers: json, body: '"text"' }),
  'json in another charset': requestText('/echo', {
    headers: { 'content-type': 'application/json; charset=latin1' },
    body: '{}',
  }),
  'an empty body': requestText('/echo', { headers: json }),
  'no body': requestText('/echo', { method: 'GET' }),
  'urlencoded form': requestText('/echo', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a[b]=1&a[c]=%C3%A9',
  }),
  text: requestText('/echo', { headers: { 'content-type': 'text/plain' }, body: 'plain' }),
  'an unknown content type': requestText('/echo', {
    headers: { 'content-type': 'application/x-thing' },
    body: 'thing',
  }),
  'no content type': requestText('/echo', { body: '{"a":1}' }),
  gzip: requestText('/echo', {
    headers: { ...json, 'content-encoding': 'gzip' },
    body: latin1(gzipSync('{"zipped":true}')),
  }),
  'json in chunks': requestText('/echo', {
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body: chunked('{"a":"in three pieces or more"}', 10),
  }),
  'an invalid chunk': requestText('/echo', {
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body: 'zz\r\n',
  }),
  'a length that is not kept': requestText('/echo', {
    headers: { ...json, 'content-length': '5' },
    body: '{"a":1}',
  }),
  'a stream that the route reads': requestText('/raw', {
    headers: { 'content-type': 'application/octet-stream' },
    body: 'x'.repeat(150_000),
  }),
  multipart: requestText('/raw', {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: multipart,
  }),
  'what a pipe accepts': requestText('/validated', { headers: json, body: '{"amount":1,"b":2}' }),
  'a body that a pipe rejects': requestText('/validated', {
    headers: json,
    body: '{"amount":"1"}',
  }),
  'an unknown path': requestText('/nowhere', { headers: json, body: '{}' }),
  'an unknown path and malformed json': requestText('/nowhere', { headers: json, body: '{' }),
  PUT: requestText('/echo', { method: 'PUT', headers: json, body: '{"put":1}' }),
  'DELETE with a body': requestText('/echo', { method: 'DELETE', headers: json, body: '{"a":1}' }),
  HEAD: requestText('/cached', { method: 'HEAD' }),
  OPTIONS: requestText('/cached', { method: 'OPTIONS' }),
  'a conditional GET': requestText('/cached', {
    method: 'GET',
    headers: { 'if-none-match': 'W/"6-kkvFf+6YKvqMEI5aZmvvAyFuCGg"' },
  }),
  'a bad path': requestText('/%zz', { headers: json, body: '{}' }),
  'a bad header': requestText('/echo', { headers: { 'bad header': 'x' } }),
  'expect: 100-continue': requestText('/echo', {
    headers: { ...json, expect: '100-continue' },
    body: '{}',
  }),
  'a pipeline': [
    keepAlive('/echo', '{"first":1}'),
    keepAlive('/echo', '{"broken":'),
    keepAlive('/nowhere', '{}'),
    requestText('/echo', { headers: json, body: '{"last":1}' }),
  ].join(''),
}

const options: Record<string, NestApplicationOptions> = {
  'default options': {},
  'rawBody: true': { rawBody: true },
  'bodyParser: false': { bodyParser: false },
}

const cells = platforms.flatMap((platform) =>
  Object.entries(options).map(([name, given]) => ({
    cell: `${platform}, ${name}`,
    platform,
    given,
  })),
)

describe.each(cells)('the other routes of an app, $cell', ({ platform, given }) => {
  const start = (module: Type, on: Platform) => startApp(module, { platform: on, options: given })

  it.each(Object.entries(requests))('respond with the same bytes: %s', async (_name, request) => {
    const bytes = Buffer.from(request, 'latin1')
    const without = await start(PlainModule, platform)
    const withTonplug = await start(TonplugAppModule, platform)
    const expected = await exchange(without.port, bytes)
    expect(expected).toMatch(/^HTTP\/1.1 \d{3} /)
    expect(await exchange(withTonplug.port, bytes)).toBe(expected)
  })

  it('receive signed JSON parsed, and its bytes', async () => {
    const { url } = await start(TonplugAppModule, platform)
    for (const path of ['/legacy/webhooks/ton', '/webhooks/ton/other', '/webhooks/other']) {
      const { headers } = deliveries.valid
      const { body } = await supertest(url).post(path).set(headers).send('{ "a" : 1.0 }')
      expect(body).toEqual({ body: { a: 1 }, rawBody: '{ "a" : 1.0 }' })
    }
  })

  it('differ on the path of the webhook, as a check of the comparison', async () => {
    const bytes = requestText('/webhooks/ton', { headers: json, body: '{}' })
    const without = await start(PlainModule, platform)
    const withTonplug = await start(TonplugAppModule, platform)
    expect(await exchange(without.port, bytes)).toMatch(/^HTTP\/1.1 404 /)
    expect(await exchange(withTonplug.port, bytes)).toMatch(/^HTTP\/1.1 401 /)
  })
})
