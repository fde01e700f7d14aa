import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const TOKEN = '7342037359:fake-token-for-tests'

/** A message in a chat, as its user sees it. */
export interface ChatMessage {
  id: number
  text: string
  /** The address that its button opens. */
  button: string | undefined
}

/** Ways in which a request fails: refused by the server, or executed and then without a response. */
export type BotApiFault = 'refused' | 'lost'

/** The parameters of the requests, as far as they are used. */
interface Parameters {
  chat_id: number
  message_id: number
  text: string
  timeout?: number
  reply_markup?: { inline_keyboard: { web_app: { url: string } }[][] }
}

/** A Bot API on a local port, and the chats of its users. */
export class FakeTelegram {
  readonly token = TOKEN
  /** Called for each new text in a chat. */
  onText: (message: ChatMessage) => void = () => undefined
  /** The requests to change a message, in their order. */
  edits = 0
  /** Faults of the next requests to change a message. */
  readonly faults: BotApiFault[] = []
  readonly #server = createServer((request, response) => void this.#respond(request, response))
  readonly #chats = new Map<number, ChatMessage[]>()
  readonly #updates: { update_id: number }[] = []
  #ids = 0
  #wake = (): void => undefined

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    // A server on a port has no other kind of address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** Returns the messages of the bot in the chat of a user. */
  chat(user: number): ChatMessage[] {
    const messages = this.#chats.get(user) ?? []
    this.#chats.set(user, messages)
    return messages
  }

  /** Writes a command to the bot. */
  write(user: number, text: string, type = 'private'): void {
    const message = {
      message_id: ++this.#ids,
      date: Math.floor(Date.now() / 1000),
      chat: { id: user, type },
      from: { id: user, is_bot: false, first_name: 'Zoë' },
      text,
      entities: [{ type: 'bot_command', offset: 0, length: text.length }],
    }
    this.#updates.push(Object.assign({ update_id: ++this.#ids }, { message }))
    this.#wake()
  }

  /** Returns the data with which Telegram opens a Mini App of the bot. */
  initData(user: number, { authDate = new Date(), token = TOKEN } = {}): string {
    const fields = {
      auth_date: String(Math.floor(authDate.getTime() / 1000)),
      query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
      user: JSON.stringify({ id: user, first_name: 'Zoë' }),
    }
    const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
    const secret = createHmac('sha256', 'WebAppData').update(token).digest()
    const hash = createHmac('sha256', secret).update(text.join('\n')).digest('hex')
    return new URLSearchParams({ ...fields, hash }).toString()
  }

  /** Returns the address with which Telegram opens the button of a message. */
  open(user: number, { button = '' }: ChatMessage): string {
    const launch = { tgWebAppData: this.initData(user), tgWebAppVersion: '9.0' }
    return `${button}#${new URLSearchParams({ ...launch, tgWebAppPlatform: 'web' }).toString()}`
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let json = ''
    for await (const chunk of request.setEncoding('utf8')) json += chunk
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const [, bot, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(pathname) ?? []
    const parameters = (json === '' ? {} : JSON.parse(json)) as Parameters
    const isEdit = method === 'editMessageText'
    if (isEdit) this.edits++
    const fault = isEdit ? this.faults.shift() : undefined
    const [status, result] =
      bot !== TOKEN
        ? [401, 'Unauthorized']
        : fault === 'refused'
          ? [502, 'Bad Gateway']
          : await this.#execute(method, parameters)
    if (fault === 'lost') return void response.destroy()
    const body =
      status === 200 ? { ok: true, result } : { ok: false, error_code: status, description: result }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  async #execute(method: string, parameters: Parameters): Promise<[number, unknown]> {
    switch (method) {
      case 'getMe':
        return [200, { id: 7_342_037_359, is_bot: true, first_name: 'Shop', username: 'shop_bot' }]
      case 'deleteWebhook':
        return [200, true]
      case 'getUpdates':
        if (this.#updates.length === 0 && parameters.timeout) await this.#nextUpdate()
        return [200, this.#updates.splice(0)]
      case 'sendMessage':
        return this.#send(parameters)
      case 'editMessageText':
        return this.#edit(parameters)
      default:
        return [404, 'Not Found']
    }
  }

  async #nextUpdate(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  #send({ chat_id, text, reply_markup }: Parameters): [number, unknown] {
    const button = reply_markup?.inline_keyboard[0]?.[0]?.web_app.url
    const message = { id: ++this.#ids, text, button }
    this.chat(chat_id).push(message)
    this.onText(message)
    return [200, { message_id: message.id, date: 0, chat: { id: chat_id, type: 'private' }, text }]
  }

  #edit({ chat_id, message_id, text }: Parameters): [number, unknown] {
    const message = this.chat(chat_id).find(({ id }) => id === message_id)
    if (message === undefined) return [400, 'Bad Request: message to edit not found']
    if (message.text === text) return [400, 'Bad Request: message is not modified']
    Object.assign(message, { text, button: undefined })
    this.onText(message)
    return [200, true]
  }
}
