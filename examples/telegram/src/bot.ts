import { createInvoice } from '@tonplug/core'
import type { PostgresOrderRepository } from '@tonplug/postgres'
import { Bot, GrammyError, InlineKeyboard } from 'grammy'
import { BOT_API, BOT_TOKEN, PUBLIC_URL, SHOP_WALLET } from './settings.js'

/** Stored with each order. */
export interface Sale {
  /** The buyer. A private chat has the id of its user. */
  userId: number
  /** The message that shows the order in the chat. */
  messageId: number
}

const ITEM = 'Postcard, 0.25 TON'

/** Creates the bot. Its command `/buy` creates an order of the user, with a button that opens the checkout. */
export function createBot(orders: PostgresOrderRepository<Sale>): Bot {
  const bot = new Bot(BOT_TOKEN, { client: { apiRoot: BOT_API, timeoutSeconds: 60 } })
  bot.catch(({ error }) => console.error(error))
  bot.chatType('private').command(['start', 'buy'], async (context) => {
    const { order } = await createInvoice({ wallet: SHOP_WALLET, asset: 'TON', amount: '0.25' })
    const button = new InlineKeyboard().webApp('Pay', `${PUBLIC_URL}/?order=${order.reference}`)
    const message = await context.reply(ITEM, { reply_markup: button })
    const data = { userId: context.from.id, messageId: message.message_id }
    await orders.create({ ...order, data })
  })
  return bot
}

/**
 * Changes the message of an order to "paid", and removes its button. The Bot API has no idempotency keys, but a repeated edit
 * changes nothing. So the chat shows it once, also when the response to the edit is lost and the handler runs again.
 */
export async function tellPaid({ api }: Bot, { userId, messageId }: Sale): Promise<void> {
  try {
    await api.editMessageText(userId, messageId, `${ITEM}: paid. Thank you!`)
  } catch (error) {
    // The message has this text, was deleted, or the user has blocked the bot. Other errors are retried.
    if (!(error instanceof GrammyError) || ![400, 403].includes(error.error_code)) throw error
  }
}
