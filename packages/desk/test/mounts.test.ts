import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { tonplugDesk, type DeskOptions } from '@tonplug/desk'
import express5 from 'express'
import express4 from 'express4'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ADDS_SLASH, exerciseDesk, readRedirect, WORKING } from './exercise.js'
import { COOKIE, openShop, optionsFor, report } from './shop.js'

const EXPRESS = [
  ['Express 4', express4 as unknown as typeof express5],
  ['Express 5', express5],
] as const

describe.each(EXPRESS)('on %s', (_name, express) => {
  it.each(['/tonplug', '/admin/desk', '/api/desk', '/v1.0/~desk'])('works at %s', async (path) => {
    const app = express()
    app.use(path, await openMiddleware())
    app.get('/other', (_request, response) => void response.send('other'))
    const url = await listen(app)
    expect(await exerciseDesk(url + path)).toEqual(WORKING)
    expect(await readRedirect(url + path)).toMatch(ADDS_SLASH)
    expect(await (await fetch(`${url}/other`)).text()).toBe('other')
  })

  it('works at the root of a host of its own', async () => {
    const app = express()
    app.use(await openMiddleware())
    expect(await exerciseDesk(await listen(app))).toEqual(WORKING)
  })

  it('adds the slash on its own host, whatever the path begins with', async () => {
    const app = express()
    app.use(await openMiddleware())
    const url = await listen(app)
    const page = await fetch(`${url}//evil.example`, { headers: { cookie: COOKIE } })
    const [, script = ''] = /<script>(.*)<\/script>/.exec(await page.text()) ?? []
    const visited: string[] = []
    const location = {
      ...partsOf(`${url}//evil.example`),
      replace: (to: string) => visited.push(to),
    }
    runInNewContext(script, { location })
    expect(visited.map((to) => new URL(to, url).href)).toEqual([`${url}//evil.example/`])
  })

  it('passes what other middleware has set to authorize', async () => {
    const { payments } = openShop()
    const app = express()
    app.use((request, _response, next) => {
      Object.assign(request, { user: request.headers['x-user'] })
      next()
    })
    const authorize: DeskOptions['authorize'] = (_request, incoming) => {
      const user: unknown = incoming && Reflect.get(incoming, 'user')
      return typeof user === 'string' && { operator: user }
    }
    app.use('/tonplug', tonplugDesk({ payments, authorize }))
    const url = `${await listen(app)}/tonplug/api/session`
    expect((await fetch(url)).status).toBe(403)
    const response = await fetch(url, { headers: { 'x-user': 'ann' } })
    expect(await response.json()).toMatchObject({ operator: 'ann' })
  })

  it('works in a router', async () => {
    const app = express()
    const router = express.Router()
    router.use('/desk', await openMiddleware())
    app.use('/admin', router)
    expect(await exerciseDesk(`${await listen(app)}/admin/desk`)).toEqual(WORKING)
  })

  it.each([
    ['json', (app: ReturnType<typeof express5>) => app.use(express.json({ limit: '1mb' }))],
    ['text', (app: ReturnType<typeof express5>) => app.use(express.text({ type: '*/*' }))],
    ['raw', (app: ReturnType<typeof express5>) => app.use(express.raw({ type: '*/*' }))],
  ])('works after express.%s()', async (_parser, addParser) => {
    const app = express()
    addParser(app)
    app.use('/tonplug', await openMiddleware())
    expect(await exerciseDesk(`${await listen(app)}/tonplug`)).toEqual(WORKING)
  })
})

describe('behind a proxy', () => {
  it.each([
    ['removes a prefix', '/shop/tonplug', '/tonplug'],
    ['adds a prefix', '/desk', '/internal/tonplug'],
    ['changes the name', '/payments', '/tonplug'],
  ])('works when the proxy %s', async (_what, outside, inside) => {
    const app = express5()
    app.use(inside, await openMiddleware())
    const target = await listen(app)
    const url = await listen(proxyTo(target, { outside, inside, keepsHost: true }))
    expect(await exerciseDesk(url + outside)).toEqual(WORKING)
    expect(await readRedirect(url + outside)).toMatch(ADDS_SLASH)
  })

  it('works when the proxy replaces the host and forwards it', async () => {
    const app = express5()
    app.use('/tonplug', await openMiddleware())
    const target = await listen(app)
    const paths = { outside: '/tonplug', inside: '/tonplug', keepsHost: false }
    expect(await exerciseDesk(`${await listen(proxyTo(target, paths))}/tonplug`)).toEqual(WORKING)
  })
})

describe('the desk on a server of Node', () => {
  it('works for every path', async () => {
    expect(await exerciseDesk(`${await listen(await openMiddleware())}/any/prefix`)).toEqual(
      WORKING,
    )
  })

  it('reads the headers of a hostile client', async () => {
    const url = await listen(await openMiddleware())
    const { port } = new URL(url)
    const send = (host: string, path = '/tonplug/api/session', method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = httpRequest(
          { port, path, method, headers: { host, cookie: COOKIE } },
          (response) => {
            response.resume().on('end', () => resolve(response.statusCode))
          },
        )
        sent.on('error', reject).end()
      })
    expect(await send('shop.example')).toBe(200)
    for (const host of ['a b', 'user@evil', 'evil/path', 'evil?', '[']) {
      expect([host, await send(host)]).toEqual([host, 400])
    }
    expect(await send('shop.example', '*')).toBe(400)
    expect(await send('shop.example', '/tonplug/', 'TRACE')).toBe(400)
    expect(await send('shop.example', '/tonplug/%ff%00')).toBe(200)
    expect(await send('shop.example', '//evil.example/api/session')).toBe(200)
    expect(await send('shop.example', '/tonplug/', 'DELETE')).toBe(405)
  })

  it.each([
    ['a declared body', 'content-length: 10000'],
    ['a body of unknown length', 'transfer-encoding: chunked'],
    ['a body that waits for permission', 'content-length: 9\r\nexpect: 100-continue'],
  ])('rejects a stranger without waiting for %s, and closes the connection', async (_, header) => {
    const url = await listen(await openMiddleware())
    const head = `POST /tonplug/api/reprocess HTTP/1.1\r\nhost: shop.example\r\n${header}`
    const received = await readUntilClosed(url, `${head}\r\ncontent-type: application/json\r\n\r\n`)
    expect(received.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('gives authorize a request whose body it may ignore, and the desk the whole body', async () => {
    const { payments } = openShop()
    const seen: string[] = []
    const desk = tonplugDesk({
      payments,
      authorize: ({ method, bodyUsed }) =>
        seen.push(`${method} ${bodyUsed}`) > 1 && { operator: 'ann' },
    })
    const url = `${await listen(desk)}/api/look`
    const send = () => fetch(url, { method: 'POST', body: '{}', headers: { cookie: COOKIE } })
    expect([(await send()).status, (await send()).status]).toEqual([403, 403])
    expect(seen).toEqual(['POST false', 'POST false'])
  })

  it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE'])('authorizes %s', async (method) => {
    const url = `${await listen(await openMiddleware())}/tonplug/api/session`
    const stranger = await fetch(url, { method })
    expect([stranger.status, await stranger.text()]).toEqual([403, ''])
    const known = await fetch(url, { method, headers: { cookie: COOKIE } })
    expect(known.status).toBe(method === 'HEAD' ? 200 : 405)
  })

  it('keeps the connection of a stranger who sends no body', async () => {
    const response = await fetch(await listen(await openMiddleware()))
    expect([response.status, response.headers.get('connection')]).toEqual([403, 'keep-alive'])
  })

  it('responds once when the client disconnects or the response has begun', async () => {
    const desk = await openMiddleware()
    const url = await listen((request, response) => {
      response.writeHead(418)
      desk(request, response)
      response.end('begun')
    })
    const response = await fetch(`${url}/api/session`, { headers: { cookie: COOKIE } })
    expect([response.status, await response.text()]).toEqual([418, 'begun'])
  })
})

/** Returns the parts of a URL as a browser's `location` has them. */
function partsOf(href: string) {
  const { origin, pathname, search, hash } = new URL(href)
  return { origin, pathname, search, hash }
}

/** Opens a desk with one transfer that can be decided again. */
async function openMiddleware() {
  const { payments } = openShop()
  await report(payments, { rawAmount: '7', amount: '0.000000007' })
  // The shop's clock stands still, so each test can decide the transfer again.
  return tonplugDesk(optionsFor(payments, { actions: true }))
}

/** Sends the beginning of a request, and returns everything until the server closes the connection. */
function readUntilClosed(url: string, head: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(head)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  return new Promise((resolve, reject) => {
    socket.once('close', () => resolve(received)).once('error', reject)
  })
}

async function listen(app: RequestListener): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on TCP has a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns a proxy that replaces a prefix of the path. */
function proxyTo(
  target: string,
  { outside, inside, keepsHost }: { outside: string; inside: string; keepsHost: boolean },
): RequestListener {
  return (request, response) => {
    const { method, headers, url = '' } = request
    const path = url.replace(outside, inside)
    const { host = '' } = headers
    const sent = keepsHost ? headers : { ...headers, host: 'app', 'x-forwarded-host': host }
    const forwarded = httpRequest(target + path, { method, headers: sent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  }
}
