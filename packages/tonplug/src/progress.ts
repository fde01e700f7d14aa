import { Presets, SingleBar } from 'cli-progress'

/** Starts a progress bar on the standard error; without a terminal it prints nothing. */
export function createProgress(total: number): SingleBar {
  const bar = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {value} of {total}, {eta_formatted} left',
      clearOnComplete: true,
      // cli-progress would handle the first Ctrl-C itself.
      gracefulExit: false,
      // Otherwise the terminal has no line wrapping after Ctrl-C.
      linewrap: true,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0)
  return bar
}
