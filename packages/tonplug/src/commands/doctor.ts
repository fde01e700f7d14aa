import { Option, type Command } from 'commander'
import type { Network } from '@tonplug/core/toncenter'
import { colorOf } from '../color.js'
import { readUrl } from '../deliveries.js'
import { runChecks, type NamedFinding } from '../doctor/run-checks.js'
import type { DoctorSettings } from '../doctor/settings.js'
import { UsageError } from '../failure.js'
import { readBaseUrl } from '../network-values.js'
import { jsonOption } from '../options.js'
import type { Deliver } from '../report.js'
import { readOptionalSecrets } from '../secret.js'
import { countOf, onOneLine } from '../table.js'

/** The gateway waits this long for a response. */
const TIMEOUT_MS = 10_000
const DEFAULT_RPS = 10
const SERVERS = { mainnet: 'https://toncenter.com', testnet: 'https://testnet.toncenter.com' }

interface DoctorFlags {
  url?: string
  wallet?: string
  network?: Network
  server?: string
  jetton?: string
  secretFile?: string
}

/** Adds `doctor`. */
export function doctorCommand(program: Command, deliver: Deliver): void {
  program
    .command('doctor')
    .description('diagnose a server: its settings, webhook route, database, wallet and API key')
    .option('--url <url>', 'webhook route of the running server')
    .option('--wallet <wallet>', "the shop's wallet; default: SHOP_WALLET")
    .addOption(
      new Option(
        '--network <network>',
        'of the wallet; default: NETWORK, otherwise mainnet',
      ).choices(['mainnet', 'testnet']),
    )
    .option('--server <url>', 'base URL of your own API v3; default: TONCENTER_URL')
    .option('--jetton <master>', 'the jetton that the shop accepts; default: JETTON_MASTER')
    .option('--secret-file <path>', 'file with the secret; default: TONPAY_WEBHOOK_SECRET')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Also reads DATABASE_URL, REDIS_URL, TONCENTER_API_KEY and TONCENTER_RPS. Run it with the environment of your server.
Nothing is changed. The server logs two requests with a wrong signature.`,
    )
    .action(async (flags: DoctorFlags) => {
      const findings = await runChecks(readSettings(flags, process.env))
      const isDone = findings.every(({ status }) => status !== 'fail')
      deliver({ isDone, json: { findings }, text: toText(findings) })
    })
}

type Environment = Readonly<Record<string, string | undefined>>

function readSettings(flags: DoctorFlags, environment: Environment): DoctorSettings {
  const read = (name: string): string | undefined => environment[name] || undefined
  const network = flags.network ?? readNetwork(read('NETWORK'))
  const server = flags.server ?? read('TONCENTER_URL')
  if (server !== undefined) readBaseUrl('--server', server)
  const [secret] =
    readOptionalSecrets(flags.secretFile === undefined ? [] : [flags.secretFile]) ?? []
  return {
    folder: process.cwd(),
    nodeVersion: process.versions.node,
    url: flags.url === undefined ? undefined : readUrl(flags.url),
    secret,
    wallet: flags.wallet ?? read('SHOP_WALLET'),
    network,
    servers: server === undefined ? SERVERS : { ...SERVERS, [network]: server },
    apiKey: read('TONCENTER_API_KEY'),
    rps: Number(read('TONCENTER_RPS') ?? DEFAULT_RPS) || DEFAULT_RPS,
    jetton: flags.jetton ?? read('JETTON_MASTER'),
    databaseUrl: read('DATABASE_URL'),
    redisUrl: read('REDIS_URL'),
    timeoutMs: TIMEOUT_MS,
  }
}

function readNetwork(text = 'mainnet'): Network {
  if (text === 'mainnet' || text === 'testnet') return text
  throw new UsageError(`NETWORK must be mainnet or testnet; received ${onOneLine(text)}`)
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

function toText(findings: readonly NamedFinding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.map((finding) => {
    const { check, status, found } = finding
    const mark = colorOf(process.stdout)(COLORS[status], status.padEnd(4))
    const line = `${mark}  ${check.padEnd(width)}  ${onOneLine(found)}`
    return finding.status === 'ok' ? line : `${line}\n${' '.repeat(width + 8)}${finding.fix}`
  })
  const count = (status: NamedFinding['status']): number =>
    findings.filter((finding) => finding.status === status).length
  const end = `${countOf(count('fail'), 'problem')}, ${countOf(count('warn'), 'warning')}, ${count('ok')} ok`
  return [...lines, '', end].join('\n')
}
