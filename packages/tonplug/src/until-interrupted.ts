/** Waits for SIGINT, SIGTERM or the signal. */
export async function untilInterrupted(signal?: AbortSignal): Promise<void> {
  const ending = new AbortController()
  const end = (): void => ending.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end)
  signal?.addEventListener('abort', end)
  await new Promise<void>((resolve) => {
    if (signal?.aborted === true) resolve()
    else ending.signal.addEventListener('abort', () => resolve())
  })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, end)
}
