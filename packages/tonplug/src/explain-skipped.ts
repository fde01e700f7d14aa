import type { InboxEntry, InboxReader } from '@tonplug/postgres'

/**
 * Explains why a command does not change named reports.
 * @param whyNot returns `undefined` for a report that it changes.
 */
export async function explainSkipped(
  reader: InboxReader,
  ids: readonly string[],
  whyNot: (entry: InboxEntry) => string | undefined,
): Promise<{ skipped: { reportId: string; reason: string }[]; lines: string[] }> {
  const named = [...new Set(ids)]
  const entries = await Promise.all(named.map((id) => reader.find(id)))
  const skipped = named.flatMap((reportId, index) => {
    const entry = entries[index]
    const reason = entry ? whyNot(entry) : 'not found; see `tonplug inbox list`.'
    return reason === undefined ? [] : [{ reportId, reason }]
  })
  return { skipped, lines: skipped.map(({ reportId, reason }) => `Report ${reportId}: ${reason}`) }
}
