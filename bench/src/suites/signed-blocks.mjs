// Measures the processor time of a restart of `signedBlocks` whose stored key block is a week old (H1), with recorded answers
// of mainnet. Each sample is a process of its own, so that no code is compiled yet.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { report } from '../report.mjs'
import { median } from '../rounds.mjs'

const ROUNDS = 15
const RECORDED = new URL('../../../testdata/proofs/', import.meta.url)

/**
 * Mainnet has about 2.7 key blocks a day: 19 links in a week, and one to the newest block. `chain.hex` has three links with
 * 85 to 99 signatures, `one-link-simplex.hex` has one with 66.
 */
const ANSWERS = { 'chain.hex': 6, 'one-link-simplex.hex': 2 }
const LINKS = 20

const [, file, mode] = process.argv
if (mode === undefined) compare()
else await sample(mode)

function compare() {
  const samples = Array.from({ length: ROUNDS }, () => cpuSeconds('restart') - cpuSeconds('empty'))
  report([
    {
      id: 'H1',
      what: `restart of signedBlocks after a week, ${LINKS} recorded links and an account, s of processor time`,
      beside: 'an empty process',
      spread: { median: median(samples), min: Math.min(...samples), max: Math.max(...samples) },
      floor: '<= 2',
      goal: '<= 1',
    },
  ])
}

function cpuSeconds(name) {
  return Number(execFileSync(process.execPath, [file, name], { encoding: 'utf8' }))
}

async function sample(name) {
  if (name === 'restart') await restart()
  const { user, system } = process.cpuUsage()
  console.log((user + system) / 1e6)
}

async function restart() {
  const { followLinks, proveAccount } = await import('@tonplug/core/proof')
  const { links } = JSON.parse(read('expected.json'))
  let count = 0
  for (const [name, times] of Object.entries(ANSWERS)) {
    const bytes = fromHex(read(name).replaceAll(/^#.*$|\s/gm, ''))
    const trusted = { id: toId(links.find((link) => link.file === name).from), globalId: -239 }
    for (let time = 0; time < times; time++) count += followLinks(bytes, trusted).blocks.length
  }
  const { block, account, proof } = readAccount()
  const { kind } = proveAccount(block, account, proof)
  if (count !== LINKS || kind !== 'present') throw new Error(`${count} links, and ${kind}`)
}

function readAccount() {
  const values = new Map(
    [...read('read-basechain.txt').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const of = (name) => fromHex(values.get(name) ?? '')
  return {
    block: toId({
      workchain: -1,
      shard: '8000000000000000',
      seqno: Number(values.get('block_seqno')),
      root_hash: values.get('block_root_hash'),
      file_hash: '',
    }),
    account: { workchain: 0, hash: of('account_id') },
    proof: { shardProof: of('shard_proof'), proof: of('proof'), state: of('state') },
  }
}

function toId({ workchain, shard, seqno, root_hash, file_hash }) {
  const hashes = { rootHash: fromHex(root_hash), fileHash: fromHex(file_hash) }
  return { workchain, shard: BigInt(`0x${shard}`), seqno, ...hashes }
}

function read(name) {
  return readFileSync(new URL(name, RECORDED), 'utf8')
}

function fromHex(digits) {
  return new Uint8Array(Buffer.from(digits, 'hex'))
}
