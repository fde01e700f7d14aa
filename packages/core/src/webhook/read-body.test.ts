import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readFetchBody, readNodeBody } from './read-body.js'

const limits = (): { maxBodyBytes: number; signal: AbortSignal } => ({
  maxBodyBytes: 10,
  signal: new AbortController().signal,
})

function post(body: string): Request {
  return new Request('http://localhost/', { method: 'POST', body })
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
