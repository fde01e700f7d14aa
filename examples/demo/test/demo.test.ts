import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { rows } from '../src/rows.js'
import { run } from '../src/run.js'

// The compiled program.
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

describe('the demo', () => {
  test('S2 S24 S31 S33 S37 S38 S55 S89 S91 S92 shows every row as promised and exits with 0', async () => {
    // Rejects unless the exit code is 0.
    const { stdout } = await promisify(execFile)(process.execPath, [program])

    expect(stdout.match(/✔/g)).toHaveLength(rows.length)
    expect(stdout).toContain(`All ${rows.length} rows are as promised.`)
  })

  test('prints rows that are not as promised, and continues', async () => {
    const [paid] = rows
    if (paid === undefined) throw new Error('the demo has no rows')
    const lines: string[] = []
    const crash = (): Promise<string> => Promise.reject(new Error('no chain'))

    const failed = await run(
      [{ ...paid, promised: 'duplicate' }, { ...paid, run: crash }, paid],
      (line) => void lines.push(line),
    )

    expect(failed).toBe(2)
    expect(lines.join('')).toContain('promised: duplicate')
    expect(lines.join('')).toContain('✘ A buyer opens the link of an invoice\n  Error: no chain')
    expect(lines.at(-1)).toMatch(/^✔/)
  })
})
