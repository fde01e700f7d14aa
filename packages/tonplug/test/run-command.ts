import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The path of the built command. */
export const COMMAND = fileURLToPath(new URL('../dist/esm/main.js', import.meta.url))

/** Skips the optimizing compilation of PGlite, which takes longer than these short runs. */
const FLAGS = ['--liftoff-only']

/** The exit code and the output of a process. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the built command in a separate process without a terminal. Only these variables are set. */
export async function tonplug(
  args: readonly string[],
  {
    input = '',
    ...environment
  }: { input?: string | Uint8Array; [variable: string]: string | Uint8Array | undefined } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, ...args], {
    // The type of `input` is wider than needed.
    env: { PATH: process.env['PATH'], ...(environment as Record<string, string | undefined>) },
  })
  // A command without input may end before it reads it.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, stdout, stderr }
}

/** A command that runs until it is interrupted. */
export interface Running {
  /** Returns the next line of the standard output. */
  nextLine(): Promise<string>
  /** Sends SIGINT, or waits for the end of the command. */
  end(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>
}

/** Starts the built command, and kills it when the test ends. Only these variables are set. */
export function startTonplug(
  args: readonly string[],
  environment: Record<string, string> = {},
): Running {
  const env = { PATH: process.env['PATH'], ...environment }
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 2] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  // `stdio` above creates a pipe.
  const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]()
  return {
    nextLine: async () => {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('the output has ended')
      return value
    },
    end: (signal) => {
      if (signal !== undefined) child.kill(signal)
      return closed
    },
  }
}

/** Returns the document that a command with `--json` printed. */
export function document(ended: Ended): unknown {
  return JSON.parse(ended.stdout)
}
