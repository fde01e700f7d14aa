import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
/** Without the second, slower compilation of PGlite, which comes too late for so short a life. */
const FLAGS = ['--liftoff-only']

/** The compiled worker in a process of its own. */
export interface WorkerProcess {
  kill(signal?: NodeJS.Signals): void
  /** Resolves when it has ended, with the signal that ended it or its exit code, and all that it wrote. */
  ended: Promise<{ by: NodeJS.Signals | number | null; output: string }>
}

/** Starts the compiled worker as its users do. */
export function startWorker(options: {
  env: Record<string, string>
  /** Called for each line that it writes. */
  onLine?: (line: string) => void
  /** A module that is loaded before it. */
  preload?: URL
}): WorkerProcess {
  const { env, onLine, preload } = options
  const preloads = preload === undefined ? [] : ['--import', preload.href]
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [...FLAGS, ...preloads, main],
    {
      env: { PATH: process.env['PATH'], NO_COLOR: '1', NODE_NO_WARNINGS: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      output += `${line}\n`
      onLine?.(line)
    })
  }
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    // What `close` is emitted with.
    by: (signal ?? code) as NodeJS.Signals | number | null,
    output,
  }))
  return { kill: (signal = 'SIGKILL') => void child.kill(signal), ended }
}
