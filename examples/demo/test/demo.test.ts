import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runDemo } from '../src/run-demo.js'
import type { PlayedScene, Scene } from '../src/scene.js'
import { scenes } from '../src/scenes.js'
import { chainScenes } from '../src/scenes/chain.js'

// One row waits for the gateway's retries after 1 s and 5 s, and PGlite starts seven times.
const DEMO_TIMEOUT_MS = 120_000

// The compiled one, as its users run it.
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

async function run(played: readonly Scene[]): Promise<{ exitCode: number; output: string }> {
  const lines: string[] = []
  const exitCode = await runDemo({ scenes: played, print: (text) => lines.push(text) })
  return { exitCode, output: lines.join('\n') }
}

function findScene(sent: string): PlayedScene {
  const scene = scenes.find((known) => known.sent === sent)
  if (scene === undefined || !('play' in scene)) throw new Error(`There is no scene "${sent}"`)
  return scene
}

describe('the demo', { timeout: DEMO_TIMEOUT_MS }, () => {
  test('S2 S7 S24 S28 S29 S31 S33 S37 S38 S47 S49 S55 S56 keeps the promise of every row and exits with 0', async () => {
    // It rejects unless the exit code is 0.
    const { stdout: output } = await promisify(execFile)(process.execPath, [program])

    expect(output).not.toContain('✘')
    expect(output.match(/✔/g)).toHaveLength(scenes.length)
    expect(output).toContain(`All ${scenes.length} rows are as promised.`)
  })

  test('is what the command of the workspace runs', async () => {
    const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
    // The workspace's own.
    const { scripts } = JSON.parse(manifest) as { scripts: { demo: string } }

    expect(scripts.demo).toBe('pnpm run build && node examples/demo/dist/main.js')
  })

  test('exits with 1, goes on with the other rows, and says of each broken promise what was expected', async () => {
    const paid = findScene('the documented sample of a payment')
    const fifty = findScene('the same delivery fifty times at once')
    const [onChain] = chainScenes
    if (onChain === undefined) throw new Error('There is no scene on a chain')
    const broken = { ...paid, promised: { ...paid.promised, decisions: 'duplicate' } }
    const unplayed: Scene = { ...fifty, play: (stage) => stage.buy('hoodie') }
    const unpaid: Scene = { ...onChain, playOnChain: (stage) => stage.buy('hoodie') }
    const crashing: Scene = {
      ...paid,
      sent: 'nothing',
      play: () => Promise.reject(new Error('the shop is on fire')),
    }

    const { exitCode, output } = await run([paid, broken, unplayed, unpaid, crashing])

    expect(exitCode).toBe(1)
    expect(output).toContain('4 of 5 rows are not as promised:')
    expect(output.match(/✔/g)).toHaveLength(1)
    const breaches = output.split('not as promised:\n')[1]?.split('\n')
    expect(breaches).toEqual([
      expect.stringMatching(
        /; decisions expected "verifying, paid", found "none"; order expected "completed, 1 parcel, on chain", found "pending, not on chain"/,
      ),
      `  ${paid.sent}: decisions expected "duplicate", found "paid"`,
      expect.stringMatching(
        /: answers expected "200 ×50", found "none"; .*order expected "completed, 1 parcel", found "pending"/,
      ),
      expect.stringMatching(/^  nothing: .*found "Error: the shop is on fire"/),
    ])
  })

  test('exits with 1 when a single promise is broken', async () => {
    const paid = findScene('the documented sample of a payment')
    const broken = { ...paid, promised: { ...paid.promised, decisions: 'duplicate' } }

    const { exitCode } = await run([broken])

    expect(exitCode).toBe(1)
  })
})
