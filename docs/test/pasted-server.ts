import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@tonplug/test-support/free-port'
import { expect, onTestFinished } from 'vitest'

/** Time limit for a command that ends, as long as that of the hooks that install packages. */
const TIMEOUT_MS = 600_000
/** Time limit for one attempt to reach a server that is starting. */
const CONNECT_MS = 5000
// The manifest of a package.
const { version: VERSION } = JSON.parse(readFileSync('packages/tonplug/package.json', 'utf8')) as {
  version: string
}
/** Set by `scripts/check-quick-starts.mjs`: an empty folder, a registry with the packed packages, and versions of Node. */
const { QUICK_START_FOLDER, QUICK_START_REGISTRY, QUICK_START_NODES } = process.env
// Without the database of the tests, and with the programs of the workspace and of docs/.
const { DATABASE_URL: _, ...ENVIRONMENT } = process.env
const PROGRAMS = ['node_modules/.bin', 'docs/node_modules/.bin'].map((folder) => resolve(folder))

/** A version of Node that runs pasted code. */
export interface NodeVersion {
  version: string
  /** The folder of its program. */
  folder: string
}

/** The Node of this process, or all versions that the packages support; the oldest is the first. */
export const NODES: readonly NodeVersion[] =
  QUICK_START_NODES === undefined
    ? [{ version: process.versions.node, folder: dirname(process.execPath) }]
    : // The script writes nothing else.
      (JSON.parse(QUICK_START_NODES) as NodeVersion[])
// There is at least one.
const OLDEST = NODES[0] as NodeVersion

/** The `tsconfig.json` of pasted code. */
export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
})

/** A folder with pasted code. */
export interface Pasted {
  port: number
  /** Runs `npm install` commands, except in the workspace, which has the packages. */
  install(commands: readonly string[]): Promise<void>
  /** Runs a command until it ends. Returns its output. */
  run(command: string, node?: NodeVersion): Promise<string>
  /** Runs a command until the end of the test. Returns a function that returns the lines printed so far. */
  launch(command: string, node?: NodeVersion): () => string[]
  /** Launches a server, and waits until it listens. */
  start(command: string, node?: NodeVersion): Promise<() => string[]>
}

/** Writes files into a new folder, by default below docs/, whose dependencies they may import. Commands get a free port as `PORT`. */
export async function paste(
  name: string,
  files: Record<string, string>,
  port?: number,
): Promise<Pasted> {
  const folder = join(QUICK_START_FOLDER ?? 'docs/.check', name)
  port ??= await freePort()
  rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const run = async (command: string, node = OLDEST): Promise<string> => {
    // A dependency of Fastify 5, cookie 2, asks for Node 22 and works on Node 20, where npm warns.
    const isStrict = !/^npm install .*\bfastify\b/m.test(command)
    const env = { ...environmentOf(node, port), npm_config_engine_strict: String(isStrict) }
    const options = { cwd: folder, env, timeout: TIMEOUT_MS }
    return (await promisify(execFile)('bash', ['-ec', command], options)).stdout
  }
  const launch = (command: string, node = OLDEST): (() => string[]) => {
    const launched = spawn('bash', ['-c', `exec env ${command}`], {
      cwd: folder,
      env: environmentOf(node, port),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(async () => {
      if (launched.exitCode === null && launched.kill()) await once(launched, 'exit')
    })
    let printed = ''
    launched.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    return () => printed.split('\n')
  }
  return {
    port,
    async install(commands) {
      if (QUICK_START_REGISTRY === undefined) return
      writeFileSync(join(folder, '.npmrc'), `@tonplug:registry=${QUICK_START_REGISTRY}\n`)
      // Only packages with a scope can come from another registry by their names.
      const archive = `${QUICK_START_REGISTRY}tonplug-${VERSION}.tgz`
      for (const command of commands) await run(command.replace(/ tonplug(?=\s)/, ` ${archive}`))
    },
    run,
    launch,
    start: async (command, node) => {
      const printed = launch(command, node)
      const connect = async () => {
        const signal = AbortSignal.timeout(CONNECT_MS)
        return fetch(`http://localhost:${port}/`, { signal }).catch((error: unknown) => error)
      }
      await expect.poll(connect, { message: `${command} listens` }).toBeInstanceOf(Response)
      return printed
    },
  }
}

function environmentOf(node: NodeVersion, port: number): NodeJS.ProcessEnv {
  const path = [node.folder, ...PROGRAMS, process.env['PATH']].join(delimiter)
  return {
    ...ENVIRONMENT,
    PATH: path,
    PORT: String(port),
    // A package that does not support this version of Node fails the installation.
    npm_config_engine_strict: 'true',
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
}
