// States the age of the key block of mainnet that `signedBlocks` trusts by default. An old one makes first walks long, and
// allows long-range attacks. `pnpm run key-block:renew` renews it. Fails when it is older than a year.
import { readFileSync } from 'node:fs'
import { KEY_BLOCK_FILE, readKeyBlock } from './key-block.mjs'

const OLD_DAYS = 30
const TOO_OLD_DAYS = 365

const [file = KEY_BLOCK_FILE] = process.argv.slice(2)
const { id, utime } = readKeyBlock(readFileSync(file, 'utf8'))
const days = Math.floor((Date.now() / 1000 - utime) / 86_400)
// GitHub shows lines that start so beside the run.
const level = days > TOO_OLD_DAYS ? '::error::' : days > OLD_DAYS ? '::warning::' : ''
const advice = level === '' ? '' : '. Run: pnpm run key-block:renew'
console.log(`${level}key block ${id.seqno} is ${days} days old${advice}`)
if (days > TOO_OLD_DAYS) process.exitCode = 1
