import { context, trace } from '@opentelemetry/api'
import { memoryInbox, type Inbox } from '@tonplug/core'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { createFakeClock, signPayload, transferCompleted, transferFailed } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, SECRET } from '../payments/shop.js'
import { startTelemetry } from '@tonplug/test-support/telemetry'

const receiver = { 'tonplug.payments.name': 'default' }

describe('metrics of Payments', () => {
  it('count decisions by kind and refusals by reason, and measure every response', async () => {
    const sdk = startTelemetry()
    const shop = openShop([order()], {
      instrumentation: openTelemetryInstrumentation(sdk.providers),
    })
    await shop.send(transferCompleted())
    await shop.send(transferCompleted())
    await shop.send(transferCompleted(), 'whsec_of_somebody_else')
    await shop.receiver.receive({ headers: {}, rawBody: '{}' })
    const metrics = await sdk.collect()
    expect(metrics['tonplug.webhook.decisions']).toEqual([
      { attributes: { ...receiver, 'tonplug.decision.kind': 'paid' }, value: 1 },
      { attributes: { ...receiver, 'tonplug.decision.kind': 'duplicate' }, value: 1 },
    ])
    const refused = { ...receiver, 'tonplug.refusal.kind': 'invalid_signature' }
    expect(metrics['tonplug.webhook.refusals']).toEqual([
      { attributes: { ...refused, 'tonplug.refusal.reason': 'mismatch' }, value: 1 },
      { attributes: { ...refused, 'tonplug.refusal.reason': 'missing' }, value: 1 },
    ])
    const answered = { ...receiver, 'http.response.status_code': 200 }
    expect(metrics['tonplug.webhook.answer.duration']).toMatchObject([
      { attributes: { ...answered, 'tonplug.decision.kind': 'paid' }, value: 1 },
      { attributes: { ...answered, 'tonplug.decision.kind': 'duplicate' }, value: 1 },
      { attributes: { ...refused, 'http.response.status_code': 401 }, value: 2 },
    ])
  })

  it('count decisions in the background, and include the time before the receiver in the response time', async () => {
    const sdk = startTelemetry()
    const shop = openShop([], { instrumentation: openTelemetryInstrumentation(sdk.providers) })
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    await shop.receiver.receive({ headers, rawBody: body, elapsedMs: 2000 })
    shop.orders.add(order())
    await shop.clock.advance(60_000)
    const metrics = await sdk.collect()
    expect(metrics['tonplug.webhook.decisions']).toMatchObject([
      { attributes: { 'tonplug.decision.kind': 'unknown_order' }, value: 1 },
      { attributes: { 'tonplug.decision.kind': 'paid' }, value: 1 },
    ])
    const [answer] = metrics['tonplug.webhook.answer.duration'] ?? []
    expect(answer?.sum).toBeGreaterThan(2)
    expect(answer?.sum).toBeLessThan(30)
  })

  it('measure handler runs by name and outcome, in seconds, and count retries and dead letters', async () => {
    const sdk = startTelemetry()
    const shop = openShop([order()], {
      instrumentation: openTelemetryInstrumentation(sdk.providers),
      handlerRetry: { maxAttempts: 3 },
      onPaid: {
        ship: () => {
          throw new Error('carrier is closed')
        },
        book: () => {
          const beganMs = performance.now()
          while (performance.now() < beganMs + 20) continue
        },
      },
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(60_000)
    const metrics = await sdk.collect()
    const ship = { ...receiver, 'tonplug.handler.name': 'onPaid.ship' }
    const book = { ...receiver, 'tonplug.handler.name': 'onPaid.book' }
    const runs = metrics['tonplug.handler.duration'] ?? []
    expect(runs).toHaveLength(3)
    expect(runs).toMatchObject(
      expect.arrayContaining(
        [
          { attributes: { ...ship, 'tonplug.handler.outcome': 'retry' }, value: 2 },
          { attributes: { ...ship, 'tonplug.handler.outcome': 'dead' }, value: 1 },
          { attributes: { ...book, 'tonplug.handler.outcome': 'done' }, value: 1 },
        ].map((point) => expect.objectContaining(point) as unknown),
      ),
    )
    const booking = runs.find(({ attributes }) => attributes['tonplug.handler.outcome'] === 'done')
    expect(booking?.sum).toBeGreaterThanOrEqual(0.02)
    expect(booking?.sum).toBeLessThan(10)
    expect(metrics['tonplug.handler.retries']).toEqual([{ attributes: ship, value: 2 }])
    expect(metrics['tonplug.handler.dead_letters']).toEqual([{ attributes: ship, value: 1 }])
    expect(metrics['tonplug.inbox.dead']).toEqual([{ attributes: receiver, value: 1 }])
  })

  it('read the inbox on collection, separately for each name', async () => {
    const sdk = startTelemetry()
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const clock = createFakeClock()
    const inbox = memoryInbox({ clock })
    const hang = (): Promise<never> => new Promise(() => undefined)
    const shared = { inbox, clock, instrumentation }
    const busy = openShop([order()], { name: 'busy', ...shared, onPaid: hang })
    openShop([], { name: 'idle', ...shared })
    await busy.send(transferCompleted())
    await busy.send(transferCompleted({ reference: 'order-2' }))
    await busy.clock.advance(90_000)
    const metrics = await sdk.collect()
    const pointsOf = (busyValue: number) => [
      { attributes: { 'tonplug.payments.name': 'busy' }, value: busyValue },
      { attributes: { 'tonplug.payments.name': 'idle' }, value: 0 },
    ]
    expect(metrics['tonplug.inbox.parked']).toEqual(pointsOf(1))
    expect(metrics['tonplug.inbox.open']).toEqual(pointsOf(1))
    expect(metrics['tonplug.inbox.undecided']).toEqual(pointsOf(0))
    expect(metrics['tonplug.inbox.oldest_age']).toEqual(pointsOf(90))
  })

  it('report whether the inbox is reachable, since an SDK continues to export the last values', async () => {
    const sdk = startTelemetry()
    const clock = createFakeClock()
    const memory = memoryInbox({ clock })
    let stats: Inbox['stats'] = (query) => memory.stats(query)
    const inbox: Inbox = { ...memory, stats: (query) => stats(query) }
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const shop = openShop([], { inbox, clock, instrumentation })
    const up = async () => (await sdk.collect())['tonplug.inbox.up']?.map(({ value }) => value)
    expect(await up()).toEqual([1])
    stats = () => Promise.reject(new Error('the database is down'))
    expect(await up()).toEqual([0])
    stats = async (query) => ({
      ...(await memory.stats(query)),
      problem: 'tonplug.reports cannot be written',
    })
    expect(await up()).toEqual([0])
    stats = (query) => memory.stats(query)
    expect(await up()).toEqual([1])
    await shop.close()
    expect(await up()).toEqual([0])
    expect(await up()).toEqual([0])
    const next = openShop([], { inbox, clock, instrumentation })
    expect(await up()).toEqual([1])
    // Replaced before the next collection.
    openShop([], { inbox, clock, instrumentation })
    await next.close()
    expect(await up()).toEqual([1])
  })

  it('perform one read of an inbox at a time, although one that was given up ends later', async () => {
    const sdk = startTelemetry()
    const clock = createFakeClock()
    const memory = memoryInbox({ clock })
    const answers: (() => void)[] = []
    const stats: Inbox['stats'] = (query) =>
      new Promise((resolve) => answers.push(() => resolve(memory.stats(query))))
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    openShop([order()], { clock, inbox: { ...memory, stats }, instrumentation })
    const collect = async () => {
      const hanging = sdk.collect()
      await clock.waitForTimer(({ delayMs }) => delayMs === 5000)
      await clock.advance(5000)
      await hanging
    }
    await collect()
    await clock.advance(60_000)
    await collect()
    expect(answers).toHaveLength(2)
    answers[0]?.()
    await new Promise(setImmediate)
    await collect()
    expect(answers).toHaveLength(2)
  })

  it('omit an inbox that cannot be read, and wait five seconds for one that hangs', async () => {
    const sdk = startTelemetry()
    const clock = createFakeClock()
    const memory = memoryInbox({ clock })
    let stats: Inbox['stats'] = () => Promise.reject(new Error('the database is down'))
    const shop = openShop([order()], {
      clock,
      inbox: { ...memory, stats: (query) => stats(query) },
      instrumentation: openTelemetryInstrumentation(sdk.providers),
    })
    await shop.send(transferCompleted())
    const down = await sdk.collect()
    expect(down['tonplug.inbox.dead']).toBeUndefined()
    expect(down['tonplug.webhook.decisions']).toHaveLength(1)

    let reads = 0
    let answer = (): void => undefined
    stats = (query) => {
      reads++
      return new Promise((resolve) => (answer = () => resolve(memory.stats(query))))
    }
    for (let time = 0; time < 2; time++) {
      const hanging = sdk.collect()
      await shop.clock.waitForTimer(({ delayMs }) => delayMs === 5000)
      await shop.clock.advance(5000)
      expect((await hanging)['tonplug.inbox.dead']).toBeUndefined()
    }
    expect(reads).toBe(1)

    answer()
    stats = (query) => memory.stats(query)
    expect((await sdk.collect())['tonplug.inbox.dead']).toHaveLength(1)

    // A read that never ends is abandoned after a minute.
    stats = () => new Promise(() => undefined)
    const hanging = sdk.collect()
    await shop.clock.waitForTimer(({ delayMs }) => delayMs === 5000)
    await shop.clock.advance(60_000)
    await hanging
    stats = (query) => memory.stats(query)
    expect((await sdk.collect())['tonplug.inbox.up']).toMatchObject([{ value: 1 }])
  })

  it('have no attribute with a value for each payment', async () => {
    const sdk = startTelemetry()
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const options = { instrumentation, maxAgeMs: 60_000, wallets: [] }
    const shop = openShop([order()], { ...options, handlerRetry: { maxAttempts: 1 } })
    const { data } = transferCompleted()
    const cancelled = order({ reference: 'order-of-somebody', status: 'cancelled' })
    shop.orders.add(cancelled)
    const payloads = [
      transferCompleted(),
      transferCompleted({ txHash: 'ab'.repeat(32) }),
      transferFailed(),
      transferCompleted({ rawAmount: '1' }),
      transferCompleted({ asset: data.recipientAddr }),
      transferCompleted({ reference: 'order-of-somebody' }),
      transferCompleted({ reference: 'order-of-nobody' }),
      { ...transferCompleted(), event: 'transfer.of-somebody' },
      { ...transferCompleted(), timestamp: '1999-01-01T00:00:00Z' },
      { event: 'transfer.completed', data: { reference: 'order-1' } },
    ]
    for (const payload of payloads) await shop.send(payload)
    await shop.settle()
    const points = Object.values(await sdk.collect()).flat()
    const text = JSON.stringify(points.map(({ attributes }) => attributes))
    const [delivery] = sdk.spans('tonplug.delivery')
    const id = delivery?.attributes['tonplug.report.id']
    expect(id).toEqual(expect.any(String))
    const values = [data.txHash, data.recipientAddr, data.senderAddr, String(id)]
    expect(values.filter((value) => value !== '' && text.includes(value))).toEqual([])
    expect(text).not.toMatch(/order-|somebody|1999|abab/)
  })

  it('end when Payments is closed', async () => {
    const sdk = startTelemetry()
    let reads = 0
    const memory = memoryInbox()
    const inbox: Inbox = { ...memory, stats: (query) => (reads++, memory.stats(query)) }
    const shop = openShop([order()], {
      inbox,
      instrumentation: openTelemetryInstrumentation(sdk.providers),
    })
    await sdk.collect()
    expect(reads).toBe(1)
    await shop.close()
    const readsByClose = reads
    await sdk.collect()
    expect(reads).toBe(readsByClose)
  })
})

describe('spans of Payments', () => {
  it('are one for each delivery, in the active span, and one linked span for each run of a handler', async () => {
    const sdk = startTelemetry()
    const tracer = sdk.providers.tracerProvider.getTracer('test')
    const shop = openShop([order()], {
      instrumentation: openTelemetryInstrumentation(sdk.providers),
      onPaid: { ship: () => tracer.startSpan('call the carrier').end() },
    })
    const request = tracer.startSpan('POST /webhooks/ton')
    await context.with(trace.setSpan(context.active(), request), () =>
      shop.send(transferCompleted()),
    )
    request.end()
    await shop.settle()

    const [delivery] = sdk.spans('tonplug.delivery')
    const [handler] = sdk.spans('tonplug.handler onPaid.ship')
    const [carrier] = sdk.spans('call the carrier')
    expect(delivery?.parentSpanContext).toEqual(request.spanContext())
    expect(delivery?.attributes).toEqual({
      ...receiver,
      'tonplug.report.id': expect.any(String) as string,
      'tonplug.order.reference': 'order-1',
      'tonplug.decision.kind': 'paid',
      'http.response.status_code': 200,
    })
    expect(handler?.parentSpanContext).toBeUndefined()
    expect(handler?.spanContext().traceId).not.toBe(request.spanContext().traceId)
    expect(handler?.links.map((link) => link.context)).toEqual([delivery?.spanContext()])
    expect(handler?.attributes).toEqual({
      ...receiver,
      'tonplug.handler.name': 'onPaid.ship',
      'tonplug.handler.outcome': 'done',
      'tonplug.handler.attempt': 1,
      'tonplug.report.id': delivery?.attributes['tonplug.report.id'],
    })
    expect(carrier?.parentSpanContext).toEqual(handler?.spanContext())
  })

  it('record the first line of the error of a handler', async () => {
    const sdk = startTelemetry()
    const shop = openShop([order()], {
      instrumentation: openTelemetryInstrumentation(sdk.providers),
      onPaid: () => {
        throw new TypeError('no such column\nparams: {"rawAmount":"1"}')
      },
    })
    await shop.send(transferCompleted())
    await shop.settle()
    const [handler] = sdk.spans('tonplug.handler onPaid')
    expect(handler?.status).toEqual({ code: 2, message: 'no such column' })
    expect(handler?.attributes).toMatchObject({
      'error.type': 'TypeError',
      'tonplug.handler.outcome': 'retry',
    })
    expect(handler?.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'TypeError' } },
    ])
    expect(JSON.stringify(handler?.events)).not.toContain('rawAmount')
  })

  it('are failed for a 503 and for a rule that throws, and not for a forged signature', async () => {
    const sdk = startTelemetry()
    const inbox = memoryInbox()
    const store = () => Promise.reject(new Error('no connection'))
    const down = { ...inbox, reports: { ...inbox.reports, store } }
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    await openShop([order()], { instrumentation, inbox: down }).send(transferCompleted())
    const broken = (): never => {
      throw new Error('a broken rule')
    }
    const breaking = openShop([order()], { instrumentation, rules: [broken] })
    await expect(breaking.send(transferCompleted())).rejects.toThrow('The rule broken')
    await openShop([], { instrumentation }).send(transferFailed(), 'whsec_of_somebody_else')
    const spans = sdk.spans('tonplug.delivery')
    expect(spans.map(({ status }) => status.code)).toEqual([2, 2, 0])
    expect(spans[0]?.attributes).toMatchObject({ 'tonplug.refusal.reason': 'store' })
    expect(spans[1]?.attributes).toMatchObject({ 'error.type': 'ERR_TONPLUG_RULE' })
  })

  it('are not continued in the background', async () => {
    const sdk = startTelemetry()
    const active: unknown[] = []
    const inbox = (memory: Inbox): Inbox => ({
      ...memory,
      tasks: {
        ...memory.tasks,
        claim: (query) => {
          active.push(trace.getActiveSpan())
          return memory.tasks.claim(query)
        },
      },
      processes: {
        ...memory.processes,
        nextDueInMs: (query) => {
          active.push(trace.getActiveSpan())
          return memory.processes.nextDueInMs(query)
        },
      },
    })
    const shop = openShop([order()], {
      inbox,
      instrumentation: openTelemetryInstrumentation(sdk.providers),
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(120_000)
    expect(active.length).toBeGreaterThan(2)
    expect(active.filter((span) => span !== undefined)).toEqual([])
  })

  it('do not change the span of a request that calls orderCreated', async () => {
    const sdk = startTelemetry()
    const shop = openShop([], { instrumentation: openTelemetryInstrumentation(sdk.providers) })
    await shop.send(transferCompleted())
    shop.orders.add(order())
    const tracer = sdk.providers.tracerProvider.getTracer('test')
    await tracer.startActiveSpan('POST /orders', async (span) => {
      expect(await shop.payments.orderCreated('order-1')).toBe(1)
      span.end()
    })
    await shop.settle()
    expect(sdk.spans('POST /orders')[0]?.attributes).toEqual({})
    const [delivery] = sdk.spans('tonplug.delivery')
    const [handler] = sdk.spans('tonplug.handler onPaid')
    expect(handler?.links.map((link) => link.context)).toEqual([delivery?.spanContext()])
  })
})
