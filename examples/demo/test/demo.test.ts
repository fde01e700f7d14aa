import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runDemo } from '../src/run-demo.js'
import type { GatewayScenario, Scenario } from '../src/scenario.js'
import { scenarios } from '../src/scenarios.js'
import { chainScenarios } from '../src/scenarios/chain.js'

// One row waits for retries after 1 s and 5 s, one for a lease of 12 s, and PGlite starts seven times.
const DEMO_TIMEOUT_MS = 240_000

// The compiled program.
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

async function run(selected: readonly Scenario[]): Promise<{ exitCode: number; output: string }> {
  const lines: string[] = []
  const exitCode = await runDemo({ scenarios: selected, print: (text) => lines.push(text) })
  return { exitCode, output: lines.join('\n') }
}

function findScenario(sent: string): GatewayScenario {
  const scenario = scenarios.find((known) => known.sent === sent)
  if (scenario === undefined || !('run' in scenario)) throw new Error(`missing scenario "${sent}"`)
  return scenario
}

describe('the demo', { timeout: DEMO_TIMEOUT_MS }, () => {
  test('S2 S7 S24 S28 S29 S31 S33 S37 S38 S47 S49 S55 S56 S89 S90 S91 S92 shows every row as promised and exits with 0', async () => {
    // Rejects unless the exit code is 0.
    const { stdout: output } = await promisify(execFile)(process.execPath, [program])

    expect(output).not.toContain('✘')
    expect(output.match(/✔/g)).toHaveLength(scenarios.length)
    expect(output).toContain(`All ${scenarios.length} rows are as promised.`)
  })

  test('is the program of the root command', async () => {
    const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
    // The manifest of the workspace.
    const { scripts } = JSON.parse(manifest) as { scripts: { demo: string } }

    expect(scripts.demo).toBe('pnpm run build && node examples/demo/dist/main.js')
  })

  test('exits with 1, continues with the other rows, and prints the expected outcome of each broken row', async () => {
    const paid = findScenario('the documented sample of a payment')
    const fifty = findScenario('the same delivery fifty times concurrently')
    const [onChain] = chainScenarios
    if (onChain === undefined) throw new Error('missing scenario on a chain')
    const broken = { ...paid, promised: { ...paid.promised, decisions: 'duplicate' } }
    const undelivered: Scenario = { ...fifty, run: (shop) => shop.buy('hoodie') }
    const unpaid: Scenario = { ...onChain, runOnChain: (shop) => shop.buy('hoodie') }
    const crashing: Scenario = {
      ...paid,
      sent: 'nothing',
      run: () => Promise.reject(new Error('the shop crashed')),
    }

    const { exitCode, output } = await run([paid, broken, undelivered, unpaid, crashing])

    expect(exitCode).toBe(1)
    expect(output).toContain('4 of 5 rows are not as promised:')
    expect(output.match(/✔/g)).toHaveLength(1)
    const mismatches = output.split('not as promised:\n')[1]?.split('\n')
    expect(mismatches).toEqual([
      `  ${paid.sent}: decisions expected "duplicate", found "paid"`,
      expect.stringMatching(
        /: answers expected "200 ×50", found "none"; .*order expected "completed, 1 parcel", found "pending"/,
      ),
      expect.stringMatching(
        /; decisions expected "verifying, paid", found "none"; order expected "completed, 1 parcel, on chain", found "pending, not on chain"/,
      ),
      expect.stringMatching(/^  nothing: .*found "Error: the shop crashed"/),
    ])
  })

  test('exits with 1 when a single row is not as promised', async () => {
    const paid = findScenario('the documented sample of a payment')
    const broken = { ...paid, promised: { ...paid.promised, decisions: 'duplicate' } }

    const { exitCode } = await run([broken])

    expect(exitCode).toBe(1)
  })
})
