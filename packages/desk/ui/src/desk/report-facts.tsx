import type { Session, StoryReport } from '../../../src/api.js'
import { CopyableCode } from '../components/copyable-code.js'
import { type Fact, Facts } from '../components/facts.js'
import { factsOf } from '../components/field-value.js'
import { describeDecision } from '../text/decisions.js'
import { explorerLink } from './explorer-link.js'

/** The fields of a report. */
export function ReportFacts({
  report,
  network,
}: {
  report: StoryReport
  network: Session['network']
}) {
  const { txHash, senderAddr, decision, proof, signedWith, by, note, problem } = report
  const comment = report.isCommentEncrypted
    ? 'Encrypted. Open the transaction in the wallet app of the recipient to read it.'
    : report.comment
  const link = explorerLink(txHash, network)
  // The other facts contain these.
  const {
    kind: _kind,
    reference: _reference,
    txHash: _txHash,
    ...detail
  } = report.decisionDetail ?? {}
  const facts: Fact[] = [
    ['Problem', problem],
    ['Decided by', decision && describeDecision(decision).rule],
    ...factsOf(detail),
    ['Proof', proof && [proof.verdict, proof.reason].filter(Boolean).join(': ')],
    ['Transaction', txHash && <CopyableCode name="the transaction" value={txHash} />],
    [
      'Explorer',
      link && (
        <a href={link} target="_blank" rel="noreferrer">
          Show the transaction on tonviewer.com
        </a>
      ),
    ],
    ['Sender', senderAddr && <CopyableCode name="the sender" value={senderAddr} />],
    ['Comment', comment],
    ['Signed with', signedWith],
    ['By', by],
    ['Note', note],
  ]
  return <Facts facts={facts} />
}
