import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  ])('that %s', async (_what, outside, inside) => {
    const app = express5()
    app.use(inside, await openMiddleware())
    const target = await listen(app)
    const url = await listen(proxyTo(target, { outside, inside, keepsHost: true }))
    expect(await exerciseDesk(url + outside)).toEqual(WORKING)
    expect(await readRedirect(url + outside)).toMatch(ADDS_SLASH)
  })

  it('that replaces the host and forwards it', async () => {
    const app = express5()
    app.use('/tonplug', await openMiddleware())
    const target = await listen(app)
    const paths = { outside: '/tonplug', inside: '/tonplug', keepsHost: false }
    expect(await exerciseDesk(`${await listen(proxyTo(target, paths))}/tonplug`)).toEqual(WORKING)
  })
})

describe('on a server of Node', () => {
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
