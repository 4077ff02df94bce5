import { describe, expect, it } from 'vitest';
import { decodeBody } from '../../src/charset/decode.js';
import { declaredInHeader, declaredInMarkup } from '../../src/charset/declared.js';

const latin = (text: string) => Buffer.from(text, 'latin1');
/** 中文 and “价格表” in GBK. */
const GBK = '\xd6\xd0\xce\xc4';

describe('the declared encoding', () => {
  it.each([
    ['text/html; charset=GB2312', 'gbk'],
    ['text/html;charset="shift_jis"', 'shift_jis'],
    ['text/html; Charset=utf8; boundary=x', 'utf-8'],
    ["text/html; charset='gbk'", null],
    ['text/html; charset=latin-nonsense', null],
    ['text/html; charset=hz-gb-2312', null],
    ['text/html', null],
    [null, null],
    // parameters by WHATWG MIME Sniffing: no space in or beside a name, none before a quote
    ['text/html; charset =big5', null],
    ['text/html; charset= "big5"', null],
    ['text/html; charset=big5 (old)', null],
    ['text/html; charset=; charset=big5', 'big5'],
    ['text/html; charset=gbk; charset=big5', 'gbk'],
    ['text/html; title="; charset=big5"; charset=gbk', 'gbk'],
    ['text/html; charset="big5', 'big5'],
    ['; charset=big5', null],
    // several headers in one: the last counts, with the charset of an earlier one of its type
    ['text/html; charset=gbk, text/html', 'gbk'],
    ['text/html; charset=gbk, text/plain', null],
    ['text/html; charset=gbk, text/html; charset=big5', 'big5'],
  ])('of the header %s is %s', (header, expected) => {
    expect(declaredInHeader(header)).toBe(expected);
  });

  it.each([
    ['<meta charset=big5>', 'big5'],
    ['<META http-equiv="Content-Type" content="text/html; charset = euc-kr">', 'euc-kr'],
    ['<meta content="text/html;charset=\'gbk\'" http-equiv=content-type />', 'gbk'],
    ['<meta name=x content="charset=gbk">', null],
    ['<meta charset=nothing><meta charset=koi8-r>', 'koi8-r'],
    ['<!-- <meta charset=gbk> --><meta charset=big5>', 'big5'],
    ['<!--><meta charset=gbk><!-- -->', 'gbk'],
    ['<script>var s = "<meta charset=gbk>";</script><meta charset=big5>', 'big5'],
    ['<title><meta charset=gbk></title>', null],
    ['<noscript><meta charset=gbk></noscript>', 'gbk'],
    ['<meta http-equiv=" content-type " content="text/html; charset=gbk">', null],
    ['<p title="<meta charset=gbk>">', null],
    ["<p data-a='>' x=><meta charset=gbk>", 'gbk'],
    ['</meta charset=gbk>', null],
    ['<meta charset=utf-16>', 'utf-8'],
    ['<?xml version="1.0" encoding=\'windows-1251\'?><rss>', 'windows-1251'],
    ['<?xml version="1.0" encoding="gbk"?><html><meta charset=big5>', 'big5'],
    [`<script>${'var a;'.repeat(50_000)}</script><meta charset=gbk>`, 'gbk'],
    ['<meta charset=', null],
    ['<', null],
  ])('of the markup %.60s is %s', (markup, expected) => {
    expect(declaredInMarkup(latin(markup))).toBe(expected);
  });

  it('is looked for in a time that grows with the length of the markup', () => {
    const started = performance.now();
    for (const piece of ['<a ', '<!', '<!-- ', '<title>', '<a b=', '<a "', '<meta charset="']) {
      declaredInMarkup(latin(piece.repeat(100_000)));
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('decoding', () => {
  it('trusts a byte order mark over all that is declared', () => {
    expect(decodeBody(Buffer.from('\uFEFF茶', 'utf8'), 'text/html; charset=gbk')).toMatchObject({
      text: '茶',
      charset: 'utf-8',
      source: 'bom',
    });
    const utf16 = Buffer.from('\r\n <p>茶', 'utf16le');
    expect(decodeBody(utf16, null)).toMatchObject({ text: '\r\n <p>茶', charset: 'utf-16le', source: 'markup' });
    expect(decodeBody(Buffer.from(utf16).swap16(), null)).toMatchObject({ charset: 'utf-16be' });
  });

  it('trusts the header over the markup, and falls through an unknown label', () => {
    const body = latin(`<meta charset=gbk>${GBK}`);
    expect(decodeBody(body, 'text/html; charset=big5').source).toBe('header');
    expect(decodeBody(body, 'text/html; charset=gb-nothing')).toMatchObject({ source: 'markup', charset: 'gbk' });
  });

  it('reads bytes 0x80 to 0x9F of windows-1252, Big5-HKSCS and Windows syllables of Korean as the standard does', () => {
    expect(decodeBody(latin('\x80\x93'), 'text/html; charset=iso-8859-1').text).toBe('€“');
    expect(decodeBody(latin('\x87\x40'), 'text/html; charset=big5').text).toBe('䏰');
    expect(decodeBody(latin('\x8c\x63'), 'text/html; charset=euc-kr').text).toBe('똠');
  });

  it('counts what could not be read', () => {
    expect(decodeBody(latin('a\xffb\xfe'), 'text/html; charset=utf-8').replacementCharacters).toBe(2);
  });

  it.each([
    ['GBK', latin(`<p>${GBK}</p><p>\xbc\xdb\xb8\xf1\xb1\xed</p>`), '中文'],
    ['UTF-8 with one broken byte', Buffer.concat([Buffer.from('<p>价格表，中文网页</p>'), latin('\xff')]), '价格表'],
    ['UTF-8 cut within a character', Buffer.from('<p>价格</p>价').subarray(0, -1), '价格'],
    ['windows-1251', latin('<h1>\xc7\xe8\xec\xed\xff\xff \xf0\xe0\xf1\xef\xf0\xee\xe4\xe0\xe6\xe0</h1>'), 'Зимняя'],
    ['EUC-KR', latin('<p>\xb0\xdc\xbf\xef \xbc\xbc\xc0\xcf \xbe\xc8\xb3\xbb</p>'), '겨울'],
    ['ISO-2022-JP', latin('<p>\x1b$B%+%H\x1b(B</p>'), 'カト'],
    ['ASCII', latin('<p>plain</p>'), 'plain'],
    ['Lithuanian', latin('<h1>Rank\xf8 darbo arbatinukas</h1><p>\xfealias puodelis, \xf0velnus</p>'), 'Rankų'],
    ['Icelandic', latin('<h1>Teb\xfa\xf0in</h1><p>\xfeetta er g\xf3\xf0ur ketill \xe1 ver\xf0i</p>'), 'Tebúðin'],
    ['Turkish', latin('<h1>Da\xf0 \xe7ay\xfd</h1><p>ta\xfe demlik, ya\xfel\xfd a\xf0a\xe7 sap</p>'), 'Dağ'],
    [
      'Greek',
      latin(
        '<h1>\xc1\xed\xef\xe9\xee\xe9\xdc\xf4\xe9\xea\xe5\xf2 \xf0\xf1\xef\xf3\xf6\xef\xf1\xdd\xf2</h1><p>\xa2\xed\xef\xe9\xee\xe7 \xf3\xf4\xef \xea\xe1\xf4\xdc\xf3\xf4\xe7\xec\xe1: \xf7\xe5\xe9\xf1\xef\xf0\xef\xdf\xe7\xf4\xe1 \xea\xe5\xf1\xe1\xec\xe9\xea\xdc, \xa2\xf3\xf0\xf1\xe7 \xf4\xf3\xe1\xe3\xe9\xdd\xf1\xe1</p>',
      ),
      'Άνοιξη',
    ],
    [
      'EUC-JP with narrow kana',
      latin('<h1>\x8e\xca\x8e\xde\x8e\xb0\x8e\xb9\x8e\xde\x8e\xdd</h1><p>\xb4\xca\xa4\xce\xbd\xd5\xa4\xce\xc5\xb9</p>'),
      'ﾊﾞｰｹﾞﾝ',
    ],
  ])('finds out about undeclared %s', (_, body, expected) => {
    const decoded = decodeBody(body, 'text/html');
    expect(decoded.source).toBe('detected');
    expect(decoded.text).toContain(expected);
  });
});
