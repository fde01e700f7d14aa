/** The functions of a test framework that a conformance suite needs: Vitest, Jest or `node:test`. */
export interface TestRunner {
  describe: (name: string, define: () => void) => unknown
  it: ((name: string, run: () => Promise<void>) => unknown) & {
    /** Defines a test that is reported as skipped. */
    skip: (name: string, run: () => Promise<void>) => unknown
  }
}

/** Creates the harness of one test. */
export type MakeHarness<Harness> = () => Harness | Promise<Harness>

/** Defines a test. It runs with a harness of its own. */
export type DefineTest<Harness> = (
  title: string,
  run: (harness: Harness) => Promise<void>,
) => unknown

/** Functions with which the parts of a suite define their tests. */
export interface Suite<Harness> {
  describe: TestRunner['describe']
  test: DefineTest<Harness>
}

/**
 * Returns the function that defines tests. Harnesses are closed also when a test fails.
 * @param skipReason reports the tests as skipped; their titles state the reason.
 */
export function defineTestsWith<Harness extends { close?: (() => Promise<void>) | undefined }>(
  makeHarness: MakeHarness<Harness>,
  { it }: TestRunner,
  skipReason?: string,
): DefineTest<Harness> {
  return (title, run) => {
    const runWithHarness = async (): Promise<void> => {
      const harness = await makeHarness()
      try {
        await run(harness)
      } finally {
        await harness.close?.()
      }
    }
    if (skipReason === undefined) return it(title, runWithHarness)
    const withReason = `${title} (skipped: ${skipReason})`
    return it.skip(withReason, runWithHarness)
  }
}

/** Counts how often each value occurs. */
export function countValues(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** Calls `call` with 0, 1, … without waiting in between, and returns all results. */
export function callConcurrently<Result>(
  times: number,
  call: (index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => call(index)))
}
