import { describe, expect, test } from 'vitest'
import { runDemo } from '../src/run-demo.js'
import type { PlayedScene, Scene } from '../src/scene.js'
import { scenes } from '../src/scenes.js'
import { chainScenes } from '../src/scenes/chain.js'

// One row waits for the gateway's retries after 1 s and 5 s, and PGlite starts seven times.
const DEMO_TIMEOUT_MS = 120_000

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
    const { exitCode, output } = await run(scenes)

    expect(output).not.toContain('✘')
    expect(output.match(/✔/g)).toHaveLength(scenes.length)
    expect(output).toContain(`All ${scenes.length} rows are as promised.`)
    expect(exitCode).toBe(0)
  })

  test('exits with 1 and says what was expected when a promise is broken', async () => {
    const paid = findScene('the documented sample of a payment')
    const broken = { ...paid, promised: { ...paid.promised, decisions: 'duplicate' } }

    const { exitCode, output } = await run([paid, broken])

    expect(exitCode).toBe(1)
    expect(output).toContain('1 of 2 rows are not as promised:')
    expect(output).toContain(`${paid.sent}: decisions expected "duplicate", found "paid"`)
  })

  test('exits with 1 when a scene sends something else than it says', async () => {
    const fifty = findScene('the same delivery fifty times at once')
    const unplayed: Scene = { ...fifty, play: (stage) => stage.buy('hoodie') }

    const { exitCode, output } = await run([unplayed])

    expect(exitCode).toBe(1)
    expect(output).toContain('answers expected "200 ×50", found "none"')
    expect(output).toContain('order expected "completed, 1 parcel", found "pending"')
  })

  test('exits with 1 when nobody pays on the chain', async () => {
    const [paid] = chainScenes
    if (paid === undefined) throw new Error('There is no scene on a chain')

    const { exitCode, output } = await run([
      { ...paid, playOnChain: (stage) => stage.buy('hoodie') },
    ])

    expect(exitCode).toBe(1)
    expect(output).toContain('decisions expected "verifying, paid", found "none"')
    expect(output).toContain(
      'order expected "completed, 1 parcel, on chain", found "pending, not on chain"',
    )
  })

  test('exits with 1 and goes on with the other rows when a scene throws', async () => {
    const paid = findScene('the documented sample of a payment')
    const crashing: Scene = {
      ...paid,
      sent: 'nothing',
      play: () => Promise.reject(new Error('the shop is on fire')),
    }

    const { exitCode, output } = await run([crashing, paid])

    expect(exitCode).toBe(1)
    expect(output).toContain('found "Error: the shop is on fire"')
    expect(output.match(/✔/g)).toHaveLength(1)
  })
})
