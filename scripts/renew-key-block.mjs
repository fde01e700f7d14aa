// Renews the key block of mainnet that `signedBlocks` trusts by default. Follows the signed links of a liteserver from the
// pinned key block to the newest one, compares its hashes with API v2 of another operator, and writes it into the source.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { KEY_BLOCK_FILE, readKeyBlock } from './key-block.mjs'
import { loadCore } from './load-core.mjs'

const { values } = parseArgs({
  options: {
    // An address or a file of the network's global configuration.
    config: { type: 'string', default: 'https://ton.org/global.config.json' },
    api: { type: 'string', default: 'https://toncenter.com/api/v2' },
    file: { type: 'string', default: KEY_BLOCK_FILE },
  },
})

const [{ followLinks }, { connectLiteserver }] = await loadCore(
  'proof/block-links.ts',
  'liteserver/connect-liteserver.ts',
)
const text = readFileSync(values.file, 'utf8')
const pinned = readKeyBlock(text)
const newest = await renew(pinned, await readServers(values.config))
await compare(newest.id)
writeFileSync(values.file, writeKeyBlock(newest))
console.log(`key block ${pinned.id.seqno} → ${newest.id.seqno}`)

async function readServers(config) {
  const json = config.startsWith('http')
    ? await (await fetch(config, { signal: AbortSignal.timeout(30_000) })).json()
    : JSON.parse(readFileSync(config, 'utf8'))
  return json.liteservers.map(({ ip, port, id }) => ({
    host: [24, 16, 8, 0].map((shift) => (ip >>> shift) & 0xff).join('.'),
    port,
    publicKey: id.key,
  }))
}

/** @returns the newest key block that one of the servers proves. The next one continues after an error. */
async function renew(trusted, servers) {
  let newest = trusted
  for (const address of servers) {
    const server = connectLiteserver(address)
    try {
      for (;;) {
        const signal = AbortSignal.timeout(60_000)
        const proof = followLinks(await server.getBlockProof(newest.id, { signal }), newest)
        const keyBlock = proof.blocks.findLast(({ isKeyBlock }) => isKeyBlock)
        if (keyBlock !== undefined) newest = { ...newest, ...keyBlock }
        if (proof.isComplete) return newest
        if (keyBlock === undefined) throw new Error('the server shows no next key block')
      }
    } catch (error) {
      console.error(`${address.host}:${address.port}: ${error.message}`)
    } finally {
      server.close()
    }
  }
  throw new Error('no liteserver has proven the newest key block')
}

async function compare({ seqno, rootHash, fileHash }) {
  const query = `workchain=-1&shard=-9223372036854775808&seqno=${seqno}`
  const signal = AbortSignal.timeout(30_000)
  const { result } = await (await fetch(`${values.api}/lookupBlock?${query}`, { signal })).json()
  const isSame = [
    [result?.root_hash, rootHash],
    [result?.file_hash, fileHash],
  ].every(([base64, bytes]) => Buffer.from(base64 ?? '', 'base64').equals(bytes))
  if (!isSame) throw new Error(`${values.api} names another block ${seqno}`)
}

function writeKeyBlock({ id, utime }) {
  const digits = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, '_')
  const hex = (bytes) => Buffer.from(bytes).toString('hex')
  return text
    .replace(/(?<=seqno: )[\d_]+/, digits(id.seqno))
    .replace(/(?<=rootHash: decodeHex\(')\w+/, hex(id.rootHash))
    .replace(/(?<=fileHash: decodeHex\(')\w+/, hex(id.fileHash))
    .replace(/(?<=utime: )[\d_]+/, digits(utime))
}
