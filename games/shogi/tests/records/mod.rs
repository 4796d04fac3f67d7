//! Helpers and sample files of the tests of record formats.

// Each test file uses some of them.
#![allow(dead_code)]

use kiban_core::{Act, Call, Entry, Format, Node, ReadError, Record, Source};
use kiban_shogi::GAME;

pub(crate) fn format(id: &str) -> &'static Format {
    GAME.format(id).expect("the format is there")
}

pub(crate) fn read_bytes(id: &str, bytes: &[u8]) -> Result<Vec<Record>, ReadError> {
    (format(id).read.expect("it is read"))(Source { bytes, variant: None })
}

pub(crate) fn read(id: &str, text: &str) -> Record {
    let mut records = read_bytes(id, text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

pub(crate) fn read_error(id: &str, text: &str) -> ReadError {
    read_bytes(id, text.as_bytes()).expect_err(text)
}

pub(crate) fn try_write(id: &str, records: &[Record]) -> Result<String, ReadError> {
    let bytes = (format(id).write.expect("it is written"))(records)?;
    Ok(String::from_utf8(bytes).expect("UTF-8"))
}

pub(crate) fn write(id: &str, record: &Record) -> String {
    try_write(id, std::slice::from_ref(record)).unwrap_or_else(|e| panic!("{e}\n{record:?}"))
}

/// A record without what belongs to its file: places and warnings.
pub(crate) fn bare(mut record: Record) -> Record {
    record.warnings.clear();
    record.nodes.iter_mut().for_each(|node| node.at = None);
    record
}

/// Writes and reads a record that was read, and expects the same.
pub(crate) fn survives(id: &str, record: &Record) {
    let text = write(id, record);
    let back = read(id, &text);
    assert_eq!(back.warnings, [], "{text}");
    assert_eq!(bare(back), bare(record.clone()), "{text}");
}

pub(crate) fn moves(record: &Record) -> Vec<&str> {
    record.moves().collect()
}

pub(crate) fn calls(record: &Record) -> Vec<Call> {
    let call = |e: &Entry| if let Act::Call(call) = e.act { Some(call) } else { None };
    record.entries().filter_map(call).collect()
}

/// Result, reason and text of the claim.
pub(crate) fn claim(record: &Record) -> (&str, Option<&str>, &str) {
    let claimed = record.claimed.as_ref().expect("a claim");
    (&claimed.result, claimed.reason.as_deref(), &claimed.text)
}

pub(crate) fn main_line_only(record: &Record) -> Record {
    let mut line = Record { nodes: vec![record.nodes[0].clone()], ..record.clone() };
    line.nodes[0].children.clear();
    for (at, node) in record.main_line().enumerate() {
        line.add(at, Node { children: Vec::new(), ..node.clone() });
    }
    line
}

/// Without times.
pub(crate) fn timeless(record: &Record) -> Record {
    let mut record = record.clone();
    record.nodes.iter_mut().for_each(|node| node.spent_ms = None);
    record
}

pub(crate) const GAME_KI2: &str = "\
開始日時：2024/01/02 10:00:00
棋戦：名人戦
手合割：平手
先手：甲 太郎
後手：乙 花子
観戦記者：丙

*対局前のコメント
▲７六歩    △３四歩
*二手目
*  二行目
▲２二角成△同 銀　☗４五角☖５二金右
▲３四角 △３三銀
まで8手で後手の勝ち

変化：6手
△５二金左    ▲３四角
変化：7手
▲６三角成
*枝のコメント
△同　金

変化：2手
△８四歩
投了
";

pub(crate) const GAME_JKF: &str = r#"{
  "header": {"先手": "甲 太郎", "後手": "乙 花子", "棋戦": "名人戦", "手合割": "平手", "観戦記者": "丙"},
  "initial": {"preset": "HIRATE"},
  "moves": [
    {"comments": ["対局前のコメント"]},
    {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
     "time": {"now": {"m": 0, "s": 12}, "total": {"h": 0, "m": 0, "s": 12}}},
    {"move": {"color": 1, "from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "piece": "FU"},
     "comments": ["二手目", "  二行目"], "time": {"now": {"h": 1, "m": 15, "s": 6.5}},
     "forks": [
       [{"move": {"color": 1, "from": {"x": 8, "y": 3}, "to": {"x": 8, "y": 4}, "piece": "FU"}},
        {"move": {"from": {"x": 2, "y": 7}, "to": {"x": 2, "y": 6}, "piece": "FU"},
         "forks": [[{"move": {"from": {"x": 2, "y": 8}, "to": {"x": 6, "y": 8}, "piece": "HI"}}]]},
        {"special": "TORYO"}],
       [{"move": {"color": 1, "from": {"x": 5, "y": 3}, "to": {"x": 5, "y": 4}, "piece": "FU"},
         "comments": ["枝"]}]
     ]},
    {"move": {"color": 0, "from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "piece": "KA",
      "capture": "KA", "promote": true}},
    {"move": {"color": 1, "from": {"x": 3, "y": 1}, "piece": "GI", "same": true, "capture": "UM"}},
    {"move": {"color": 0, "to": {"x": 4, "y": 5}, "piece": "KA"}},
    {"move": {"color": 1, "to": {"x": 5, "y": 2}, "piece": "KI", "relative": "L"}},
    {"special": "TORYO", "time": {"now": {"m": 0, "s": 3}}}
  ]
}
"#;

pub(crate) const GAME_KIF: &str = "\
# ---- Kifu for somebody ----
開始日時：2024/01/02 10:00:00
終了日時：2024/01/02 18:00:00
棋戦：名人戦
戦型：角換わり
場所：東京
持ち時間：6時間
手合割：平手　　
先手：甲 太郎
後手：乙 花子
観戦記者：丙
*対局前のコメント
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:12/00:00:12)
*一手目
*  二行目
   2 ３四歩(33)   ( 1:05/00:01:05)+
&しおり
   3 ２二角成(88) ( 0:00/00:00:12)
   4 同　銀(31)   ( 75:00/01:16:05)
   5 ４五角打     ( 0:01/00:00:13)
   6 投了         ( 0:02/01:16:07)
まで5手で先手の勝ち

変化：2手
   2 ８四歩(83)
   3 ２六歩(27)
   4 中断
変化：3手
   3 ６八飛(28)
*枝のコメント
変化：2手
   2 ５四歩(53)
";

pub(crate) const DIAGRAM: &str = "\
手合割：詰将棋
後手の持駒：飛　角　金三　銀四　桂四　香四　歩十七　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・v成香 ・|四
| ・ ・ ・ ・ ・ 全 ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ 龍v圭 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金 歩２
手数＝22  ▲５三歩  まで
盤面回転
手数----指手---------消費時間--
  23 ５二金打
  24 詰み
";

pub(crate) const GAME_CSA: &str = "\
'CSA encoding=UTF-8
V2.2
N+甲
N-乙
$EVENT:名人戦
$SITE:東京
$START_TIME:2024/01/02 10:00:00
$END_TIME:2024/01/02 18:00:00
$TIME_LIMIT:06:00+60
$OPENING:KAKUGAWARI
$MAX_MOVES:256
'* before
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  * 
P5 *  *  *  *  *  *  *  *  * 
P6 *  *  *  *  *  *  *  *  * 
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI * 
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
P+
P-
+
+7776FU,T12
-3334FU
T6.5
'** 30 +8822UM
+8822UM
'comment
-3122GI
+0045KA
%TORYO,T3
";
