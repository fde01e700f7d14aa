import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTestdata } from '@tonplug/test-support/testdata'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createValidators, SignedNetwork } from '@tonplug/simulator/internal'
import { startFakeLiteserver } from '../liteserver/fake-liteserver.js'
import { recordedBytes } from './recorded.js'

const ROOT = join(import.meta.dirname, '../../../..')
const now = Math.floor(Date.now() / 1000)

function run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [`scripts/${script}.mjs`, ...args], { cwd: ROOT })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** A block that the source of the key block can name. */
interface PinnedBlock {
  id: { seqno: number; rootHash: Buffer; fileHash: Buffer }
  isKeyBlock: boolean
  utime: number
}

/** Writes the source of the key block with another one. */
async function pin({ id, utime }: PinnedBlock): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-key-block-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const source = await readFile(join(ROOT, 'packages/core/src/proof/mainnet-key-block.ts'), 'utf8')
  const file = join(folder, 'key-block.ts')
  const hashes = [id.rootHash, id.fileHash].map((hash) => hash.toString('hex'))
  const text = source
    .replace(/seqno: [\d_]+/, `seqno: ${id.seqno}`)
    .replace(/utime: [\d_]+/, `utime: ${utime}`)
    .replaceAll(/'\w{64}'/g, () => `'${hashes.shift()}'`)
  await writeFile(file, text)
  return file
}

/** A chain of key blocks, as a liteserver proves it. */
interface ServedLinks {
  first: PinnedBlock
  blocks: readonly PinnedBlock[]
  blockProof(known: { seqno: number }): Buffer
}

/** A network whose validators have changed 20 times. */
function changedNetwork(): ServedLinks {
  const network = new SignedNetwork({ utime: now - 9000 })
  for (let index = 1; index <= 20; index++) {
    const current = createValidators(`set ${index}`, 5)
    network.append({ utime: now - 9000 + index, names: { current, main: 4 } })
  }
  network.append({ utime: now })
  return network
}

interface ExpectedBlock {
  seqno: number
  root_hash: string
  file_hash: string
}

/** Recorded links of mainnet. */
function recordedLinks(): ServedLinks {
  const { links } = JSON.parse(readTestdata('proofs/expected.json'))
  const chain: { file: string; from: ExpectedBlock; to: ExpectedBlock; gen_utime: number }[] = links
  const own = chain.filter(({ file }) => file === 'chain.hex')
  const first = toPinned(own[0]!.from, 0)
  const blocks = own.map(({ to, gen_utime }) => toPinned(to, gen_utime))
  return { first, blocks, blockProof: () => Buffer.from(recordedBytes('chain.hex')) }
}

function toPinned({ seqno, root_hash, file_hash }: ExpectedBlock, utime: number): PinnedBlock {
  const [rootHash, fileHash] = [Buffer.from(root_hash, 'hex'), Buffer.from(file_hash, 'hex')]
  return { id: { seqno, rootHash, fileHash }, isKeyBlock: true, utime }
}

/** Serves links, and API v2 of another operator. */
async function serve(
  network: ServedLinks,
  change: (block: PinnedBlock) => PinnedBlock = (block) => block,
) {
  const { port, publicKey } = await startFakeLiteserver(async (query) =>
    network.blockProof({ seqno: query.readUInt32LE(20) }),
  )
  const api = createServer((request, response) => {
    const seqno = Number(new URL(request.url ?? '', 'http://host').searchParams.get('seqno'))
    const { id } = change(network.blocks.find((block) => block.id.seqno === seqno)!)
    const [root_hash, file_hash] = [id.rootHash, id.fileHash].map((one) => one.toString('base64'))
    response.end(JSON.stringify({ ok: true, result: { seqno, root_hash, file_hash } }))
  })
  await new Promise<void>((resolve) => {
    api.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void api.close())
  const file = await pin(network.first)
  const config = `${file}.json`
  const silent = { ip: 0x7f000001, port: 1, id: { key: publicKey } }
  const server = { ip: 0x7f000001, port, id: { key: publicKey } }
  await writeFile(config, JSON.stringify({ liteservers: [silent, server] }))
  const { port: apiPort } = api.address() as AddressInfo
  const args = ['--file', file, '--config', config, '--api', `http://127.0.0.1:${apiPort}`]
  return { file, args }
}

describe('the key block that a release renews', () => {
  it.each([
    ['a network with changing validators', changedNetwork],
    ['recorded mainnet', recordedLinks],
  ])('is the newest one that the signed links of %s prove', async (_, open) => {
    const network = open()
    const { file, args } = await serve(network)
    const newest = network.blocks.findLast(({ isKeyBlock }) => isKeyBlock)!
    const { code, output } = await run('renew-key-block', ...args)
    expect(output).toContain(`key block ${network.first.id.seqno} → ${newest.id.seqno}`)
    expect(code).toBe(0)
    expect((await readFile(file, 'utf8')).replaceAll('_', '')).toBe(
      (await readFile(await pin(newest), 'utf8')).replaceAll('_', ''),
    )
  })

  it('is kept when the other operator names another block', async () => {
    const { file, args } = await serve(changedNetwork(), (block) => ({
      ...block,
      id: { ...block.id, fileHash: Buffer.alloc(32) },
    }))
    const before = await readFile(file, 'utf8')
    const { code, output } = await run('renew-key-block', ...args)
    expect(output).toMatch(/names another block/)
    expect([code, await readFile(file, 'utf8')]).toEqual([1, before])
  })

  it.each([
    [29, 0, /^key block \d+ is 29 days old\n$/],
    [31, 0, /^::warning::key block \d+ is 31 days old\. Run: pnpm run key-block:renew\n$/],
    [366, 1, /^::error::key block/],
  ])('has an age of %i days, which its check states', async (days, exitCode, message) => {
    const { first } = new SignedNetwork({ utime: now - days * 86_400 - 60 })
    const { code, output } = await run('check-key-block', await pin(first))
    expect(output).toMatch(message)
    expect(code).toBe(exitCode)
  })
})
