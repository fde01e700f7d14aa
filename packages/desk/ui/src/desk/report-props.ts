import type { Session, StoryReport } from '../../../src/api.js'
import type { OutcomeText } from './outcome.js'

/** A report, and what its actions need. */
export interface ReportProps {
  report: StoryReport
  session: Session
  onDone: (outcome: OutcomeText) => void
}
