//! Languages, the encodings that they were written in, and their frequent letters.

use crate::text::Encoding;

/// How a language is written, as far as costs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Plain Latin letters, and accented ones among them.
    Latin,
    /// An alphabet that lies wholly outside ASCII.
    Alphabet,
    Han,
    /// Japanese: kana and ideographs.
    Kana,
    Hangul,
}

pub(super) struct Language {
    pub(super) script: Script,
    pub(super) encodings: &'static [Encoding],
    /// Letters outside ASCII. For `Latin` and `Alphabet` all of them, the most frequent first; for
    /// the others a few hundred frequent characters, the most frequent among the first.
    pub(super) frequent: &'static str,
}

/// Encodings that are tried, and what each costs in bits for being less usual than the first.
pub(super) const CANDIDATES: &[(Encoding, f32)] = &[
    (Encoding::Gb18030, 0.0),
    (Encoding::Windows1252, 0.0),
    (Encoding::ShiftJis, 1.0),
    (Encoding::Big5, 1.0),
    (Encoding::EucKr, 1.0),
    (Encoding::Windows1251, 1.0),
    (Encoding::Windows1250, 1.5),
    (Encoding::EucJp, 3.0),
    (Encoding::Windows1254, 3.0),
    (Encoding::Windows1253, 3.0),
    (Encoding::Windows1255, 3.0),
    (Encoding::Windows1256, 3.0),
    (Encoding::Windows1257, 2.5),
    (Encoding::Windows1258, 5.0),
    (Encoding::Windows874, 3.0),
    (Encoding::Koi8R, 4.0),
    (Encoding::Koi8U, 5.0),
    (Encoding::Ibm866, 6.0),
    (Encoding::Iso8859_2, 4.0),
    (Encoding::Utf16Le, 6.0),
    (Encoding::Utf16Be, 8.0),
];

/// The languages that may be written in `encoding`.
pub(super) fn of(encoding: Encoding) -> impl Iterator<Item = &'static Language> {
    LANGUAGES.iter().filter(move |language| language.encodings.contains(&encoding))
}

const fn latin(encodings: &'static [Encoding], frequent: &'static str) -> Language {
    Language { script: Script::Latin, encodings, frequent }
}

const fn alphabet(encodings: &'static [Encoding], frequent: &'static str) -> Language {
    Language { script: Script::Alphabet, encodings, frequent }
}

const WESTERN: &[Encoding] = &[Encoding::Windows1252, Encoding::Utf16Le, Encoding::Utf16Be];
const CENTRAL: &[Encoding] =
    &[Encoding::Windows1250, Encoding::Iso8859_2, Encoding::Utf16Le, Encoding::Utf16Be];
const BALTIC: &[Encoding] = &[Encoding::Windows1257, Encoding::Utf16Le, Encoding::Utf16Be];
const RUSSIAN: &[Encoding] =
    &[Encoding::Windows1251, Encoding::Koi8R, Encoding::Ibm866, Encoding::Utf16Le, Encoding::Utf16Be];
const UKRAINIAN: &[Encoding] =
    &[Encoding::Windows1251, Encoding::Koi8U, Encoding::Utf16Le, Encoding::Utf16Be];
const BALKAN: &[Encoding] = &[Encoding::Windows1251, Encoding::Utf16Le, Encoding::Utf16Be];

const LANGUAGES: &[Language] = &[
    // French, German, Spanish, Portuguese, Italian, Swedish and Finnish, Danish and Norwegian,
    // Icelandic, Dutch, Catalan.
    latin(WESTERN, "éèàêçùôâîûëïœüæÿ"),
    latin(WESTERN, "üäößéèàê"),
    latin(WESTERN, "óíáéñúüªº"),
    latin(WESTERN, "ãçáéíóêõúâôàüªº"),
    latin(WESTERN, "èàùòìéîª"),
    latin(WESTERN, "äöåéü"),
    latin(WESTERN, "øåæéöäü"),
    latin(WESTERN, "íáðóöéæþúýø"),
    latin(WESTERN, "ëéïèöüç"),
    latin(WESTERN, "àéèóçíòúïü"),
    // Polish, Czech, Slovak, Hungarian, Romanian, Croatian and Slovene.
    latin(CENTRAL, "łóąężśćńź"),
    latin(CENTRAL, "íáěéřčšžýůúťďňó"),
    latin(CENTRAL, "áíčéšžýťúľôäňóďĺŕ"),
    latin(CENTRAL, "áéöóőüíúű"),
    latin(CENTRAL, "ăîşţâ"),
    latin(CENTRAL, "čšžćđ"),
    // Lithuanian, Latvian, Estonian.
    latin(BALTIC, "ėšįųąžūčę"),
    latin(BALTIC, "āīēšūņžļčģķ"),
    latin(BALTIC, "äõüöšž"),
    // Turkish, Vietnamese.
    latin(&[Encoding::Windows1254, Encoding::Utf16Le, Encoding::Utf16Be], "ışüğçöİâî"),
    latin(&[Encoding::Windows1258], "đư\u{301}\u{300}ôê\u{323}âơ\u{309}ă\u{303}áàéèíóùúì"),
    // Russian, Ukrainian and Belarusian, Bulgarian, Serbian and Macedonian.
    alphabet(RUSSIAN, "оеаинтсрвлкмдпуяызьбгчйхжюшцщэфъё"),
    alphabet(UKRAINIAN, "оаинвіетрслкудмпязьгчбхйжюїцшєщфґўыэё"),
    alphabet(BALKAN, "аеиотнрсвлкдпмзбуягчщцйшъхжфюь"),
    alphabet(BALKAN, "аоиенрсјтукдвмплзбгшчцжљћњђхџфѓќѕ"),
    // Greek, Hebrew, Arabic and Persian, Thai.
    alphabet(
        &[Encoding::Windows1253, Encoding::Utf16Le, Encoding::Utf16Be],
        "αοιτεσνηυρπκμλςίάόέωήγδχύθφώβξζψϊϋ΄",
    ),
    alphabet(&[Encoding::Windows1255, Encoding::Utf16Le, Encoding::Utf16Be], "יוהלאתמרבשנכםדקעחפטגןצזךסףץ"),
    alphabet(
        &[Encoding::Windows1256, Encoding::Utf16Le, Encoding::Utf16Be],
        "اليمنترودبعسهفةكحقجطشصخذضزثىءآإأظغئؤ،؟؛پچژگ",
    ),
    alphabet(
        &[Encoding::Windows874, Encoding::Utf16Le, Encoding::Utf16Be],
        "านรก่อเงมย้ลวดทัสีิตะปบคห็แืจพชำขใุไโูผถธศณซฟภญษึ์ฝฐ๊ๆ",
    ),
    Language {
        script: Script::Han,
        encodings: &[Encoding::Gb18030, Encoding::Utf16Le, Encoding::Utf16Be],
        frequent: "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里\
用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第\
公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化\
老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再\
感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记\
南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔注存档索引链接编辑录页章节段落句词汉字码测试例文\
件夹项目开始结束时间地址版本说明请输入输出错误数据库用户系统软件网络信息技术研究方法问题工作学习生活计划会议总结参考资料",
    },
    Language {
        script: Script::Han,
        encodings: &[Encoding::Big5, Encoding::Utf16Le, Encoding::Utf16Be],
        frequent: "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡\
用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第\
公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化\
老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再\
感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記\
南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運筆註存檔索引鏈接編輯錄頁章節段落句詞漢字碼測試例台\
灣香港請謝謝讀寫電腦網路資訊技術研究方法問題工作學習生活計畫會議總結參考資料軟體檔案",
    },
    Language {
        script: Script::Kana,
        encodings: &[Encoding::ShiftJis, Encoding::EucJp, Encoding::Utf16Le, Encoding::Utf16Be],
        frequent: "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新\
場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七\
成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予\
川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始\
島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与\
急止送援供可役構木割聴身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪\
楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準賞訴辺造英被株頭技低毎\
医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達",
    },
    Language {
        script: Script::Hangul,
        encodings: &[Encoding::EucKr, Encoding::Utf16Le, Encoding::Utf16Be],
        frequent: "이다는의에을가를고하지은로한도서기사어자나리라시인대으니해보수그있게일아정들만주여부오스제과것상장전안우없\
내면무때등조소원말적러생비구공동성국데거려모드마음신유경식년문람위저세관와할던까더같연화명학통당계실발분작방중물간될입행되또운개회영\
업선미단재건현요히양출심트치습된했었았겠습니까께네님집산강물불바버티래력타레터야두르못알쓰출합각용처체결진산월금권점본번표직노역년름\
길목속글읽쓰검색파일폴더설정저장한글메울날씨봄밤낮침녁맛밥술책빛꽃별달눈숲강쪽앞뒤옆큰좋싫쉽느린높깊넓좁많새옛젊값끝넣돈롭류률릴밖벌\
벽볼봐빨뿐섯섭셨송순싸쪽찾켜퇴팀편폭품필헌협홍확황후휴흐힘",
    },
];
