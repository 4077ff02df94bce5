/** Words before a number that is not what one pays: old prices, savings, postage, least orders. */
const NOT_THE_PRICE = [
  // English
  'was|rrp|msrp|list(?: price)?|old price|previous price|original(?:ly|(?: price)?(?: was)?)?|orig\\.?|regular(?: price)?',
  'reg\\.?(?: price)?|usually|normally|typical price|compare at|retail(?: price)?|strikethrough price|value|before',
  'save|savings?|off|shipping|delivery|postage',
  // German, Dutch
  'statt|uvp(?: des herstellers)?|war|sparen|versand|alter preis|ursprünglich(?:er preis)?|normalpreis|regulärer preis|früher',
  'bisher|vorher|listenpreis|streichpreis|np|niedrigster preis der letzten 30 tage|van|oude prijs|adviesprijs',
  'normale prijs|oorspronkelijke prijs|eerder',
  // French, Spanish, Italian, Portuguese
  "avant|prix (?:initial|normal|de base|conseillé|habituel|barré|d'origine)(?: était)?|ancien prix|au lieu de",
  'antes|ahorra|precio (?:original|anterior|normal|habitual|de lista)(?: era)?|p\\.?v\\.?p\\.?r\\.?|normal',
  'prima|prezzo (?:originale|precedente|di listino|consigliato)(?: era)?|anziché|invece di|listino',
  'preço (?:original|antigo|normal)(?: era)?',
  // Polish, Czech, Turkish, Nordic
  'stara cena|cena (?:regularna|katalogowa)|pierwotna cena(?: wynosiła)?|poprzednia cena|przed|najniższa cena z 30 dni',
  'původní cena|běžná cena|běžně|před slevou|doporučená cena|eski fiyat|önceki fiyat|liste fiyatı',
  'ordinarie(?: pris)?|ord\\. pris|tidigare pris|før(?:pris)?|vej?l\\. pris',
];
const NOT_THE_PRICE_ELSEWHERE = [
  'старая цена|прежняя цена|обычная цена|цена без скидки|раньше|было|ррц|скидка|доставка',
  '原价|原價|市场价|市場價|市價|划线价|劃線價|吊牌价|参考价|专柜价|门市价|零售价|日常价|定价|定價|建议零售价|建議售價|立减|立減|省|运费|運費|满|満',
  '通常価格|希望小売価格|参考価格|定価|元値|정가|정상가|시중가|기존가|소비자가',
];

/** Words before the price that one pays now, where another stands beside it. */
const NOW = [
  'now|sale price|special price|current price(?: is)?|jetzt|nu|nur noch|maintenant|prix actuel(?: est)?|ahora|por|precio actual(?: es)?|ora',
  'il prezzo attuale è|o preço atual é|teraz|(?:aktualna|obecna) cena(?: wynosi)?|nyní|şimdi|nå|pris',
];
const NOW_ELSEWHERE = ['сейчас|现价|現價|特价|特價|促销价|到手价|販売価格|セール価格|판매가|할인가'];

const endingIn = (words: readonly string[], unspaced: readonly string[]): RegExp =>
  new RegExp(`(?:(?<![\\p{L}\\d])(?:${words.join('|')})|${unspaced.join('|')})[\\s:：]*$`, 'iu');

const OLD = endingIn(NOT_THE_PRICE, NOT_THE_PRICE_ELSEWHERE);
const NEW = endingIn(NOW, NOW_ELSEWHERE);

/** As much of the text before a number as such words take up. */
const LONGEST = 40;

/** What the words right before a number say of it. */
export function saidBefore(head: string): 'old' | 'now' | null {
  const end = head.slice(-LONGEST);
  if (OLD.test(end)) return 'old';
  return NEW.test(end) ? 'now' : null;
}
