import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'

// A process and a database take their time on machines that are busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const COMMAND = fileURLToPath(new URL('../dist/esm/main.js', import.meta.url))

/** How a process ended, and what it printed. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the built command in a process of its own, without a terminal. Only these variables are set. */
export async function tonplug(
  args: readonly string[],
  {
    input = '',
    ...environment
  }: { input?: string | Uint8Array; [variable: string]: string | Uint8Array | undefined } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    // The type of `input` alone is wider.
    env: { PATH: process.env['PATH'], ...(environment as Record<string, string | undefined>) },
  })
  // A command that needs no input may end before it was read.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, stdout, stderr }
}

/** A command that runs until it is told to end. */
export interface Running {
  /** Its next line on the standard output. */
  nextLine(): Promise<string>
  /** Sends it Ctrl-C, or waits for its own end. */
  end(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>
}

/** Starts the built command; it is killed with the test. Only these variables are set. */
export function startTonplug(
  args: readonly string[],
  environment: Record<string, string> = {},
): Running {
  const env = { PATH: process.env['PATH'], ...environment }
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 2] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  // `stdio` above makes a pipe of it.
  const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]()
  return {
    nextLine: async () => {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('there is no further line')
      return value
    },
    end: (signal) => {
      if (signal !== undefined) child.kill(signal)
      return closed
    },
  }
}

/** The one document that a command with `--json` printed. */
export function document(ended: Ended): unknown {
  return JSON.parse(ended.stdout)
}
