import type { Report } from '../report.js'
import { diagnoseSignature, type SignatureQuestion } from '../signature/diagnose.js'

const GUIDE = 'https://github.com/tonplug/tonplug/blob/main/docs/guide/signature-never-matches.md'

/** Verifies a signature, and explains why it does not match. */
export function verify(question: SignatureQuestion): Report {
  const mistakes = diagnoseSignature(question)
  const [{ source, hadLineBreak }] = question.secrets
  const isMatch = mistakes.length === 0
  const notes = hadLineBreak
    ? [`${source} ends with a line break, which was ignored; does your app ignore it too?`]
    : []
  return {
    isDone: isMatch,
    json: {
      isMatch,
      mistakes,
      notes,
      bodyBytes: question.body.length,
      secret: { source },
    },
    text: [
      isMatch
        ? `The signature matches these ${question.body.length} bytes and the secret in ${source}.\nIf your app still responds with 401, it has other bytes or another secret: ${GUIDE}`
        : 'The signature does not match.',
      ...mistakes.map(({ code, problem, fix }) => `${code}: ${problem}\n  ${fix}`),
      ...notes.map((note) => `Note: ${note}`),
    ].join('\n'),
  }
}
