/**
 * The two functions of a test framework that a conformance suite needs. Those of Vitest, Jest and
 * `node:test` fit, so that this package depends on none of them.
 */
export interface TestRunner {
  describe: (name: string, define: () => void) => unknown
  it: (name: string, run: () => Promise<void>) => unknown
}

/** Makes the harness of one test. */
export type MakeHarness<Harness> = () => Harness | Promise<Harness>

/** What the parts of a suite share. */
export interface Suite<Harness> {
  makeHarness: MakeHarness<Harness>
  runner: TestRunner
}

/**
 * Runs `test` with a harness of its own and closes that afterwards, whether the test passed or not.
 */
export async function withHarness<Harness extends { close?: (() => Promise<void>) | undefined }>(
  makeHarness: MakeHarness<Harness>,
  test: (harness: Harness) => Promise<void>,
): Promise<void> {
  const harness = await makeHarness()
  try {
    await test(harness)
  } finally {
    await harness.close?.()
  }
}

/** How often each value occurs. */
export function countValues(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
