import { ConfigurationError } from '@tonplug/core'
import { createDesk, tonplugDesk, type DeskOptions, type Session } from '@tonplug/desk'
import { describe, expect, it } from 'vitest'
import { browse, COOKIE, openDesk, openShop, optionsFor, sessionOf } from './shop.js'

const PATHS = ['', 'assets/desk.js', 'api/session', 'api/transfers', 'api/health', 'unknown']

describe('options', () => {
  it('refuses to start without authorize', () => {
    const { payments } = openShop()
    const options = { payments } as unknown as DeskOptions
    for (const create of [createDesk, tonplugDesk]) {
      expect(() => create(options)).toThrow(ConfigurationError)
      expect(() => create(options)).toThrow(/authorize: must be a function; received undefined/)
    }
  })

  it.each([
    ['payments', { payments: undefined }],
    ['actions', { actions: 'yes' }],
    ['watcher', { watcher: {} }],
    ['v3', { v3: {} }],
    ['network', { network: 'main' }],
    ['authorise', { authorise: () => false }],
  ])('refuses an invalid %s', (name, changes) => {
    const { payments } = openShop()
    const options = { ...optionsFor(payments), ...changes } as unknown as DeskOptions
    expect(() => createDesk(options)).toThrow(new RegExp(`^${name}: `))
  })
})

describe('authorization', () => {
  it.each(PATHS)('returns nothing of /%s to a stranger', async (path) => {
    const { payments } = openShop()
    const { desk } = openDesk(payments, { actions: true })
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const url = `https://shop.example/tonplug/${path}`
      const response = await desk.fetch(new Request(url, { method }))
      expect(response.status).toBe(403)
      expect(await response.text()).toBe('')
    }
  })

  it('asks for every request, with its headers and path', async () => {
    const { payments } = openShop()
    const asked: string[] = []
    const desk = createDesk({
      payments,
      authorize: async ({ url, headers }) => {
        asked.push(`${new URL(url).pathname} ${headers.get('cookie')}`)
        return { operator: 'ann' }
      },
    })
    const { get } = browse(desk)
    for (const path of ['', 'assets/desk.js', 'api/health']) await get(path)
    expect(asked).toEqual([
      `/tonplug/ ${COOKIE}`,
      `/tonplug/assets/desk.js ${COOKIE}`,
      `/tonplug/api/health ${COOKIE}`,
    ])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('postgres://user:secret@db'))],
    ['returns true', () => true],
    ['returns nothing', () => undefined],
    ['returns no name', () => ({ operator: '' })],
  ])('responds with 500 and no details when authorize %s', async (_what, authorize) => {
    const { payments, logger } = openShop()
    const desk = createDesk({ payments, authorize: authorize as DeskOptions['authorize'] })
    const response = await desk.fetch(new Request('https://shop.example/tonplug/api/transfers'))
    expect(response.status).toBe(500)
    expect(await response.text()).toBe(
      '{"code":"FAILED","message":"The server failed; see its log."}',
    )
    expect(logger.lines.map(({ message }) => message)).toContain('desk request failed')
  })

  it('hides the errors of stores', async () => {
    const { payments, inbox, logger } = openShop()
    const list = () => Promise.reject(new Error('connection to postgres://user:secret@db failed'))
    const failing = { ...inbox, reports: { ...inbox.reports, list } }
    const internals = { ...payments.internals, inbox: failing }
    const { get } = openDesk({ ...payments, internals })
    const response = await get('api/transfers')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/secret|postgres|Error|\.ts/)
    expect(logger.lines.map(({ message }) => message)).toContain('desk request failed')
  })
})

describe('headers', () => {
  it.each([...PATHS, 'api/nothing', 'assets/nothing.js'])('protects /%s', async (path) => {
    const { payments } = openShop()
    const { get } = openDesk(payments)
    const { headers } = await get(path)
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]),
    )
    const [scripts = ''] = policy.filter((rule) => rule.startsWith('script-src'))
    expect(scripts).toMatch(/^script-src ('self'|'sha256-[\w+/]{43}=')$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cache-control')).toMatch(path.startsWith('api/') ? /^no-store$/ : /no-/)
  })

  it('serves the page and its files with their types', async () => {
    const { payments } = openShop()
    const { get } = openDesk(payments)
    const page = await get('')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const text = await page.text()
    // No URL of another host, and none from the root of this one.
    expect(text).not.toMatch(/(src|href)="(\/|https?:)/)
    const script = await get('assets/desk.js')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const head = new Request('https://shop.example/tonplug/', {
      method: 'HEAD',
      headers: { cookie: COOKIE },
    })
    const { desk } = openDesk(payments)
    expect(await (await desk.fetch(head)).text()).toBe('')
    for (const path of ['assets/../index.js', 'assets/%2e%2e/nestjs.js', 'assets/constructor']) {
      expect((await get(path)).headers.get('content-type')).not.toMatch(/javascript/)
    }
  })
})

describe('CSRF', () => {
  const assignment = { transactionHash: 'ab', reference: 'order-1', merchant: '' }
  const refused = async (headers: Record<string, string>) => {
    const { payments } = openShop()
    const { post } = openDesk(payments, { actions: true })
    const response = await post('assign', assignment, headers)
    return [response.status, ((await response.json()) as { code: string }).code]
  }

  it.each([
    ['without a token', { 'x-csrf-token': '' }],
    ['with another token', { 'x-csrf-token': 'A'.repeat(43) }],
    ['without the cookie', { cookie: COOKIE }],
    ['with a cookie of another session', { cookie: `${COOKIE}; tonplug_desk=${'A'.repeat(43)}` }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['that the user typed', { 'sec-fetch-site': 'none' }],
  ])('rejects a POST %s', async (_what, headers) => {
    expect(await refused(headers)).toEqual([403, 'CSRF'])
  })

  it('compares the origin where the browser sends no Sec-Fetch-Site', async () => {
    const { payments } = openShop()
    const { desk } = openDesk(payments, { actions: true })
    const { get } = browse(desk)
    const { token, cookie } = await sessionOf(await get('api/session'))
    const send = (origin: string) =>
      desk.fetch(
        new Request('https://shop.example/tonplug/api/reprocess', {
          method: 'POST',
          headers: {
            origin,
            'content-type': 'application/json',
            'x-csrf-token': token,
            cookie: `${COOKIE}; ${cookie}`,
          },
          body: '{}',
        }),
      )
    expect((await send('https://evil.example')).status).toBe(403)
    expect((await send('null')).status).toBe(403)
    expect((await send('https://shop.example')).status).toBe(400)
  })

  it('rejects the token of another operator', async () => {
    const { payments } = openShop()
    let operator = 'ann'
    const { get, post } = openDesk(payments, { actions: true, authorize: () => ({ operator }) })
    const { token } = await sessionOf(await get('api/session'))
    operator = 'bob'
    expect((await post('assign', assignment, { 'x-csrf-token': token })).status).toBe(403)
  })

  it('accepts the session of another process', async () => {
    const { payments } = openShop()
    const [first, second] = [1, 2].map(() => openDesk(payments, { actions: true }))
    const { token, cookie } = await sessionOf(await (first as typeof second)!.get('api/session'))
    const response = await second!.post(
      'reprocess',
      { reportId: 'report-9' },
      {
        'x-csrf-token': token,
        cookie: `${COOKIE}; ${cookie}`,
      },
    )
    expect(response.status).toBe(422)
  })

  it('keeps the cookie for the API alone, out of reach of scripts and other sites', async () => {
    const { payments } = openShop()
    const { get } = openDesk(payments)
    const [cookie] = (await get('api/session')).headers.getSetCookie()
    expect(cookie).toMatch(/^tonplug_desk=[\w-]{43}; HttpOnly; SameSite=Strict; Secure$/)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'rejects the content type %s of forms',
    async (type) => {
      const { payments } = openShop()
      const { post } = openDesk(payments, { actions: true })
      expect((await post('assign', assignment, { 'content-type': type })).status).toBe(415)
    },
  )
})

describe('a read-only desk', () => {
  it('offers no action and runs none', async () => {
    const { payments } = openShop()
    const { json, post } = openDesk(payments)
    const session = await json<Session>('api/session')
    expect(session).toMatchObject({ operator: 'ann@shop.example', mayAct: false, actions: [] })
    for (const action of ['reprocess', 'retry', 'assign', 'refund', 'look']) {
      const response = await post(action, { reportId: 'report-1' })
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  it('offers refunds with a client, and looks with a watcher', async () => {
    const { payments } = openShop()
    const { json, post } = openDesk(payments, { actions: true })
    const { actions } = await json<Session>('api/session')
    expect(actions).toEqual(['accept', 'assign', 'reprocess', 'retry'])
    expect((await post('refund', {})).status).toBe(403)
    expect((await post('look', {})).status).toBe(403)
  })
})

describe('requests', () => {
  it('limits bodies, declared or not', async () => {
    const { payments } = openShop()
    const { post } = openDesk(payments, { actions: true })
    const body = JSON.stringify({ reportId: 'x'.repeat(16_385) })
    expect((await post('reprocess', body)).status).toBe(413)
    expect((await post('reprocess', body, { 'content-length': '99999' })).status).toBe(413)
  })

  it.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an empty body', ''],
    ['a number as text', '{"reportId":1}'],
    ['a missing field', '{}'],
    ['a prototype', '{"__proto__":{"reportId":"a"}}'],
  ])('rejects %s', async (_what, body) => {
    const { payments } = openShop()
    const { post } = openDesk(payments, { actions: true })
    const response = await post('reprocess', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'INVALID' })
  })

  it.each([
    'transfers?group=nothing',
    'transfers?group=constructor',
    'transfers?limit=0',
    'transfers?limit=201',
    'transfers?limit=x',
    `transfers?search=${'x'.repeat(1025)}`,
    'payment',
  ])('rejects api/%s', async (path) => {
    const { payments } = openShop()
    const { get } = openDesk(payments)
    expect((await get(`api/${path}`)).status).toBe(400)
  })

  it('finds nothing at unknown paths', async () => {
    const { payments } = openShop()
    const { get, post } = openDesk(payments, { actions: true })
    expect((await get('assets/nothing.js')).status).toBe(404)
    expect((await post('constructor', {})).status).toBe(404)
    expect((await post('transfers', {})).status).toBe(404)
    expect((await get('api/payment?reference=nothing')).status).toBe(404)
    expect((await get('api/payment?reportId=report-99')).status).toBe(404)
  })
})
