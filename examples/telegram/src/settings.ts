/** Settings of the shop; `.env.example` explains the settings of a real bot. */
export const {
  BOT_TOKEN = '',
  BOT_API = 'https://api.telegram.org',
  PUBLIC_URL = '',
  SHOP_WALLET = '',
  TONCENTER_URL,
  TONCENTER_API_KEY,
  DATA_DIR,
  PORT = '3000',
} = process.env
