import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Clock } from '../../shared/clock.js'
import { readFetchBody, readNodeBody } from './read-body.js'

const limits = (): { maxBodyBytes: number; signal: AbortSignal } => ({
  maxBodyBytes: 10,
  signal: new AbortController().signal,
})

function post(body: string | ReadableStream, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' })
}

describe('readNodeBody', () => {
  it('concatenates chunks', async () => {
    const stream = Readable.from([Buffer.from('ab'), Buffer.from('c')], { objectMode: false })
    expect(Buffer.from(await readNodeBody(stream)(limits())).toString()).toBe('abc')
  })

  it('rejects a stream with an encoding', async () => {
    const stream = Readable.from([Buffer.from('ab'), Buffer.from('c')], { objectMode: false })
    stream.setEncoding('utf8')
    await expect(readNodeBody(stream)(limits())).rejects.toThrow(/setEncoding/)
  })

  it('stops at a deadline, and cancels its timer when the body is complete', async () => {
    const timers = new Map<() => void, number>()
    const clock: Pick<Clock, 'setTimer'> = {
      setTimer(expire, delayMs) {
        timers.set(expire, delayMs)
        return () => timers.delete(expire)
      },
    }
    const timed = { maxBodyBytes: 10, deadlineMs: 1000, clock }
    const late = readNodeBody(new PassThrough())(timed)
    expect([...timers.values()]).toEqual([1000])
    for (const expire of timers.keys()) expire()
    await expect(late).rejects.toMatchObject({ name: 'BodyIncompleteError' })
    const stream = Readable.from([Buffer.from('abc')], { objectMode: false })
    expect(Buffer.from(await readNodeBody(stream)(timed)).toString()).toBe('abc')
    expect(timers.size).toBe(0)
  })

  it('S20 rejects the body of a sender that resets its stream of HTTP/2', async () => {
    const server = createServer().listen(0)
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const client = connect(`http://127.0.0.1:${port}`)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    const sent = client.request({ ':method': 'POST' }).on('error', () => undefined)
    sent.write('half')
    const [request] = await once(server, 'request')
    const body = readNodeBody(request)(limits())
    sent.destroy()
    await expect(body).rejects.toMatchObject({ name: 'BodyIncompleteError' })
  })

  it('does not wait for a stream that is destroyed', async () => {
    const stream = Readable.from([Buffer.from('ab')])
    stream.destroy()
    await expect(readNodeBody(stream)(limits())).rejects.toMatchObject({
      name: 'BodyIncompleteError',
    })
  })
})

describe('readFetchBody', () => {
  it.each([
    ['read', (request: Request) => request.text()],
    ['locked', (request: Request) => Promise.resolve(request.body?.getReader())],
  ])('rejects a body that was %s before', async (_, use) => {
    const request = post('abc')
    await use(request)
    await expect(readFetchBody(request)(limits())).rejects.toThrow(/was read before/)
  })

  it('rejects a body above the limit', async () => {
    await expect(readFetchBody(post('a'.repeat(11)))(limits())).rejects.toMatchObject({
      name: 'BodyTooLargeError',
    })
  })
})

describe('readFetchBody, when the length was announced', () => {
  const announced = { 'content-length': '3' }

  it('reads the bytes', async () => {
    const bytes = await readFetchBody(post('abc', announced))(limits())
    expect(Buffer.from(bytes).toString()).toBe('abc')
  })

  it.each([
    ['read', (request: Request) => request.text()],
    ['locked', (request: Request) => Promise.resolve(request.body?.getReader())],
  ])('rejects a body that was %s before', async (_, use) => {
    const request = post('abc', announced)
    await use(request)
    await expect(readFetchBody(request)(limits())).rejects.toThrow(/was read before/)
  })

  it('rejects a body that is longer than announced', async () => {
    const request = post('a'.repeat(11), announced)
    await expect(readFetchBody(request)(limits())).rejects.toMatchObject({
      name: 'BodyTooLargeError',
    })
  })

  it('rejects when the sender disconnects', async () => {
    const gone = new ReadableStream({ start: (stream) => stream.error(new Error('reset')) })
    await expect(readFetchBody(post(gone, announced))(limits())).rejects.toMatchObject({
      name: 'BodyIncompleteError',
    })
  })
})
