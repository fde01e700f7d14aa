import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readFetchBody, readNodeBody } from './read-body.js'

const limits = (): { maxBodyBytes: number; signal: AbortSignal } => ({
  maxBodyBytes: 10,
  signal: new AbortController().signal,
})

function post(body: string | ReadableStream, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' })
}

describe('readNodeBody', () => {
  it('puts chunks together', async () => {
    const stream = Readable.from([Buffer.from('ab'), Buffer.from('c')], { objectMode: false })
    expect(Buffer.from(await readNodeBody(stream)(limits())).toString()).toBe('abc')
  })

  it('says that the bytes are gone when somebody has set an encoding', async () => {
    const stream = Readable.from([Buffer.from('ab'), Buffer.from('c')], { objectMode: false })
    stream.setEncoding('utf8')
    await expect(readNodeBody(stream)(limits())).rejects.toThrow(/setEncoding/)
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
  ])('says that a body was %s before', async (_, use) => {
    const request = post('abc')
    await use(request)
    await expect(readFetchBody(request)(limits())).rejects.toThrow(/was read before/)
  })

  it('stops beyond the limit', async () => {
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
  ])('says that a body was %s before', async (_, use) => {
    const request = post('abc', announced)
    await use(request)
    await expect(readFetchBody(request)(limits())).rejects.toThrow(/was read before/)
  })

  it('refuses a body that is longer all the same', async () => {
    const request = post('a'.repeat(11), announced)
    await expect(readFetchBody(request)(limits())).rejects.toMatchObject({
      name: 'BodyTooLargeError',
    })
  })

  it('waits no longer than the signal says', async () => {
    const timeout = new AbortController()
    const request = post(new ReadableStream(), announced)
    const read = readFetchBody(request)({ maxBodyBytes: 10, signal: timeout.signal })
    timeout.abort()
    await expect(read).rejects.toMatchObject({ name: 'BodyIncompleteError' })
  })

  it('says when the sender went away', async () => {
    const gone = new ReadableStream({ start: (stream) => stream.error(new Error('reset')) })
    await expect(readFetchBody(post(gone, announced))(limits())).rejects.toMatchObject({
      name: 'BodyIncompleteError',
    })
  })
})
