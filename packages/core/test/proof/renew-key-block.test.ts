import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createValidators, type MasterBlock, SignedNetwork } from '@tonplug/simulator/internal'
import { startFakeLiteserver } from '../liteserver/fake-liteserver.js'

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

/** Writes the source of the key block with another one. */
async function pin({ id, utime }: Pick<MasterBlock, 'id' | 'utime'>): Promise<string> {
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

/** Serves a network whose validators have changed 20 times, and API v2 of another operator. */
async function serveNetwork(change: (block: MasterBlock) => MasterBlock = (block) => block) {
  const network = new SignedNetwork({ utime: now - 9000 })
  for (let index = 1; index <= 20; index++) {
    const current = createValidators(`set ${index}`, 5)
    network.append({ utime: now - 9000 + index, names: { current, main: 4 } })
  }
  network.append({ utime: now })
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
  return { network, file, args }
}

describe('the key block that a release renews', () => {
  it('is the newest one that signed links prove, and that another operator names', async () => {
    const { network, file, args } = await serveNetwork()
    const newest = network.blocks.findLast(({ isKeyBlock }) => isKeyBlock)!
    const { code, output } = await run('renew-key-block', ...args)
    expect(output).toContain(`key block ${network.first.id.seqno} → ${newest.id.seqno}`)
    expect(code).toBe(0)
    expect((await readFile(file, 'utf8')).replaceAll('_', '')).toBe(
      (await readFile(await pin(newest), 'utf8')).replaceAll('_', ''),
    )
  })

  it('is kept when the other operator names another block', async () => {
    const { file, args } = await serveNetwork((block) => ({
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
