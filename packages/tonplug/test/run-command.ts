import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

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

/** The one document that a command with `--json` printed. */
export function document(ended: Ended): unknown {
  return JSON.parse(ended.stdout)
}
