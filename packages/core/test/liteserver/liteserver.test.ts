import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectLiteserver, fileAnchors, LiteserverError } from '@tonplug/core/liteserver'
import { signedBlocks } from '@tonplug/core/proof'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createChainLiteserver, tlBytes, tlInt } from '@tonplug/simulator/internal'
import { freePort } from '@tonplug/test-support/free-port'
import { look, startPaid } from '../payments/proof/two-sources.js'
import { answersOf, startFakeLiteserver, type FakeLiteserver } from './fake-liteserver.js'

const { signal } = new AbortController()
const block = {
  workchain: -1,
  shard: 1n << 63n,
  seqno: 1,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
}

async function startServer(answer: FakeLiteserver['answer'], timeoutMs = 10_000) {
  const fake = await startFakeLiteserver(answer)
  const { port, publicKey } = fake
  const liteserver = connectLiteserver({ host: '127.0.0.1', port, publicKey, timeoutMs })
  onTestFinished(() => liteserver.close())
  return { fake, liteserver }
}

describe('connectLiteserver', () => {
  it('brings what signedBlocks proves, over one connection', async () => {
    const { chain, index, reported, native, token } = await startPaid()
    const server = createChainLiteserver(chain)
    const { fake, liteserver } = await startServer(answersOf(server))
    const source = signedBlocks({ liteserver, trusted: server.trusted })
    for (const transfer of [native, token]) {
      const verdict = await look({ sources: [index(), source] }, reported(transfer))
      expect(verdict.kind).toBe('verified')
    }
    expect(fake.connections).toHaveLength(1)
  })

  it('reads answers of any size, in the order of their arrival', async () => {
    const sizes = [0, 253, 254, 255, 70_000, 1_000_000]
    let next = 0
    const { liteserver } = await startServer(async () => {
      const size = sizes[next++]!
      await new Promise((resolve) => {
        setTimeout(resolve, 20 - next)
      })
      return Buffer.alloc(size, 7)
    })
    const answers = await Promise.all(sizes.map(() => liteserver.getBlockProof(block, { signal })))
    expect(answers.map(({ length }) => length)).toEqual(sizes)
  })

  it('rejects with the error of the server', async () => {
    const error = Buffer.concat([tlInt(0xbba9e148), tlInt(-400), tlBytes(Buffer.from('not in db'))])
    const { liteserver } = await startServer(async () => error)
    const failed = liteserver.getBlockProof(block, { signal })
    await expect(failed).rejects.toThrow(LiteserverError)
    await expect(failed).rejects.toMatchObject({
      code: 'ERR_TONPLUG_LITESERVER',
      message: 'the liteserver returned the error -400: not in db',
      details: { code: -400 },
    })
  })

  it('connects again after the connection was lost', async () => {
    const { fake, liteserver } = await startServer(async () => Buffer.from('answer'))
    await liteserver.getBlockProof(block, { signal })
    fake.answer = async () => void fake.connections[0]!.destroy()
    await expect(liteserver.getBlockProof(block, { signal })).rejects.toThrow(
      /has closed the connection/,
    )
    fake.answer = async () => Buffer.from('again')
    expect(await liteserver.getBlockProof(block, { signal })).toEqual(Buffer.from('again'))
    expect(fake.connections).toHaveLength(2)
  })

  it('rejects a query that has no answer in time, or is aborted', async () => {
    const { liteserver } = await startServer(async () => undefined, 50)
    await expect(liteserver.getBlockProof(block, { signal })).rejects.toThrow(/does not answer/)
    const controller = new AbortController()
    const aborted = liteserver.getBlockProof(block, { signal: controller.signal })
    controller.abort(new TypeError('shut down'))
    await expect(aborted).rejects.toThrow('shut down')
  })

  it('rejects packets that cannot be read, and a server that cannot be reached', async () => {
    const sockets: Socket[] = []
    const noise = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      // One random length in 256 is valid: the noise is longer than the longest packet.
      socket.write(Buffer.alloc(17_000_000, 1))
    })
    // No server of another test takes it afterwards.
    const port = await freePort()
    await new Promise<void>((resolve) => {
      noise.listen(port, '127.0.0.1', resolve)
    })
    const publicKey = Buffer.alloc(32, 5).toString('base64')
    const liteserver = connectLiteserver({ host: '127.0.0.1', port, publicKey })
    await expect(liteserver.getBlockProof(block, { signal })).rejects.toThrow(/cannot be read/)
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => {
      noise.close(resolve)
    })
    await expect(liteserver.getBlockProof(block, { signal })).rejects.toThrow(/cannot be reached/)
  })

  it.each([
    [{ publicKey: 'short' }, /^publicKey: must be 32 bytes in base64/],
    [{ port: 0 }, /^port/],
    [{ host: '' }, /^host/],
  ])('rejects the options %j', (changed, message) => {
    const options = { host: 'h', port: 1, publicKey: Buffer.alloc(32).toString('base64') }
    expect(() => connectLiteserver({ ...options, ...changed })).toThrow(message)
  })
})

describe('fileAnchors', () => {
  async function openFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'tonplug-anchors-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    return join(folder, 'anchors.json')
  }
  const at = (seqno: number) => ({ ...block, seqno, rootHash: new Uint8Array(32).fill(seqno) })

  it('stores the newest block of each network, and never goes back', async () => {
    const path = await openFolder()
    const anchors = fileAnchors(path)
    expect(await anchors.loadBlock(-239)).toBeUndefined()
    await Promise.all(
      [3, 9, 4].map((seqno) => anchors.saveBlock({ id: at(seqno), globalId: -239 })),
    )
    await anchors.saveBlock({ id: at(5), globalId: -3 })
    const reopened = fileAnchors(path)
    expect(await reopened.loadBlock(-239)).toEqual(at(9))
    expect(await reopened.loadBlock(-3)).toEqual(at(5))
    await reopened.saveBlock({ id: at(8), globalId: -239 })
    expect(await reopened.loadBlock(-239)).toEqual(at(9))
  })

  it('stores the newest transaction of each account beside the blocks', async () => {
    const path = await openFolder()
    const anchors = fileAnchors(path)
    const account = { globalId: -239, address: `0:${'a'.repeat(64)}` }
    const idOf = (lt: bigint) => ({ lt, hash: new Uint8Array(32).fill(Number(lt)) })
    expect(await anchors.loadTransaction(account)).toBeUndefined()
    await Promise.all([
      anchors.saveTransaction(account, idOf(3n)),
      anchors.saveBlock({ id: at(9), globalId: -239 }),
      anchors.saveTransaction(account, idOf(2n ** 64n - 1n)),
      anchors.saveTransaction(account, idOf(5n)),
      anchors.saveTransaction({ ...account, globalId: -3 }, idOf(4n)),
    ])
    const reopened = fileAnchors(path)
    expect(await reopened.loadTransaction(account)).toEqual(idOf(2n ** 64n - 1n))
    expect(await reopened.loadTransaction({ ...account, globalId: -3 })).toEqual(idOf(4n))
    expect(await reopened.loadBlock(-239)).toEqual(at(9))
  })

  it('rejects a file that cannot be read, and keeps it', async () => {
    const path = await openFolder()
    await writeFile(path, '{"blocks":{"-239":{"seqno":1}}}')
    const anchors = fileAnchors(path)
    await expect(anchors.loadBlock(-239)).rejects.toThrow(/^path: must be a file that fileAnchors/)
    await expect(anchors.saveBlock({ id: at(9), globalId: -239 })).rejects.toThrow(
      /^path: must be a file that fileAnchors/,
    )
    expect(await readFile(path, 'utf8')).toBe('{"blocks":{"-239":{"seqno":1}}}')
  })
})
