//! Guessing: what must be found, and what must not be guessed.

use super::*;

fn check(encoding: Encoding, text: &str) {
    let raw = encode(text, encoding, false).unwrap();
    match decode(&raw, None, &[]) {
        Ok(decoded) => assert_eq!(decoded.text, text, "{encoding} read as {}", decoded.encoding),
        Err(error) => panic!("{encoding} {text:?}: {error}"),
    }
}

#[test]
fn east_asian_notes_are_read() {
    for text in [
        "中文",
        "会议纪要：明天下午三点开会",
        "# 读书笔记\r\n\r\n这本书讲的是如何整理知识。使用Rust写的程序很快。\r\n",
        "编号,姓名,城市\n1,张伟,北京\n2,李娜,上海\n",
        "备注 ok",
    ] {
        check(Encoding::Gb18030, text);
    }
    for text in [
        "會議記錄：明天下午三點開會",
        "# 讀書筆記\n\n這本書講的是如何整理知識，台灣的讀者很多。\n",
        "姓名,城市\n王小明,台北\n",
    ] {
        check(Encoding::Big5, text);
    }
    for encoding in [Encoding::ShiftJis, Encoding::EucJp] {
        for text in [
            "日本語のメモです。",
            "# 会議メモ\n\n明日の午後三時から会議があります。資料を準備してください。\n",
            "ソフトウェアの設定",
        ] {
            check(encoding, text);
        }
    }
    for text in [
        "회의록: 내일 오후 세 시에 회의가 있습니다.",
        "# 독서 노트\n\n이 책은 지식을 정리하는 방법을 다룬다.\n",
        "서울 날씨",
    ] {
        check(Encoding::EucKr, text);
    }
}

#[test]
fn european_notes_are_read() {
    for text in [
        "Le café était fermé à midi, l’élève a dû attendre.",
        "Ein Gruß aus München: schöne Grüße, viel Spaß und „gute“ Bücher.",
        "El niño comió piña mañana; ¿qué pasó después?",
        "A reunião começa às três; não há informação.",
        "Perché è così? La città è più bella.",
        "På søndag går vi en tur i skoven, hvis det ikke bliver for sent på året",
        "caf\u{E9}",
        "Müller",
        "naïve",
        "25 °C, price 30 €",
        "He said “never” — and left…",
        "«endif» mancante",
        "non è a casa",
    ] {
        check(Encoding::Windows1252, text);
    }
    for text in [
        "Příliš žluťoučký kůň úpěl ďábelské ódy.",
        "Zażółć gęślą jaźń, proszę państwa, wszystko będzie dobrze.",
        "Az árvíztűrő tükörfúrógép működik, és ez jó hír.",
    ] {
        check(Encoding::Windows1250, text);
    }
    check(Encoding::Iso8859_2, "Zażółć gęślą jaźń, proszę państwa, wszystko będzie dobrze.");
    for encoding in [Encoding::Windows1251, Encoding::Koi8R, Encoding::Ibm866] {
        check(encoding, "Встреча завтра в три часа дня. Не забудьте принести отчёт.");
    }
    check(Encoding::Windows1251, "Привет");
    check(Encoding::Windows1251, "Зустріч завтра о третій годині, візьміть із собою звіт.");
    check(Encoding::Windows1253, "Η συνάντηση είναι αύριο στις τρεις το απόγευμα.");
    check(Encoding::Windows1254, "Toplantı yarın saat üçte başlıyor, raporları unutmayın lütfen.");
    check(Encoding::Windows1255, "הפגישה מחר בשעה שלוש אחר הצהריים");
    check(Encoding::Windows1256, "الاجتماع غدا في الساعة الثالثة بعد الظهر");
    check(Encoding::Windows1257, "Susitikimas rytoj trečią valandą, nepamirškite ataskaitų, ačiū už žinią");
    check(Encoding::Windows874, "ประชุมพรุ่งนี้เวลาบ่ายสามโมง อย่าลืมนำรายงานมาด้วย");
}

/// The bytes of a European word are often those of a Chinese character, and the other way round.
#[test]
fn latin_and_chinese_are_not_taken_for_each_other() {
    for text in ["Öğ", "garçon très élevé", "ÜBER DIE STRASSE", "Ærø og Fyn", "SÃO PAULO"] {
        if let Ok(raw) = encode(text, Encoding::Windows1252, false) {
            let decoded = decode(&raw, None, &[]).unwrap();
            assert_eq!(decoded.text, text, "{}", decoded.encoding);
        }
    }
    for text in ["你好", "测试", "价格 100 元", "a的b"] {
        check(Encoding::Gb18030, text);
    }
}

#[test]
fn utf16_without_a_mark_is_read() {
    for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
        for text in [
            "plain words\r\n",
            "会议纪要：明天下午三点开会\n",
            "Встреча завтра\n",
            "日本語のメモです。 ok",
            "x",
        ] {
            check(encoding, text);
        }
    }
}

#[test]
fn neighbours_tip_a_close_decision() {
    // One letter tells Italian and Croatian apart here.
    let raw = b"ka\xE8i";
    let prior = [Encoding::Windows1250];
    assert_eq!(decode(raw, None, &prior).unwrap().text, "kači");
    assert_eq!(decode(raw, None, &[Encoding::Windows1252]).unwrap().text, "kaèi");
    // They never outvote evidence.
    let raw = encode("会议纪要：明天下午三点开会", Encoding::Gb18030, false).unwrap();
    assert_eq!(decode(&raw, None, &prior).unwrap().encoding, Encoding::Gb18030);
}

fn reason(raw: &[u8]) -> String {
    decode(raw, None, &[]).unwrap_err().reason.code
}

#[test]
fn binary_is_not_text() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\\r\xA8f";
    assert_eq!(reason(png), "binary");
    assert_eq!(reason(b"text with\0a nul"), "binary");
    assert_eq!(reason(b"text with\0 a nul\n"), "binary");
    assert_eq!(reason(b"# ok\n\nhello \0 world\n"), "binary");
    assert_eq!(reason(b"\0\x01\x02binary\0"), "binary");
    assert_eq!(reason(b"name\0\0\0\x01size\0\0\0\x02"), "binary");
    assert_eq!(reason(b"a\0b\0\x01\0c\0d\0e\0f\0g\0h\0"), "binary");
    assert_eq!(reason(b"\xFF\xFE\0\0a\0\0\0"), "binary");
    assert_eq!(reason(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0"), "binary");
}

#[test]
fn noise_is_not_guessed() {
    // A generator with a fixed seed; bytes without NUL.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for length in [40, 200, 3000] {
        let raw: Vec<u8> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_be_bytes()[0]
        })
        .filter(|&byte| byte != 0)
        .take(length)
        .collect();
        assert_eq!(reason(&raw), "encodingUnclear");
    }
}

#[test]
fn every_file_of_the_house_can_be_read_back() {
    let empty = decode(b"", None, &[]).unwrap();
    assert_eq!((empty.text.as_str(), empty.encoding), ("", Encoding::Utf8));
    let mark = decode(b"\xEF\xBB\xBF", None, &[]).unwrap();
    assert_eq!((mark.text.as_str(), mark.bom), ("", true));
}
