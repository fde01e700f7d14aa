/** A frame of a stream of server-sent events. */
export interface SseFrame {
  event: string
  data: string
}

/** A frame is longer than any that the server sends. */
class FrameTooLongError extends Error {}

/** Characters of a frame. */
const MAX_LENGTH = 16_777_216

/**
 * Creates a parser of server-sent events. Comments are ignored, and so are `id` and `retry`, which the server does not send.
 * @returns a function that returns the frames that a piece of text completes. @throws {FrameTooLongError}
 */
export function createSseParser(): (text: string) => SseFrame[] {
  let rest = ''
  let event = ''
  let data: string[] = []
  let length = 0

  const readLine = (line: string): SseFrame | undefined => {
    if (line === '') {
      const frame = data.length === 0 ? undefined : { event, data: data.join('\n') }
      event = ''
      data = []
      length = 0
      return frame
    }
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
    length += line.length
    return undefined
  }

  return (text) => {
    // A piece may end between the two characters of a line end.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const frames = lines.flatMap((line) => readLine(line) ?? [])
    if (rest.length + length > MAX_LENGTH) throw new FrameTooLongError()
    return frames
  }
}
