import { Presets, SingleBar } from 'cli-progress'

/** How far long work has come. */
export interface Progress {
  advance(): void
  stop(): void
}

/** A bar on the standard error where that is a terminal, otherwise nothing. */
export function createProgress(total: number): Progress {
  const bar = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {value} of {total}, {eta_formatted} left',
      clearOnComplete: true,
      // It would take the first Ctrl-C for itself.
      gracefulExit: false,
      // Otherwise the terminal stays without line wrap after Ctrl-C.
      linewrap: true,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0)
  return { advance: () => bar.increment(), stop: () => bar.stop() }
}
